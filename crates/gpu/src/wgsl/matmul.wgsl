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
// HALF: the operands are rounded to 16-bit floats when they are loaded into the tiles, in pairs of neighbouring rows or
// columns. Their products are exact in 32 bits, and sums stay in 32 bits, in the same order.
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

// What a tile consists of, and its number of elements. Invocations write whole cells, because writing one component
// of a vector may touch the others too.
#if HALF
alias Cell = vec2<f16>;
const CELL = 2u;

// Rounds to 16-bit floats. What is beyond their range becomes the largest of them: an infinity would spread to NaN in
// all weights.
fn rounded(x: f32, y: f32) -> Cell {
  return Cell(clamp(vec2f(x, y), vec2f(-65504.0), vec2f(65504.0)));
}
#else
alias Cell = f32;
const CELL = 1u;
#end

const A_CELLS = TILE_ROWS / CELL;
const B_CELLS = TILE_COLS / CELL;
// Padded by one against bank conflicts: the cells of a column lie in different banks of the workgroup's memory.
const A_STRIDE = A_CELLS + 1u;
const B_STRIDE = B_CELLS + 1u;

// The tiles of both operands. Shapes: [DEPTH, TILE_ROWS], [DEPTH, TILE_COLS].
var<workgroup> a_tile: array<Cell, DEPTH * A_STRIDE>;
var<workgroup> b_tile: array<Cell, DEPTH * B_STRIDE>;

// Element (row, k) of `a`, and (k, col) of `b`; 0 beyond the matrix and the range of the split.
fn a_element(first: u32, row: u32, k: u32, k_end: u32) -> f32 {
  if (row >= params.m || k >= k_end) {
    return 0.0;
  }
  #if TRANSPOSE_A
  return a[first + k * params.a_row + row];
  #else
  return a[first + row * params.a_row + k];
  #end
}

fn b_element(first: u32, k: u32, col: u32, k_end: u32) -> f32 {
  if (col >= params.n || k >= k_end) {
    return 0.0;
  }
  #if TRANSPOSE_B
  return b[first + col * params.b_row + k];
  #else
  return b[first + k * params.b_row + col];
  #end
}

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
  #if HALF
  #for i ROWS / 2
  #for half 2
  #for j COLS / 2
  var sum_$i_$half_$j = vec2f();
  #end
  #end
  #end
  #else
  #for i ROWS
  #for j COLS
  var sum_$i_$j = 0.0;
  #end
  #end
  #end
  for (var k_first = split * params.split_length; k_first < k_end; k_first += DEPTH) {
    workgroupBarrier();
    for (var cell = index; cell < A_CELLS * DEPTH; cell += 256u) {
      #if TRANSPOSE_A
      let place = cell % A_CELLS;
      let depth = cell / A_CELLS;
      #else
      let place = cell / DEPTH;
      let depth = cell % DEPTH;
      #end
      let row = first_row + CELL * place;
      let k = k_first + depth;
      let value = a_element(a_first, row, k, k_end);
      #if HALF
      a_tile[depth * A_STRIDE + place] = rounded(value, a_element(a_first, row + 1u, k, k_end));
      #else
      a_tile[depth * A_STRIDE + place] = value;
      #end
    }
    for (var cell = index; cell < B_CELLS * DEPTH; cell += 256u) {
      #if TRANSPOSE_B
      let place = cell / DEPTH;
      let depth = cell % DEPTH;
      #else
      let place = cell % B_CELLS;
      let depth = cell / B_CELLS;
      #end
      let col = first_col + CELL * place;
      let k = k_first + depth;
      let value = b_element(b_first, k, col, k_end);
      #if HALF
      b_tile[depth * B_STRIDE + place] = rounded(value, b_element(b_first, k, col + 1u, k_end));
      #else
      b_tile[depth * B_STRIDE + place] = value;
      #end
    }
    workgroupBarrier();
    for (var depth = 0u; depth < DEPTH; depth++) {
      let a_at = depth * A_STRIDE + local.y * (ROWS / CELL);
      let b_at = depth * B_STRIDE + local.x;
      #if HALF
      #for i ROWS / 2
      let x_$i = vec2f(a_tile[a_at + $iu]);
      #end
      #for j COLS / 2
      let y_$j = vec2f(b_tile[b_at + 16u * $ju]);
      #end
      #for i ROWS / 2
      #for half 2
      #for j COLS / 2
      sum_$i_$half_$j = fma(vec2f(x_$i[$half]), y_$j, sum_$i_$half_$j);
      #end
      #end
      #end
      #else
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
      #end
    }
  }
  // A batch of products is never split, so one of the two is zero.
  let matrix = batch + split;
  #if HALF
  let out_row = first_row + local.y * ROWS;
  let out_col = first_col + 2u * local.x;
  #for i ROWS / 2
  #for half 2
  #for j COLS / 2
  write(out_row + 2u * $iu + $halfu, out_col + 32u * $ju, matrix, sum_$i_$half_$j.x);
  write(out_row + 2u * $iu + $halfu, out_col + 32u * $ju + 1u, matrix, sum_$i_$half_$j.y);
  #end
  #end
  #end
  #else
  #for i ROWS
  #for j COLS
  write(first_row + local.y * ROWS + $iu, first_col + local.x + 16u * $ju, matrix, sum_$i_$j);
  #end
  #end
  #end
}
