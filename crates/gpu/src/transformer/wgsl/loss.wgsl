// Softmax cross-entropy of rows of logits. PASS:
//   0  one workgroup per row: the loss of the row, and its gradient times the update's scale in place of the
//      logits
//   1  one workgroup per row: the most likely token; the lowest of equally likely ones
//   2  one workgroup: the sum of the losses, added to the update's metrics

#include math
#include reduce
#include update

struct Params {
  vocabulary: u32,
  // The number of the first row of `logits` in the batch of this pass.
  first_row: u32,
  rows: u32,
}

// Below every logit.
const LOWEST = -3.4e38;
// The target of a row that has neither loss nor gradient.
const IGNORE = 65535u;

@group(0) @binding(0) var<uniform> params: Params;
#if PASS == 0
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> logits: array<f32>;
@group(0) @binding(4) var<storage, read_write> losses: array<f32>;
#end
#if PASS == 1
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> likeliest: array<u32>;
var<workgroup> best: array<u32, THREADS>;
#end
#if PASS == 2
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> losses: array<f32>;
@group(0) @binding(3) var<storage, read_write> metrics: array<f32>;
#end

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
#if PASS == 0
  let first = workgroup.x * params.vocabulary;
  let row = params.first_row + workgroup.x;
  let row_target = targets[row];
  var largest = LOWEST;
  for (var i = index; i < params.vocabulary; i += THREADS) {
    largest = max(largest, logits[first + i]);
  }
  largest = max_over_workgroup(largest, index);
  var sum = 0.0;
  for (var i = index; i < params.vocabulary; i += THREADS) {
    sum += exponential(logits[first + i] - largest);
  }
  sum = sum_over_workgroup(sum, index);
  if (index == 0u) {
    let counts = row_target != IGNORE && row >= update.uncounted;
    losses[row] = select(0.0, logarithm(sum) - (logits[first + min(row_target, params.vocabulary - 1u)] - largest), counts);
  }
  // `storageBarrier` orders the read of the target's logit above before the gradients are written below.
  storageBarrier();
  workgroupBarrier();
  let factor = select(update.gradient_scale / sum, 0.0, row_target == IGNORE);
  for (var i = index; i < params.vocabulary; i += THREADS) {
    let gradient = exponential(logits[first + i] - largest) * factor;
    logits[first + i] = gradient - select(0.0, update.gradient_scale, i == row_target);
  }
#end
#if PASS == 1
  let first = workgroup.x * params.vocabulary;
  var largest = LOWEST;
  var token = 0u;
  for (var i = index; i < params.vocabulary; i += THREADS) {
    if (logits[first + i] > largest) {
      largest = logits[first + i];
      token = i;
    }
  }
  let highest = max_over_workgroup(largest, index);
  // Invocations without the highest logit take no part in the search for the lowest token.
  best[index] = select(0xffffffffu, token, largest == highest);
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (index < stride) {
      best[index] = min(best[index], best[index + stride]);
    }
  }
  if (index == 0u) {
    likeliest[params.first_row + workgroup.x] = min(best[0], params.vocabulary - 1u);
  }
#end
#if PASS == 2
  var sum = 0.0;
  for (var row = index; row < params.rows; row += THREADS) {
    sum += losses[row];
  }
  sum = sum_over_workgroup(sum, index);
  if (index == 0u) {
    metrics[2u * update.slot] += sum;
  }
#end
}
