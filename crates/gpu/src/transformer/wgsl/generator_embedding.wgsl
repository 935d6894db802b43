// The residual stream of rows of text generation: embedding of the token plus that of its position. One
// workgroup per row.

#include generator_row

struct Params {
  context: u32,
  width: u32,
  // The index of the first element of the token table and of the position table.
  tokens: u32,
  positions: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
// The last tokens of each text; that with index i lies at i % context.
// Shape: [sequences, context].
@group(0) @binding(2) var<storage, read> history: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = rows[workgroup.x];
  let token = history[row.sequence * params.context + row.index % params.context];
  let position = min(row.position, params.context - 1u);
  for (var col = index; col < params.width; col += 64u) {
    let value = weights[params.tokens + token * params.width + col];
    out[workgroup.x * params.width + col] = value + weights[params.positions + position * params.width + col];
  }
}
