//! Text generation with a KV cache, so that a further token costs one row of work.
//!
//! When the text outgrows the context, its second half is processed again from position 0, because learned positions
//! cannot slide.

use learnery_kernels::attention::KvCache;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag;
use learnery_kernels::epilogue::{Activation, Epilogue};
use rayon::prelude::*;

use super::Transformer;
use super::block::MLP;
use crate::dense::row;
use crate::weights::Weights;

/// Tokens per forward pass.
const ROWS: usize = 32;

/// The state of one growing text.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The tokens in the caches.
    tokens: Vec<u16>,
    caches: Vec<KvCache>,
    indices: [u16; 2 * ROWS],
    /// // [ROWS, width]
    stream: Buffer,
    y: Buffer,
    mixed: Buffer,
    /// // [ROWS, 3 width]
    qkv: Buffer,
    /// // [ROWS, MLP width]
    inner: Buffer,
    /// // [vocabulary]
    logits: Buffer,
}

impl Generator {
    pub fn new(net: &Transformer) -> Self {
        let (context, width) = (net.shape.context, net.shape.width);
        Self {
            tokens: Vec::with_capacity(context),
            caches: net.blocks.iter().map(|_| KvCache::new(net.heads(), context)).collect(),
            indices: [0; 2 * ROWS],
            stream: Buffer::new(ROWS * width),
            y: Buffer::new(ROWS * width),
            mixed: Buffer::new(ROWS * width),
            qkv: Buffer::new(ROWS * 3 * width),
            inner: Buffer::new(ROWS * MLP * width),
            logits: Buffer::new(net.shape.vocabulary),
        }
    }

    /// Starts a new text. Must also be called when the weights have changed.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.caches.iter_mut().for_each(KvCache::clear);
    }

    /// Appends `tokens`, at least one, and returns the logits of the next token. // [vocabulary]
    pub fn feed(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) -> &mut [f32] {
        let context = net.shape.context;
        assert!(!tokens.is_empty(), "no tokens to feed");
        let new = &tokens[tokens.len().saturating_sub(context)..];
        if self.tokens.len() + tokens.len() > context {
            // Keep as much of the old text as makes half a context together with the new tokens.
            let kept = (context / 2).saturating_sub(new.len()).min(self.tokens.len());
            let forgotten = self.tokens.len() - kept;
            self.tokens.drain(..forgotten);
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
        let end = &self.y[last * width..][..width];
        row(&mut self.logits, false, end, weights.transposed(&net.tokens), &[], Activation::Identity);
        &mut self.logits
    }

    /// Runs up to [`ROWS`] tokens that follow those in the caches. The output of the final norm is left in `y`.
    fn append_rows(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) {
        let (rows, width) = (tokens.len(), net.shape.width);
        let Self { caches, indices, stream, y, mixed, qkv, inner, .. } = self;
        let indices = &mut indices[..2 * rows];
        // Rows per thread.
        let rows_per_thread = rows.div_ceil(rayon::current_num_threads());
        net.embedding_indices(indices, tokens, caches[0].len());
        let [stream, y, mixed] = [stream, y, mixed].map(|buffer| &mut buffer[..rows * width]);
        let (qkv, inner) = (&mut qkv[..3 * rows * width], &mut inner[..MLP * rows * width]);
        embedding_bag(stream, indices, 2, &weights.flat()[net.table.clone()], width, Epilogue::default());
        net.norm(0).forward(weights, y, stream, Activation::Identity, None);
        for (layer, (block, cache)) in net.blocks.iter().zip(caches).enumerate() {
            let next = net.norm(layer + 1);
            if rows == 1 {
                block.qkv.forward_row(weights, qkv, y, Activation::Identity);
                net.attend(cache, mixed, qkv);
                block.mix.forward_row_residual(weights, stream, mixed);
                block.before_mlp.forward(weights, y, stream, Activation::Identity, None);
                block.up.forward_row(weights, inner, y, Activation::Gelu);
                block.down.forward_row_residual(weights, stream, inner);
                next.forward(weights, y, stream, Activation::Identity, None);
                continue;
            }
            let size = rows_per_thread * width;
            qkv.par_chunks_mut(3 * size).zip(y.par_chunks(size)).for_each(|(qkv, y)| {
                block.qkv.forward(weights, qkv, y, y.len() / width, block.qkv.epilogue(weights));
            });
            net.attend(cache, mixed, qkv);
            let chunks = stream.par_chunks_mut(size).zip(y.par_chunks_mut(size));
            let chunks = chunks.zip(inner.par_chunks_mut(MLP * size)).zip(mixed.par_chunks(size));
            chunks.for_each(|(((stream, y), inner), mixed)| {
                let rows = mixed.len() / width;
                let epilogue = block.before_mlp.append(block.mix.epilogue(weights), weights);
                block.mix.forward_residual(weights, stream, y, mixed, rows, epilogue);
                block.up.forward(weights, inner, y, rows, block.up.epilogue(weights).then(Activation::Gelu));
                let epilogue = next.append(block.down.epilogue(weights), weights);
                block.down.forward_residual(weights, stream, y, inner, rows, epilogue);
            });
        }
    }
}

impl Transformer {
    /// Attention of further rows to those in the cache and to themselves. // qkv [rows, 3 width] -> mixed [rows, width]
    fn attend(&self, cache: &mut KvCache, mixed: &mut [f32], qkv: &mut [f32]) {
        if let Some(rotary) = &self.rotary {
            rotary.apply_behind(qkv, cache);
        }
        cache.forward(mixed, qkv);
    }
}
