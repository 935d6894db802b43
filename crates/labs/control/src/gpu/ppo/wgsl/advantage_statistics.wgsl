// (mean, 1 / standard deviation) of the advantages of each minibatch of the unit, by which the update
// normalises them; (0, 1), which changes nothing, if the run does not normalise. Workgroup (m, e) computes
// both for minibatch m of epoch e.

#include ppo_unit
#include shuffle
#include reduce

@group(0) @binding(0) var<storage, read> unit: Unit;
// Value, advantage, return and 0. [samples]
@group(0) @binding(1) var<storage, read> targets: array<vec4f>;
// [epochs][minibatches]
@group(0) @binding(2) var<storage, read_write> statistics: array<vec2f>;

// Invocations of a workgroup. `reduce` needs this name, and a power of two.
const THREADS = 256u;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let keys = shuffle_keys(workgroup.y);
  let first = minibatch_start(workgroup.x);
  let end = minibatch_start(workgroup.x + 1u);
  let count = f32(end - first);
  var sum = 0.0;
  for (var i = first + index; i < end; i += THREADS) {
    sum += targets[shuffled(i, keys)].y;
  }
  let mean = sum_over_workgroup(sum, index) / count;
  // The mean is subtracted first, because the difference of two large sums would cancel in f32.
  var squares = 0.0;
  for (var i = first + index; i < end; i += THREADS) {
    let deviation = targets[shuffled(i, keys)].y - mean;
    squares = fma(deviation, deviation, squares);
  }
  let variance = sum_over_workgroup(squares, index) / count;
  if (index == 0u) {
    var result = vec2f(0.0, 1.0);
    if (unit.normalise_advantages == 1u) {
      // 1e-8 is `EPSILON` of the lab's objective, against a division by zero.
      result = vec2f(mean, 1.0 / (sqrt(variance) + 1e-8));
    }
    statistics[workgroup.y * unit.minibatches + workgroup.x] = result;
  }
}
