//! Layers of networks as dispatches: dense layers and layer norms, forward and backward. Rows are samples or
//! tokens, and all matrices are row-major.

use learnery_kernels::product;
use learnery_nn::{Dense, LayerNorm};

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size, split_scratch};
use crate::plan::PlanBuilder;

/// Rows whose sums of a column one invocation adds up.
const ROWS_PER_PART: usize = 128;

/// Columns whose sums one workgroup adds up.
const COLUMNS_PER_WORKGROUP: usize = 64;

/// The output of a norm, and what its backward pass needs.
#[derive(Clone, Debug)]
pub struct Norm {
    /// The output, and the normalised rows before gamma and beta.
    /// Shape of each: `[rows, width]`.
    pub y: Buffer,
    normalised: Buffer,
    /// `1 / sqrt(variance + epsilon)` of each row.
    /// Shape: `[rows]`.
    inverse_deviation: Buffer,
}

impl Norm {
    pub fn new(gpu: &Gpu, rows: usize, width: usize) -> Result<Self, GpuError> {
        let buffer = || gpu.buffer(rows * width);
        Ok(Self { y: buffer()?, normalised: buffer()?, inverse_deviation: gpu.buffer(rows)? })
    }
}

/// What follows a norm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Nothing,
    /// Negative outputs become zero. Before the backward pass of such a norm comes [`relu_backward`].
    Relu,
}

/// A pass through layers with these parameters, of `rows` rows.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'a> {
    pub rows: usize,
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

    /// `out = norm(x)`, and what follows it.
    pub fn norm(&self, plan: &mut PlanBuilder, norm: &LayerNorm, x: &Buffer, out: &Norm, after: After) {
        let width = width_of(norm);
        let constants = [
            ("BACKWARD", 0),
            ("ADD", 0),
            ("RELU", (after == After::Relu).into()),
            ("THREADS", norm_threads(width)),
        ];
        let parameters = [width.into(), norm.range().start.into()];
        let buffers = [self.weights, x, &out.y, &out.normalised, &out.inverse_deviation];
        // Bytes: about four accesses of four bytes to each element.
        let cost = product([4, 4, self.rows, width]);
        plan.dispatch("layer_norm", &constants, &parameters, &buffers, [self.rows, 1, 1], cost);
    }

    /// The gradient at the input of a norm from `dy`, which is added to `dx` or overwrites it.
    pub fn norm_backward(
        &self,
        plan: &mut PlanBuilder,
        norm: &LayerNorm,
        tape: &Norm,
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

/// The gradient of a network's parameters, for batches of `rows` rows.
#[derive(Clone, Copy, Debug)]
pub struct Gradients<'a> {
    pub rows: usize,
    /// In the order of the layout.
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
    pub fn norm(&self, plan: &mut PlanBuilder, norm: &LayerNorm, tape: &Norm, dy: &Buffer) {
        self.column_sums(plan, dy, Some(&tape.normalised), width_of(norm), norm.range().start);
    }

    /// Adds the gradient of a bias that begins at index `first`.
    pub fn bias(&self, plan: &mut PlanBuilder, dy: &Buffer, columns: usize, first: usize) {
        self.column_sums(plan, dy, None, columns, first);
    }

    /// Adds the sums of the columns of `dy` to the gradient from index `first` on. With the normalised input
    /// of a norm, the sums of its product with `dy` come first: the gradient of the gammas, then that of the
    /// betas.
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

/// The words of scratch that the gradients of these layers need, with batches of `rows` rows. There are two
/// sums for each column of a norm, and norms are not wider than the layers around them.
pub fn scratch_words<'a>(layers: impl Iterator<Item = &'a Dense>, rows: usize) -> usize {
    let words = layers.map(|layer| {
        let columns = rows.div_ceil(ROWS_PER_PART) * 2 * layer.outputs();
        split_scratch(Size::new(layer.inputs(), layer.outputs(), rows)).max(columns)
    });
    words.max().unwrap_or(0)
}

/// Half of a norm's parameters are gammas, the others betas.
fn width_of(norm: &LayerNorm) -> usize {
    norm.range().len() / 2
}

/// Invocations per row of a norm.
fn norm_threads(width: usize) -> u32 {
    if width <= 128 { 64 } else { 128 }
}
