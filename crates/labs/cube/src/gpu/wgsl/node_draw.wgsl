// Draws nodes in proportion to their squared Bellman residual, which replace the first samples. Sampling is
// stratified: one from each of `count` equal parts of the sum of all squares; none if that is zero. One
// invocation per sample.

#include math
#include philox
#include sampling
#include indexed
#include sample_by_sum

struct Params {
  count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> sampling: SamplingParameters;
@group(0) @binding(3) var<storage, read> running: array<f32>;
@group(0) @binding(4) var<storage, read> blocks: array<f32>;
@group(0) @binding(5) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(6) var<storage, read_write> states: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let total = blocks[(NODES + BLOCK - 1u) / BLOCK];
  if (id.x >= params.count || !(total > 0.0) || !is_finite(total)) {
    return;
  }
  let word = philox(vec4u(sampling.update, id.x, 0u), sampling.residual_key).x;
  // A random number in [0, 1), the upper 24 bits of the word over 2^24, is the place inside the part.
  let part = f32(id.x) + f32(word >> 8u) / 16777216.0;
  let node = index_at(part / f32(params.count) * total, NODES);
  nodes[id.x] = node;
  states[id.x] = packed_state(state_of(node));
}
