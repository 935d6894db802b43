// One workgroup, between the gradient of a minibatch and Adam: the norm of the gradient, clipping, Adam's
// bias corrections, the metrics of the update, and whether the unit stops because the policy has changed too
// far in an epoch.

#include math
#include ppo_unit
#include ppo_state
#include reduce

struct Params {
  parameters: u32,
  // Sums of squares.
  groups: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> squares: array<f32>;
// The gradient, then the terms of the loss: policy loss, value loss, entropy, KL divergence, clipped samples.
@group(0) @binding(3) var<storage, read> gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> state: State;
// Of each update: the terms of the loss, and the norm. [updates][8]
@group(0) @binding(5) var<storage, read_write> metrics: array<f32>;

const THREADS = 256u;
const TERMS = 5u;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  var sum = 0.0;
  for (var i = index; i < params.groups; i += THREADS) {
    sum += squares[i];
  }
  sum = sum_over_workgroup(sum, index);
  if (index > 0u) {
    return;
  }
  if (state.is_stopped == 1u) {
    state.is_applied = 0u;
    return;
  }
  let norm = sqrt(sum);
  let update = state.updates;
  for (var i = 0u; i < TERMS; i++) {
    metrics[8u * update + i] = gradient[params.parameters + i];
  }
  metrics[8u * update + TERMS] = norm;
  let finite = is_finite(sum);
  state.is_applied = select(0u, 1u, finite);
  if (finite) {
    state.steps += 1u;
    state.factor = select(1.0, unit.max_norm / norm, norm > unit.max_norm);
    // The powers of 0.9 and 0.999 (Adam's betas) are negligible long before the millionth step.
    let t = min(state.steps, 1000000u);
    state.correction_1 = 1.0 / one_minus_power(0.9, t);
    state.correction_2 = 1.0 / one_minus_power(0.999, t);
  }
  state.updates = update + 1u;
  // Term 3 of the loss is the KL divergence.
  state.epoch_kl += gradient[params.parameters + 3u];
  if ((update + 1u) % unit.minibatches == 0u) {
    let kl = state.epoch_kl / f32(sample_count());
    state.is_stopped = select(0u, 1u, unit.target_kl > 0.0 && kl > unit.target_kl);
    state.epoch_kl = 0.0;
  }
}
