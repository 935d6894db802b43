//! An affine layer, `y = x W + b`, with what comes after it fused into the pass that makes the rows.

use std::ops::Range;

use learnery_kernels::epilogue::{Activation, Epilogue};
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::linear::{PackedMatrix, linear, linear_columns, linear_residual};
use learnery_kernels::reduce;
use learnery_kernels::rng::Stream;

use crate::params::{Layout, Matrix, orthogonal};
use crate::weights::Weights;

/// The shape of a layer and where its parameters lie.
#[derive(Clone, Debug)]
pub struct Dense {
    pub(crate) weight: Matrix,
    pub(crate) bias: Range<usize>,
}

impl Dense {
    /// A layer whose parameters are added to `layout` as `name/weight` and `name/bias`. `way_back` says whether
    /// what goes in wants a gradient; the first layer of a network needs none.
    pub fn new(layout: &mut Layout, name: &str, inputs: usize, outputs: usize, way_back: bool) -> Self {
        let weight = layout.add_matrix(format!("{name}/weight"), inputs, outputs, way_back);
        Self { weight, bias: layout.add(format!("{name}/bias"), &[outputs]) }
    }

    /// How many numbers go in.
    pub fn inputs(&self) -> usize {
        self.weight.inputs
    }

    /// How many come out.
    pub fn outputs(&self) -> usize {
        self.weight.outputs
    }

    /// Orthogonal weights times `gain`, no bias. `index` sets layers of one stream apart.
    pub fn init(&self, params: &mut [f32], gain: f32, stream: Stream, index: u64) {
        let weight = &mut params[self.weight.range.clone()];
        orthogonal(weight, self.weight.inputs, self.weight.outputs, gain, stream, index);
        params[self.bias.clone()].fill(0.0);
    }

    /// What follows the product: the bias, and then whatever the caller adds.
    pub fn epilogue<'a>(&self, weights: &'a Weights) -> Epilogue<'a> {
        Epilogue::bias(&weights.flat()[self.bias.clone()])
    }

    /// `out = tail(x W)`. // x [rows, inputs] -> out [rows, outputs]
    pub fn forward(&self, weights: &Weights, out: &mut [f32], x: &[f32], rows: usize, tail: Epilogue) {
        linear(out, x, rows, weights.forward(&self.weight), tail);
    }

    /// `stream += x W + b`, and then `out` is what the rest of the tail makes of the stream; nothing where it is
    /// empty. // x [rows, inputs] -> stream, out [rows, outputs]
    pub fn forward_residual(
        &self,
        weights: &Weights,
        stream: &mut [f32],
        out: &mut [f32],
        x: &[f32],
        rows: usize,
        tail: Epilogue,
    ) {
        linear_residual(stream, out, x, rows, weights.forward(&self.weight), tail);
    }

    /// [`Dense::forward`] of one row, which threads share. // x [inputs] -> out [outputs]
    pub fn forward_row(&self, weights: &Weights, out: &mut [f32], x: &[f32], activation: Activation) {
        let matrix = weights.forward(&self.weight);
        row(out, false, x, matrix, &weights.flat()[self.bias.clone()], activation);
    }

    /// [`Dense::forward_residual`] of one row, which threads share, and of the stream alone.
    /// // x [inputs] -> stream [outputs]
    pub fn forward_row_residual(&self, weights: &Weights, stream: &mut [f32], x: &[f32]) {
        let matrix = weights.forward(&self.weight);
        row(stream, true, x, matrix, &weights.flat()[self.bias.clone()], Activation::Identity);
    }

    /// Adds the gradients of weights and bias to `grads`, laid out like the parameters.
    /// // x [rows, inputs], dy [rows, outputs]
    pub fn backward(&self, grads: &mut [f32], x: &[f32], dy: &[f32], rows: usize) {
        let (x, dy_matrix) = (Mat::new(x, rows, self.inputs()), Mat::new(dy, rows, self.outputs()));
        gemm(&mut grads[self.weight.range.clone()], x.t(), dy_matrix, true);
        reduce::add_column_sums(&mut grads[self.bias.clone()], &dy[..rows * self.outputs()]);
    }

    /// The gradient at what went in: `dx = dy Wᵀ`. // dy [rows, outputs] -> dx [rows, inputs]
    pub fn backward_inputs(&self, weights: &Weights, dx: &mut [f32], dy: &[f32], rows: usize) {
        linear(dx, dy, rows, weights.back(&self.weight), Epilogue::default());
    }
}

/// Weights from which on a second thread helps with a row: fetching fewer takes less time than waking it.
const WORTH_SHARING: usize = 1 << 15;

/// `out = activation(x W + bias)`, or `out += x W + bias`, for one row. A row alone waits for the weights, which come from
/// memory faster where several threads ask for them; so each makes some columns, with the same bits.
pub fn row(out: &mut [f32], adds: bool, x: &[f32], w: &PackedMatrix, bias: &[f32], activation: Activation) {
    // Outside a pool there is nobody to share with.
    let helped = rayon::current_thread_index().is_some() && w.inputs() * w.outputs() >= WORTH_SHARING;
    let threads = if helped { rayon::current_num_threads() } else { 1 };
    columns(out, adds, x, w, 0, &|| Epilogue::bias(bias).then(activation), threads);
}

/// The columns from `first` on, halved as long as there are threads for the halves.
fn columns<'a>(
    out: &mut [f32],
    adds: bool,
    x: &[f32],
    w: &PackedMatrix,
    first: usize,
    tail: &(impl Fn() -> Epilogue<'a> + Sync),
    threads: usize,
) {
    let middle = w.panel_boundary(first + out.len() / 2);
    if threads < 2 || middle <= first {
        linear_columns(out, adds, x, w, first, tail());
        return;
    }
    let (left, right) = out.split_at_mut(middle - first);
    rayon::join(
        || columns(left, adds, x, w, first, tail, threads / 2),
        || columns(right, adds, x, w, middle, tail, threads - threads / 2),
    );
}
