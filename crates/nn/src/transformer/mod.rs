//! A decoder-only transformer: blocks of causal attention and a perceptron on a residual stream, as in GPT-2 (Radford et
//! al., "Language models are unsupervised multitask learners", 2019).
//!
//! ```text
//! s = token[t] + position[i]
//! s = s + mix(attention(qkv(norm(s))))       for each block: norms first, which trains without care
//! s = s + down(gelu(up(norm(s))))            (Xiong et al., "On layer normalization", 2020)
//! logits = norm(s) tokenᵀ                    the same table in and out (Press and Wolf, 2017)
//! ```
//!
//! Places are learned, which costs 1 % of the parameters and no time, for a row of their table is added where the token's
//! row is fetched. Where the network is `rotary`, half of the numbers of queries and keys are turned by them too, and the other half
//! of a key is that of the row before ([`Rotary`]): attention then sees how far apart two tokens are, rather than where both
//! stand, and what stood before each, and learns a language in fewer updates.
//!
//! A batch is trained on by a [`Trainer`], a text grows in a [`Generator`], and a [`Reader`] shows what the network makes of
//! one sequence.

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
use crate::params::{Layout, Matrix};
use crate::weights::Weights;
use block::Block;

pub use generator::Generator;
pub use reader::Reader;
pub use sampler::Sampler;
pub use trainer::{Loss, Trainer};

/// A target that says nothing: its row has no loss.
pub const IGNORE: u16 = u16::MAX;

/// The sizes of a transformer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformerShape {
    /// How many tokens there are.
    pub vocabulary: usize,
    /// The longest sequence.
    pub context: usize,
    /// Numbers in a row of the residual stream.
    pub width: usize,
    /// Blocks.
    pub layers: usize,
    /// Heads of a block's attention; they share the width.
    pub heads: usize,
    /// Whether queries and keys are told of places too ([`Rotary`]), so that attention sees how far apart two tokens are and what
    /// stood before each.
    pub rotary: bool,
}

impl TransformerShape {
    /// Panics where no network has this shape: each of its numbers must be at least one, the heads divide the width, and
    /// tokens and positions are numbered together in sixteen bits.
    fn check(&self) {
        let Self { vocabulary, context, width, layers, heads, .. } = *self;
        assert!(
            vocabulary > 0 && context > 0 && width > 0 && layers > 0 && heads > 0,
            "an empty transformer"
        );
        assert!(width.is_multiple_of(heads), "{heads} heads cannot share a width of {width}");
        assert!(vocabulary + context < usize::from(IGNORE), "too many tokens and positions for sixteen bits");
    }

    /// Multiplications and additions of a training step for each token of sequences of `length`: two operations for every
    /// weight that a token meets, and twice that on the way back; attention with what causality leaves of it.
    pub fn training_operations(&self, length: usize) -> f64 {
        let Self { vocabulary, width, layers, .. } = *self;
        let weights = layers * 12 * width * width + vocabulary * width;
        // On average a row sees half of the sequence and half of itself, in two products.
        let attention = layers as f64 * 2.0 * width as f64 * (length + 1) as f64 / 2.0;
        3.0 * 2.0 * (weights as f64 + attention)
    }
}

/// The network: where its parameters lie.
#[derive(Clone, Debug)]
pub struct Transformer {
    shape: TransformerShape,
    /// The table of tokens, whose transpose makes logits. // [vocabulary, width]
    tokens: Matrix,
    /// The same followed by that of positions. // [vocabulary + context, width]
    table: Range<usize>,
    blocks: Vec<Block>,
    end: LayerNorm,
    /// The angles that queries and keys are turned by.
    rotary: Option<Rotary>,
}

impl Transformer {
    /// A network of this shape, its parameters added to `layout` under `name`.
    pub fn new(layout: &mut Layout, name: &str, shape: &TransformerShape) -> Self {
        shape.check();
        let TransformerShape { vocabulary, context, width, layers, .. } = *shape;
        let tokens = layout.add_matrix(format!("{name}/tokens"), vocabulary, width, true);
        let positions = layout.add(format!("{name}/positions"), &[context, width]);
        let table = tokens.range.start..positions.end;
        let blocks = (0..layers).map(|i| Block::new(layout, &format!("{name}/block{i}"), width)).collect();
        let end = LayerNorm::new(layout, &format!("{name}/end"), width);
        let heads = Heads { count: shape.heads, size: width / shape.heads };
        let rotary = shape.rotary.then(|| Rotary::new(heads, context));
        Self { shape: shape.clone(), tokens, table, blocks, end, rotary }
    }

    /// Its sizes.
    pub fn shape(&self) -> &TransformerShape {
        &self.shape
    }

    /// Fresh parameters: normal numbers, as large for any width as GPT-2's are for its own; what is added to the residual
    /// stream starts smaller the more layers there are, or with nothing in a rotary network.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        let TransformerShape { width, layers, .. } = self.shape;
        // 0.02 at a width of 768.
        let deviation = 0.55 / (width as f32).sqrt();
        let mut fill = |range: &Range<usize>, deviation: f32, index: u64| {
            let values = &mut params[range.clone()];
            stream.fill_normal(index, values);
            vector::scale(values, deviation);
        };
        let (of_table, added) = match self.rotary {
            None => (deviation, deviation / (2.0 * layers as f32).sqrt()),
            // Blocks that add nothing at first learn sooner. But then nothing except a token's own row comes to the head, and a
            // long one would make the token itself expected again.
            Some(_) => (3.0 / width as f32, 0.0),
        };
        fill(&self.table, of_table, 0);
        for (block, index) in self.blocks.iter().zip((1..).step_by(4)) {
            let each =
                [(&block.qkv, deviation), (&block.mix, added), (&block.up, deviation), (&block.down, added)];
            for ((dense, deviation), index) in each.into_iter().zip(index..) {
                fill(&dense.weight.range, deviation, index);
            }
        }
        if self.rotary.is_some() {
            // Where angles tell the places, their table has nothing to say at first.
            params[self.tokens.range.end..self.table.end].fill(0.0);
        }
        for block in &self.blocks {
            block.init_rest(params);
        }
        self.end.init(params);
    }

    /// The matrices inside the blocks, which [`crate::Muon`] is for, and how many layers stand side by side in each:
    /// queries, keys and values are three.
    pub fn hidden_matrices(&self) -> impl Iterator<Item = (&Matrix, usize)> {
        let parts = |dense: &Dense, block: &Block| if std::ptr::eq(dense, &block.qkv) { 3 } else { 1 };
        self.blocks
            .iter()
            .flat_map(move |block| block.dense().map(|dense| (&dense.weight, parts(dense, block))))
    }

    /// All parameters in parts, each with its weight decay for [`crate::Adam::step_groups`]: `decay` for matrices, none
    /// for biases and norms.
    pub fn parameter_groups(&self, decay: f32) -> Vec<(Range<usize>, f32)> {
        let mut parts = vec![(self.table.clone(), decay)];
        for (matrix, _) in self.hidden_matrices() {
            let before = parts[parts.len() - 1].0.end;
            parts.extend([(before..matrix.range.start, 0.0), (matrix.range.clone(), decay)]);
        }
        let before = parts[parts.len() - 1].0.end;
        parts.push((before..self.end.range().end, 0.0));
        parts
    }

    /// The heads of every block.
    fn heads(&self) -> Heads {
        Heads { count: self.shape.heads, size: self.shape.width / self.shape.heads }
    }

    /// The norms of the residual stream, block by block, and the one at the end.
    fn norm(&self, layer: usize) -> &LayerNorm {
        self.blocks.get(layer).map_or(&self.end, |block| &block.before_attention)
    }

    /// The logits of rows behind the last norm. // end [rows, width] -> logits [rows, vocabulary]
    fn head(&self, weights: &Weights, logits: &mut [f32], end: &[f32]) {
        linear(logits, end, end.len() / self.shape.width, weights.back(&self.tokens), Epilogue::default());
    }

    /// What the lookup of a token and its position adds up: two rows of the table, which `ones` `[rows, 2]` names.
    /// `first` is the position of the first token.
    fn name_rows(&self, ones: &mut [u16], tokens: &[u16], first: usize) {
        let TransformerShape { vocabulary, context, .. } = self.shape;
        assert!(first + tokens.len() <= context, "{} tokens in a context of {context}", first + tokens.len());
        for (i, (pair, token)) in ones.chunks_exact_mut(2).zip(tokens).enumerate() {
            assert!(usize::from(*token) < vocabulary, "token {token} of {vocabulary}");
            pair.copy_from_slice(&[*token, (vocabulary + first + i) as u16]);
        }
    }
}
