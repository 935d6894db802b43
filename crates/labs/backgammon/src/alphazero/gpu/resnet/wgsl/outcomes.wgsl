// The probabilities of the outcomes from their logits, in place.

#include math

struct Params {
  elements: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.elements) {
    values[i] = sigmoid(values[i]);
  }
}
