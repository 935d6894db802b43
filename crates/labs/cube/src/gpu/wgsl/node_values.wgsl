// The estimated distances of all nodes from the network's outputs, in place: at least zero, and zero for the
// solved puzzle. One invocation per node.

struct Params {
  count: u32,
  // An output y means the distance mean + deviation * y.
  mean: f32,
  deviation: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.count) {
    let distance = max(fma(params.deviation, values[i], params.mean), 0.0);
    values[i] = select(distance, 0.0, i == 0u);
  }
}
