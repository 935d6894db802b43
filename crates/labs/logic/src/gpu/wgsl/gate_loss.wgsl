// The end of the automaton's steps, in one workgroup: the squared error of the shown channels of the last
// state, its gradient, and the quantization noise of the next epoch.

#include reduce
#include gate_epoch

// The weight of an epoch in the moving average of the soft error, and the smallest share of undecided gates,
// both as in `training/quantization_noise.rs`.
const SOFT_ERROR_EMA = 0.05;
const MIN_UNDECIDED = 0.05;

struct Params {
  // Values of a state: channels times cells of all grids, channel after channel.
  values: u32,
  // The values of the shown channels, which come first.
  shown: u32,
  // Where the last state begins.
  last: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> epoch: Epoch;
@group(0) @binding(2) var<storage, read> states: array<f32>;
@group(0) @binding(3) var<storage, read> goal: array<f32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(5) var<storage, read_write> noise: Noise;
@group(0) @binding(6) var<storage, read_write> metrics: array<f32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  var sum = 0.0;
  for (var i = index; i < params.values; i += THREADS) {
    var error = 0.0;
    if (i < params.shown) {
      error = states[params.last + i] - goal[i];
    }
    sum = fma(error, error, sum);
    gradient[i] = 2.0 * error;
  }
  let loss = sum_over_workgroup(sum, index) / f32(params.shown);
  if (index == 0u) {
    metrics[epoch.slot] = loss;
    let average = noise.soft_error + SOFT_ERROR_EMA * (loss - noise.soft_error);
    let factor = 1.0 + epoch.hardening_rate;
    noise.soft_error = average;
    if (average < epoch.hardening_threshold) {
      noise.undecided = max(noise.undecided / factor, MIN_UNDECIDED);
    } else {
      noise.undecided = min(noise.undecided * factor, 1.0);
    }
  }
}
