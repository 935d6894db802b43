// The mean loss of an update, in its place among the metrics. With value iteration also what changes at the
// end of an update. One workgroup.

#include reduce
#include update
#if VALUE_ITERATION
#include math
#include value_iteration
#end

struct Params {
  samples: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> losses: array<f32>;
@group(0) @binding(3) var<storage, read_write> metrics: array<f32>;
#if VALUE_ITERATION
@group(0) @binding(4) var<storage, read_write> progress: ValueIteration;
#end

const THREADS = 256u;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  var sum = 0.0;
  for (var sample = index; sample < params.samples; sample += THREADS) {
    sum += losses[sample];
  }
  let loss = sum_over_workgroup(sum, index) / f32(params.samples);
  if (index != 0u) {
    return;
  }
  metrics[2u * update.slot] = loss;
  #if VALUE_ITERATION
  progress.age += 1u;
  if (progress.mean_loss < 0.0) {
    progress.mean_loss = loss;
  } else {
    // The weights of the CPU's learner.
    progress.mean_loss = 0.95 * progress.mean_loss + 0.05 * loss;
  }
  if (!is_finite(progress.mean_loss)) {
    progress.mean_loss = -1.0;
  }
  let added = params.samples - progress.drawn;
  if (progress.kept < KEPT) {
    let all = progress.kept + added;
    progress.kept = min(all, KEPT);
    progress.next = select(0u, all % KEPT, all > KEPT);
  } else {
    progress.next = (progress.next + added) % KEPT;
  }
  #end
}
