//! One sequence looked into: what the network expects after each of its tokens, and what every head looks at.

use learnery_kernels::attention::{self, Workspace};

use super::Transformer;
use super::shard::Shard;
use crate::weights::Weights;

/// What looking works in, and the sequence that it holds.
#[derive(Clone, Debug)]
pub struct Reader {
    slot: Shard,
    room: Workspace,
}

impl Reader {
    /// For sequences up to the network's context.
    pub fn new(net: &Transformer) -> Self {
        let context = net.shape.context;
        Self { slot: Shard::new(net, context, context), room: Workspace::new(net.heads(), context) }
    }

    /// Takes in a sequence of at least one token.
    pub fn read(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16]) {
        assert!(!tokens.is_empty(), "nothing to read");
        self.slot.forward(net, weights, tokens, tokens.len());
    }

    /// Tokens of the sequence.
    pub fn len(&self) -> usize {
        self.slot.rows
    }

    /// True before the first sequence.
    pub fn is_empty(&self) -> bool {
        self.slot.rows == 0
    }

    /// The logits of what follows each token. // out [len, vocabulary]
    pub fn logits(&self, net: &Transformer, weights: &Weights, out: &mut [f32]) {
        net.head(weights, out, self.slot.end(net.shape.width));
    }

    /// How much of each earlier token reaches each token through head `head` of block `layer`. // out [len, len]
    pub fn attention(&mut self, net: &Transformer, layer: usize, head: usize, out: &mut [f32]) {
        let qkv = &self.slot.kept[layer].qkv()[..3 * self.slot.rows * net.shape.width];
        attention::weights(out, qkv, net.heads(), head, &mut self.room);
    }
}
