//! A decoder-only transformer: blocks of causal attention and an MLP (multi-layer perceptron) on a residual
//! stream, as in GPT-2 (Radford et al., "Language models are unsupervised multitask learners", 2019). For
//! token t at position i:
//!
//! ```text
//! s = token[t] + position[i]
//! s = s + output(attention(qkv(norm(s))))    for each block
//! s = s + down(gelu(up(norm(s))))            for each block
//! logits = norm(s) tokenᵀ
//! ```
//! `s` is the residual stream, `qkv` computes queries, keys and values, and `output` is the output projection
//! of attention, whose parameters are named `mix` in files. The norm is before each sublayer, which trains
//! stably (Xiong et al., "On layer normalization in the transformer architecture", 2020). The output layer is
//! the transposed token embedding (Press and Wolf, "Using the output embedding to improve language models",
//! 2017).
//!
//! Positions have a learned embedding, which costs 1 % of the parameters and no time, because its row is
//! added in the same embedding bag as the token's row. A `rotary` network encodes positions in queries and
//! keys too ([`Rotary`]): rotary position embedding on half of the features, token shift (each token takes
//! the key of the token before it) on the other half. Attention then depends on the distance of two tokens
//! and on the token before each key, and the network learns a language in fewer optimiser steps.
//!
//! A [`Trainer`] computes losses and gradients of batches, a [`Generator`] generates text with a KV cache,
//! and a [`Reader`] gives logits and attention weights of one sequence.

mod block;
mod generator;
mod reader;
mod sampler;
mod shard;
mod trainer;

use std::ops::Range;

use learnery_kernels::attention::{Heads, Rotary};
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::linear::linear;
use learnery_kernels::rng::Stream;
use learnery_kernels::vector;

use crate::dense::Dense;
use crate::layer_norm::LayerNorm;
use crate::params::{Layout, Matrix, WITH_INPUT_GRADIENT};
use crate::weights::Weights;

pub use block::{Block, MLP_FACTOR};
pub use generator::Generator;
pub use reader::Reader;
pub use sampler::Sampler;
pub use trainer::{Loss, Trainer};

/// A target that is ignored: it has neither loss nor gradient.
pub const IGNORE: u16 = u16::MAX;

/// The hyperparameters of a transformer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformerShape {
    /// The number of different tokens.
    pub vocabulary: usize,
    /// The maximum length of a sequence.
    pub context: usize,
    /// The width of the residual stream.
    pub width: usize,
    /// The number of blocks.
    pub layers: usize,
    /// The number of attention heads per block; a divisor of the width.
    pub heads: usize,
    /// Whether queries and keys have rotary embedding and token shift ([`Rotary`]).
    pub rotary: bool,
}

impl TransformerShape {
    /// Panics unless all numbers are positive, the number of heads divides the width, and a `u16` can index
    /// the joint table of token and position embeddings, which has `vocabulary + context` rows.
    fn check(&self) {
        let Self { vocabulary, context, width, layers, heads, .. } = *self;
        assert!(
            vocabulary > 0 && context > 0 && width > 0 && layers > 0 && heads > 0,
            "an empty transformer"
        );
        assert!(width.is_multiple_of(heads), "{heads} heads cannot share a width of {width}");
        assert!(vocabulary + context < usize::from(IGNORE), "too many tokens and positions for sixteen bits");
    }

    /// Floating-point operations of a training step per token, for sequences of `length` tokens. The forward
    /// pass takes two per weight (multiply and add) and the backward pass twice as many. Only the causal half
    /// of attention counts.
    pub fn training_operations(&self, length: usize) -> f64 {
        let Self { vocabulary, width, layers, .. } = *self;
        // Per block, in units of width squared: qkv 3, output projection 1, MLP 4 + 4.
        let weights = layers * 12 * width * width + vocabulary * width;
        // A row attends to (length + 1) / 2 rows on average, in two products.
        let attention = layers as f64 * 2.0 * width as f64 * (length + 1) as f64 / 2.0;
        3.0 * 2.0 * (weights as f64 + attention)
    }
}

/// The network: its shape and the offsets of its parameters.
#[derive(Clone, Debug)]
pub struct Transformer {
    shape: TransformerShape,
    /// The token embedding, whose transpose is the output layer.
    /// Shape: `[vocabulary, width]`.
    tokens: Matrix,
    /// Token embedding and position embedding, which are adjacent.
    /// Shape: `[vocabulary + context, width]`.
    table: Range<usize>,
    blocks: Vec<Block>,
    final_norm: LayerNorm,
    rotary: Option<Rotary>,
}

impl Transformer {
    /// Adds the parameters of a network to `layout` under `name`.
    pub fn new(layout: &mut Layout, name: &str, shape: &TransformerShape) -> Self {
        shape.check();
        let TransformerShape { vocabulary, context, width, layers, .. } = *shape;
        let tokens = layout.add_matrix(format!("{name}/tokens"), vocabulary, width, WITH_INPUT_GRADIENT);
        let positions = layout.add(format!("{name}/positions"), &[context, width]);
        let table = tokens.range.start..positions.end;
        let blocks = (0..layers).map(|i| Block::new(layout, &format!("{name}/block{i}"), width)).collect();
        let final_norm = LayerNorm::new(layout, &format!("{name}/end"), width);
        let heads = Heads { count: shape.heads, size: width / shape.heads };
        let rotary = shape.rotary.then(|| Rotary::new(heads, context));
        Self { shape: shape.clone(), tokens, table, blocks, final_norm, rotary }
    }

    pub fn shape(&self) -> &TransformerShape {
        &self.shape
    }

    /// Initial parameters: normally distributed with GPT-2's standard deviation, scaled to the width. The
    /// layers that add to the residual stream are scaled down with depth or, in a rotary network, are zero.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        let TransformerShape { width, layers, .. } = self.shape;
        // At a width of 768, this is GPT-2's deviation of 0.02.
        let deviation = 0.55 / (width as f32).sqrt();
        // Each matrix has its own `counter`, the first part of the random numbers' index.
        let mut fill = |range: &Range<usize>, deviation: f32, counter: u64| {
            let values = &mut params[range.clone()];
            stream.fill_normal(counter, values);
            vector::scale(values, deviation);
        };
        let (table_deviation, residual_deviation) = match self.rotary {
            None => (deviation, deviation / (2.0 * layers as f32).sqrt()),
            // Blocks that begin as the identity learn faster. But then the input of the output layer is the
            // embedding of the current token alone, and with large embeddings the network would predict the
            // same token again. So embeddings are small.
            Some(_) => (3.0 / width as f32, 0.0),
        };
        fill(&self.table, table_deviation, 0);
        let block_deviations = [deviation, residual_deviation, deviation, residual_deviation];
        for (block, first_counter) in self.blocks.iter().zip((1..).step_by(4)) {
            let layers = block.dense().into_iter().zip(block_deviations);
            for ((dense, deviation), counter) in layers.zip(first_counter..) {
                fill(&dense.weight.range, deviation, counter);
            }
        }
        if self.rotary.is_some() {
            // Rotary embedding encodes positions from the start, so the learned position embedding begins
            // with zeros.
            params[self.tokens.range.end..self.table.end].fill(0.0);
        }
        for block in &self.blocks {
            block.init_biases_and_norms(params);
        }
        self.final_norm.init(params);
    }

    /// The weight matrices of all blocks, for [`crate::Muon`], each with the number of layers that are stored
    /// side by side in it: three in `qkv` (queries, keys and values), one in all others.
    pub fn hidden_matrices(&self) -> impl Iterator<Item = (&Matrix, usize)> {
        let parts = |dense: &Dense, block: &Block| if std::ptr::eq(dense, &block.qkv) { 3 } else { 1 };
        self.blocks
            .iter()
            .flat_map(move |block| block.dense().map(|dense| (&dense.weight, parts(dense, block))))
    }

    /// Parameter groups for [`crate::Adam::step_groups`]: consecutive ranges that cover all parameters, each
    /// with its weight decay, which is `decay` for embeddings and matrices and zero for biases and norms.
    pub fn parameter_groups(&self, decay: f32) -> Vec<(Range<usize>, f32)> {
        let mut groups = vec![(self.table.clone(), decay)];
        let mut covered = self.table.end;
        for (matrix, _) in self.hidden_matrices() {
            // Biases and norms lie between the matrices.
            groups.extend([(covered..matrix.range.start, 0.0), (matrix.range.clone(), decay)]);
            covered = matrix.range.end;
        }
        groups.push((covered..self.final_norm.range().end, 0.0));
        groups
    }

    /// The token embedding in the parameters. The position embedding follows it.
    pub fn tokens(&self) -> &Matrix {
        &self.tokens
    }

    /// Where the position embedding is in the parameters.
    pub fn position_range(&self) -> Range<usize> {
        self.tokens.range.end..self.table.end
    }

    /// The blocks, with the offsets of their parameters.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The norm before the output layer.
    pub fn final_norm(&self) -> &LayerNorm {
        &self.final_norm
    }

    /// The position encoding of queries and keys, if the network has one.
    pub fn rotary(&self) -> Option<&Rotary> {
        self.rotary.as_ref()
    }

    /// The number and size of the attention heads.
    pub fn heads(&self) -> Heads {
        Heads { count: self.shape.heads, size: self.shape.width / self.shape.heads }
    }

    /// The norm before the attention of block `layer`. After the last block, it is the final norm.
    fn norm(&self, layer: usize) -> &LayerNorm {
        self.blocks.get(layer).map_or(&self.final_norm, |block| &block.before_attention)
    }

    /// The output layer (LM head): the logits from the output of the final norm.
    /// Shapes: `final_output [rows, width] -> logits [rows, vocabulary]`.
    fn output_layer(&self, weights: &Weights, logits: &mut [f32], final_output: &[f32]) {
        linear(
            logits,
            final_output,
            final_output.len() / self.shape.width,
            weights.transposed(&self.tokens),
            Epilogue::default(),
        );
    }

    /// Writes the indices of the embedding bag: each row sums the embeddings of its token and of its
    /// position, whose row in the joint table is `vocabulary + position`. `first` is the position of the
    /// first token. Shapes: `indices [rows, 2]`.
    fn embedding_indices(&self, indices: &mut [u16], tokens: &[u16], first: usize) {
        let TransformerShape { vocabulary, context, .. } = self.shape;
        assert!(first + tokens.len() <= context, "{} tokens in a context of {context}", first + tokens.len());
        for (i, (pair, token)) in indices.chunks_exact_mut(2).zip(tokens).enumerate() {
            assert!(usize::from(*token) < vocabulary, "token {token} of {vocabulary}");
            pair.copy_from_slice(&[*token, (vocabulary + first + i) as u16]);
        }
    }
}
