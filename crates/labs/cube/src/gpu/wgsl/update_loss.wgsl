// The mean loss of an update, in its place among the metrics. With value iteration also what else changes at
// the end of an update: the age of the target network, the moving average of the loss, and the ring of kept
// states. One workgroup.

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
  // Each update has two metrics: the loss, and the norm of the gradient, which the optimiser writes.
  metrics[2u * update.slot] = loss;
  #if VALUE_ITERATION
  progress.age += 1u;
  // The average is negative before the first loss.
  if (progress.mean_loss < 0.0) {
    progress.mean_loss = loss;
  } else {
    // The weights of the CPU's learner.
    progress.mean_loss = 0.95 * progress.mean_loss + 0.05 * loss;
  }
  // An average that is not finite would stay so.
  if (!is_finite(progress.mean_loss)) {
    progress.mean_loss = -1.0;
  }
  // Kept states lie in a ring of `KEPT` places. Samples that were drawn from it are there already; the others
  // are added. While the ring is being filled, new states follow the kept ones and `next` stays 0. Then they
  // overwrite the oldest ones from `next` on.
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
