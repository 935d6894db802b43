// The critic's values of the observations of a rollout, a tile of ROWS in each workgroup. `networks` has the forward
// pass; it reads `net` and `inputs`, and waits for all invocations before and after each layer.

#include networks

struct Params {
  // How many observations there are.
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> net: array<vec4f>;
// [rows][INPUTS]
@group(0) @binding(2) var<storage, read> observations: array<f32>;
// [rows]
@group(0) @binding(3) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) count: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let first = (workgroup.x + workgroup.y * count.x) * ROWS;
  let end = params.rows * INPUTS;
  for (var i = index; i < ROWS * INPUTS; i += THREADS) {
    let at = first * INPUTS + i;
    var x = 0.0;
    if (at < end) {
      x = observations[at];
    }
    inputs[i] = x;
  }
  // The critic lies behind the actor.
  forward(NETWORK, index);
  if (index < ROWS && first + index < params.rows) {
    values[first + index] = output(NETWORK, 0u, index);
  }
}
