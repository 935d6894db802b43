// The forward pass of actor or critic over a tile of ROWS observations. Both are multi-layer perceptrons with
// two hidden layers of HIDDEN neurons and hyperbolic tangents, and OUTPUTS heads (the critic uses the first
// alone).
//
// An invocation computes four neighbouring neurons (a column of vectors) of ROWS_PER_THREAD neighbouring
// rows. Weights are read from `net`, which every invocation of a row group reads at the same address as those
// of other groups, so they come from the cache; activations are in the workgroup's memory.
//
// `net` holds the actor, then the critic, each packed in vectors of four neurons: weights of layer 1
// [INPUTS][HIDDEN], its biases, layer 2 [HIDDEN][HIDDEN], its biases, heads [OUTPUTS][HIDDEN], their biases,
// the logarithms of the standard deviations of a continuous action, and the weights of layer 2 transposed.
// Biases of heads and logarithms have HEAD_VECTORS vectors: a single one, with the logarithm as its fourth
// number, in the lab's own worlds, and otherwise a vector of logarithms after those of the biases. `Layout`
// in ppo/layout.rs fills it.

#include angles

const COLUMNS = HIDDEN / 4u; // vectors of a row
const STRIDE = COLUMNS + 1u; // from a row to the next in the workgroup's memory; odd, so that rows are in different banks
const BIAS_1 = INPUTS * COLUMNS;
const WEIGHT_2 = BIAS_1 + COLUMNS;
const BIAS_2 = WEIGHT_2 + HIDDEN * COLUMNS;
const WEIGHT_3 = BIAS_2 + COLUMNS;
const BIAS_3 = WEIGHT_3 + OUTPUTS * COLUMNS;
const TRANSPOSED = BIAS_3 + HEAD_VECTORS;
const NETWORK = TRANSPOSED + HIDDEN * COLUMNS;
const THREADS = COLUMNS * ROWS / ROWS_PER_THREAD;
const PARTS = THREADS / ROWS; // into which the product of a head is dealt
const PART = COLUMNS / PARTS;

var<workgroup> inputs: array<f32, ROWS * INPUTS>;
var<workgroup> hidden_1: array<vec4f, ROWS * STRIDE>;
var<workgroup> hidden_2: array<vec4f, ROWS * STRIDE>;
var<workgroup> head_parts: array<f32, OUTPUTS * THREADS>;

// From `inputs` to `hidden_1`; `base` is the beginning of the network.
fn layer_1(base: u32, column: u32, row: u32) {
  let bias = net[base + BIAS_1 + column];
  #for q ROWS_PER_THREAD
  var sum_$q = bias;
  #end
  #for i INPUTS
  let weight_$i = net[base + $iu * COLUMNS + column];
  #for q ROWS_PER_THREAD
  sum_$q = fma(weight_$i, vec4f(inputs[(row + $qu) * INPUTS + $iu]), sum_$q);
  #end
  #end
  #for q ROWS_PER_THREAD
  hidden_1[(row + $qu) * STRIDE + column] = hyperbolic_tangent(sum_$q);
  #end
}

// From `hidden_1` to `hidden_2`.
fn layer_2(base: u32, column: u32, row: u32) {
  let bias = net[base + BIAS_2 + column];
  #for q ROWS_PER_THREAD
  var sum_$q = bias;
  #end
  for (var k = 0u; k < COLUMNS; k++) {
    let at = base + WEIGHT_2 + 4u * k * COLUMNS + column;
    #for c 4
    let weight_$c = net[at + $cu * COLUMNS];
    #end
    #for q ROWS_PER_THREAD
    let x_$q = hidden_1[(row + $qu) * STRIDE + k];
    sum_$q = fma(weight_0, x_$q.xxxx, sum_$q);
    sum_$q = fma(weight_1, x_$q.yyyy, sum_$q);
    sum_$q = fma(weight_2, x_$q.zzzz, sum_$q);
    sum_$q = fma(weight_3, x_$q.wwww, sum_$q);
    #end
  }
  #for q ROWS_PER_THREAD
  hidden_2[(row + $qu) * STRIDE + column] = hyperbolic_tangent(sum_$q);
  #end
}

// From `hidden_2` to `head_parts`.
fn heads(base: u32, index: u32) {
  let row = index % ROWS;
  let part = index / ROWS;
  #for o OUTPUTS
  var sum_$o = vec4f();
  #end
  for (var k = part * PART; k < (part + 1u) * PART; k++) {
    let x = hidden_2[row * STRIDE + k];
    #for o OUTPUTS
    sum_$o = fma(net[base + WEIGHT_3 + $ou * COLUMNS + k], x, sum_$o);
    #end
  }
  #for o OUTPUTS
  head_parts[$ou * THREADS + part * ROWS + row] = (sum_$o.x + sum_$o.y) + (sum_$o.z + sum_$o.w);
  #end
}

// An output of a row, from `head_parts`.
fn output(base: u32, head: u32, row: u32) -> f32 {
  var sum = net[base + BIAS_3 + head / 4u][head % 4u];
  for (var part = 0u; part < PARTS; part++) {
    sum += head_parts[head * THREADS + part * ROWS + row];
  }
  return sum;
}

// Runs the network at `base` on `inputs`, which the caller has written. Every invocation of the workgroup
// must call it; afterwards `output` may be called.
fn forward(base: u32, index: u32) {
  let column = index % COLUMNS;
  let row = index / COLUMNS * ROWS_PER_THREAD;
  workgroupBarrier();
  layer_1(base, column, row);
  workgroupBarrier();
  layer_2(base, column, row);
  workgroupBarrier();
  heads(base, index);
  workgroupBarrier();
}
