// The parts of a step of Muon that are not products. The matrices of one shape form a batch. PASS:
//   0  updates the momentum, and writes its Nesterov look-ahead to `x`, one matrix after the other
//   1  one workgroup per matrix: divides it by its Frobenius norm
//   2  weight decay, and the step against the orthogonalised matrices

#include reduce
#include update
#include optimiser_state

// Where a matrix lies: the index of its first element in the momentum and in the parameters, and the distance
// of its rows there, which is more than its columns where several layers lie side by side.
struct Matrix {
  momentum: u32,
  start: u32,
  row: u32,
  unused: u32,
}

struct Params {
  rows: u32,
  cols: u32,
  matrices: u32,
  // The factor of the learning rate, larger for matrices that widen their input.
  scale: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
#if PASS == 0
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> state: OptimiserState;
@group(0) @binding(3) var<storage, read> matrices: array<Matrix>;
@group(0) @binding(4) var<storage, read> grads: array<f32>;
@group(0) @binding(5) var<storage, read_write> momentum: array<f32>;
@group(0) @binding(6) var<storage, read_write> x: array<f32>;
#end
#if PASS == 1
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
#end
#if PASS == 2
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> state: OptimiserState;
@group(0) @binding(3) var<storage, read> matrices: array<Matrix>;
@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> weights: array<f32>;
#end

@compute @workgroup_size(THREADS)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) count: vec3u,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let size = params.rows * params.cols;
#if PASS == 1
  let first = workgroup.x * size;
  var sum = 0.0;
  for (var i = index; i < size; i += THREADS) {
    sum = fma(x[first + i], x[first + i], sum);
  }
  // The small term prevents a division by zero for a matrix of zeros.
  let scale = 1.0 / (sqrt(sum_over_workgroup(sum, index)) + 1e-7);
  for (var i = index; i < size; i += THREADS) {
    x[first + i] *= scale;
  }
#else
  let i = id.x + id.y * count.x * THREADS;
  if (i >= params.matrices * size || state.is_finite == 0u) {
    return;
  }
  let matrix = matrices[i / size];
  let row = i % size / params.cols;
  let col = i % params.cols;
  let at = row * matrix.row + col;
  #if PASS == 0
  let gradient = grads[matrix.start + at] * state.clip;
  let old = momentum[matrix.momentum + at];
  let mean = fma(1.0 - update.momentum, gradient - old, old);
  momentum[matrix.momentum + at] = mean;
  x[i] = fma(update.momentum, mean - gradient, gradient);
  #else
  let old = weights[matrix.start + at] * (1.0 - update.muon_rate * update.muon_decay);
  weights[matrix.start + at] = fma(-update.muon_rate * params.scale, x[i], old);
  #end
#end
}
