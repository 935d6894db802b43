// The backward pass of a ReLU, in place: the gradient `dy` becomes zero where the output `y` is zero.

struct Params {
  elements: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> dy: array<f32>;

const INVOCATIONS = 64u;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  // Workgroups have two dimensions, because one holds at most 65,535 of them.
  let i = id.x + id.y * count.x * INVOCATIONS;
  if (i < params.elements && y[i] <= 0.0) {
    dy[i] = 0.0;
  }
}
