// The relative entropy of a turn's policy target with respect to the policy, and its gradient with respect to
// the policy table, the output of the policy head for the turn. The logit of a play is the sum of some
// entries of the table. One workgroup per row (a turn of the minibatch); a row without plays has no policy
// target.

#include math
#include minibatch
#include reduce

struct Params {
  // Entries of a table.
  width: u32,
  // The most plays of all rows together.
  capacity: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> minibatch: Minibatch;
// [rows, width]
@group(0) @binding(2) var<storage, read> tables: array<f32>;
// The first play of each row. [rows + 1]
@group(0) @binding(3) var<storage, read> first_play: array<u32>;
// The indices of a play's entries, 16 bits each; NONE after the last. [plays]
@group(0) @binding(4) var<storage, read> entries: array<vec4u>;
// The target probability of each play, then the derivative of the loss with respect to its logit. [2,
// capacity]
@group(0) @binding(5) var<storage, read_write> plays: array<f32>;
// [rows, width]
@group(0) @binding(6) var<storage, read_write> gradient: array<f32>;
// Loss and entropy of each row. [rows]
@group(0) @binding(7) var<storage, read_write> losses: array<vec2f>;

const THREADS = 64u;
const NONE = 0xffffu;
const ENTRIES = 8u;

fn entry(play: vec4u, i: u32) -> u32 {
  return (play[i / 2u] >> (16u * (i % 2u))) & 0xffffu;
}

fn logit(table: u32, play: vec4u) -> f32 {
  var sum = 0.0;
  for (var i = 0u; i < ENTRIES; i++) {
    let at = entry(play, i);
    if (at == NONE) {
      break;
    }
    sum += tables[table + at];
  }
  return sum;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = workgroup.x;
  let table = row * params.width;
  let is_counted = row < minibatch.rows;
  let first = select(0u, first_play[row], is_counted);
  let end = select(0u, first_play[row + 1u], is_counted);
  var largest = -1e30;
  for (var play = first + index; play < end; play += THREADS) {
    largest = max(largest, logit(table, entries[play]));
  }
  largest = max_over_workgroup(largest, index);
  var sum = 0.0;
  for (var play = first + index; play < end; play += THREADS) {
    sum += exponential(logit(table, entries[play]) - largest);
  }
  let log_sum = largest + logarithm(max(sum_over_workgroup(sum, index), 1e-30));
  var loss = 0.0;
  var entropy = 0.0;
  for (var play = first + index; play < end; play += THREADS) {
    let log_probability = logit(table, entries[play]) - log_sum;
    let probability = exponential(log_probability);
    let goal = plays[play];
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
  storageBarrier();
  // Each invocation gathers the gradients of its entries, in the order of the plays.
  for (var column = index; column < params.width; column += THREADS) {
    var slope = 0.0;
    for (var play = first; play < end; play++) {
      let own = entries[play];
      for (var i = 0u; i < ENTRIES; i++) {
        slope += select(0.0, plays[params.capacity + play], entry(own, i) == column);
      }
    }
    gradient[table + column] = slope;
  }
}
