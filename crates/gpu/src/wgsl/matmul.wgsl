// Tiled GEMM with register blocking: c = epilogue(op(a) op(b)), where `op` is the identity or the transpose.
// A workgroup of 16 by 16 invocations computes a tile of 16 ROWS by 16 COLS elements, and each invocation
// ROWS by COLS of them. Within a split, every element is summed over k in ascending order, whatever the tile.
//
// Constants: ROWS, COLS, DEPTH (elements of k that are loaded at a time), TRANSPOSE_A, TRANSPOSE_B, and
// EPILOGUE, see `product`.
// WIDTH: 2 or 4, the number of neighbouring rows of `op(a)`, or columns of `op(b)`, in one vector of a tile,
// a *cell*. Reading four values at once takes a quarter of the instructions.
// A_LOADS, B_LOADS: the cells of each tile that an invocation loads.
// HALF: the operands are rounded to 16-bit floats when they are loaded into the tiles. Their products are
// exact in 32 bits, and sums stay in 32 bits, in the same order.
//
// Split-K: with several splits, each writes its partial product to a matrix of its own, `c_batch` elements
// after that of the split before; the kernel `sum_parts` adds them up.
//
// Natively no index is checked, so none may exceed an array or a matrix, see `trusted.rs`.

#include product

@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

const TILE_ROWS = 16u * ROWS;
const TILE_COLS = 16u * COLS;

#if WIDTH == 4
alias Values = vec4f;
#else
alias Values = vec2f;
#end
// What a tile consists of. Invocations write whole cells, because writing one component of a vector may touch
// the others too.
#if HALF
#if WIDTH == 4
alias Cell = vec4<f16>;
#else
alias Cell = vec2<f16>;
#end

// Rounds to 16-bit floats. Values beyond their range become 65504 or -65504, because an infinity would turn
// all weights into NaN.
fn as_cell(values: Values) -> Cell {
  return Cell(clamp(values, Values(-65504.0), Values(65504.0)));
}
#else
alias Cell = Values;

fn as_cell(values: Values) -> Cell {
  return values;
}
#end

// Cells in a row of each tile; a row holds the elements of one k.
const A_CELLS = TILE_ROWS / WIDTH;
const B_CELLS = TILE_COLS / WIDTH;
// Padded by one against bank conflicts: neighbouring cells of a column lie in different banks of the
// workgroup's memory.
const A_STRIDE = A_CELLS + 1u;
const B_STRIDE = B_CELLS + 1u;

// The tiles of both operands.
// Shapes: [DEPTH, TILE_ROWS], [DEPTH, TILE_COLS].
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

// The index of a cell in the tile of `a`, and its values. Neighbouring invocations read neighbouring elements
// of the matrix.
fn a_index(cell: u32) -> u32 {
  #if TRANSPOSE_A
  return cell / A_CELLS * A_STRIDE + cell % A_CELLS;
  #else
  return cell % DEPTH * A_STRIDE + cell / DEPTH;
  #end
}

fn a_cell(cell: u32, first: u32, first_row: u32, k_first: u32, k_end: u32) -> Cell {
  #if TRANSPOSE_A
  let row = first_row + WIDTH * (cell % A_CELLS);
  let k = k_first + cell / A_CELLS;
  #else
  let row = first_row + WIDTH * (cell / DEPTH);
  let k = k_first + cell % DEPTH;
  #end
  return as_cell(Values(
    #for sub WIDTH
    a_element(first, row + $subu, k, k_end),
    #end
  ));
}

// Where a cell of `b` lies, like `a_index`.
fn b_index(cell: u32) -> u32 {
  #if TRANSPOSE_B
  return cell % DEPTH * B_STRIDE + cell / DEPTH;
  #else
  return cell / B_CELLS * B_STRIDE + cell % B_CELLS;
  #end
}

fn b_cell(cell: u32, first: u32, first_col: u32, k_first: u32, k_end: u32) -> Cell {
  #if TRANSPOSE_B
  let col = first_col + WIDTH * (cell / DEPTH);
  let k = k_first + cell % DEPTH;
  #else
  let col = first_col + WIDTH * (cell % B_CELLS);
  let k = k_first + cell / B_CELLS;
  #end
  return as_cell(Values(
    #for sub WIDTH
    b_element(first, k, col + $subu, k_end),
    #end
  ));
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
  #for i ROWS / WIDTH
  #for sub WIDTH
  #for j COLS / WIDTH
  var sum_$i_$sub_$j = Values();
  #end
  #end
  #end
  let k_begin = split * params.split_length;
  // The next cells of both tiles are prefetched into registers while the present ones are summed, to hide
  // memory latency. The 256 invocations of the workgroup load neighbouring cells.
  #for n A_LOADS
  var next_a_$n = a_cell(index + 256u * $nu, a_first, first_row, k_begin, k_end);
  #end
  #for n B_LOADS
  var next_b_$n = b_cell(index + 256u * $nu, b_first, first_col, k_begin, k_end);
  #end
  for (var k_first = k_begin; k_first < k_end; k_first += DEPTH) {
    workgroupBarrier();
    #for n A_LOADS
    a_tile[a_index(index + 256u * $nu)] = next_a_$n;
    #end
    #for n B_LOADS
    b_tile[b_index(index + 256u * $nu)] = next_b_$n;
    #end
    workgroupBarrier();
    let k_next = k_first + DEPTH;
    if (k_next < k_end) {
      #for n A_LOADS
      next_a_$n = a_cell(index + 256u * $nu, a_first, first_row, k_next, k_end);
      #end
      #for n B_LOADS
      next_b_$n = b_cell(index + 256u * $nu, b_first, first_col, k_next, k_end);
      #end
    }
    for (var depth = 0u; depth < DEPTH; depth++) {
      let a_at = depth * A_STRIDE + local.y * (ROWS / WIDTH);
      let b_at = depth * B_STRIDE + local.x;
      #for i ROWS / WIDTH
      let x_$i = Values(a_tile[a_at + $iu]);
      #end
      #for j COLS / WIDTH
      let y_$j = Values(b_tile[b_at + 16u * $ju]);
      #end
      #for i ROWS / WIDTH
      #for sub WIDTH
      #for j COLS / WIDTH
      sum_$i_$sub_$j = fma(Values(x_$i[$sub]), y_$j, sum_$i_$sub_$j);
      #end
      #end
      #end
    }
  }
  // A batch of products is never split, so one of the two is zero.
  let matrix = batch + split;
  let out_row = first_row + local.y * ROWS;
  let out_col = first_col + WIDTH * local.x;
  #for i ROWS / WIDTH
  #for sub WIDTH
  #for j COLS / WIDTH
  #for col WIDTH
  write(out_row + WIDTH * $iu + $subu, out_col + 16u * WIDTH * $ju + $colu, matrix, sum_$i_$sub_$j[$col]);
  #end
  #end
  #end
  #end
}
