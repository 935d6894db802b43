//! Text generation with a KV cache: keys and values of earlier tokens are stored, so each new token costs one
//! row of work in every layer.
//!
//! When the text would become longer than the context, only its last tokens, half a context, are kept. They
//! are processed again from position 0, because a learned position embedding belongs to a fixed position.

use learnery_kernels::activation::Activation;
use learnery_kernels::attention::KvCache;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag;
use learnery_kernels::epilogue::Epilogue;
use rayon::prelude::*;

use super::Transformer;
use super::block::MLP_FACTOR;
use crate::dense::row;
use crate::layer_norm::NO_TAPE;
use crate::weights::Weights;

/// The largest number of tokens per forward pass.
const ROWS: usize = 32;

/// The state of one growing text.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The tokens whose keys and values are in the caches.
    tokens: Vec<u16>,
    /// One cache per block.
    caches: Vec<KvCache>,
    /// Token and position index of each row, for the embedding bag.
    /// Shape: `[ROWS, 2]`.
    indices: [u16; 2 * ROWS],
    /// The residual stream, its norm, and the output of attention.
    /// Shape of each: `[ROWS, width]`.
    residual: Buffer,
    normed: Buffer,
    attended: Buffer,
    /// Queries, keys and values.
    /// Shape: `[ROWS, 3 width]`.
    qkv: Buffer,
    /// The MLP's hidden layer.
    /// Shape: `[ROWS, MLP_FACTOR * width]`.
    hidden: Buffer,
    /// The logits of the token after the last.
    /// Shape: `[vocabulary]`.
    logits: Buffer,
}

impl Generator {
    pub fn new(net: &Transformer) -> Self {
        let (context, width) = (net.shape.context, net.shape.width);
        Self {
            tokens: Vec::with_capacity(context),
            caches: net.blocks.iter().map(|_| KvCache::new(net.heads(), context)).collect(),
            indices: [0; 2 * ROWS],
            residual: Buffer::new(ROWS * width),
            normed: Buffer::new(ROWS * width),
            attended: Buffer::new(ROWS * width),
            qkv: Buffer::new(ROWS * 3 * width),
            hidden: Buffer::new(ROWS * MLP_FACTOR * width),
            logits: Buffer::new(net.shape.vocabulary),
        }
    }

    /// Starts a new text. Must also be called when the weights have changed.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.caches.iter_mut().for_each(KvCache::clear);
    }

    /// Appends `tokens`, at least one, and returns the logits of the next token.
    /// Shape: `[vocabulary]`.
    pub fn feed(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) -> &mut [f32] {
        let context = net.shape.context;
        assert!(!tokens.is_empty(), "no tokens to feed");
        let new = &tokens[tokens.len().saturating_sub(context)..];
        if self.tokens.len() + tokens.len() > context {
            // Together with the new tokens, the kept ones fill half the context.
            let kept = (context / 2).saturating_sub(new.len()).min(self.tokens.len());
            let dropped = self.tokens.len() - kept;
            self.tokens.drain(..dropped);
            self.caches.iter_mut().for_each(KvCache::clear);
            for first in (0..kept).step_by(ROWS) {
                let count = ROWS.min(kept - first);
                let mut replayed = [0; ROWS];
                replayed[..count].copy_from_slice(&self.tokens[first..][..count]);
                self.append_rows(net, weights, &replayed[..count]);
            }
        }
        self.tokens.extend_from_slice(new);
        new.chunks(ROWS).for_each(|tokens| self.append_rows(net, weights, tokens));
        let width = net.shape.width;
        let last = (new.len() - 1) % ROWS;
        let final_output = &self.normed[last * width..][..width];
        // The output layer has no bias.
        let (accumulate, bias) = (false, &[]);
        let table = weights.transposed(&net.tokens);
        row(&mut self.logits, accumulate, final_output, table, bias, Activation::Identity);
        &mut self.logits
    }

    /// Runs up to [`ROWS`] tokens that follow those in the caches, and appends their keys and values.
    /// Afterwards `normed` holds the output of the final norm.
    fn append_rows(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) {
        let (rows, width) = (tokens.len(), net.shape.width);
        let Self { caches, indices, residual, normed: y, attended, qkv, hidden, .. } = self;
        let indices = &mut indices[..2 * rows];
        // With several tokens, each thread computes some rows. With one, the threads share the columns
        // (`forward_row`).
        let rows_per_thread = rows.div_ceil(rayon::current_num_threads());
        net.embedding_indices(indices, tokens, caches[0].len());
        let [residual, y, attended] = [residual, y, attended].map(|buffer| &mut buffer[..rows * width]);
        let (qkv, hidden) = (&mut qkv[..3 * rows * width], &mut hidden[..MLP_FACTOR * rows * width]);
        embedding_bag(residual, indices, 2, &weights.flat()[net.table.clone()], width, Epilogue::default());
        net.norm(0).forward(weights, y, residual, Activation::Identity, NO_TAPE);
        for (layer, (block, cache)) in net.blocks.iter().zip(caches).enumerate() {
            let next = net.norm(layer + 1);
            if rows == 1 {
                block.qkv.forward_row(weights, qkv, y, Activation::Identity);
                net.attend(cache, attended, qkv);
                block.output.forward_row_residual(weights, residual, attended);
                block.before_mlp.forward(weights, y, residual, Activation::Identity, NO_TAPE);
                block.up.forward_row(weights, hidden, y, Activation::Gelu);
                block.down.forward_row_residual(weights, residual, hidden);
                next.forward(weights, y, residual, Activation::Identity, NO_TAPE);
                continue;
            }
            let size = rows_per_thread * width;
            qkv.par_chunks_mut(3 * size).zip(y.par_chunks(size)).for_each(|(qkv, y)| {
                block.qkv.forward(weights, qkv, y, y.len() / width, block.qkv.epilogue(weights));
            });
            net.attend(cache, attended, qkv);
            let chunks = residual.par_chunks_mut(size).zip(y.par_chunks_mut(size));
            let chunks = chunks.zip(hidden.par_chunks_mut(MLP_FACTOR * size)).zip(attended.par_chunks(size));
            chunks.for_each(|(((residual, y), hidden), attended)| {
                let rows = attended.len() / width;
                let epilogue = block.before_mlp.attach(block.output.epilogue(weights), weights);
                block.output.forward_residual(weights, residual, y, attended, rows, epilogue);
                block.up.forward(weights, hidden, y, rows, block.up.epilogue(weights).then(Activation::Gelu));
                let epilogue = next.attach(block.down.epilogue(weights), weights);
                block.down.forward_residual(weights, residual, y, hidden, rows, epilogue);
            });
        }
    }
}

impl Transformer {
    /// Causal attention of new rows: each sees the rows in the cache, the new rows before it and itself.
    /// Shapes: `qkv [rows, 3 width] -> attended [rows, width]`.
    fn attend(&self, cache: &mut KvCache, attended: &mut [f32], qkv: &mut [f32]) {
        if let Some(rotary) = &self.rotary {
            rotary.apply_behind(qkv, cache);
        }
        cache.forward(attended, qkv);
    }
}
