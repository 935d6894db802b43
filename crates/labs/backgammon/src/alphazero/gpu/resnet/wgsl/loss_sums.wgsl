// Adds the losses of a part of a minibatch (what one pass learns from) to those of its update: value loss,
// policy loss, entropy. One workgroup.

#include minibatch
#include reduce

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> minibatch: Minibatch;
@group(0) @binding(2) var<storage, read> value_losses: array<f32>;
// [updates]
@group(0) @binding(3) var<storage, read_write> sums: array<vec4f>;
#if POLICY
// Loss and entropy of each row.
@group(0) @binding(4) var<storage, read> policy_losses: array<vec2f>;
#end

const THREADS = 256u;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  var value = 0.0;
  #if POLICY
  var policy = vec2f();
  #end
  for (var row = index; row < params.rows; row += THREADS) {
    value += value_losses[row];
    #if POLICY
    policy += policy_losses[row];
    #end
  }
  value = sum_over_workgroup(value, index);
  #if POLICY
  policy.x = sum_over_workgroup(policy.x, index);
  policy.y = sum_over_workgroup(policy.y, index);
  #else
  let policy = vec2f();
  #end
  if (index == 0u) {
    sums[minibatch.slot] += vec4f(value, policy, 0.0);
  }
}
