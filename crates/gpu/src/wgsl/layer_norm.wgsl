// Layer normalisation: one workgroup of THREADS invocations per row. Saves the normalised row and
// 1 / sqrt(variance + epsilon) for the backward pass. With RELU, negative outputs become zero.
// BACKWARD: 1 to compute the gradient at the input instead, which ADD adds to what is in `dx`.

#include reduce

struct Params {
  width: u32,
  // The index of the first gamma; the betas follow the gammas.
  gamma: u32,
}

// Added to the variance, as on the CPU.
const EPSILON = 1e-5;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
#if BACKWARD
@group(0) @binding(2) var<storage, read> dy: array<f32>;
@group(0) @binding(3) var<storage, read> normalised: array<f32>;
@group(0) @binding(4) var<storage, read> inverse_deviation: array<f32>;
@group(0) @binding(5) var<storage, read_write> dx: array<f32>;
#else
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read_write> normalised: array<f32>;
@group(0) @binding(5) var<storage, read_write> inverse_deviation: array<f32>;
#end

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = workgroup.x;
  let first = row * params.width;
  let scale = 1.0 / f32(params.width);
  #if BACKWARD
  // With g = gamma dy: dx = (g - mean(g) - normalised mean(g normalised)) / deviation.
  var sum = 0.0;
  var product_sum = 0.0;
  for (var col = index; col < params.width; col += THREADS) {
    let g = dy[first + col] * weights[params.gamma + col];
    sum += g;
    product_sum = fma(g, normalised[first + col], product_sum);
  }
  let mean = sum_over_workgroup(sum, index) * scale;
  let product_mean = sum_over_workgroup(product_sum, index) * scale;
  let inverse = inverse_deviation[row];
  for (var col = index; col < params.width; col += THREADS) {
    let g = dy[first + col] * weights[params.gamma + col];
    let value = (g - mean - normalised[first + col] * product_mean) * inverse;
    #if ADD
    dx[first + col] += value;
    #else
    dx[first + col] = value;
    #end
  }
  #else
  var sum = 0.0;
  for (var col = index; col < params.width; col += THREADS) {
    sum += x[first + col];
  }
  let mean = sum_over_workgroup(sum, index) * scale;
  var squares = 0.0;
  for (var col = index; col < params.width; col += THREADS) {
    let d = x[first + col] - mean;
    squares = fma(d, d, squares);
  }
  let variance = sum_over_workgroup(squares, index) * scale;
  let inverse = 1.0 / sqrt(variance + EPSILON);
  for (var col = index; col < params.width; col += THREADS) {
    let value = (x[first + col] - mean) * inverse;
    normalised[first + col] = value;
    let scaled = fma(value, weights[params.gamma + col], weights[params.gamma + params.width + col]);
    #if RELU
    y[first + col] = max(scaled, 0.0);
    #else
    y[first + col] = scaled;
    #end
  }
  if (index == 0u) {
    inverse_deviation[row] = inverse;
  }
  #end
}
