// The target distance of each sample, which takes the place of the scramble's length: one more than the least
// value among the neighbours, and zero for the solved puzzle (node 0). One invocation per sample.

#include indexed
#include indexed_values

struct Params {
  samples: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> nodes: array<u32>;
@group(0) @binding(4) var<storage, read_write> labels: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.samples) {
    return;
  }
  let node = nodes[id.x];
  var distance = 0.0;
  if (node != 0u) {
    distance = 1.0 + least_of_neighbours(node);
  }
  labels[id.x] = vec4u(labels[id.x].x, bitcast<u32>(distance), 0u, 0u);
}
