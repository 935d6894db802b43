//! Forward and backward pass of a transformer as a plan: the arithmetic of [`learnery_nn::transformer`], on
//! whole micro-batches. Rows are tokens; all matrices are row-major.

pub mod layers;

use learnery_kernels::product;
use learnery_nn::transformer::{Block, MLP_FACTOR};
use learnery_nn::{LayerNorm, Precision, Transformer};

use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::layers::{self as shared, Gradients, NormActivation, NormTape, Pass};
use crate::matmul::{Epilogue, Matrix, Size, split_scratch};
use crate::plan::{Plan, PlanBuilder, Word};
use crate::transformer::SOURCES;
use crate::update::{self, Update};
use layers::{upload_angles, vocabulary_threads};

/// The most floats of the logits that exist at the same time.
const MAX_LOGITS: usize = 1 << 22;

/// Passes of the kernel `embedding`.
const EMBEDDING_FORWARD: u32 = 0;
const EMBEDDING_TOKEN_GRADIENT: u32 = 1;
const EMBEDDING_POSITION_GRADIENT: u32 = 2;

/// Passes of the kernel `loss`.
const LOSS_OF_ROWS: u32 = 0;
const LIKELIEST_TOKENS: u32 = 1;
const SUM_OF_LOSSES: u32 = 2;

/// Passes of the kernel `attention`.
const ATTENTION_FORWARD: u32 = 0;
const ATTENTION_QUERY_GRADIENT: u32 = 1;
const ATTENTION_KEY_VALUE_GRADIENT: u32 = 2;

/// The largest attention head. An invocation holds queries, keys, values and gradients of one row in
/// registers.
pub const MAX_HEAD: usize = 128;

/// Refuses a network whose heads are too large.
pub fn check_heads(net: &Transformer) -> Result<(), GpuError> {
    let head = net.heads().size;
    if head > MAX_HEAD {
        return Err(GpuError::Unsupported(format!(
            "attention heads of {head} features; the most are {MAX_HEAD}, so more heads are needed"
        )));
    }
    Ok(())
}

/// What the forward pass of a block saves for its backward pass.
#[derive(Clone, Debug)]
struct Tape {
    attention_input: NormTape,
    /// Queries, keys and values with their positions encoded.
    /// Shape: `[rows, 3 width]`.
    qkv: Buffer,
    /// Shape: `[rows, heads]`.
    log_sums: Buffer,
    /// Shape: `[rows, width]`.
    attended: Buffer,
    mlp_input: NormTape,
    /// Input and output of the MLP's activation.
    /// Shape of each: `[rows, MLP_FACTOR * width]`.
    pre_activation: Buffer,
    activated: Buffer,
}

/// All buffers of a network's passes over micro-batches of a fixed number of rows.
#[derive(Clone, Debug)]
pub struct Passes {
    net: Transformer,
    /// The precision of the products.
    pub precision: Precision,
    /// Rows of a micro-batch, and rows of a sequence.
    pub rows: usize,
    length: usize,
    /// Parameters and their gradient, in the order of the layout.
    pub weights: Buffer,
    pub grads: Buffer,
    /// Tokens and targets.
    /// Shape of each: `[rows]`.
    pub tokens: Buffer,
    pub targets: Buffer,
    /// The rows in the order of their tokens, and the first of each token in that order.
    /// Shapes: `[rows]`, `[vocabulary + 1]`.
    pub order: Buffer,
    pub first_of_token: Buffer,
    /// The numbers of the update.
    pub update: Buffer,
    /// The sum of the losses and the gradient's norm of each update of a unit.
    pub metrics: Buffer,
    /// The most likely token after each row.
    pub likeliest: Buffer,
    /// Cosines and sines of the rotary angles; empty without.
    angles: Buffer,
    /// The residual stream.
    stream: Buffer,
    /// Queries, keys and values before positions are encoded, and their gradients.
    raw_qkv: Buffer,
    tapes: Vec<Tape>,
    final_norm: NormTape,
    losses: Buffer,
    /// Shape: `[chunk, vocabulary]`.
    logits: Buffer,
    /// Gradients at the stream, at the output of a norm or of attention, at the hidden layer, and at the
    /// encoded queries, keys and values.
    d_stream: Buffer,
    d_norm: Buffer,
    d_hidden: Buffer,
    d_qkv: Buffer,
    /// For each row and head, the dot product of attention's output and its gradient.
    /// Shape: `[rows, heads]`.
    deltas: Buffer,
    /// Parts of sums.
    scratch: Buffer,
}

impl Passes {
    /// The bytes of the buffers that grow with the rows, per row.
    pub fn bytes_per_row(net: &Transformer) -> usize {
        let shape = net.shape();
        // The sums follow the fields of `Tape` and of `Passes`. The last eight words hold single numbers of a
        // row, such as its token and its loss.
        let per_block = 2 * 2 * shape.width + 2 + (3 + 1 + 2 * MLP_FACTOR) * shape.width + shape.heads;
        4 * (shape.layers * per_block + (2 + 1 + 3 + 1 + 1 + MLP_FACTOR + 3) * shape.width + shape.heads + 8)
    }

    /// Allocates buffers for micro-batches of `sequences` sequences of `length` tokens. `metrics` is the
    /// largest number of updates of a unit.
    pub fn new(
        gpu: &Gpu,
        precision: Precision,
        net: &Transformer,
        length: usize,
        sequences: usize,
        parameters: usize,
        metrics: usize,
    ) -> Result<Self, GpuError> {
        let shape = net.shape();
        check_heads(net)?;
        let (rows, width) = (length * sequences, shape.width);
        let buffer = |columns: usize| gpu.buffer(rows * columns);
        let norm = || NormTape::new(gpu, rows, width);
        let tape = |_| -> Result<Tape, GpuError> {
            Ok(Tape {
                attention_input: norm()?,
                qkv: buffer(3 * width)?,
                log_sums: buffer(shape.heads)?,
                attended: buffer(width)?,
                mlp_input: norm()?,
                pre_activation: buffer(MLP_FACTOR * width)?,
                activated: buffer(MLP_FACTOR * width)?,
            })
        };
        let chunk = (MAX_LOGITS / shape.vocabulary).clamp(1, rows);
        Ok(Self {
            net: net.clone(),
            precision,
            rows,
            length,
            weights: gpu.buffer(parameters)?,
            grads: gpu.buffer(parameters)?,
            tokens: buffer(1)?,
            targets: buffer(1)?,
            order: buffer(1)?,
            first_of_token: gpu.buffer(shape.vocabulary + 1)?,
            update: gpu.buffer(update::WORDS)?,
            metrics: gpu.buffer(2 * metrics)?,
            likeliest: buffer(1)?,
            angles: upload_angles(gpu, net)?,
            stream: buffer(width)?,
            raw_qkv: buffer(3 * width)?,
            tapes: (0..shape.layers).map(tape).collect::<Result<_, _>>()?,
            final_norm: norm()?,
            losses: buffer(1)?,
            logits: gpu.buffer(chunk * shape.vocabulary)?,
            d_stream: buffer(width)?,
            d_norm: buffer(width)?,
            d_hidden: buffer(MLP_FACTOR * width)?,
            d_qkv: buffer(3 * width)?,
            deltas: buffer(shape.heads)?,
            scratch: gpu.buffer(scratch_words(net, rows, chunk))?,
        })
    }

    /// Writes the numbers of an update, for a part of the batch that begins at row `first_row`.
    pub fn write_update(&self, gpu: &Gpu, update: Update, first_row: usize) {
        update.write(gpu, &self.update, first_row, self.precision);
    }

    fn pass(&self) -> Pass<'_> {
        Pass { rows: self.rows, weights: &self.weights }
    }

    /// Rows whose logits are computed together.
    fn chunk(&self) -> usize {
        (MAX_LOGITS / self.net.shape().vocabulary).clamp(1, self.rows)
    }

    fn plan(&self, gpu: &Gpu) -> PlanBuilder {
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        plan.set_precision(self.precision);
        plan
    }

    /// The plan that adds the gradient of a micro-batch to the gradient, and its losses to the metrics.
    pub fn gradient_plan(&self, gpu: &Gpu) -> Result<Plan, GpuError> {
        let mut plan = self.plan(gpu);
        self.forward(&mut plan);
        self.loss(&mut plan, true);
        self.backward(&mut plan);
        plan.build()
    }

    /// The plan that adds the losses of a micro-batch to the metrics.
    pub fn loss_plan(&self, gpu: &Gpu) -> Result<Plan, GpuError> {
        let mut plan = self.plan(gpu);
        self.forward(&mut plan);
        self.loss(&mut plan, false);
        plan.build()
    }

    /// The plan that finds the most likely token after each row of a micro-batch.
    pub fn likeliest_plan(&self, gpu: &Gpu) -> Result<Plan, GpuError> {
        let mut plan = self.plan(gpu);
        self.forward(&mut plan);
        let vocabulary = self.net.shape().vocabulary;
        for first in (0..self.rows).step_by(self.chunk()) {
            let count = self.chunk().min(self.rows - first);
            self.logits_of(&mut plan, first, count);
            let constants = [("PASS", LIKELIEST_TOKENS), ("THREADS", vocabulary_threads(vocabulary))];
            let parameters = [vocabulary.into(), first.into()];
            let buffers = [&self.logits, &self.likeliest];
            plan.dispatch(
                "loss",
                &constants,
                &parameters,
                &buffers,
                [count, 1, 1],
                product([count, vocabulary]),
            );
        }
        plan.build()
    }

    /// The plan that sets the gradient to zero.
    pub fn clear_plan(&self, gpu: &Gpu) -> Result<Plan, GpuError> {
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        plan.clear(&self.grads, &self.scratch);
        plan.build()
    }

    /// The parameters of the kernel `embedding`.
    fn embedding_parameters(&self) -> [Word; 5] {
        let tokens = &self.net.tokens().range;
        [self.rows, self.length, self.net.shape().width, tokens.start, tokens.end].map(Into::into)
    }

    /// The residual stream through all blocks, and the final norm.
    fn forward(&self, plan: &mut PlanBuilder) {
        let Self { rows, weights, stream, .. } = self;
        let pass = self.pass();
        let parameters = self.embedding_parameters();
        let buffers = [&self.tokens, weights, stream];
        let cost = product([*rows, self.net.shape().width]);
        plan.dispatch(
            "embedding",
            &[("PASS", EMBEDDING_FORWARD)],
            &parameters,
            &buffers,
            [*rows, 1, 1],
            cost,
        );
        for (block, tape) in self.net.blocks().iter().zip(&self.tapes) {
            pass.norm(plan, &block.before_attention, stream, &tape.attention_input, NormActivation::Identity);
            // Without rotary positions there is nothing to encode, so the product goes to the tape directly.
            let raw = if self.net.rotary().is_some() { &self.raw_qkv } else { &tape.qkv };
            let bias = Epilogue::Bias(weights, block.qkv.bias.start);
            pass.dense(plan, &block.qkv, &tape.attention_input.y, raw, bias);
            self.encode_positions(plan, raw, &tape.qkv, false);
            let buffers = [&tape.qkv, &tape.attended, &tape.log_sums];
            self.attention(plan, ATTENTION_FORWARD, &buffers);
            let bias = Epilogue::BiasAdd(weights, block.output.bias.start);
            pass.dense(plan, &block.output, &tape.attended, stream, bias);
            pass.norm(plan, &block.before_mlp, stream, &tape.mlp_input, NormActivation::Identity);
            let bias =
                Epilogue::BiasGelu { bias: (weights, block.up.bias.start), saved: &tape.pre_activation };
            pass.dense(plan, &block.up, &tape.mlp_input.y, &tape.activated, bias);
            let bias = Epilogue::BiasAdd(weights, block.down.bias.start);
            pass.dense(plan, &block.down, &tape.activated, stream, bias);
        }
        pass.norm(plan, self.net.final_norm(), stream, &self.final_norm, NormActivation::Identity);
    }

    /// The logits of `count` rows from `first` on.
    fn logits_of(&self, plan: &mut PlanBuilder, first: usize, count: usize) {
        let (width, vocabulary) = (self.net.shape().width, self.net.shape().vocabulary);
        let table = Matrix::new(&self.weights, self.net.tokens().range.start, width);
        plan.matmul(
            Size::new(count, vocabulary, width),
            Matrix::new(&self.final_norm.y, first * width, width),
            table.t(),
            Matrix::new(&self.logits, 0, vocabulary),
            Epilogue::Store,
        );
    }

    /// The losses of all rows. With `backward`, also two gradients: at the output of the final norm, and of
    /// the token table in its use as output layer.
    fn loss(&self, plan: &mut PlanBuilder, backward: bool) {
        let (width, vocabulary) = (self.net.shape().width, self.net.shape().vocabulary);
        let threads = ("THREADS", vocabulary_threads(vocabulary));
        let tokens = self.net.tokens().range.start;
        for first in (0..self.rows).step_by(self.chunk()) {
            let count = self.chunk().min(self.rows - first);
            self.logits_of(plan, first, count);
            let parameters = [vocabulary.into(), first.into()];
            let buffers = [&self.update, &self.targets, &self.logits, &self.losses];
            let cost = product([4, count, vocabulary]);
            plan.dispatch(
                "loss",
                &[("PASS", LOSS_OF_ROWS), threads],
                &parameters,
                &buffers,
                [count, 1, 1],
                cost,
            );
            if !backward {
                continue;
            }
            let logits = Matrix::new(&self.logits, 0, vocabulary);
            plan.matmul(
                Size::new(count, width, vocabulary),
                logits,
                Matrix::new(&self.weights, tokens, width),
                Matrix::new(&self.d_norm, first * width, width),
                Epilogue::Store,
            );
            plan.matmul_split(
                Size::new(vocabulary, width, count),
                logits.t(),
                Matrix::new(&self.final_norm.y, first * width, width),
                Matrix::new(&self.grads, tokens, width),
                &self.scratch,
                None,
            );
        }
        let parameters = [vocabulary.into(), 0.into(), self.rows.into()];
        let buffers = [&self.update, &self.losses, &self.metrics];
        plan.dispatch(
            "loss",
            &[("PASS", SUM_OF_LOSSES), ("THREADS", 256)],
            &parameters,
            &buffers,
            [1, 1, 1],
            1.0,
        );
    }

    /// The backward pass from the gradient at the output of the final norm to the gradient of the embeddings.
    fn backward(&self, plan: &mut PlanBuilder) {
        let Self { rows, length, grads, d_stream, d_norm, d_hidden, d_qkv, .. } = self;
        let pass = self.pass();
        let gradients = Gradients { rows: *rows, grads, scratch: &self.scratch };
        // The gradient at the input of a norm is added to the gradient at the stream. For the final norm, it
        // is the first part of that gradient.
        let norm_backward = |plan: &mut PlanBuilder, norm: &LayerNorm, tape: &NormTape, is_added: bool| {
            gradients.norm(plan, norm, tape, d_norm);
            pass.norm_backward(plan, norm, tape, d_norm, d_stream, is_added);
        };
        norm_backward(plan, self.net.final_norm(), &self.final_norm, false);
        for (block, tape) in self.net.blocks().iter().zip(&self.tapes).rev() {
            let Block { before_attention, qkv, output, before_mlp, up, down } = block;
            gradients.dense(plan, down, &tape.activated, d_stream);
            let gelu = Epilogue::GeluBackward { saved: &tape.pre_activation };
            pass.dense_backward(plan, down, d_stream, d_hidden, gelu);
            gradients.dense(plan, up, &tape.mlp_input.y, d_hidden);
            pass.dense_backward(plan, up, d_hidden, d_norm, Epilogue::Store);
            norm_backward(plan, before_mlp, &tape.mlp_input, true);
            gradients.dense(plan, output, &tape.attended, d_stream);
            pass.dense_backward(plan, output, d_stream, d_norm, Epilogue::Store);
            let buffers = [&tape.qkv, &tape.attended, &tape.log_sums, d_norm, &self.deltas, d_qkv];
            self.attention(plan, ATTENTION_QUERY_GRADIENT, &buffers);
            let buffers = [&tape.qkv, &tape.log_sums, d_norm, &self.deltas, d_qkv];
            self.attention(plan, ATTENTION_KEY_VALUE_GRADIENT, &buffers);
            let raw = if self.net.rotary().is_some() { &self.raw_qkv } else { d_qkv };
            self.encode_positions(plan, d_qkv, raw, true);
            gradients.dense(plan, qkv, &tape.attention_input.y, raw);
            pass.dense_backward(plan, qkv, raw, d_norm, Epilogue::Store);
            norm_backward(plan, before_attention, &tape.attention_input, true);
        }
        let parameters = self.embedding_parameters();
        let cost = product([*rows, self.net.shape().width]);
        let buffers = [&self.order, &self.first_of_token, d_stream, grads];
        let vocabulary = self.net.shape().vocabulary;
        plan.dispatch(
            "embedding",
            &[("PASS", EMBEDDING_TOKEN_GRADIENT)],
            &parameters,
            &buffers,
            [vocabulary, 1, 1],
            cost,
        );
        let buffers = [d_stream, grads];
        plan.dispatch(
            "embedding",
            &[("PASS", EMBEDDING_POSITION_GRADIENT)],
            &parameters,
            &buffers,
            [*length, 1, 1],
            cost,
        );
    }
}

/// The words of scratch that the largest sum in parts needs.
fn scratch_words(net: &Transformer, rows: usize, chunk: usize) -> usize {
    let table = split_scratch(Size::new(net.shape().vocabulary, net.shape().width, chunk));
    let layers = net.blocks().first().into_iter().flat_map(Block::dense);
    shared::scratch_words(layers, rows).max(table)
}
