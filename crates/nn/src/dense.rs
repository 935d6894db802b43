//! A dense (fully connected) layer, `y = x W + b`, the part that the networks of this crate are made of.
//! Layer norm and activation are fused into the product as an [`Epilogue`]: they are applied to rows of the
//! product while these are in the cache.

use std::ops::Range;

use learnery_kernels::activation::Activation;
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::linear::{PackedMatrix, linear, linear_columns, linear_residual};
use learnery_kernels::reduce;
use learnery_kernels::rng::Stream;

use crate::params::{Layout, Matrix, orthogonal};
use crate::weights::Weights;

/// Whether a product is added to the output or overwrites it.
const ACCUMULATE: bool = true;
const OVERWRITE: bool = false;

/// The shape of a dense layer and the offsets of its parameters.
#[derive(Clone, Debug)]
pub struct Dense {
    pub weight: Matrix,
    pub bias: Range<usize>,
}

impl Dense {
    /// Adds a layer's parameters to `layout` as `name/weight` and `name/bias`. With `input_gradient`, the
    /// backward pass can compute the gradient at the layer's input, which the first layer of a network does
    /// not need.
    pub fn new(layout: &mut Layout, name: &str, inputs: usize, outputs: usize, input_gradient: bool) -> Self {
        let weight = layout.add_matrix(format!("{name}/weight"), inputs, outputs, input_gradient);
        Self { weight, bias: layout.add(format!("{name}/bias"), &[outputs]) }
    }

    pub fn inputs(&self) -> usize {
        self.weight.inputs
    }

    pub fn outputs(&self) -> usize {
        self.weight.outputs
    }

    /// Orthogonal weights times `gain`, zero biases. `index` separates the random numbers of layers that
    /// share a `stream` of random numbers.
    pub fn init(&self, params: &mut [f32], gain: f32, stream: Stream, index: u64) {
        let weight = &mut params[self.weight.range.clone()];
        orthogonal(weight, self.weight.inputs, self.weight.outputs, gain, stream, index);
        params[self.bias.clone()].fill(0.0);
    }

    /// An epilogue that adds the layer's bias, to which the caller may add norm and activation.
    pub fn epilogue<'a>(&self, weights: &'a Weights) -> Epilogue<'a> {
        Epilogue::bias(&weights.flat()[self.bias.clone()])
    }

    /// `out = epilogue(x W)`.
    /// Shapes: `x [rows, inputs] -> out [rows, outputs]`.
    pub fn forward(&self, weights: &Weights, out: &mut [f32], x: &[f32], rows: usize, epilogue: Epilogue) {
        linear(out, x, rows, weights.forward(&self.weight), epilogue);
    }

    /// `residual += x W + b`. Then, unless `out` is empty, applies norm and activation of the epilogue to a
    /// copy of `residual` in `out`. Shapes: `x [rows, inputs] -> residual, out [rows, outputs]`.
    pub fn forward_residual(
        &self,
        weights: &Weights,
        residual: &mut [f32],
        out: &mut [f32],
        x: &[f32],
        rows: usize,
        epilogue: Epilogue,
    ) {
        linear_residual(residual, out, x, rows, weights.forward(&self.weight), epilogue);
    }

    /// [`Dense::forward`] of one row, without layer norm, on all threads.
    /// Shapes: `x [inputs] -> out [outputs]`.
    pub fn forward_row(&self, weights: &Weights, out: &mut [f32], x: &[f32], activation: Activation) {
        let matrix = weights.forward(&self.weight);
        row(out, OVERWRITE, x, matrix, &weights.flat()[self.bias.clone()], activation);
    }

    /// [`Dense::forward_residual`] of one row on all threads, with empty `out`.
    /// Shapes: `x [inputs] -> residual [outputs]`.
    pub fn forward_row_residual(&self, weights: &Weights, residual: &mut [f32], x: &[f32]) {
        let matrix = weights.forward(&self.weight);
        row(residual, ACCUMULATE, x, matrix, &weights.flat()[self.bias.clone()], Activation::Identity);
    }

    /// Adds the gradients of weights and bias to `grads`, which has the layout of the parameters.
    /// Shapes: `x [rows, inputs], dy [rows, outputs]`.
    pub fn backward(&self, grads: &mut [f32], x: &[f32], dy: &[f32], rows: usize) {
        let (x, dy_matrix) = (Mat::new(x, rows, self.inputs()), Mat::new(dy, rows, self.outputs()));
        gemm(&mut grads[self.weight.range.clone()], x.t(), dy_matrix, ACCUMULATE);
        reduce::add_column_sums(&mut grads[self.bias.clone()], &dy[..rows * self.outputs()]);
    }

    /// The gradient at the input: `dx = dy Wᵀ`.
    /// Shapes: `dy [rows, outputs] -> dx [rows, inputs]`.
    pub fn backward_inputs(&self, weights: &Weights, dx: &mut [f32], dy: &[f32], rows: usize) {
        linear(dx, dy, rows, weights.transposed(&self.weight), Epilogue::default());
    }
}

/// The smallest number of weights for which several threads share a row: loading fewer takes less time than
/// waking a thread.
const MIN_SHARED_WEIGHTS: usize = 1 << 15;

/// One row of a product: `out = activation(x W + bias)`, or `out += x W + bias` if `accumulate`. Its time is
/// the time to load the weights from memory, which several threads do faster. So each thread computes some
/// columns. The number of threads changes no bit. Shapes: `x [inputs] -> out [outputs]`.
pub fn row(
    out: &mut [f32],
    accumulate: bool,
    x: &[f32],
    w: &PackedMatrix,
    bias: &[f32],
    activation: Activation,
) {
    // A thread that belongs to no pool of rayon computes the row alone.
    let shared = rayon::current_thread_index().is_some() && w.inputs() * w.outputs() >= MIN_SHARED_WEIGHTS;
    let threads = if shared { rayon::current_num_threads() } else { 1 };
    let first_column = 0;
    columns(out, accumulate, x, w, first_column, &|| Epilogue::bias(bias).then(activation), threads);
}

/// [`row`] for `out.len()` columns from `first` on, split recursively over `threads` threads at panel
/// boundaries.
fn columns<'a>(
    out: &mut [f32],
    accumulate: bool,
    x: &[f32],
    w: &PackedMatrix,
    first: usize,
    epilogue: &(impl Fn() -> Epilogue<'a> + Sync),
    threads: usize,
) {
    let middle = w.panel_boundary(first + out.len() / 2);
    if threads < 2 || middle <= first {
        linear_columns(out, accumulate, x, w, first, epilogue());
        return;
    }
    let (left, right) = out.split_at_mut(middle - first);
    rayon::join(
        || columns(left, accumulate, x, w, first, epilogue, threads / 2),
        || columns(right, accumulate, x, w, middle, epilogue, threads - threads / 2),
    );
}
