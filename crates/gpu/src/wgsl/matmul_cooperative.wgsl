// Tiled GEMM by cooperative matrices, which tensor cores multiply: c = epilogue(op(a) op(b)), where `op` is
// the identity or the transpose. Operands are rounded to 16-bit floats, sums are 32-bit floats. A cooperative
// matrix, here a *fragment*, has 16 by 16 elements, which the 32 invocations of a subgroup hold together. A
// subgroup computes FRAGMENT_ROWS by FRAGMENT_COLS of them, and a workgroup has SUBGROUP_ROWS by
// SUBGROUP_COLS subgroups. Within a split, every element is summed over k in ascending steps of 16, whatever
// the tile.
//
// Constants besides these four:
// DEPTH: the elements of k that are loaded at a time, a multiple of 16.
// STAGES: 2 if the tiles of one step are loaded while the tiles of the step before are multiplied. This takes
// one barrier a step instead of two, and twice the memory.
// EPILOGUE, see `product`. TRANSPOSE_A, TRANSPOSE_B, A_HALF, B_HALF, A_VECTOR, B_VECTOR, EDGES: see
// `cooperative_operands`.
// DIRECT: fragments are stored in `c`, or added to it, directly. Otherwise each goes through the workgroup's
// memory to the epilogue.
// COOPERATIVE: 0 to compute the fragments without cooperative matrices, for devices that have none. Every
// invocation has eight elements of a fragment then.
// A_LOADS, B_LOADS: the cells of each tile that an invocation loads.
// Indices are not checked, so none may exceed an array or a matrix, see `trusted.rs`.

#include product
#include cooperative_operands

// A fragment of sums of every subgroup, on its way to the epilogue. The stride is padded against bank
// conflicts.
const SUM_STRIDE = 20u;
const SUM_SIZE = 16u * SUM_STRIDE;
#if DIRECT
var<workgroup> sums: array<f32, SUM_SIZE>;
#else
var<workgroup> sums: array<f32, SUM_SIZE * SUBGROUP_ROWS * SUBGROUP_COLS>;
#end

#if COOPERATIVE
alias Left = coop_mat16x16<f16, A>;
alias Right = coop_mat16x16<f16, B>;
alias Sums = coop_mat16x16<f32, C>;
#end

#if COOPERATIVE
#else
// Element (row, k) of the tile of `a` that begins at cell `first`, and (k, col) of the tile of `b`.
fn a_element(first: u32, row: u32, k: u32) -> f32 {
  #if TRANSPOSE_A
  return f32(a_tile[first + k * A_STRIDE + row / 4u][row % 4u]);
  #else
  return f32(a_tile[first + row * A_STRIDE + k / 4u][k % 4u]);
  #end
}

fn b_element(first: u32, k: u32, col: u32) -> f32 {
  #if TRANSPOSE_B
  return f32(b_tile[first + col * B_STRIDE + k / 4u][k % 4u]);
  #else
  return f32(b_tile[first + k * B_STRIDE + col / 4u][col % 4u]);
  #end
}
#end

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_index) index: u32,
  #if COOPERATIVE
  @builtin(subgroup_id) subgroup: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  #end
) {
  #if COOPERATIVE
  #else
  let subgroup = index / 32u;
  let lane = index % 32u;
  #end
  let batch = workgroup.z / params.splits;
  let split = workgroup.z % params.splits;
  let first_row = workgroup.y * TILE_ROWS;
  let first_col = workgroup.x * TILE_COLS;
  let k_begin = split * params.split_length;
  let k_end = min(k_begin + params.split_length, params.k);
  // The first row and column of the subgroup's fragments in the tile.
  let own_row = subgroup / SUBGROUP_COLS * (16u * FRAGMENT_ROWS);
  let own_col = subgroup % SUBGROUP_COLS * (16u * FRAGMENT_COLS);

  // The lines and elements of lines that this invocation loads first. Either the line or `a_x` advances along
  // k.
  let a_line = index / A_LINE_CELLS;
  let b_line = index / B_LINE_CELLS;
  let a_cell_x = index % A_LINE_CELLS;
  let b_cell_x = index % B_LINE_CELLS;
  #if TRANSPOSE_A
  var a_first_line = k_begin + a_line;
  var a_x = first_row + 4u * a_cell_x;
  let a_line_end = k_end;
  let a_x_end = params.m;
  #else
  var a_first_line = first_row + a_line;
  var a_x = k_begin + 4u * a_cell_x;
  let a_line_end = params.m;
  let a_x_end = k_end;
  #end
  #if TRANSPOSE_B
  var b_first_line = first_col + b_line;
  var b_x = k_begin + 4u * b_cell_x;
  let b_line_end = params.n;
  let b_x_end = k_end;
  #else
  var b_first_line = k_begin + b_line;
  var b_x = first_col + 4u * b_cell_x;
  let b_line_end = k_end;
  let b_x_end = params.n;
  #end
  let a_begin = params.a + batch * params.a_batch + a_x;
  let b_begin = params.b + batch * params.b_batch + b_x;
  #if A_VECTOR
  var a_at = a_begin / 4u + a_first_line * a_row();
  #else
  var a_at = a_begin + a_first_line * a_row();
  #end
  #if B_VECTOR
  var b_at = b_begin / 4u + b_first_line * b_row();
  #else
  var b_at = b_begin + b_first_line * b_row();
  #end
  // What is between two loads of an invocation, and between two steps of k.
  let a_load_step = A_LINE_STEP * a_row();
  let b_load_step = B_LINE_STEP * b_row();
  #if TRANSPOSE_A
  let a_step = DEPTH * a_row();
  #else
  #if A_VECTOR
  let a_step = DEPTH / 4u;
  #else
  let a_step = DEPTH;
  #end
  #end
  #if TRANSPOSE_B
  #if B_VECTOR
  let b_step = DEPTH / 4u;
  #else
  let b_step = DEPTH;
  #end
  #else
  let b_step = DEPTH * b_row();
  #end
  let a_store = a_line * A_STRIDE + a_cell_x;
  let b_store = b_line * B_STRIDE + b_cell_x;

  for (var i = index; i < SUM_SIZE; i += THREADS) {
    sums[i] = 0.0;
  }
  workgroupBarrier();
  #if COOPERATIVE
  let zeros = coopLoadT<Sums>(&sums[0], SUM_STRIDE);
  #end
  #for i FRAGMENT_ROWS
  #for j FRAGMENT_COLS
  #if COOPERATIVE
  var sum_$i_$j = zeros;
  #else
  var sum_$i_$j_low = vec4f();
  var sum_$i_$j_high = vec4f();
  #end
  #end
  #end

  // The next cells of both tiles are prefetched into registers while the present ones are multiplied.
  #for n A_LOADS
  var next_a_$n =
    a_load(a_at + $nu * a_load_step, a_first_line + $nu * A_LINE_STEP, a_line_end, a_x, a_x_end);
  #end
  #for n B_LOADS
  var next_b_$n =
    b_load(b_at + $nu * b_load_step, b_first_line + $nu * B_LINE_STEP, b_line_end, b_x, b_x_end);
  #end
  // The first cell of the present tile.
  var a_tile_at = 0u;
  var b_tile_at = 0u;
  #if STAGES == 2
  #for n A_LOADS
  a_tile[a_store + $nu * (A_LINE_STEP * A_STRIDE)] = a_cell(next_a_$n);
  #end
  #for n B_LOADS
  b_tile[b_store + $nu * (B_LINE_STEP * B_STRIDE)] = b_cell(next_b_$n);
  #end
  workgroupBarrier();
  #end
  for (var k_first = k_begin; k_first < k_end; k_first += DEPTH) {
    #if STAGES == 1
    workgroupBarrier();
    #for n A_LOADS
    a_tile[a_store + $nu * (A_LINE_STEP * A_STRIDE)] = a_cell(next_a_$n);
    #end
    #for n B_LOADS
    b_tile[b_store + $nu * (B_LINE_STEP * B_STRIDE)] = b_cell(next_b_$n);
    #end
    workgroupBarrier();
    #end
    let has_next = k_first + DEPTH < k_end;
    if (has_next) {
      a_at += a_step;
      b_at += b_step;
      #if TRANSPOSE_A
      a_first_line += DEPTH;
      #else
      a_x += DEPTH;
      #end
      #if TRANSPOSE_B
      b_x += DEPTH;
      #else
      b_first_line += DEPTH;
      #end
      #for n A_LOADS
      next_a_$n =
        a_load(a_at + $nu * a_load_step, a_first_line + $nu * A_LINE_STEP, a_line_end, a_x, a_x_end);
      #end
      #for n B_LOADS
      next_b_$n =
        b_load(b_at + $nu * b_load_step, b_first_line + $nu * B_LINE_STEP, b_line_end, b_x, b_x_end);
      #end
    }
    #for s DEPTH / 16
    #if COOPERATIVE
    #for i FRAGMENT_ROWS
    #if TRANSPOSE_A
    let left_at_$s_$i = a_tile_at + $su * (16u * A_STRIDE) + (own_row + $iu * 16u) / 4u;
    let left_$s_$i = coopLoad<Left>(&a_tile[left_at_$s_$i], A_STRIDE);
    #else
    let left_at_$s_$i = a_tile_at + (own_row + $iu * 16u) * A_STRIDE + $su * 4u;
    let left_$s_$i = coopLoadT<Left>(&a_tile[left_at_$s_$i], A_STRIDE);
    #end
    #end
    #for j FRAGMENT_COLS
    #if TRANSPOSE_B
    let right_at_$s_$j = b_tile_at + (own_col + $ju * 16u) * B_STRIDE + $su * 4u;
    let right_$s_$j = coopLoad<Right>(&b_tile[right_at_$s_$j], B_STRIDE);
    #else
    let right_at_$s_$j = b_tile_at + $su * (16u * B_STRIDE) + (own_col + $ju * 16u) / 4u;
    let right_$s_$j = coopLoadT<Right>(&b_tile[right_at_$s_$j], B_STRIDE);
    #end
    #for i FRAGMENT_ROWS
    sum_$i_$j = coopMultiplyAdd(left_$s_$i, right_$s_$j, sum_$i_$j);
    #end
    #end
    #else
    for (var depth = 0u; depth < 16u; depth++) {
      let k = $su * 16u + depth;
      #for i FRAGMENT_ROWS
      let x_$i = vec4f(a_element(a_tile_at, own_row + $iu * 16u + lane / 2u, k));
      #end
      #for j FRAGMENT_COLS
      let col_$j = own_col + $ju * 16u + lane % 2u * 8u;
      let low_$j = vec4f(
        b_element(b_tile_at, k, col_$j),
        b_element(b_tile_at, k, col_$j + 1u),
        b_element(b_tile_at, k, col_$j + 2u),
        b_element(b_tile_at, k, col_$j + 3u),
      );
      let high_$j = vec4f(
        b_element(b_tile_at, k, col_$j + 4u),
        b_element(b_tile_at, k, col_$j + 5u),
        b_element(b_tile_at, k, col_$j + 6u),
        b_element(b_tile_at, k, col_$j + 7u),
      );
      #for i FRAGMENT_ROWS
      sum_$i_$j_low = fma(x_$i, low_$j, sum_$i_$j_low);
      sum_$i_$j_high = fma(x_$i, high_$j, sum_$i_$j_high);
      #end
      #end
    }
    #end
    #end
    #if STAGES == 2
    a_tile_at = A_CELLS - a_tile_at;
    b_tile_at = B_CELLS - b_tile_at;
    if (has_next) {
      #for n A_LOADS
      a_tile[a_tile_at + a_store + $nu * (A_LINE_STEP * A_STRIDE)] = a_cell(next_a_$n);
      #end
      #for n B_LOADS
      b_tile[b_tile_at + b_store + $nu * (B_LINE_STEP * B_STRIDE)] = b_cell(next_b_$n);
      #end
    }
    workgroupBarrier();
    #end
  }
  // A batch of products is never split, so one of the two is zero.
  let matrix = batch + split;
  #if DIRECT
  let c_row = params.c_row;
  let c_first = params.c + matrix * params.c_batch + (first_row + own_row) * c_row + first_col + own_col;
  #for i FRAGMENT_ROWS
  #for j FRAGMENT_COLS
  #if COOPERATIVE
  let c_at_$i_$j = c_first + $iu * 16u * c_row + $ju * 16u;
  #if EPILOGUE == 1
  let old_$i_$j = coopLoadT<Sums>(&c[c_at_$i_$j], c_row);
  let new_$i_$j = old_$i_$j + sum_$i_$j;
  coopStoreT(new_$i_$j, &c[c_at_$i_$j], c_row);
  #else
  coopStoreT(sum_$i_$j, &c[c_at_$i_$j], c_row);
  #end
  #else
  let c_at_$i_$j = c_first + ($iu * 16u + lane / 2u) * c_row + $ju * 16u + lane % 2u * 8u;
  #for e 4
  #if EPILOGUE == 1
  c[c_at_$i_$j + $eu] += sum_$i_$j_low[$e];
  c[c_at_$i_$j + 4u + $eu] += sum_$i_$j_high[$e];
  #else
  c[c_at_$i_$j + $eu] = sum_$i_$j_low[$e];
  c[c_at_$i_$j + 4u + $eu] = sum_$i_$j_high[$e];
  #end
  #end
  #end
  #end
  #end
  #else
  let sums_at = subgroup * SUM_SIZE;
  // Invocations write neighbouring elements of two rows at a time.
  let out_row = first_row + own_row + lane / 16u;
  let out_col = first_col + own_col + lane % 16u;
  let out_at = sums_at + lane / 16u * SUM_STRIDE + lane % 16u;
  #for i FRAGMENT_ROWS
  #for j FRAGMENT_COLS
  workgroupBarrier();
  #if COOPERATIVE
  let sum_value_$i_$j = sum_$i_$j;
  coopStoreT(sum_value_$i_$j, &sums[sums_at], SUM_STRIDE);
  #else
  #for e 4
  sums[sums_at + lane / 2u * SUM_STRIDE + lane % 2u * 8u + $eu] = sum_$i_$j_low[$e];
  sums[sums_at + lane / 2u * SUM_STRIDE + lane % 2u * 8u + 4u + $eu] = sum_$i_$j_high[$e];
  #end
  #end
  workgroupBarrier();
  #for e 8
  write(out_row + $iu * 16u + 2u * $eu, out_col + $ju * 16u, matrix, sums[out_at + 2u * $eu * SUM_STRIDE]);
  #end
  #end
  #end
  #end
}
