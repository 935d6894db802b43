// The policy loss of each row (a turn of the minibatch): the relative entropy of its policy target with
// respect to the policy. And the gradient of the loss with respect to the policy table, the row's output of
// the policy head. The logit of a play is the sum of some entries of the table, and the policy is the softmax
// of the logits. One workgroup per row. A row without plays has no policy target, so all of this is 0 there.

#include math
#include minibatch
#include reduce

struct Params {
  // The number of entries of a row's table.
  width: u32,
  // The most plays of all rows together: the length of each half of `plays`.
  capacity: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> minibatch: Minibatch;
// [rows, width]
@group(0) @binding(2) var<storage, read> tables: array<f32>;
// The first play of each row. [rows + 1]
@group(0) @binding(3) var<storage, read> first_play: array<u32>;
// For each play the indices of its entries in the table, 16 bits each; NONE after the last. [plays]
@group(0) @binding(4) var<storage, read> play_indices: array<vec4u>;
// The target probability of each play, then the derivative of the loss with respect to its logit. Derivative
// and gradient are scaled by `policy_scale`, the loss is not. [2, capacity]
@group(0) @binding(5) var<storage, read_write> plays: array<f32>;
// [rows, width]
@group(0) @binding(6) var<storage, read_write> gradient: array<f32>;
// Loss and entropy of each row. [rows]
@group(0) @binding(7) var<storage, read_write> losses: array<vec2f>;

const THREADS = 64u;
const NONE = 0xffffu;
// The most entries of a play.
const MAX_ENTRIES = 8u;

// The index of a play's entry `i`.
fn index_of(indices: vec4u, i: u32) -> u32 {
  return (indices[i / 2u] >> (16u * (i % 2u))) & 0xffffu;
}

fn logit(table: u32, indices: vec4u) -> f32 {
  var sum = 0.0;
  for (var i = 0u; i < MAX_ENTRIES; i++) {
    let column = index_of(indices, i);
    if (column == NONE) {
      break;
    }
    sum += tables[table + column];
  }
  return sum;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = workgroup.x;
  let table = row * params.width;
  // The rows behind those of the minibatch get no plays, so that they write zeros.
  let is_counted = row < minibatch.rows;
  let first = select(0u, first_play[row], is_counted);
  let end = select(0u, first_play[row + 1u], is_counted);
  // The largest logit is subtracted before the exponential, which could overflow.
  var largest = -1e30;
  for (var play = first + index; play < end; play += THREADS) {
    largest = max(largest, logit(table, play_indices[play]));
  }
  largest = max_over_workgroup(largest, index);
  var sum = 0.0;
  for (var play = first + index; play < end; play += THREADS) {
    sum += exponential(logit(table, play_indices[play]) - largest);
  }
  // The bound is for rows without plays, whose sum is 0.
  let log_sum = largest + logarithm(max(sum_over_workgroup(sum, index), 1e-30));
  var loss = 0.0;
  var entropy = 0.0;
  for (var play = first + index; play < end; play += THREADS) {
    let log_probability = logit(table, play_indices[play]) - log_sum;
    let probability = exponential(log_probability);
    let goal = plays[play];
    // The limit of `goal * logarithm(goal)` at 0 is 0.
    if (goal > 0.0) {
      loss += goal * (logarithm(goal) - log_probability);
    }
    entropy -= probability * log_probability;
    plays[params.capacity + play] = minibatch.policy_scale * (probability - goal);
  }
  loss = sum_over_workgroup(loss, index);
  entropy = sum_over_workgroup(entropy, index);
  if (index == 0u) {
    losses[row] = vec2f(loss, entropy);
  }
  // Waits until all derivatives of the row are written.
  storageBarrier();
  // Each invocation gathers the gradients of its columns, in the order of the plays: the bits must not depend
  // on the order of the invocations.
  for (var column = index; column < params.width; column += THREADS) {
    var slope = 0.0;
    for (var play = first; play < end; play++) {
      let indices = play_indices[play];
      for (var i = 0u; i < MAX_ENTRIES; i++) {
        slope += select(0.0, plays[params.capacity + play], index_of(indices, i) == column);
      }
    }
    gradient[table + column] = slope;
  }
}
