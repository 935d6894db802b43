// Tiled GEMM with register blocking: c = epilogue(op(a) op(b)), where `op` is the identity or the transpose. A workgroup of
// 16 by 16 invocations computes a tile of 16 ROWS by 16 COLS elements, and each invocation ROWS by COLS of them. Within a
// split, every element is summed over k in ascending order, whatever the tile.
//
// Constants: ROWS, COLS, DEPTH (elements of k that are loaded at a time), TRANSPOSE_A, TRANSPOSE_B, and EPILOGUE:
//   0  c = sum
//   1  c = c + sum
//   2  c = sum + bias
//   3  saved = sum + bias, c = gelu(saved)
//   4  c = c + sum + bias
//   5  c = sum * gelu'(saved)
//   6  c = sum * factor + bias * other, plus `diagonal` on the diagonal; `bias` is a matrix here
// Split-K: with several splits, each writes its partial product to a matrix of its own, `c_batch` elements after that of the
// split before; the kernel `sum_parts` adds them up.

#include math

struct Params {
  m: u32,
  n: u32,
  k: u32,
  // The length of the range of k of one split.
  split_length: u32,
  splits: u32,
  // Of each operand, in elements: the offset, the row stride and the batch stride.
  a: u32,
  a_row: u32,
  a_batch: u32,
  b: u32,
  b_row: u32,
  b_batch: u32,
  c: u32,
  c_row: u32,
  c_batch: u32,
  bias: u32,
  saved: u32,
  factor: f32,
  other: f32,
  diagonal: f32,
  padding: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
#if EPILOGUE > 1
@group(0) @binding(4) var<storage, read> bias: array<f32>;
#end
#if EPILOGUE == 3
@group(0) @binding(5) var<storage, read_write> saved: array<f32>;
#end
#if EPILOGUE == 5
@group(0) @binding(5) var<storage, read> saved: array<f32>;
#end

const TILE_ROWS = 16u * ROWS;
const TILE_COLS = 16u * COLS;
// Padded by one against bank conflicts: the elements of a column lie in different banks of the workgroup's memory.
const A_STRIDE = TILE_ROWS + 1u;
const B_STRIDE = TILE_COLS + 1u;

// The tiles of both operands. Shapes: [DEPTH, TILE_ROWS], [DEPTH, TILE_COLS].
var<workgroup> a_tile: array<f32, DEPTH * A_STRIDE>;
var<workgroup> b_tile: array<f32, DEPTH * B_STRIDE>;

fn write(row: u32, col: u32, batch: u32, sum: f32) {
  if (row >= params.m || col >= params.n) {
    return;
  }
  let at = params.c + batch * params.c_batch + row * params.c_row + col;
  #if EPILOGUE == 0
  c[at] = sum;
  #end
  #if EPILOGUE == 1
  c[at] += sum;
  #end
  #if EPILOGUE == 2
  c[at] = sum + bias[params.bias + col];
  #end
  #if EPILOGUE == 3
  let x = sum + bias[params.bias + col];
  saved[params.saved + row * params.n + col] = x;
  c[at] = gelu(x);
  #end
  #if EPILOGUE == 4
  c[at] += sum + bias[params.bias + col];
  #end
  #if EPILOGUE == 5
  c[at] = sum * gelu_derivative(saved[params.saved + row * params.n + col]);
  #end
  #if EPILOGUE == 6
  let x = fma(bias[params.bias + batch * params.c_batch + row * params.n + col], params.other, sum * params.factor);
  c[at] = x + select(0.0, params.diagonal, row == col);
  #end
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let batch = workgroup.z / params.splits;
  let split = workgroup.z % params.splits;
  let first_row = workgroup.y * TILE_ROWS;
  let first_col = workgroup.x * TILE_COLS;
  let a_first = params.a + batch * params.a_batch;
  let b_first = params.b + batch * params.b_batch;
  let k_end = min((split + 1u) * params.split_length, params.k);
  #for i ROWS
  #for j COLS
  var sum_$i_$j = 0.0;
  #end
  #end
  for (var k_first = split * params.split_length; k_first < k_end; k_first += DEPTH) {
    workgroupBarrier();
    for (var element = index; element < TILE_ROWS * DEPTH; element += 256u) {
      #if TRANSPOSE_A
      let row = element % TILE_ROWS;
      let depth = element / TILE_ROWS;
      let at = a_first + (k_first + depth) * params.a_row + first_row + row;
      #else
      let row = element / DEPTH;
      let depth = element % DEPTH;
      let at = a_first + (first_row + row) * params.a_row + k_first + depth;
      #end
      var value = 0.0;
      if (first_row + row < params.m && k_first + depth < k_end) {
        value = a[at];
      }
      a_tile[depth * A_STRIDE + row] = value;
    }
    for (var element = index; element < TILE_COLS * DEPTH; element += 256u) {
      #if TRANSPOSE_B
      let col = element / DEPTH;
      let depth = element % DEPTH;
      let at = b_first + (first_col + col) * params.b_row + k_first + depth;
      #else
      let col = element % TILE_COLS;
      let depth = element / TILE_COLS;
      let at = b_first + (k_first + depth) * params.b_row + first_col + col;
      #end
      var value = 0.0;
      if (first_col + col < params.n && k_first + depth < k_end) {
        value = b[at];
      }
      b_tile[depth * B_STRIDE + col] = value;
    }
    workgroupBarrier();
    for (var depth = 0u; depth < DEPTH; depth++) {
      let a_at = depth * A_STRIDE + local.y * ROWS;
      let b_at = depth * B_STRIDE + local.x;
      #for i ROWS
      let x_$i = a_tile[a_at + $iu];
      #end
      #for j COLS
      let y_$j = b_tile[b_at + 16u * $ju];
      #end
      #for i ROWS
      #for j COLS
      sum_$i_$j = fma(x_$i, y_$j, sum_$i_$j);
      #end
      #end
    }
  }
  // A batch of products is never split, so one of the two is zero.
  let matrix = batch + split;
  #for i ROWS
  #for j COLS
  write(first_row + local.y * ROWS + $iu, first_col + local.x + 16u * $ju, matrix, sum_$i_$j);
  #end
  #end
}
