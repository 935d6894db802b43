// The operands of `matmul_cooperative`: their tiles in the workgroup's memory, and loading from the matrices.
//
// TRANSPOSE_A, TRANSPOSE_B: the product uses the transpose.
// A_HALF, B_HALF: the matrix is stored as 16-bit floats.
// A_VECTOR, B_VECTOR: four neighbouring elements, a *cell*, are loaded at once. Offsets, strides and widths
// are multiples of four then.
// EDGES: 0 if all sizes are multiples of the tile's, and the length of a split is a multiple of DEPTH.
// Nothing is loaded beyond a matrix then.

const THREADS = 32u * SUBGROUP_ROWS * SUBGROUP_COLS;
const TILE_ROWS = 16u * FRAGMENT_ROWS * SUBGROUP_ROWS;
const TILE_COLS = 16u * FRAGMENT_COLS * SUBGROUP_COLS;

alias Cell = vec4<f16>;

#if A_HALF
@group(0) @binding(1) var<storage, read> a: array<Cell>;
alias FromA = Cell;
#else
#if A_VECTOR
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
#else
@group(0) @binding(1) var<storage, read> a: array<f32>;
#end
alias FromA = vec4f;
#end
#if B_HALF
@group(0) @binding(2) var<storage, read> b: array<Cell>;
alias FromB = Cell;
#else
#if B_VECTOR
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
#else
@group(0) @binding(2) var<storage, read> b: array<f32>;
#end
alias FromB = vec4f;
#end

// A tile consists of lines, in the order in which the matrix is stored: rows of `a`, or columns if it is
// transposed. Elements of a line are neighbours.
#if TRANSPOSE_A
const A_LINES = DEPTH;
const A_LINE_CELLS = TILE_ROWS / 4u;
#else
const A_LINES = TILE_ROWS;
const A_LINE_CELLS = DEPTH / 4u;
#end
#if TRANSPOSE_B
const B_LINES = TILE_COLS;
const B_LINE_CELLS = DEPTH / 4u;
#else
const B_LINES = DEPTH;
const B_LINE_CELLS = TILE_COLS / 4u;
#end
// Padded against bank conflicts, by 16 bytes, because lines of a fragment must be aligned to them.
const A_STRIDE = A_LINE_CELLS + 2u;
const B_STRIDE = B_LINE_CELLS + 2u;
const A_CELLS = A_LINES * A_STRIDE;
const B_CELLS = B_LINES * B_STRIDE;
// The lines between two loads of an invocation.
const A_LINE_STEP = THREADS / A_LINE_CELLS;
const B_LINE_STEP = THREADS / B_LINE_CELLS;

var<workgroup> a_tile: array<Cell, STAGES * A_CELLS>;
var<workgroup> b_tile: array<Cell, STAGES * B_CELLS>;

// Rounds to 16-bit floats. Values beyond their range become 65504 or -65504, because an infinity would turn
// all weights into NaN.
fn as_cell(values: vec4f) -> Cell {
  return Cell(clamp(values, vec4f(-65504.0), vec4f(65504.0)));
}

// Cells or elements of each matrix between two lines.
fn a_row() -> u32 {
  #if A_VECTOR
  return params.a_row / 4u;
  #else
  return params.a_row;
  #end
}

fn b_row() -> u32 {
  #if B_VECTOR
  return params.b_row / 4u;
  #else
  return params.b_row;
  #end
}

// The cell of `a` at an index, whose first element is number `x` of its line. Elements from `x_end` on are 0,
// and so are all elements of the lines from `line_end` on.
fn a_load(at: u32, line: u32, line_end: u32, x: u32, x_end: u32) -> FromA {
  #if EDGES
  if (line >= line_end || x >= x_end) {
    return FromA();
  }
  #end
  #if A_VECTOR
  return a[at];
  #else
  var values = vec4f(a[at], 0.0, 0.0, 0.0);
  if (x + 1u < x_end) {
    values = vec4f(values.x, a[at + 1u], 0.0, 0.0);
  }
  if (x + 2u < x_end) {
    values = vec4f(values.xy, a[at + 2u], 0.0);
  }
  if (x + 3u < x_end) {
    values = vec4f(values.xyz, a[at + 3u]);
  }
  return values;
  #end
}

fn b_load(at: u32, line: u32, line_end: u32, x: u32, x_end: u32) -> FromB {
  #if EDGES
  if (line >= line_end || x >= x_end) {
    return FromB();
  }
  #end
  #if B_VECTOR
  return b[at];
  #else
  var values = vec4f(b[at], 0.0, 0.0, 0.0);
  if (x + 1u < x_end) {
    values = vec4f(values.x, b[at + 1u], 0.0, 0.0);
  }
  if (x + 2u < x_end) {
    values = vec4f(values.xy, b[at + 2u], 0.0);
  }
  if (x + 3u < x_end) {
    values = vec4f(values.xyz, b[at + 3u]);
  }
  return values;
  #end
}

fn a_cell(values: FromA) -> Cell {
  #if A_HALF
  return values;
  #else
  return as_cell(values);
  #end
}

fn b_cell(values: FromB) -> Cell {
  #if B_HALF
  return values;
  #else
  return as_cell(values);
  #end
}
