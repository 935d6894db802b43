// The factor by which rewards in a world of the user's own are multiplied before they are learned from: one
// over the standard deviation of the discounted returns of all steps so far, those of this unit included. The
// CPU keeps the statistics (the lab's rewards.rs) and takes in what this kernel tells of the unit.

#include ppo_unit
#include reduce

@group(0) @binding(0) var<storage, read> unit: Unit;
@group(0) @binding(1) var<storage, read> totals: array<f32>;
// The factor; mean of the discounted returns of the unit, sum of squared deviations from it.
@group(0) @binding(2) var<storage, read_write> reward_statistics: array<f32>;

const THREADS = 64u;
const TOTALS = 5u + 2u * INPUTS;
const DISCOUNTED = 2u + 2u * INPUTS;
// `EPSILON` of the lab's normaliser.rs.
const EPSILON = 1e-8;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  // All worlds have as many steps. Their means are summed without the first one, so that the sums keep their
  // digits.
  let first = totals[DISCOUNTED + 1u];
  var sum = 0.0;
  for (var world = index; world < unit.worlds; world += THREADS) {
    sum += totals[world * TOTALS + DISCOUNTED + 1u] - first;
  }
  let mean = first + sum_over_workgroup(sum, index) / f32(unit.worlds);
  let horizon = f32(unit.horizon);
  var squares = 0.0;
  for (var world = index; world < unit.worlds; world += THREADS) {
    let at = world * TOTALS + DISCOUNTED;
    let difference = totals[at + 1u] - mean;
    squares += fma(horizon * difference, difference, totals[at + 2u]);
  }
  squares = sum_over_workgroup(squares, index);
  if (index == 0u) {
    let count = horizon * f32(unit.worlds);
    let total = unit.discounted_count + count;
    let difference = mean - unit.discounted_mean;
    let all = unit.discounted_squares + squares
      + difference * difference * (unit.discounted_count * (count / total));
    reward_statistics[0] = 1.0 / sqrt(all / total + EPSILON);
    reward_statistics[1] = mean;
    reward_statistics[2] = squares;
  }
}
