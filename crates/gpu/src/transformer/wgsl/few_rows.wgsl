// out = epilogue(norm(x) op(w)) for few rows, where `op` is the identity or the transpose. The time of such a
// product is the time to load w. A workgroup computes 32 columns of ROWS rows: each invocation loads four
// elements of w at a time, neighbours from neighbouring addresses, and the workgroup's partial sums are added
// in a fixed order. Neither ROWS nor the number of rows changes the order of a sum.
//
// An invocation has a lane (index % 8) and a split (index / 8, below 32). Of every DEPTH = 128 elements of a
// row of x, it multiplies
//   - the 4 that its split selects, with the 4 columns of w that its lane selects; or
//   - if w is transposed, the 16 that its lane selects, with the row of w (one output) that its split selects.
//
// Constants: ROWS; NORM (1 applies a layer norm to x first); TRANSPOSED (1 if w has a row per output); VECTOR
// (1 if all sizes and offsets are multiples of 4); EPILOGUE (with TRANSPOSED only 0):
//   0  out = sum
//   1  out = sum + bias
//   2  out = gelu(sum + bias)
//   3  out = out + sum + bias

#include math

struct Params {
  rows: u32,
  inputs: u32,
  outputs: u32,
  // The index of the first element of the matrix, of the bias, and of the norm's gammas, which its betas
  // follow.
  matrix: u32,
  bias: u32,
  gamma: u32,
}

// Added to a norm's variance, as on the CPU.
const EPSILON = 1e-5;
const COLS = 32u;
// Elements of a row of x that the workgroup multiplies at a time.
const DEPTH = 128u;
// Elements of a row of x that are in the workgroup's memory at a time: with ROWS rows they fill `tile`.
const STAGE = 2048u / ROWS;
// Partial sums per row from which a norm's mean and variance are added up.
const PARTS = 64u;

@group(0) @binding(0) var<uniform> params: Params;
#if VECTOR
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
#else
@group(0) @binding(1) var<storage, read> weights: array<f32>;
#end
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

// First a part of the input, [ROWS, STAGE / 4], and after the products partial sums of two rows, [2, 32, COLS
// / 4].
var<workgroup> tile: array<vec4f, 512>;
// Partial sums of the norm, [ROWS, PARTS], and after transposed products of two rows, [2, COLS, 8].
var<workgroup> parts: array<f32, 1024>;
// What an invocation loads of the matrix.
struct Place {
  lane: u32,
  split: u32,
  // The index in `weights` of its first column in row 0, or of its row if the matrix is transposed; and how
  // many columns there are from its first column on (unused if transposed).
  first: u32,
  cols: u32,
}

#if NORM
// Mean and 1 / sqrt(variance + epsilon) of each row.
var<workgroup> means: array<f32, ROWS>;
var<workgroup> scales: array<f32, ROWS>;
#end

// Four parameters from index `at` on, of which the first `count` are valid; the others are zero.
fn load(at: u32, count: u32) -> vec4f {
  #if VECTOR
  return weights[at / 4u];
  #else
  let last = at + min(count, 4u) - 1u;
  let value = vec4f(weights[at], weights[min(at + 1u, last)], weights[min(at + 2u, last)], weights[min(at + 3u, last)]);
  return select(vec4f(), value, vec4u(0u, 1u, 2u, 3u) < vec4u(count));
  #end
}

// An element of x; zero beyond its end.
fn element(row: u32, k: u32) -> f32 {
  return select(0.0, x[min(row, params.rows - 1u) * params.inputs + min(k, params.inputs - 1u)], k < params.inputs);
}

// Four elements of the input of the product, from k on.
fn input(local_row: u32, row: u32, k: u32) -> vec4f {
  let value = vec4f(element(row, k), element(row, k + 1u), element(row, k + 2u), element(row, k + 3u));
  #if NORM
  if (k >= params.inputs) {
    return vec4f();
  }
  let count = params.inputs - k;
  let gamma = load(params.gamma + k, count);
  let beta = load(params.gamma + params.inputs + k, count);
  return fma((value - means[local_row]) * scales[local_row], gamma, beta);
  #else
  return value;
  #end
}

#if NORM
// The sum of a row's partial sums.
fn sum_of_parts(row: u32) -> f32 {
  var sum = 0.0;
  for (var part = 0u; part < PARTS; part++) {
    sum += parts[row * PARTS + part];
  }
  return sum;
}

// Mean and deviation of the workgroup's rows. Every invocation of the workgroup must call it.
fn normalise(first_row: u32, index: u32) {
  for (var i = index; i < ROWS * PARTS; i += 256u) {
    var sum = 0.0;
    for (var k = i % PARTS; k < params.inputs; k += PARTS) {
      sum += element(first_row + i / PARTS, k);
    }
    parts[i] = sum;
  }
  workgroupBarrier();
  if (index < ROWS) {
    means[index] = sum_of_parts(index) / f32(params.inputs);
  }
  workgroupBarrier();
  for (var i = index; i < ROWS * PARTS; i += 256u) {
    let mean = means[i / PARTS];
    var sum = 0.0;
    for (var k = i % PARTS; k < params.inputs; k += PARTS) {
      let d = element(first_row + i / PARTS, k) - mean;
      sum = fma(d, d, sum);
    }
    parts[i] = sum;
  }
  workgroupBarrier();
  if (index < ROWS) {
    scales[index] = 1.0 / sqrt(sum_of_parts(index) / f32(params.inputs) + EPSILON);
  }
}
#end

// Vector i of the four that an invocation loads of the DEPTH elements from k on: four columns of one row, or,
// if the matrix is transposed, four elements of one of its rows.
fn load_matrix(k: u32, i: u32, place: Place) -> vec4f {
  #if TRANSPOSED
  let own = k + 4u * (place.lane + 8u * i);
  if (own >= params.inputs) {
    return vec4f();
  }
  return load(place.first + own, params.inputs - own);
  #else
  // x is zero beyond its end, so any row of the matrix will do there.
  let own = min(k + 4u * place.split + i, params.inputs - 1u);
  return load(place.first + own * params.outputs, place.cols);
  #end
}

// Writes an element of the output. `bias` is used by some epilogues.
fn write(row: u32, col: u32, sum: f32, bias: f32) {
  if (row >= params.rows || col >= params.outputs) {
    return;
  }
  let at = row * params.outputs + col;
  #if EPILOGUE == 0
  out[at] = sum;
  #end
  #if EPILOGUE == 1
  out[at] = sum + bias;
  #end
  #if EPILOGUE == 2
  out[at] = gelu(sum + bias);
  #end
  #if EPILOGUE == 3
  out[at] += sum + bias;
  #end
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let first_row = workgroup.y * ROWS;
  let first_col = workgroup.x * COLS;
  #if NORM
  normalise(first_row, index);
  #end
  let lane = index % 8u;
  let split = index / 8u;
  #if TRANSPOSED
  let place = Place(lane, split, params.matrix + min(first_col + split, params.outputs - 1u) * params.inputs, 0u);
  #else
  // Invocations beyond the last column load the last columns again, and write nothing.
  let col = min(first_col + 4u * lane, (params.outputs - 1u) / 4u * 4u);
  let place = Place(lane, split, params.matrix + col, params.outputs - col);
  #end
  #for r ROWS
  var sum_$r = vec4f();
  #end
  #for i 4
  var next_$i = load_matrix(0u, $iu, place);
  #end
  for (var first = 0u; first < params.inputs; first += STAGE) {
    workgroupBarrier();
    for (var i = index; i < ROWS * STAGE / 4u; i += 256u) {
      let row = i / (STAGE / 4u);
      tile[i] = input(row, first_row + row, first + 4u * (i % (STAGE / 4u)));
    }
    workgroupBarrier();
    let end = min(first + STAGE, params.inputs);
    for (var k = first; k < end; k += DEPTH) {
      // While these elements are multiplied, the next are loaded.
      #for i 4
      let w_$i = next_$i;
      next_$i = load_matrix(k + DEPTH, $iu, place);
      #end
      let at = (k - first) / 4u;
      #for r ROWS
      #if TRANSPOSED
      #for i 4
      sum_$r = fma(w_$i, tile[$ru * (STAGE / 4u) + at + lane + 8u * $iu], sum_$r);
      #end
      #else
      let x_$r = tile[$ru * (STAGE / 4u) + at + split];
      sum_$r = fma(vec4f(x_$r.x), w_0, sum_$r);
      sum_$r = fma(vec4f(x_$r.y), w_1, sum_$r);
      sum_$r = fma(vec4f(x_$r.z), w_2, sum_$r);
      sum_$r = fma(vec4f(x_$r.w), w_3, sum_$r);
      #end
      #end
    }
  }
  workgroupBarrier();
  // Each row is added up by other invocations, in one of two parts of the memory, so that one barrier per row
  // suffices.
  #for r ROWS
  #if TRANSPOSED
  parts[$ru % 2u * 256u + index] = (sum_$r.x + sum_$r.y) + (sum_$r.z + sum_$r.w);
  workgroupBarrier();
  if (index / COLS == $ru % 8u) {
    let own = index % COLS;
    var sum = 0.0;
    for (var i = 0u; i < 8u; i++) {
      sum += parts[$ru % 2u * 256u + 8u * own + i];
    }
    write(first_row + $ru, first_col + own, sum, 0.0);
  }
  #else
  tile[$ru % 2u * 256u + index] = sum_$r;
  workgroupBarrier();
  if (split == $ru && first_col + 4u * lane < params.outputs) {
    var sum = vec4f();
    for (var i = 0u; i < 32u; i++) {
      sum += tile[$ru % 2u * 256u + 8u * i + lane];
    }
    let at = first_col + 4u * lane;
    #if EPILOGUE > 0
    let bias = load(params.bias + at, params.outputs - at);
    #else
    let bias = vec4f();
    #end
    write(first_row + $ru, at, sum.x, bias.x);
    write(first_row + $ru, at + 1u, sum.y, bias.y);
    write(first_row + $ru, at + 2u, sum.z, bias.z);
    write(first_row + $ru, at + 3u, sum.w, bias.w);
  }
  #end
  #end
}
