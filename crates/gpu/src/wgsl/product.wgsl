// What the kernels of matrix products share: their parameters, and the epilogue, which is applied to a sum.
// EPILOGUE:
//   0  c = sum
//   1  c = c + sum
//   2  c = sum + bias
//   3  saved = sum + bias, c = gelu(saved)
//   4  c = c + sum + bias
//   5  c = sum * gelu'(saved)
//   6  c = sum * factor + bias * other, plus `diagonal` on the diagonal; `bias` is a matrix here

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
  // The index of the first element of `bias` and of `saved`.
  bias: u32,
  saved: u32,
  // The numbers of epilogue 6.
  factor: f32,
  other: f32,
  diagonal: f32,
  padding: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
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

// Applies the epilogue to the sum of element (row, col) and writes it. `batch` is the number of the matrix in
// the batch, or of the split.
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
