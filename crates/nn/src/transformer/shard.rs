//! Some sequences on their way through the network and back: everything that is kept of them.
//!
//! A slot is filled by one thread at a time. The gradients of matrices are not made here but over all slots of a wave
//! ([`super::trainer`]), from what the slots keep.

use learnery_kernels::attention::Workspace;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag;
use learnery_kernels::epilogue::{Activation, Epilogue};
use learnery_kernels::linear::{PackedMatrix, linear};
use learnery_kernels::loss::{Targets, softmax_cross_entropy};

use super::block::{Back, Entry, Kept};
use super::{IGNORE, Transformer};
use crate::weights::Weights;

/// Rows whose logits are made together, to be turned into gradients while they are near.
const ROWS: usize = 32;

/// What is kept of some sequences.
#[derive(Clone, Debug)]
pub struct Shard {
    /// Rows in use, and how many of them are a sequence.
    pub rows: usize,
    length: usize,
    /// The rows of the table that a row's lookup adds up. // [capacity, 2]
    pub ones: Vec<u16>,
    /// The residual stream. // [capacity, width]
    stream: Buffer,
    /// What each block begins with, and then the head. // layers + 1
    pub entries: Vec<Entry>,
    pub kept: Vec<Kept>,
    pub back: Back,
    /// Logits of some rows. // [ROWS, vocabulary]
    logits: Buffer,
    /// The gradient at all logits, and the rows that they come from. // [rows, vocabulary], [rows, width]
    pub of_logits: Buffer,
    pub packed_end: PackedMatrix,
    classes: Vec<u32>,
    losses: Vec<f32>,
    room: Workspace,
}

impl Shard {
    /// Workspace for `capacity` rows in sequences of up to `length`.
    pub fn new(net: &Transformer, capacity: usize, length: usize) -> Self {
        let (width, vocabulary, heads) = (net.shape.width, net.shape.vocabulary, net.heads());
        Self {
            rows: 0,
            length,
            ones: vec![0; 2 * capacity],
            stream: Buffer::new(capacity * width),
            entries: (0..=net.blocks.len()).map(|_| Entry::new(capacity, width)).collect(),
            kept: net.blocks.iter().map(|_| Kept::new(capacity, heads)).collect(),
            back: Back::new(capacity, width),
            logits: Buffer::new(ROWS * vocabulary),
            of_logits: Buffer::new(capacity * vocabulary),
            packed_end: PackedMatrix::new(capacity, width),
            classes: vec![0; capacity],
            losses: vec![0.0; capacity],
            room: Workspace::new(heads, length),
        }
    }

    /// Runs sequences of `length` tokens each, up to the norm behind the last block.
    pub fn forward(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16], length: usize) {
        let (width, heads) = (net.shape.width, net.heads());
        let Self { rows, ones, stream, entries, kept, room, .. } = self;
        (*rows, self.length) = (tokens.len(), length);
        let rows = tokens.len();
        for (ones, tokens) in ones.chunks_mut(2 * length).zip(tokens.chunks(length)) {
            net.name_rows(ones, tokens, 0);
        }
        let stream = &mut stream[..rows * width];
        embedding_bag(
            stream,
            &ones[..2 * rows],
            2,
            &weights.flat()[net.table.clone()],
            width,
            Epilogue::default(),
        );
        let Entry { y, normed } = &mut entries[0];
        net.norm(0).forward(weights, &mut y[..rows * width], stream, Activation::Identity, Some(normed));
        for (layer, (block, kept)) in net.blocks.iter().zip(kept).enumerate() {
            let [entry, next] = entries.get_disjoint_mut([layer, layer + 1]).expect("two of them");
            block.forward(
                weights,
                [entry, next],
                net.norm(layer + 1),
                stream,
                kept,
                length,
                room,
                heads,
                net.rotary.as_ref(),
            );
        }
    }

    /// The rows behind the last norm. // [rows, width]
    pub fn end(&self, width: usize) -> &[f32] {
        &self.entries[self.entries.len() - 1].y[..self.rows * width]
    }

    /// The loss of every row in the sum, and its gradient times `scale` in `of_logits`. Targets that are [`IGNORE`] have
    /// neither; the first `uncounted` rows have a gradient alone.
    pub fn judge(
        &mut self,
        net: &Transformer,
        weights: &Weights,
        targets: &[u16],
        uncounted: usize,
        scale: f32,
    ) -> f64 {
        let (width, vocabulary) = (net.shape.width, net.shape.vocabulary);
        let Self { rows, entries, logits, of_logits, classes, losses, .. } = self;
        assert_eq!(targets.len(), *rows, "not a target for each of {rows} tokens");
        for (class, target) in classes.iter_mut().zip(targets) {
            *class = if *target == IGNORE { 0 } else { u32::from(*target) };
        }
        let end = &entries[entries.len() - 1].y;
        let mut sum = 0.0;
        for first in (0..*rows).step_by(ROWS) {
            let span = first..(first + ROWS).min(*rows);
            let count = span.len();
            let logits = &mut logits[..count * vocabulary];
            net.head(weights, logits, &end[first * width..][..count * width]);
            let gradient = &mut of_logits[first * vocabulary..][..count * vocabulary];
            let (losses, classes) = (&mut losses[..count], &classes[span.clone()]);
            softmax_cross_entropy(losses, gradient, logits, Targets::Classes(classes), None, scale);
            let rows = losses.iter().zip(gradient.chunks_exact_mut(vocabulary)).zip(&targets[span]);
            for (row, ((loss, gradient), target)) in (first..).zip(rows) {
                if *target == IGNORE {
                    gradient.fill(0.0);
                } else if row >= uncounted {
                    sum += f64::from(*loss);
                }
            }
        }
        sum
    }

    /// The token that is likeliest after each row; of equally likely ones the first.
    pub fn likeliest(&mut self, net: &Transformer, weights: &Weights, out: &mut [u16]) {
        let (width, vocabulary) = (net.shape.width, net.shape.vocabulary);
        let Self { rows, entries, logits, .. } = self;
        assert_eq!(out.len(), *rows, "not a place for each of {rows} tokens");
        let end = &entries[entries.len() - 1].y;
        for (first, out) in (0..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
            let logits = &mut logits[..out.len() * vocabulary];
            net.head(weights, logits, &end[first * width..][..out.len() * width]);
            for (likeliest, logits) in out.iter_mut().zip(logits.chunks_exact(vocabulary)) {
                let better = |best: usize, i: usize| if logits[i] > logits[best] { i } else { best };
                *likeliest = (1..vocabulary).fold(0, better) as u16;
            }
        }
    }

    /// From the gradient at the logits to the one at what left the last block; those of the last norm are left in the
    /// first part of `back.small`.
    pub fn backward_head(&mut self, net: &Transformer, weights: &Weights) {
        let (rows, width) = (self.rows, net.shape.width);
        let size = rows * width;
        let Back { end, middle: spare, small, .. } = &mut self.back;
        let spare = &mut spare[..size];
        let of_logits = &self.of_logits[..rows * net.shape.vocabulary];
        linear(spare, of_logits, rows, weights.forward(&net.tokens), Epilogue::default());
        let of_norm = &mut small[..2 * width];
        of_norm.fill(0.0);
        self.packed_end.set_inputs(rows);
        self.packed_end.pack(&self.entries[net.blocks.len()].y[..size]);
        let normed = &self.entries[net.blocks.len()].normed;
        net.end.backward_alone(weights, of_norm, &mut end[..size], spare, None, normed);
    }

    /// The way back through block `layer`, from the gradient at what left it to the one at what entered it.
    pub fn backward(&mut self, net: &Transformer, weights: &Weights, layer: usize) {
        let Self { rows, length, entries, kept, back, room, .. } = self;
        net.blocks[layer].backward(
            weights,
            &entries[layer],
            &kept[layer],
            back,
            [*rows, *length],
            room,
            net.heads(),
            net.rotary.as_ref(),
        );
    }

    /// What entered a block left the one before it.
    pub fn step_back(&mut self) {
        std::mem::swap(&mut self.back.begin, &mut self.back.end);
    }
}
