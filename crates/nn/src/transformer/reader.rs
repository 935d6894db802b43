//! Inspection of one sequence, for people to look at: the logits after each token, and the attention weights
//! of every head.

use learnery_kernels::attention::{self, Workspace};

use super::Transformer;
use super::shard::Shard;
use crate::weights::Weights;

/// The activations of one sequence.
#[derive(Clone, Debug)]
pub struct Reader {
    shard: Shard,
    workspace: Workspace,
}

impl Reader {
    /// A reader for sequences up to the network's context.
    pub fn new(net: &Transformer) -> Self {
        let context = net.shape.context;
        Self { shard: Shard::new(net, context, context), workspace: Workspace::new(net.heads(), context) }
    }

    /// Runs the network on a sequence of at least one token. The other methods are about this sequence.
    pub fn read(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) {
        assert!(!tokens.is_empty(), "no tokens to read");
        self.shard.forward(net, weights, tokens, tokens.len());
    }

    /// The length of the sequence.
    pub fn len(&self) -> usize {
        self.shard.rows
    }

    pub fn is_empty(&self) -> bool {
        self.shard.rows == 0
    }

    /// The logits of the next token after each position.
    /// Shapes: `out [len, vocabulary]`.
    pub fn logits(&self, net: &Transformer, weights: &Weights, out: &mut [f32]) {
        net.output_layer(weights, out, self.shard.final_output(net.shape.width));
    }

    /// The attention weights of head `head` in block `layer`: `out[i, j]` is how much token i
    /// attends to token j.
    /// Shapes: `out [len, len]`.
    pub fn attention(&mut self, net: &Transformer, layer: usize, head: usize, out: &mut [f32]) {
        let qkv = &self.shard.tapes[layer].qkv()[..3 * self.shard.rows * net.shape.width];
        attention::weights(out, qkv, net.heads(), head, &mut self.workspace);
    }
}
