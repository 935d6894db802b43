// The embedding of tokens and positions, and the gradient of both tables. PASS:
//   0  forward: one workgroup per row, out = token[t] + position[i]
//   1  gradient of the token table: one workgroup per token, which adds up its rows in order
//   2  gradient of the position table: one workgroup per position, which adds up the sequences in order

struct Params {
  rows: u32,
  length: u32,
  width: u32,
  // The index of the first element of the token table and of the position table.
  tokens: u32,
  positions: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
#if PASS == 0
@group(0) @binding(1) var<storage, read> tokens: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
#end
#if PASS == 1
// The rows in the order of their tokens, and for each token the index of its first row in that order.
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> first_of_token: array<u32>;
@group(0) @binding(3) var<storage, read> dy: array<f32>;
@group(0) @binding(4) var<storage, read_write> grads: array<f32>;
#end
#if PASS == 2
@group(0) @binding(1) var<storage, read> dy: array<f32>;
@group(0) @binding(2) var<storage, read_write> grads: array<f32>;
#end

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  for (var col = index; col < params.width; col += 64u) {
    #if PASS == 0
    let row = workgroup.x;
    let token = weights[params.tokens + tokens[row] * params.width + col];
    let position = weights[params.positions + (row % params.length) * params.width + col];
    out[row * params.width + col] = token + position;
    #end
    #if PASS == 1
    var sum = 0.0;
    for (var i = first_of_token[workgroup.x]; i < first_of_token[workgroup.x + 1u]; i++) {
      sum += dy[order[i] * params.width + col];
    }
    grads[params.tokens + workgroup.x * params.width + col] += sum;
    #end
    #if PASS == 2
    var sum = 0.0;
    for (var row = workgroup.x; row < params.rows; row += params.length) {
      sum += dy[row * params.width + col];
    }
    grads[params.positions + workgroup.x * params.width + col] += sum;
    #end
  }
}
