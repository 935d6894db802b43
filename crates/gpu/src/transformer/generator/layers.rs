//! The buffers of a generator, and its two kinds of plans: a step, and batches of rows that only fill the
//! cache.

use learnery_kernels::product;
use learnery_nn::transformer::{Block, MLP_FACTOR};
use learnery_nn::{Dense, LayerNorm, Transformer};

use super::SLOTS;
use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::layers::{NormActivation, NormTape, Pass};
use crate::matmul::{Epilogue, Matrix, Size};
use crate::plan::{Plan, PlanBuilder};
use crate::transformer::SOURCES;
use crate::transformer::network::layers::{upload_angles, vocabulary_threads};

/// Products of up to this many rows use the kernel `few_rows`, which reads the weights once for each 16 rows.
/// Products of more rows use `matmul`.
const MAX_FEW_ROWS: usize = 64;

/// The most rows that one workgroup of `few_rows` computes.
const MAX_ROWS_PER_WORKGROUP: usize = 16;

/// The columns that one workgroup of `few_rows` computes.
const COLS_PER_WORKGROUP: usize = 32;

/// Epilogues of `few_rows`.
const EPILOGUE_STORE: u32 = 0;
const EPILOGUE_BIAS: u32 = 1;
const EPILOGUE_BIAS_GELU: u32 = 2;
const EPILOGUE_BIAS_ADD: u32 = 3;

/// Passes of `cached_attention`.
const PASS_APPEND: u32 = 0;
const PASS_ATTEND: u32 = 1;
const PASS_APPEND_AND_ATTEND: u32 = 2;

/// Keys and values of one block, see `wgsl/cached_attention.wgsl`.
#[derive(Debug)]
struct Cache {
    keys: Buffer,
    values: Buffer,
}

/// The buffers of a generator, and the network whose layers its plans compute.
#[derive(Debug)]
pub struct Layers {
    net: Transformer,
    sequences: usize,
    /// The number of tokens that may be sampled: the first ones of the vocabulary.
    sampled_tokens: usize,
    weights: Buffer,
    /// Cosines and sines of the rotary angles; empty without rotary positions.
    angles: Buffer,
    caches: Vec<Cache>,
    /// The row of each text that the next step feeds, and the rows of a batch. Each is a `Row` of
    /// `wgsl/generator_row.wgsl`.
    /// Shapes: `[sequences, 4]`, `[batch, 4]`.
    pub rows: Buffer,
    pub batch_rows: Buffer,
    /// The last tokens of each text; that with index i lies at `i % context`.
    /// Shape: `[sequences, context]`.
    pub history: Buffer,
    /// Temperature, top-k, the two words of the key of the random numbers, and the number of each text.
    /// Shape: `[4 + sequences]`.
    pub options: Buffer,
    /// Token and probability of the last steps.
    /// Shape: `[SLOTS, sequences, 2]`.
    pub results: Buffer,
    /// The residual stream, queries with keys and values, the output of attention, the MLP's hidden layer.
    /// Shapes: `[rows, width]`, `[rows, 3 width]`, `[rows, width]`, `[rows, MLP_FACTOR * width]`.
    stream: Buffer,
    qkv: Buffer,
    attended: Buffer,
    hidden: Buffer,
    /// The norm of the stream. Products of many rows use the kernels of training, which save what a backward
    /// pass needs; here nobody reads it.
    normed: NormTape,
    /// The input of GELU, which such a product saves.
    unused_hidden: Buffer,
    /// Shape: `[sequences, vocabulary]`.
    pub logits: Buffer,
}

impl Layers {
    /// Buffers for `sequences` texts, and for batches of up to `batch` rows of their prompts.
    pub fn new(
        gpu: &Gpu,
        net: &Transformer,
        weights: Buffer,
        sequences: usize,
        tokens: usize,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let shape = net.shape();
        assert!(sequences > 0 && (1..=shape.vocabulary).contains(&tokens), "nothing to sample");
        let (rows, width, heads) = (batch.max(sequences), shape.width, net.heads());
        // The features of a head are padded to whole vectors of four.
        let cache = || gpu.buffer(sequences * shape.context * heads.count * 4 * heads.size.div_ceil(4));
        let caches = (0..shape.layers).map(|_| Ok(Cache { keys: cache()?, values: cache()? }));
        Ok(Self {
            net: net.clone(),
            sequences,
            sampled_tokens: tokens,
            weights,
            angles: upload_angles(gpu, net)?,
            caches: caches.collect::<Result<_, GpuError>>()?,
            rows: gpu.buffer(4 * sequences)?,
            batch_rows: gpu.buffer(4 * batch)?,
            history: gpu.buffer(sequences * shape.context)?,
            options: gpu.buffer(4 + sequences)?,
            results: gpu.buffer(2 * SLOTS * sequences)?,
            stream: gpu.buffer(rows * width)?,
            qkv: gpu.buffer(rows * 3 * width)?,
            attended: gpu.buffer(rows * width)?,
            hidden: gpu.buffer(rows * MLP_FACTOR * width)?,
            normed: NormTape::new(gpu, rows, width)?,
            unused_hidden: gpu.buffer(rows * MLP_FACTOR * width)?,
            logits: gpu.buffer(sequences * shape.vocabulary)?,
        })
    }

    /// See [`super::Generator::bytes_per_step`].
    pub fn bytes_per_step(&self, length: usize) -> usize {
        let shape = self.net.shape();
        // Only one row of the table of positions is read for each text, which hardly counts.
        let positions = shape.context * shape.width;
        4 * (self.weights.words() - positions + 2 * self.sequences * length * shape.layers * shape.width)
    }

    /// The plan of a step: feeds the last token of every text and samples the next.
    pub fn step_plan(&self, gpu: &Gpu) -> Result<Plan, GpuError> {
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let count = self.sequences;
        let rows = Rows { table: &self.rows, count, are_few: count <= MAX_FEW_ROWS };
        self.embed(&mut plan, rows);
        for (block, cache) in self.net.blocks().iter().zip(&self.caches) {
            self.queries(&mut plan, block, rows);
            self.attention(&mut plan, PASS_APPEND_AND_ATTEND, rows, cache);
            self.after_attention(&mut plan, block, rows);
        }
        let shape = self.net.shape();
        let (vocabulary, first) = (shape.vocabulary, self.net.tokens().range.start);
        let norm = Some(self.net.final_norm());
        let table = Product { inputs: shape.width, outputs: vocabulary, first, bias: 0, transposed: true };
        self.product(&mut plan, table, rows, norm, &self.stream, &self.logits, EPILOGUE_STORE);
        let constants = [("THREADS", vocabulary_threads(vocabulary))];
        let parameters =
            [vocabulary.into(), self.sampled_tokens.into(), shape.context.into(), SLOTS.into(), count.into()];
        let buffers = [&self.options, &self.logits, &self.rows, &self.history, &self.results];
        let cost = product([4, count, vocabulary]);
        plan.dispatch("sampler", &constants, &parameters, &buffers, [count, 1, 1], cost);
        plan.build()
    }

    /// The plan that appends `count` rows of prompts to the cache, with the products of training.
    pub fn batch_plan(&self, gpu: &Gpu, count: usize) -> Result<Plan, GpuError> {
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let rows = Rows { table: &self.batch_rows, count, are_few: false };
        self.embed(&mut plan, rows);
        let last = self.caches.len() - 1;
        for (i, (block, cache)) in self.net.blocks().iter().zip(&self.caches).enumerate() {
            self.queries(&mut plan, block, rows);
            self.attention(&mut plan, PASS_APPEND, rows, cache);
            // These rows are not sampled, so of the last block only keys and values are needed.
            if i < last {
                self.attention(&mut plan, PASS_ATTEND, rows, cache);
                self.after_attention(&mut plan, block, rows);
            }
        }
        plan.build()
    }

    /// The embedding of the tokens and of their positions, which begins the residual stream.
    fn embed(&self, plan: &mut PlanBuilder, rows: Rows) {
        let (shape, tokens) = (self.net.shape(), &self.net.tokens().range);
        let parameters = [shape.context.into(), shape.width.into(), tokens.start.into(), tokens.end.into()];
        let buffers = [rows.table, &self.history, &self.weights, &self.stream];
        let cost = product([8, rows.count, shape.width]);
        plan.dispatch("generator_embedding", &[], &parameters, &buffers, [rows.count, 1, 1], cost);
    }

    /// Queries, keys and values of a block.
    fn queries(&self, plan: &mut PlanBuilder, block: &Block, rows: Rows) {
        let before = Some(&block.before_attention);
        self.dense(plan, &block.qkv, rows, before, &self.stream, &self.qkv, EPILOGUE_BIAS);
    }

    /// The part of a block after attention: its output projection and the MLP.
    fn after_attention(&self, plan: &mut PlanBuilder, block: &Block, rows: Rows) {
        self.dense(plan, &block.output, rows, None, &self.attended, &self.stream, EPILOGUE_BIAS_ADD);
        let before = Some(&block.before_mlp);
        self.dense(plan, &block.up, rows, before, &self.stream, &self.hidden, EPILOGUE_BIAS_GELU);
        self.dense(plan, &block.down, rows, None, &self.hidden, &self.stream, EPILOGUE_BIAS_ADD);
    }

    /// `out = epilogue(norm(x) W)` with the weights of a dense layer.
    fn dense(
        &self,
        plan: &mut PlanBuilder,
        layer: &Dense,
        rows: Rows,
        norm: Option<&LayerNorm>,
        x: &Buffer,
        out: &Buffer,
        epilogue: u32,
    ) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        let first = layer.weight.range.start;
        let product = Product { inputs, outputs, first, bias: layer.bias.start, transposed: false };
        self.product(plan, product, rows, norm, x, out, epilogue);
    }

    /// `out = epilogue(norm(x) M)` with a matrix M of the weights.
    fn product(
        &self,
        plan: &mut PlanBuilder,
        Product { inputs, outputs, first, bias, transposed }: Product,
        rows: Rows,
        norm: Option<&LayerNorm>,
        x: &Buffer,
        out: &Buffer,
        epilogue: u32,
    ) {
        let Rows { count, are_few, .. } = rows;
        if !are_few {
            let input = norm.map_or(x, |norm| {
                let pass = Pass { rows: count, weights: &self.weights };
                pass.norm(plan, norm, x, &self.normed, NormActivation::Identity);
                &self.normed.y
            });
            let matrix = match transposed {
                true => Matrix::new(&self.weights, first, inputs).t(),
                false => Matrix::new(&self.weights, first, outputs),
            };
            let (input, out) = (Matrix::new(input, 0, inputs), Matrix::new(out, 0, outputs));
            let size = Size::new(count, outputs, inputs);
            return plan.matmul(size, input, matrix, out, self.matmul_epilogue(epilogue, bias));
        }
        let gamma = norm.map_or(0, |norm| norm.range().start);
        let per_workgroup = count.next_power_of_two().min(MAX_ROWS_PER_WORKGROUP);
        // The kernel loads vectors of four parameters if all sizes and offsets allow it. The outputs of a
        // transposed matrix are written one by one, so their number does not matter.
        let aligned = [inputs, first, bias, gamma, if transposed { 0 } else { outputs }];
        let is_aligned = aligned.iter().all(|value| value.is_multiple_of(4));
        let constants = [
            ("ROWS", per_workgroup as u32),
            ("NORM", norm.is_some().into()),
            ("TRANSPOSED", transposed.into()),
            ("VECTOR", is_aligned.into()),
            ("EPILOGUE", epilogue),
        ];
        let parameters =
            [count.into(), inputs.into(), outputs.into(), first.into(), bias.into(), gamma.into()];
        let buffers = [&self.weights, x, out];
        let workgroups = [outputs.div_ceil(COLS_PER_WORKGROUP), count.div_ceil(per_workgroup), 1];
        // The bytes of the weights, or the operations if there are more.
        let cost = product([inputs, outputs, 4usize.max(2 * count)]);
        plan.dispatch("few_rows", &constants, &parameters, &buffers, workgroups, cost);
    }

    /// The epilogue of `matmul` that does what one of `few_rows` does.
    fn matmul_epilogue(&self, epilogue: u32, bias: usize) -> Epilogue<'_> {
        match epilogue {
            EPILOGUE_BIAS => Epilogue::Bias(&self.weights, bias),
            EPILOGUE_BIAS_GELU => {
                Epilogue::BiasGelu { bias: (&self.weights, bias), saved: &self.unused_hidden }
            }
            EPILOGUE_BIAS_ADD => Epilogue::BiasAdd(&self.weights, bias),
            _ => Epilogue::Store,
        }
    }

    /// The part of attention that `pass` names: to append keys and values to the cache, to attend to it, or
    /// both.
    fn attention(&self, plan: &mut PlanBuilder, pass: u32, rows: Rows, cache: &Cache) {
        let Rows { table, count, .. } = rows;
        let (heads, context) = (self.net.heads(), self.net.shape().context);
        let pairs = self.net.rotary().map_or(0, |_| heads.pairs());
        // The number of a key's features that come from its own token: those that are rotated. The others
        // come from the token before, see `learnery_nn::transformer`.
        let own = self.net.rotary().map_or(heads.size, |_| 2 * pairs);
        let vectors = heads.size.div_ceil(4);
        let constants = [
            ("PASS", pass),
            ("HEADS", heads.count as u32),
            ("HEAD_SIZE", heads.size as u32),
            ("VECTORS", vectors as u32),
            ("PAIRS", pairs as u32),
            ("OWN", own as u32),
            // One invocation per key, as far as a workgroup has as many.
            ("THREADS", context.next_power_of_two().clamp(64, 256) as u32),
        ];
        let parameters = [count.into(), context.into(), (1.0 / (heads.size as f32).sqrt()).into()];
        let mut buffers = vec![table, &self.angles, &self.qkv, &cache.keys, &cache.values];
        if pass == PASS_APPEND {
            let elements = count * heads.count * vectors;
            plan.dispatch_elements("cached_attention", &constants, &parameters, &buffers, elements, 64);
            return;
        }
        buffers.push(&self.attended);
        let cost = product([4, count, context, heads.width()]);
        plan.dispatch("cached_attention", &constants, &parameters, &buffers, [count, heads.count, 1], cost);
    }
}

/// The rows that a plan processes.
#[derive(Clone, Copy, Debug)]
struct Rows<'a> {
    /// The text and the position of each row, as `Row` in `wgsl/generator_row.wgsl`.
    table: &'a Buffer,
    count: usize,
    /// Whether their products use the kernel `few_rows`. Otherwise they use `matmul`.
    are_few: bool,
}

/// A product with a matrix of the weights: `[inputs, outputs]`, or `[outputs, inputs]` if it is transposed.
#[derive(Clone, Copy, Debug)]
struct Product {
    inputs: usize,
    outputs: usize,
    /// The index of the matrix's first element.
    first: usize,
    /// The index of the bias's first element.
    bias: usize,
    transposed: bool,
}
