//! Forward and backward pass of a network on packed states as dispatches: the arithmetic of
//! [`learnery_nn::OneHotMlp`].

use learnery_kernels::product;
use learnery_nn::{Dense, LayerNorm, OneHotMlp};

use super::WORKGROUP_SIZE;
use super::rules::Rules;
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::PlanBuilder;
use learnery_gpu::layers::{Gradients, NormActivation, NormTape, Pass, relu_backward, scratch_words};
use learnery_gpu::matmul::{Epilogue, Matrix, Size};

/// A part of the gradient of the first layer's table has this many rows, or more if there would be over
/// `MAX_PARTS` parts, each of which needs memory for a whole gradient.
const PART_ROWS: usize = 256;
const MAX_PARTS: usize = 16;

/// A puzzle's table on the device.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleTable<'a> {
    pub rules: &'a Rules,
    pub words: &'a Buffer,
}

/// The widest hidden layer.
pub fn widest(net: &OneHotMlp) -> usize {
    hidden_widths(net).max().unwrap_or(1)
}

/// The width of each hidden layer.
fn hidden_widths(net: &OneHotMlp) -> impl Iterator<Item = usize> {
    net.rest().layers().map(|(dense, _)| dense.inputs())
}

/// The buffers of a forward pass over up to `rows` rows.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The output of a layer before its norm.
    /// Shape: `[rows, widest]`.
    dense: Buffer,
    /// The output of each hidden layer.
    hidden: Vec<NormTape>,
}

impl Tape {
    /// Buffers that save everything for a backward pass.
    pub fn for_training(gpu: &Gpu, net: &OneHotMlp, rows: usize) -> Result<Self, GpuError> {
        let hidden = hidden_widths(net).map(|width| NormTape::new(gpu, rows, width));
        Ok(Self { dense: gpu.buffer(rows * widest(net))?, hidden: hidden.collect::<Result<_, _>>()? })
    }

    /// Buffers of a forward pass alone.
    pub fn for_inference(gpu: &Gpu, net: &OneHotMlp, rows: usize) -> Result<Self, GpuError> {
        // The layers share one: each has read it before the next norm writes it.
        let shared = NormTape::new(gpu, rows, widest(net))?;
        let hidden = hidden_widths(net).map(|_| shared.clone()).collect();
        Ok(Self { dense: gpu.buffer(rows * widest(net))?, hidden })
    }
}

/// Appends the forward pass of the states from number `first` on. The outputs of state `first` are written to
/// row `first_output` of `outputs`, the others to the rows after it.
///
/// Shapes: `states [first + rows or more]`, `outputs [first_output + rows or more, outputs of a state]`.
pub fn forward(
    plan: &mut PlanBuilder,
    net: &OneHotMlp,
    table: PuzzleTable,
    pass: Pass,
    [states, outputs]: [&Buffer; 2],
    [first, first_output]: [usize; 2],
    tape: &Tape,
) {
    let (weights, bias, norm) = net.first();
    let width = bias.len();
    let parameters = [pass.rows.into(), width.into(), first.into(), weights.start.into(), bias.start.into()];
    let buffers = [table.words, states, pass.weights, &tape.dense];
    let constants = table.rules.constants();
    plan.dispatch_elements(
        "embedding_bag",
        &constants,
        &parameters,
        &buffers,
        pass.rows * width,
        WORKGROUP_SIZE,
    );
    // The norm that follows the layer whose outputs are in `tape.dense`. Only the last layer has none.
    let mut norm = Some(norm);
    for ((layer, next_norm), hidden) in net.rest().layers().zip(&tape.hidden) {
        if let Some(norm) = norm {
            pass.norm(plan, norm, &tape.dense, hidden, NormActivation::Relu);
        }
        let bias = Epilogue::Bias(pass.weights, layer.bias.start);
        if next_norm.is_some() {
            pass.dense(plan, layer, &hidden.y, &tape.dense, bias);
        } else {
            append_last_layer(plan, layer, pass, &hidden.y, (outputs, first_output), bias);
        }
        norm = next_norm;
    }
}

/// Appends the last layer, whose outputs begin at row `first` of `out`.
fn append_last_layer(
    plan: &mut PlanBuilder,
    layer: &Dense,
    pass: Pass,
    x: &Buffer,
    (out, first): (&Buffer, usize),
    bias: Epilogue,
) {
    let (inputs, outputs) = (layer.inputs(), layer.outputs());
    plan.matmul(
        Size::new(pass.rows, outputs, inputs),
        Matrix::new(x, 0, inputs),
        Matrix::new(pass.weights, layer.weight.range.start, outputs),
        Matrix::new(out, first * outputs, outputs),
        bias,
    );
}

/// The buffers of a backward pass.
#[derive(Clone, Debug)]
pub struct GradientTape {
    /// The gradient at the outputs.
    pub outputs: Buffer,
    /// Gradients at the output of a norm (`after` it) and at its input (`before` it).
    /// Shape of each: `[rows, widest]`.
    after: Buffer,
    before: Buffer,
}

impl GradientTape {
    pub fn new(gpu: &Gpu, net: &OneHotMlp, rows: usize) -> Result<Self, GpuError> {
        let buffer = || gpu.buffer(rows * widest(net));
        Ok(Self { outputs: gpu.buffer(rows * net.outputs())?, after: buffer()?, before: buffer()? })
    }
}

/// The number of parts in which the gradient of the first layer's table is computed.
fn part_count(rows: usize) -> usize {
    rows.div_ceil(PART_ROWS).clamp(1, MAX_PARTS)
}

/// The size in words of the scratch buffer that a backward pass of up to `rows` rows needs.
pub fn backward_scratch(net: &OneHotMlp, rows: usize) -> usize {
    let layers = scratch_words(net.rest().layers().map(|(dense, _)| dense), rows);
    let (table, bias, _) = net.first();
    // The layers, the table, and its bias and norm use the same scratch one after the other. A norm has two
    // sums for each column, in parts of at least 64 rows.
    layers.max(part_count(rows) * table.len()).max(2 * bias.len() * rows.div_ceil(64))
}

/// Appends the backward pass: adds the gradient of all parameters, from the gradients at the outputs.
pub fn backward(
    plan: &mut PlanBuilder,
    net: &OneHotMlp,
    table: PuzzleTable,
    pass: Pass,
    gradients: Gradients,
    (states, first): (&Buffer, usize),
    tape: &Tape,
    d: &GradientTape,
) {
    let (weights, bias, first_norm) = net.first();
    let layers: Vec<(&Dense, Option<&LayerNorm>)> = net.rest().layers().collect();
    let mut dy = &d.outputs;
    for (i, (layer, _)) in layers.iter().enumerate().rev() {
        let hidden = &tape.hidden[i];
        let norm = if i == 0 { Some(first_norm) } else { layers[i - 1].1 };
        gradients.dense(plan, layer, &hidden.y, dy);
        pass.dense_backward(plan, layer, dy, &d.after, Epilogue::Store);
        relu_backward(plan, &d.after, &hidden.y);
        if let Some(norm) = norm {
            gradients.norm(plan, norm, hidden, &d.after);
            pass.norm_backward(plan, norm, hidden, &d.after, &d.before, false);
        }
        dy = &d.before;
    }
    let (width, parts) = (bias.len(), part_count(pass.rows));
    let part_rows = pass.rows.div_ceil(parts);
    let parameters = [pass.rows.into(), width.into(), first.into(), part_rows.into()];
    let buffers = [table.words, states, dy, gradients.scratch];
    let workgroups = [width.div_ceil(WORKGROUP_SIZE), table.rules.places(), parts];
    // Bytes: two accesses of four bytes for each feature of each place.
    let cost = product([4, 2, pass.rows, width, table.rules.places()]);
    let constants = table.rules.constants();
    plan.dispatch("embedding_bag_backward", &constants, &parameters, &buffers, workgroups, cost);
    plan.sum_parts(gradients.scratch, parts, weights.len(), gradients.grads, weights.start);
    gradients.bias(plan, dy, width, bias.start);
}
