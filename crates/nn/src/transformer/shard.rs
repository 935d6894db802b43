//! A shard is a fixed part of a micro-batch, several sequences, on which one thread at a time works. It runs
//! the forward and backward pass of its sequences and holds their activations and gradients.
//!
//! The gradients of weight matrices are not computed here. [`super::trainer`] computes them over all shards
//! of a micro-batch, from the activations and gradients that the shards hold.

use learnery_kernels::activation::Activation;
use learnery_kernels::attention::Workspace;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag;
use learnery_kernels::epilogue::Epilogue;
use learnery_kernels::linear::{PackedMatrix, linear};
use learnery_kernels::loss::{Targets, softmax_cross_entropy};

use super::block::{BlockGradients, BlockTape, NormedInput};
use super::{IGNORE, Transformer};
use crate::weights::Weights;

/// Rows whose logits are computed together and turned into gradients while they are in the cache.
const ROWS: usize = 32;

/// Activations and gradients of some sequences.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The number of rows (tokens) of the last forward pass, and the number of rows per sequence.
    pub rows: usize,
    length: usize,
    /// Token and position indices of each row, see [`Transformer::embedding_indices`].
    /// Shape: `[capacity, 2]`.
    pub indices: Vec<u16>,
    /// The residual stream.
    /// Shape: `[capacity, width]`.
    residual: Buffer,
    /// The input of the attention of each block, then the input of the output layer.
    /// Shape: `[layers + 1]`.
    pub normed_inputs: Vec<NormedInput>,
    /// What each block saves for its backward pass.
    /// Shape: `[layers]`.
    pub tapes: Vec<BlockTape>,
    pub gradients: BlockGradients,
    /// Logits of some rows at a time.
    /// Shape: `[ROWS, vocabulary]`.
    logits: Buffer,
    /// The gradient at all logits.
    /// Shape: `[capacity, vocabulary]`.
    pub d_logits: Buffer,
    /// The packed input of the output layer.
    /// Shape: `[rows, width]`.
    pub packed_final: PackedMatrix,
    /// Targets and losses of the rows.
    /// Shape of each: `[capacity]`.
    classes: Vec<u32>,
    losses: Vec<f32>,
    workspace: Workspace,
}

impl Shard {
    /// Workspace for `capacity` rows in sequences of up to `length`.
    pub fn new(net: &Transformer, capacity: usize, length: usize) -> Self {
        let (width, vocabulary, heads) = (net.shape.width, net.shape.vocabulary, net.heads());
        Self {
            rows: 0,
            length,
            indices: vec![0; 2 * capacity],
            residual: Buffer::new(capacity * width),
            normed_inputs: (0..=net.blocks.len()).map(|_| NormedInput::new(capacity, width)).collect(),
            tapes: net.blocks.iter().map(|_| BlockTape::new(capacity, heads)).collect(),
            gradients: BlockGradients::new(capacity, width),
            logits: Buffer::new(ROWS * vocabulary),
            d_logits: Buffer::new(capacity * vocabulary),
            packed_final: PackedMatrix::new(capacity, width),
            classes: vec![0; capacity],
            losses: vec![0.0; capacity],
            workspace: Workspace::new(heads, length),
        }
    }

    /// Runs the network on sequences of `length` tokens each, up to the final norm.
    pub fn forward(&mut self, net: &Transformer, weights: &Weights, tokens: &[u16], length: usize) {
        let (width, heads) = (net.shape.width, net.heads());
        let Self { rows, indices, residual, normed_inputs, tapes, workspace, .. } = self;
        (*rows, self.length) = (tokens.len(), length);
        let rows = tokens.len();
        for (indices, tokens) in indices.chunks_mut(2 * length).zip(tokens.chunks(length)) {
            let first_position = 0;
            net.embedding_indices(indices, tokens, first_position);
        }
        let residual = &mut residual[..rows * width];
        embedding_bag(
            residual,
            &indices[..2 * rows],
            2,
            &weights.flat()[net.table.clone()],
            width,
            Epilogue::default(),
        );
        let NormedInput { y, norm_tape } = &mut normed_inputs[0];
        net.norm(0).forward(weights, &mut y[..rows * width], residual, Activation::Identity, Some(norm_tape));
        for (layer, (block, tape)) in net.blocks.iter().zip(tapes).enumerate() {
            let [input, next_input] =
                normed_inputs.get_disjoint_mut([layer, layer + 1]).expect("two different indices");
            block.forward(
                weights,
                [input, next_input],
                net.norm(layer + 1),
                residual,
                tape,
                length,
                workspace,
                heads,
                net.rotary.as_ref(),
            );
        }
    }

    /// The output of the final norm.
    /// Shape: `[rows, width]`.
    pub fn final_output(&self, width: usize) -> &[f32] {
        &self.normed_inputs[self.normed_inputs.len() - 1].y[..self.rows * width]
    }

    /// Computes the logits of all rows, returns the sum of the rows' losses, and writes its gradient times
    /// `scale` to `d_logits`. Rows whose target is [`IGNORE`] have neither loss nor gradient. The first
    /// `uncounted` rows have a gradient, but their loss is not in the sum.
    pub fn loss_and_gradient(
        &mut self,
        net: &Transformer,
        weights: &Weights,
        targets: &[u16],
        uncounted: usize,
        scale: f32,
    ) -> f64 {
        let (width, vocabulary) = (net.shape.width, net.shape.vocabulary);
        let Self { rows, normed_inputs, logits, d_logits, classes, losses, .. } = self;
        assert_eq!(targets.len(), *rows, "not a target for each of {rows} tokens");
        for (class, target) in classes.iter_mut().zip(targets) {
            // Class 0 stands for ignored rows, whose result is discarded below.
            *class = if *target == IGNORE { 0 } else { u32::from(*target) };
        }
        let final_output = &normed_inputs[normed_inputs.len() - 1].y;
        let mut sum = 0.0;
        for first in (0..*rows).step_by(ROWS) {
            let span = first..(first + ROWS).min(*rows);
            let count = span.len();
            let logits = &mut logits[..count * vocabulary];
            net.output_layer(weights, logits, &final_output[first * width..][..count * width]);
            let gradient = &mut d_logits[first * vocabulary..][..count * vocabulary];
            let (losses, classes) = (&mut losses[..count], &classes[span.clone()]);
            let mask = None;
            softmax_cross_entropy(losses, gradient, logits, Targets::Classes(classes), mask, scale);
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

    /// Writes the most likely next token after each row to `out`. Of equally likely tokens, it is the lowest.
    pub fn likeliest(&mut self, net: &Transformer, weights: &Weights, out: &mut [u16]) {
        let (width, vocabulary) = (net.shape.width, net.shape.vocabulary);
        let Self { rows, normed_inputs, logits, .. } = self;
        assert_eq!(out.len(), *rows, "not an output for each of {rows} tokens");
        let final_output = &normed_inputs[normed_inputs.len() - 1].y;
        for (first, out) in (0..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
            let logits = &mut logits[..out.len() * vocabulary];
            net.output_layer(weights, logits, &final_output[first * width..][..out.len() * width]);
            for (likeliest, logits) in out.iter_mut().zip(logits.chunks_exact(vocabulary)) {
                let better = |best: usize, i: usize| if logits[i] > logits[best] { i } else { best };
                *likeliest = (1..vocabulary).fold(0, better) as u16;
            }
        }
    }

    /// Backward pass of the output layer and the final norm: computes the gradient after the last block, in
    /// `gradients.after`, from `d_logits`. The first `2 width` values of `gradients.small_grads` become the
    /// gradients of gamma and beta of the final norm.
    pub fn backward_output_layer(&mut self, net: &Transformer, weights: &Weights) {
        let (rows, width) = (self.rows, net.shape.width);
        let size = rows * width;
        let BlockGradients { after, middle: scratch, small_grads, .. } = &mut self.gradients;
        let scratch = &mut scratch[..size];
        let d_logits = &self.d_logits[..rows * net.shape.vocabulary];
        linear(scratch, d_logits, rows, weights.forward(&net.tokens), Epilogue::default());
        let d_norm = &mut small_grads[..2 * width];
        d_norm.fill(0.0);
        self.packed_final.set_inputs(rows);
        self.packed_final.pack(&self.normed_inputs[net.blocks.len()].y[..size]);
        let norm_tape = &self.normed_inputs[net.blocks.len()].norm_tape;
        let relu = None;
        net.final_norm.backward_with_own_grads(weights, d_norm, &mut after[..size], scratch, relu, norm_tape);
    }

    /// Backward pass of block `layer`: computes the gradient before the block (`gradients.before`) from the
    /// gradient after it (`gradients.after`).
    pub fn backward(&mut self, net: &Transformer, weights: &Weights, layer: usize) {
        let Self { rows, length, normed_inputs, tapes, gradients, workspace, .. } = self;
        net.blocks[layer].backward(
            weights,
            &normed_inputs[layer],
            &tapes[layer],
            gradients,
            [*rows, *length],
            workspace,
            net.heads(),
            net.rotary.as_ref(),
        );
    }

    /// Prepares the backward pass of the previous block: the gradient before a block is the gradient after
    /// the previous one.
    pub fn move_to_previous_block(&mut self) {
        std::mem::swap(&mut self.gradients.before, &mut self.gradients.after);
    }
}
