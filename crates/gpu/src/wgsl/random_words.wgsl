// The random words of counters, by which the tests compare `philox` with the CPU's.

#include philox

struct Params {
  blocks: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Shapes: counters [blocks], keys [blocks], words [blocks].
@group(0) @binding(1) var<storage, read> counters: array<vec4u>;
@group(0) @binding(2) var<storage, read> keys: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> words: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.blocks) {
    words[i] = philox(counters[i], keys[i]);
  }
}
