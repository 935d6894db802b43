//! The layers of a transformer as dispatches: norms, dense layers and their gradients, position encoding, attention.

use learnery_nn::{Dense, LayerNorm, Transformer};

use super::{Norm, Passes, ROWS_PER_PART};
use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size};
use crate::plan::PlanBuilder;

impl Passes {
    /// A layer norm of the stream `x`.
    pub(super) fn norm(&self, plan: &mut PlanBuilder, norm: &LayerNorm, x: &Buffer, out: &Norm) {
        append_norm(plan, norm, self.rows, &self.weights, x, out);
    }

    /// The gradients of a norm's parameters, and the gradient at its input from `d_norm`, which is added to `d_stream`
    /// or overwrites it.
    pub(super) fn norm_backward(&self, plan: &mut PlanBuilder, norm: &LayerNorm, tape: &Norm, add: bool) {
        let width = self.net.shape().width;
        self.column_sums(plan, &self.d_norm, Some(&tape.normalised), width, norm.range().start);
        let constants = [("BACKWARD", 1), ("ADD", add.into()), ("THREADS", norm_threads(width))];
        let parameters = [width.into(), norm.range().start.into()];
        let buffers =
            [&self.weights, &self.d_norm, &tape.normalised, &tape.inverse_deviation, &self.d_stream];
        let cost = (4 * 4 * self.rows * width) as f64;
        plan.dispatch("layer_norm", &constants, &parameters, &buffers, [self.rows, 1, 1], cost);
    }

    /// Adds the sums of the columns of `dy` to the gradient from index `first` on. With the normalised input of a norm,
    /// first those of its product with `dy`.
    pub(super) fn column_sums(
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
        let mut buffers = vec![dy, &self.scratch];
        buffers.extend(normalised);
        let workgroups = [columns.div_ceil(64), parts, 1];
        let cost = (4 * self.rows * columns) as f64;
        plan.dispatch("column_sums", &constants, &parameters, &buffers, workgroups, cost);
        let length = if normalised.is_some() { 2 * columns } else { columns };
        plan.sum_parts(&self.scratch, parts, length, &self.grads, first);
    }

    /// `out = epilogue(x W)`.
    pub(super) fn dense(
        &self,
        plan: &mut PlanBuilder,
        layer: &Dense,
        x: &Buffer,
        out: &Buffer,
        epilogue: Epilogue,
    ) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        plan.matmul(
            Size::new(self.rows, outputs, inputs),
            Matrix::new(x, 0, inputs),
            Matrix::new(&self.weights, layer.weight.range.start, outputs),
            Matrix::new(out, 0, outputs),
            epilogue,
        );
    }

    /// `dx = epilogue(dy Wᵀ)`.
    pub(super) fn dense_backward(
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
            Matrix::new(&self.weights, layer.weight.range.start, outputs).t(),
            Matrix::new(dx, 0, inputs),
            epilogue,
        );
    }

    /// Adds the gradients of a layer's weights and biases.
    pub(super) fn dense_gradient(&self, plan: &mut PlanBuilder, layer: &Dense, x: &Buffer, dy: &Buffer) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        self.column_sums(plan, dy, None, outputs, layer.bias.start);
        plan.matmul_split(
            Size::new(inputs, outputs, self.rows),
            Matrix::new(x, 0, inputs).t(),
            Matrix::new(dy, 0, outputs),
            Matrix::new(&self.grads, layer.weight.range.start, outputs),
            &self.scratch,
            None,
        );
    }

    /// Encodes positions in queries and keys, from `x` to `y`; nothing if the network has no rotary positions.
    pub(super) fn encode_positions(&self, plan: &mut PlanBuilder, x: &Buffer, y: &Buffer, backward: bool) {
        if self.net.rotary().is_none() {
            return;
        }
        let heads = self.net.heads();
        let constants = [
            ("HEADS", heads.count as u32),
            ("HEAD_SIZE", heads.size as u32),
            ("PAIRS", heads.pairs() as u32),
            ("BACKWARD", backward.into()),
        ];
        let parameters = [self.rows.into(), self.length.into()];
        let elements = self.rows * 3 * heads.width();
        plan.dispatch_elements("rotary", &constants, &parameters, &[&self.angles, x, y], elements, 64);
    }

    /// Pass `pass` of attention.
    pub(super) fn attention(&self, plan: &mut PlanBuilder, pass: u32, buffers: &[&Buffer]) {
        let heads = self.net.heads();
        let constants = [
            ("HEADS", heads.count as u32),
            ("HEAD_SIZE", heads.size as u32),
            ("VECTORS", heads.size.div_ceil(4) as u32),
            // Two blocks of a large head would not fit into the 16 kB of a workgroup's memory.
            ("BLOCK", if heads.size > 64 { 8 } else { 16 }),
            ("PASS", pass),
        ];
        let parameters = [self.length.into(), (1.0 / (heads.size as f32).sqrt()).into()];
        let sequences = self.rows / self.length;
        let workgroups = [self.length.div_ceil(64), heads.count, sequences];
        let cost = 4.0 * (self.rows * self.length * heads.width()) as f64;
        plan.dispatch("attention", &constants, &parameters, buffers, workgroups, cost);
    }
}

/// Appends `out = norm(x)` of `rows` rows, with the parameters in `weights`.
pub fn append_norm(
    plan: &mut PlanBuilder,
    norm: &LayerNorm,
    rows: usize,
    weights: &Buffer,
    x: &Buffer,
    out: &Norm,
) {
    // A range of gammas and betas.
    let width = norm.range().len() / 2;
    let constants = [("BACKWARD", 0), ("ADD", 0), ("THREADS", norm_threads(width))];
    let parameters = [width.into(), norm.range().start.into()];
    let buffers = [weights, x, &out.y, &out.normalised, &out.inverse_deviation];
    let cost = (4 * 4 * rows * width) as f64;
    plan.dispatch("layer_norm", &constants, &parameters, &buffers, [rows, 1, 1], cost);
}

/// Invocations per row of a norm.
fn norm_threads(width: usize) -> u32 {
    if width <= 128 { 64 } else { 128 }
}

/// Invocations per row of logits.
pub fn vocabulary_threads(vocabulary: usize) -> u32 {
    if vocabulary <= 512 { 64 } else { 256 }
}

/// A buffer with the cosines and sines of a network's rotary angles; empty without.
pub fn upload_angles(gpu: &Gpu, net: &Transformer) -> Result<Buffer, GpuError> {
    let angles: Vec<[f32; 2]> = net.rotary().map(|rotary| rotary.angles().collect()).unwrap_or_default();
    let buffer = gpu.buffer(2 * angles.len())?;
    gpu.write(&buffer, 0, angles.as_flattened());
    Ok(buffer)
}
