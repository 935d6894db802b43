// The gradient of the table of the first layer, in parts of `part_rows` rows, which the kernel `sum_parts`
// adds up. An invocation sums one column for all values of a place, row by row, so no sum needs an atomic
// addition.

#include puzzle_rules

struct Params {
  rows: u32,
  width: u32,
  // The first row of `states`.
  first: u32,
  part_rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
@group(0) @binding(2) var<storage, read> states: array<vec4u>;
// [rows, width]
@group(0) @binding(3) var<storage, read> dy: array<f32>;
// [parts, inputs, width]
@group(0) @binding(4) var<storage, read_write> parts: array<f32>;

const THREADS = 64u;
// The most values of a place.
const VALUES = 32u;

// The sums of each invocation's column, which only it reads and writes.
var<workgroup> sums: array<f32, VALUES * THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let col = workgroup.x * THREADS + index;
  if (col >= params.width) {
    return;
  }
  let place = workgroup.y;
  let first_input = rules[FIRST_INPUTS + place];
  let values = rules[FIRST_INPUTS + place + 1u] - first_input;
  for (var value = 0u; value < values; value++) {
    sums[value * THREADS + index] = 0.0;
  }
  let begin = workgroup.z * params.part_rows;
  let end = min(begin + params.part_rows, params.rows);
  for (var row = begin; row < end; row++) {
    let value = value_at(states[params.first + row], place);
    sums[value * THREADS + index] += dy[row * params.width + col];
  }
  let out = (workgroup.z * rules[FIRST_INPUTS + PLACES] + first_input) * params.width + col;
  for (var value = 0u; value < values; value++) {
    parts[out + value * params.width] = sums[value * THREADS + index];
  }
}
