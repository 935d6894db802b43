// Causal attention of one head: each invocation computes one row, a workgroup 64 rows of one head of one
// sequence. The rows of the other side (keys and values, or queries and gradients) pass through the
// workgroup's memory, BLOCK at a time. No matrix of attention weights is stored: the forward pass saves the
// log-sum-exp of each row's scores, from which the backward passes compute the weights again (Dao et al.,
// "FlashAttention", 2022). PASS:
//   0  forward
//   1  gradient of the queries, and `deltas`: for each row and head the
//      dot product of the output and its gradient (the D of FlashAttention-2)
//   2  gradients of the keys and values
// HEADS and HEAD_SIZE are the number and size of the heads, VECTORS is HEAD_SIZE / 4 rounded up, and BLOCK is
// the number of rows in the workgroup's memory, which is 16 kB at most.

#include math

struct Params {
  // Rows of a sequence.
  length: u32,
  scale: f32,
}

const WIDTH = HEADS * HEAD_SIZE;
const ROWS = 64u;
// Below every score.
const LOWEST = -3.0e38;

@group(0) @binding(0) var<uniform> params: Params;
// Shape: [rows, 3 WIDTH].
@group(0) @binding(1) var<storage, read> qkv: array<f32>;
#if PASS == 0
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> log_sums: array<f32>;
#end
#if PASS == 1
@group(0) @binding(2) var<storage, read> out: array<f32>;
@group(0) @binding(3) var<storage, read> log_sums: array<f32>;
@group(0) @binding(4) var<storage, read> d_out: array<f32>;
@group(0) @binding(5) var<storage, read_write> deltas: array<f32>;
@group(0) @binding(6) var<storage, read_write> d_qkv: array<f32>;
#end
#if PASS == 2
@group(0) @binding(3) var<storage, read> log_sums: array<f32>;
@group(0) @binding(4) var<storage, read> d_out: array<f32>;
@group(0) @binding(5) var<storage, read> deltas: array<f32>;
@group(0) @binding(6) var<storage, read_write> d_qkv: array<f32>;
#end

// Four features of a row of `qkv`; features beyond the head's size are zero.
fn load_qkv(at: u32, vector: u32) -> vec4f {
  #if HEAD_SIZE % 4 == 0
  let i = at + 4u * vector;
  return vec4f(qkv[i], qkv[i + 1u], qkv[i + 2u], qkv[i + 3u]);
  #else
  var value = vec4f();
  #for i 4
  if (4u * vector + $iu < HEAD_SIZE) {
    value[$i] = qkv[at + 4u * vector + $iu];
  }
  #end
  return value;
  #end
}

#if PASS > 0
fn load_d_out(at: u32, vector: u32) -> vec4f {
  var value = vec4f();
  #for i 4
  if (4u * vector + $iu < HEAD_SIZE) {
    value[$i] = d_out[at + 4u * vector + $iu];
  }
  #end
  return value;
}

fn store_d_qkv(at: u32, vector: u32, value: vec4f) {
  #for i 4
  if (4u * vector + $iu < HEAD_SIZE) {
    d_qkv[at + 4u * vector + $iu] = value[$i];
  }
  #end
}
#end

// BLOCK rows of two matrices: of keys and values, or in pass 2 of queries and the gradient of the output.
// Shape of each: [BLOCK, VECTORS].
var<workgroup> first_rows: array<vec4f, BLOCK * VECTORS>;
var<workgroup> second_rows: array<vec4f, BLOCK * VECTORS>;
#if PASS == 2
var<workgroup> row_log_sums: array<f32, BLOCK>;
var<workgroup> row_deltas: array<f32, BLOCK>;
#end

@compute @workgroup_size(ROWS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let first = workgroup.x * ROWS;
  let row = first + index;
  let head = workgroup.y;
  let sequence = workgroup.z * params.length;
  let end = min(first + ROWS, params.length);
  let in_sequence = row < params.length;
  // The indices of this row's query in `qkv` (its key is at + WIDTH, its value at + 2 WIDTH), of its output,
  // and of its numbers of this head. Rows beyond the sequence read the last row, so that they reach every
  // barrier.
  let own = (sequence + min(row, params.length - 1u)) * 3u * WIDTH + head * HEAD_SIZE;
  let own_out = (sequence + min(row, params.length - 1u)) * WIDTH + head * HEAD_SIZE;
  let own_number = (sequence + min(row, params.length - 1u)) * HEADS + head;
#if PASS < 2
  #for v VECTORS
  let q_$v = load_qkv(own, $vu);
  #end
#end
#if PASS == 0
  // First the log-sum-exp of the row's scores; then, from the same scores again, the weighted sum of the
  // values. Here: the largest score so far, and the sum of the exponentials of the scores minus it.
  var largest = LOWEST;
  var sum = 0.0;
  for (var block = 0u; block < end; block += BLOCK) {
    workgroupBarrier();
    for (var i = index; i < BLOCK * VECTORS; i += ROWS) {
      let key = min(block + i / VECTORS, params.length - 1u);
      first_rows[i] = load_qkv((sequence + key) * 3u * WIDTH + WIDTH + head * HEAD_SIZE, i % VECTORS);
    }
    workgroupBarrier();
    for (var key = 0u; key < BLOCK; key++) {
      if (block + key <= row) {
        var score = 0.0;
        #for v VECTORS
        score += dot(q_$v, first_rows[key * VECTORS + $vu]);
        #end
        score *= params.scale;
        if (score > largest) {
          sum = fma(sum, exponential(largest - score), 1.0);
          largest = score;
        } else {
          sum += exponential(score - largest);
        }
      }
    }
  }
  let log_sum = largest + logarithm(sum);
  #for v VECTORS
  var out_$v = vec4f();
  #end
  for (var block = 0u; block < end; block += BLOCK) {
    workgroupBarrier();
    for (var i = index; i < BLOCK * VECTORS; i += ROWS) {
      let key = min(block + i / VECTORS, params.length - 1u);
      let at = (sequence + key) * 3u * WIDTH + WIDTH + head * HEAD_SIZE;
      first_rows[i] = load_qkv(at, i % VECTORS);
      second_rows[i] = load_qkv(at + WIDTH, i % VECTORS);
    }
    workgroupBarrier();
    for (var key = 0u; key < BLOCK; key++) {
      if (block + key <= row) {
        var score = 0.0;
        #for v VECTORS
        score += dot(q_$v, first_rows[key * VECTORS + $vu]);
        #end
        let weight = vec4f(exponential(fma(score, params.scale, -log_sum)));
        #for v VECTORS
        out_$v = fma(weight, second_rows[key * VECTORS + $vu], out_$v);
        #end
      }
    }
  }
  if (in_sequence) {
    log_sums[own_number] = log_sum;
    #for v VECTORS
    #for i 4
    if (4u * $vu + $iu < HEAD_SIZE) {
      out[own_out + 4u * $vu + $iu] = out_$v[$i];
    }
    #end
    #end
  }
#end
#if PASS == 1
  var delta = 0.0;
  #for v VECTORS
  let d_$v = load_d_out(own_out, $vu);
  #for i 4
  if (4u * $vu + $iu < HEAD_SIZE) {
    delta = fma(d_$v[$i], out[own_out + 4u * $vu + $iu], delta);
  }
  #end
  var dq_$v = vec4f();
  #end
  let log_sum = log_sums[own_number];
  for (var block = 0u; block < end; block += BLOCK) {
    workgroupBarrier();
    for (var i = index; i < BLOCK * VECTORS; i += ROWS) {
      let key = min(block + i / VECTORS, params.length - 1u);
      let at = (sequence + key) * 3u * WIDTH + WIDTH + head * HEAD_SIZE;
      first_rows[i] = load_qkv(at, i % VECTORS);
      second_rows[i] = load_qkv(at + WIDTH, i % VECTORS);
    }
    workgroupBarrier();
    for (var key = 0u; key < BLOCK; key++) {
      if (block + key <= row) {
        var score = 0.0;
        var d_weight = 0.0;
        #for v VECTORS
        score += dot(q_$v, first_rows[key * VECTORS + $vu]);
        d_weight += dot(d_$v, second_rows[key * VECTORS + $vu]);
        #end
        let weight = exponential(fma(score, params.scale, -log_sum));
        let d_score = vec4f(weight * (d_weight - delta) * params.scale);
        #for v VECTORS
        dq_$v = fma(d_score, first_rows[key * VECTORS + $vu], dq_$v);
        #end
      }
    }
  }
  if (in_sequence) {
    deltas[own_number] = delta;
    #for v VECTORS
    store_d_qkv(own, $vu, dq_$v);
    #end
  }
#end
#if PASS == 2
  #for v VECTORS
  let k_$v = load_qkv(own + WIDTH, $vu);
  let v_$v = load_qkv(own + 2u * WIDTH, $vu);
  var dk_$v = vec4f();
  var dv_$v = vec4f();
  #end
  for (var block = first; block < params.length; block += BLOCK) {
    workgroupBarrier();
    for (var i = index; i < BLOCK * VECTORS; i += ROWS) {
      let query = sequence + min(block + i / VECTORS, params.length - 1u);
      first_rows[i] = load_qkv(query * 3u * WIDTH + head * HEAD_SIZE, i % VECTORS);
      second_rows[i] = load_d_out(query * WIDTH + head * HEAD_SIZE, i % VECTORS);
    }
    if (index < BLOCK) {
      let query = sequence + min(block + index, params.length - 1u);
      row_log_sums[index] = log_sums[query * HEADS + head];
      row_deltas[index] = deltas[query * HEADS + head];
    }
    workgroupBarrier();
    for (var query = 0u; query < BLOCK; query++) {
      if (block + query >= row && block + query < params.length) {
        var score = 0.0;
        var d_weight = 0.0;
        #for v VECTORS
        score += dot(k_$v, first_rows[query * VECTORS + $vu]);
        d_weight += dot(v_$v, second_rows[query * VECTORS + $vu]);
        #end
        let weight = exponential(fma(score, params.scale, -row_log_sums[query]));
        let d_score = vec4f(weight * (d_weight - row_deltas[query]) * params.scale);
        #for v VECTORS
        dv_$v = fma(vec4f(weight), second_rows[query * VECTORS + $vu], dv_$v);
        dk_$v = fma(d_score, first_rows[query * VECTORS + $vu], dk_$v);
        #end
      }
    }
  }
  if (in_sequence) {
    #for v VECTORS
    store_d_qkv(own + WIDTH, $vu, dk_$v);
    store_d_qkv(own + 2u * WIDTH, $vu, dv_$v);
    #end
  }
#end
}
