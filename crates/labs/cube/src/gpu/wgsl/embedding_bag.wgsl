// The first layer on one-hot inputs: the bias plus a row of the table for each place. They are added in the
// order of the places, as in the CPU's `kernels::embedding_bag`. One invocation per element of the output.

#include puzzle_rules

struct Params {
  rows: u32,
  width: u32,
  // The first row of `states`, and where table and bias begin in `weights`.
  first: u32,
  table: u32,
  bias: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
@group(0) @binding(2) var<storage, read> states: array<vec4u>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;
// [rows, width]
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i >= params.rows * params.width) {
    return;
  }
  let col = i % params.width;
  let state = states[params.first + i / params.width];
  var sum = weights[params.bias + col];
  for (var place = 0u; place < PLACES; place++) {
    let input = rules[FIRST_INPUTS + place] + value_at(state, place);
    sum += weights[params.table + input * params.width + col];
  }
  out[i] = sum;
}
