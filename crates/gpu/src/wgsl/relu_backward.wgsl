// The backward pass of a ReLU, in place: the gradient is zero where the output is.

struct Params {
  elements: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> dy: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.elements && y[i] <= 0.0) {
    dy[i] = 0.0;
  }
}
