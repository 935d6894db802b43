//! Layers of networks as dispatches: dense layers and layer norms, forward and backward. Rows are samples or
//! tokens, and all matrices are row-major.

use learnery_kernels::product;
use learnery_nn::{Dense, LayerNorm};

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, split_scratch};
use crate::plan::PlanBuilder;

/// Rows of a column that one invocation adds up. Another number changes the order of the sums, so it needs
/// a new [`crate::shader::KERNEL_VERSION`].
const ROWS_PER_PART: usize = 128;

/// Columns of a workgroup, one per invocation: the workgroup size that `column_sums.wgsl` declares.
const COLUMNS_PER_WORKGROUP: usize = 64;

/// What the forward pass of a layer norm writes: its output, and what its backward pass needs.
#[derive(Clone, Debug)]
pub struct NormTape {
    /// The output: `gamma normalised + beta`, and then the activation.
    /// Shape: `[rows, width]`.
    pub y: Buffer,
    /// The normalised rows, before gamma and beta.
    /// Shape: `[rows, width]`.
    normalised: Buffer,
    /// `1 / sqrt(variance + epsilon)` of each row.
    /// Shape: `[rows]`.
    inverse_deviation: Buffer,
}

impl NormTape {
    pub fn new(gpu: &Gpu, rows: usize, width: usize) -> Result<Self, GpuError> {
        let buffer = || gpu.buffer(rows * width);
        Ok(Self { y: buffer()?, normalised: buffer()?, inverse_deviation: gpu.buffer(rows)? })
    }
}

/// The activation that `layer_norm.wgsl` applies to the output of a norm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormActivation {
    Identity,
    /// `max(x, 0)`. In the backward pass, [`relu_backward`] comes first, before [`Gradients::norm`] and
    /// [`Pass::norm_backward`].
    Relu,
}

/// Appends layers to a plan, forward and backward, for a batch of `rows` rows.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'a> {
    pub rows: usize,
    /// All parameters of the network, biases, gammas and betas too, in the order of its
    /// [`learnery_nn::Layout`].
    pub weights: &'a Buffer,
}

impl Pass<'_> {
    /// `out = epilogue(x W)`.
    pub fn dense(&self, plan: &mut PlanBuilder, layer: &Dense, x: &Buffer, out: &Buffer, epilogue: Epilogue) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        plan.matmul(
            Size::new(self.rows, outputs, inputs),
            Matrix::new(x, 0, inputs),
            Matrix::new(self.weights, layer.weight.range.start, outputs),
            Matrix::new(out, 0, outputs),
            epilogue,
        );
    }

    /// `dx = epilogue(dy Wᵀ)`.
    pub fn dense_backward(
        &self,
        plan: &mut PlanBuilder,
        layer: &Dense,
        dy: &Buffer,
        dx: &Buffer,
        epilogue: Epilogue,
    ) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        plan.matmul(
            Size::new(self.rows, inputs, outputs),
            Matrix::new(dy, 0, outputs),
            Matrix::new(self.weights, layer.weight.range.start, outputs).t(),
            Matrix::new(dx, 0, inputs),
            epilogue,
        );
    }

    /// `out.y = activation(norm(x))`. Also saves in `out` what the backward pass needs.
    pub fn norm(
        &self,
        plan: &mut PlanBuilder,
        norm: &LayerNorm,
        x: &Buffer,
        out: &NormTape,
        activation: NormActivation,
    ) {
        let width = width_of(norm);
        let constants = [
            ("BACKWARD", 0),
            ("ADD", 0),
            ("RELU", (activation == NormActivation::Relu).into()),
            ("THREADS", norm_threads(width)),
        ];
        let parameters = [width.into(), norm.range().start.into()];
        let buffers = [self.weights, x, &out.y, &out.normalised, &out.inverse_deviation];
        // Bytes: about four accesses of four bytes to each element.
        let cost = product([4, 4, self.rows, width]);
        plan.dispatch("layer_norm", &constants, &parameters, &buffers, [self.rows, 1, 1], cost);
    }

    /// Backward pass of a norm: the gradient at its input, from the gradient `dy` at its output. It is added
    /// to `dx` if `add`, and overwrites it otherwise.
    pub fn norm_backward(
        &self,
        plan: &mut PlanBuilder,
        norm: &LayerNorm,
        tape: &NormTape,
        dy: &Buffer,
        dx: &Buffer,
        add: bool,
    ) {
        let width = width_of(norm);
        let constants = [("BACKWARD", 1), ("ADD", add.into()), ("RELU", 0), ("THREADS", norm_threads(width))];
        let parameters = [width.into(), norm.range().start.into()];
        let buffers = [self.weights, dy, &tape.normalised, &tape.inverse_deviation, dx];
        let cost = product([4, 4, self.rows, width]);
        plan.dispatch("layer_norm", &constants, &parameters, &buffers, [self.rows, 1, 1], cost);
    }
}

/// Appends what adds the gradient of a batch of `rows` rows to `grads`. Whoever wants the gradient of one
/// batch alone clears `grads` before ([`PlanBuilder::clear`]).
#[derive(Clone, Copy, Debug)]
pub struct Gradients<'a> {
    pub rows: usize,
    /// The gradient of all parameters of the network, in the order of its [`learnery_nn::Layout`].
    pub grads: &'a Buffer,
    /// Parts of sums, see [`scratch_words`].
    pub scratch: &'a Buffer,
}

impl Gradients<'_> {
    /// Adds the gradients of a layer's weights and biases.
    pub fn dense(&self, plan: &mut PlanBuilder, layer: &Dense, x: &Buffer, dy: &Buffer) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        self.column_sums(plan, dy, None, outputs, layer.bias.start);
        plan.matmul_split(
            Size::new(inputs, outputs, self.rows),
            Matrix::new(x, 0, inputs).t(),
            Matrix::new(dy, 0, outputs),
            Matrix::new(self.grads, layer.weight.range.start, outputs),
            self.scratch,
            None,
        );
    }

    /// Adds the gradients of a norm's parameters.
    pub fn norm(&self, plan: &mut PlanBuilder, norm: &LayerNorm, tape: &NormTape, dy: &Buffer) {
        self.column_sums(plan, dy, Some(&tape.normalised), width_of(norm), norm.range().start);
    }

    /// Adds the gradient of a bias that begins at index `first`.
    pub fn bias(&self, plan: &mut PlanBuilder, dy: &Buffer, columns: usize, first: usize) {
        self.column_sums(plan, dy, None, columns, first);
    }

    /// Adds the sums of the columns of `dy` to the gradient from index `first` on. For a norm, the sums of
    /// the columns of `normalised * dy` (element by element) come before them, because in the layout the
    /// gammas come before the betas.
    fn column_sums(
        &self,
        plan: &mut PlanBuilder,
        dy: &Buffer,
        normalised: Option<&Buffer>,
        columns: usize,
        first: usize,
    ) {
        let parts = self.rows.div_ceil(ROWS_PER_PART);
        let constants = [("NORM", normalised.is_some().into()), ("ROWS_PER_PART", ROWS_PER_PART as u32)];
        let parameters = [self.rows.into(), columns.into()];
        let mut buffers = vec![dy, self.scratch];
        buffers.extend(normalised);
        let workgroups = [columns.div_ceil(COLUMNS_PER_WORKGROUP), parts, 1];
        let cost = product([4, self.rows, columns]);
        plan.dispatch("column_sums", &constants, &parameters, &buffers, workgroups, cost);
        let length = if normalised.is_some() { 2 * columns } else { columns };
        plan.sum_parts(self.scratch, parts, length, self.grads, first);
    }
}

/// Sets the elements of `dy` to zero where `y`, the output of a ReLU, is zero.
pub fn relu_backward(plan: &mut PlanBuilder, dy: &Buffer, y: &Buffer) {
    let elements = y.words();
    plan.dispatch_elements("relu_backward", &[], &[elements.into()], &[y, dy], elements, 64);
}

/// The words of scratch that [`Gradients`] needs for these layers and the norms between them, with batches of
/// `rows` rows. The layers use it one after the other, so the largest need counts. A norm has two sums per
/// column; none may be wider than the largest output of these layers, or the caller must allow for it.
pub fn scratch_words<'a>(layers: impl Iterator<Item = &'a Dense>, rows: usize) -> usize {
    let words = layers.map(|layer| {
        let columns = rows.div_ceil(ROWS_PER_PART) * 2 * layer.outputs();
        split_scratch(Size::new(layer.inputs(), layer.outputs(), rows)).max(columns)
    });
    words.max().unwrap_or(0)
}

/// The width of a norm: half of its parameters are gammas, the other half betas.
fn width_of(norm: &LayerNorm) -> usize {
    norm.range().len() / 2
}

/// Invocations per row of a norm: a power of two, which the sums of `reduce.wgsl` need. Another number
/// changes the order of these sums, so it needs a new [`crate::shader::KERNEL_VERSION`].
fn norm_threads(width: usize) -> u32 {
    if width <= 128 { 64 } else { 128 }
}
