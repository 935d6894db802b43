// Copies the network to the target network if `copy_due` has said so. One invocation per parameter.

#include value_iteration

struct Params {
  length: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> progress: ValueIteration;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> target_weights: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.length && progress.copies == 1u) {
    target_weights[i] = weights[i];
  }
}
