//! Losses and gradients of batches, data-parallel, with gradient accumulation over micro-batches.
//!
//! A micro-batch is the part of a batch that is processed at a time: up to [`MAX_SHARDS`] shards of about
//! [`SHARD_ROWS`] rows (tokens) each. A shard is processed by one thread and holds the activations of its
//! sequences. The backward pass runs block by block, in two steps. First the threads compute the gradients at
//! the activations, one shard each. Then they compute the gradients of the weight matrices: each thread takes
//! some rows of a matrix and sums over all shards in order. So there is only one gradient vector, the memory
//! does not grow with the batch, and the number of threads changes no bit.
//!
//! Parallel loops use `with_max_len(1)`, which makes every item a task of its own: items are few and large.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag_backward;
use learnery_kernels::gemm::Mat;
use learnery_kernels::linear::PackedMatrix;
use learnery_kernels::reduce::add_assign;
use learnery_kernels::weight_gradient::add_weight_gradient;
use rayon::prelude::*;

use super::block::MLP_FACTOR;
use super::shard::Shard;
use super::{IGNORE, Transformer};
use crate::weights::Weights;

/// Approximate number of rows per shard.
const SHARD_ROWS: usize = 256;

/// The largest number of shards per micro-batch.
const MAX_SHARDS: usize = 8;

/// Rows of a weight matrix per parallel task of its gradient.
const ROWS_PER_TASK: usize = 64;

/// Values per parallel task when gradients are set to zero.
const CHUNK: usize = 1 << 16;

/// The loss of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The sum of the cross-entropies of all counted tokens, in nats.
    pub sum: f64,
    /// The number of counted tokens.
    pub count: usize,
}

impl Loss {
    /// The mean per counted token; zero if no token is counted.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// Buffers for losses and gradients of batches of any size, allocated once.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// Tokens per sequence.
    length: usize,
    /// Tokens per full shard: a whole number of sequences.
    shard_tokens: usize,
    shards: Vec<Shard>,
    /// The gradient of the embedding table through its use as input. The same table is the output layer,
    /// whose gradient is accumulated in `grads`; the two are added only in [`Trainer::finish`], so that the
    /// order of sums does not depend on the micro-batches. Shape: `[vocabulary + context, width]`.
    embedding_grads: Buffer,
}

impl Trainer {
    /// A trainer for sequences of `length` tokens. Batches may have any number of sequences; a micro-batch
    /// has at most `sequences`.
    pub fn new(net: &Transformer, length: usize, sequences: usize) -> Self {
        assert!(length > 0 && sequences > 0, "length and number of sequences must be positive");
        let per_shard = (SHARD_ROWS / length).max(1);
        let shard_tokens = per_shard.min(sequences) * length;
        let count = sequences.div_ceil(per_shard).min(MAX_SHARDS);
        let embedding_grads = Buffer::new(net.table.len());
        Self {
            length,
            shard_tokens,
            shards: vec![Shard::new(net, shard_tokens, length); count],
            embedding_grads,
        }
    }

    /// The number of sequences in `shards` full shards.
    pub fn sequences(length: usize, shards: usize) -> usize {
        (SHARD_ROWS / length).max(1) * shards
    }

    /// The number of tokens of a full micro-batch.
    pub fn micro_batch(&self) -> usize {
        self.shard_tokens * self.shards.len()
    }

    /// Computes the loss of a batch. `inputs` holds sequences, one after the other; `targets` holds the
    /// correct next token after each input, or [`IGNORE`]. Shapes: `inputs, targets [sequences, length]`.
    pub fn loss(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], targets: &[u16]) -> Loss {
        let mut loss = self.check(inputs, targets);
        let (size, micro_batch) = (self.shard_tokens, self.micro_batch());
        for (inputs, targets) in inputs.chunks(micro_batch).zip(targets.chunks(micro_batch)) {
            let shards = &mut self.shards;
            // All tokens count. The gradient at the logits is computed too but not used, so its scale is
            // arbitrary.
            let (uncounted, scale) = (0, 1.0);
            let size = [size, self.length];
            forward(&mut loss.sum, shards, size, net, weights, inputs, targets, uncounted, scale);
        }
        loss
    }

    /// Writes the most likely next token (argmax of the logits) after each token of `inputs` to `out`. Of
    /// equally likely tokens, the one with the lowest number is written. Shapes: `inputs, out [sequences,
    /// length]`.
    pub fn likeliest(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], out: &mut [u16]) {
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        let (size, length) = (self.shard_tokens, self.length);
        let micro_batch = self.micro_batch();
        for (inputs, out) in inputs.chunks(micro_batch).zip(out.chunks_mut(micro_batch)) {
            let batches = inputs.par_chunks(size).zip(out.par_chunks_mut(size));
            self.shards.par_iter_mut().zip(batches).with_max_len(1).for_each(|(shard, (inputs, out))| {
                shard.forward(net, weights, inputs, length);
                shard.likeliest(net, weights, out);
            });
        }
    }

    /// Returns the loss of a batch, and writes the gradient of its mean to `grads`, which has the layout of
    /// the parameters.
    pub fn gradient(
        &mut self,
        net: &Transformer,
        weights: &Weights,
        inputs: &[u16],
        targets: &[u16],
        grads: &mut [f32],
    ) -> Loss {
        let scale = 1.0 / self.check(inputs, targets).count.max(1) as f32;
        self.begin(grads);
        let mut loss = Loss::default();
        let micro_batch = self.micro_batch();
        for (inputs, targets) in inputs.chunks(micro_batch).zip(targets.chunks(micro_batch)) {
            let uncounted = 0;
            self.add(net, weights, inputs, targets, uncounted, scale, grads, &mut loss);
        }
        self.finish(net, grads);
        loss
    }

    /// Begins gradient accumulation. Then follow any number of calls of [`Trainer::add`] and one of
    /// [`Trainer::finish`]. If all micro-batches but the last are full, the result is bit-identical to that
    /// of [`Trainer::gradient`].
    pub fn begin(&mut self, grads: &mut [f32]) {
        grads.par_chunks_mut(CHUNK).for_each(|chunk| chunk.fill(0.0));
        self.embedding_grads.par_chunks_mut(CHUNK).for_each(|chunk| chunk.fill(0.0));
    }

    /// Processes one micro-batch: adds the gradient of the sum of its losses times `scale` to `grads`, and
    /// its losses to `loss`. The first `uncounted` tokens contribute to the gradient but not to `loss`.
    pub fn add(
        &mut self,
        net: &Transformer,
        weights: &Weights,
        inputs: &[u16],
        targets: &[u16],
        uncounted: usize,
        scale: f32,
        grads: &mut [f32],
        loss: &mut Loss,
    ) {
        self.check(inputs, targets);
        loss.count += count_targets(&targets[uncounted..]);
        assert!(
            inputs.len() <= self.micro_batch(),
            "{} tokens in a micro-batch of {}",
            inputs.len(),
            self.micro_batch()
        );
        let shards = &mut self.shards[..inputs.len().div_ceil(self.shard_tokens)];
        let size = [self.shard_tokens, self.length];
        forward(&mut loss.sum, shards, size, net, weights, inputs, targets, uncounted, scale);
        backward(shards, net, weights, grads, &mut self.embedding_grads);
    }

    /// Ends gradient accumulation: adds the gradient of the embeddings as inputs to `grads`.
    pub fn finish(&mut self, net: &Transformer, grads: &mut [f32]) {
        add_assign(&mut grads[net.table.clone()], &self.embedding_grads);
    }

    /// Checks the sizes of a batch. Returns a zero loss with the number of targets that are not [`IGNORE`].
    fn check(&self, inputs: &[u16], targets: &[u16]) -> Loss {
        assert_eq!(inputs.len(), targets.len(), "inputs and targets differ in length");
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        Loss { sum: 0.0, count: count_targets(targets) }
    }
}

/// The number of targets that are not [`IGNORE`].
fn count_targets(targets: &[u16]) -> usize {
    targets.iter().filter(|target| **target != IGNORE).count()
}

/// Forward pass, loss and gradient at the logits of a micro-batch, whose shards have `size` tokens. Adds the
/// losses to `total`, shard by shard, except the losses of the first `uncounted` tokens.
fn forward(
    total: &mut f64,
    shards: &mut [Shard],
    [size, length]: [usize; 2],
    net: &Transformer,
    weights: &Weights,
    inputs: &[u16],
    targets: &[u16],
    uncounted: usize,
    scale: f32,
) {
    let mut sums = [0.0; MAX_SHARDS];
    let batches = inputs.par_chunks(size).zip(targets.par_chunks(size));
    let tasks = shards.par_iter_mut().zip(&mut sums).zip(batches).with_max_len(1).enumerate();
    tasks.for_each(|(i, ((shard, sum), (inputs, targets)))| {
        shard.forward(net, weights, inputs, length);
        *sum = shard.loss_and_gradient(net, weights, targets, uncounted.saturating_sub(i * size), scale);
    });
    sums.iter().for_each(|sum| *total += sum);
}

/// Backward pass of a micro-batch: adds the gradients of all parameters to `grads`, except the gradient of
/// the embeddings as inputs, which is added to `embedding_grads`.
fn backward(
    shards: &mut [Shard],
    net: &Transformer,
    weights: &Weights,
    grads: &mut [f32],
    embedding_grads: &mut [f32],
) {
    let width = net.shape.width;
    shards.par_iter_mut().with_max_len(1).for_each(|shard| shard.backward_output_layer(net, weights));
    let d_tokens = &mut grads[net.tokens.range.clone()];
    // The output layer is the transposed token table: logits = y tokenᵀ, so the gradient of the table is
    // d_logitsᵀ y. Its operands are not in a layer, so this argument is not used.
    let no_layer = 0;
    add_matrix_gradient(d_tokens, net.tokens.outputs, shards, no_layer, |shard, _| {
        (&shard.d_logits, &shard.packed_final)
    });
    shards.iter().for_each(|shard| {
        add_assign(&mut grads[net.final_norm.range()], &shard.gradients.small_grads[..2 * width]);
    });
    for (layer, block) in net.blocks.iter().enumerate().rev() {
        shards.par_iter_mut().with_max_len(1).for_each(|shard| shard.backward(net, weights, layer));
        let [qkv, output, up, down] = block.dense().map(|dense| &dense.weight);
        let [d_qkv, d_output, d_up, d_down] = grads
            .get_disjoint_mut([qkv, output, up, down].map(|matrix| matrix.range.clone()))
            .expect("disjoint ranges");
        let all_shards = &*shards;
        // The large matrices come first, so that the last tasks are small and the threads finish together.
        // `packed` has the order qkv, output projection, up, down.
        rayon::join(
            || {
                add_matrix_gradient(d_up, MLP_FACTOR * width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].mlp_input.y, &shard.gradients.packed[2])
                });
                add_matrix_gradient(d_output, width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].attended, &shard.gradients.packed[1])
                });
            },
            || {
                add_matrix_gradient(d_down, width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].activated, &shard.gradients.packed[3])
                });
                add_matrix_gradient(d_qkv, 3 * width, all_shards, layer, |shard, layer| {
                    (&shard.normed_inputs[layer].y, &shard.gradients.packed[0])
                });
            },
        );
        for shard in &mut *shards {
            block.add_small_grads(grads, &shard.gradients.small_grads);
            shard.move_to_previous_block();
        }
    }
    for shard in shards {
        let (indices, dy) = (&shard.indices[..2 * shard.rows], &shard.gradients.after[..shard.rows * width]);
        // A row is the sum of two rows of the table: of its token and of its position.
        let per_row = 2;
        embedding_bag_backward(embedding_grads, indices, per_row, dy, width);
    }
}

/// The operands of a matrix gradient for one shard and block: the input of a dense layer and the packed
/// gradient at its output.
type Operands = fn(&Shard, usize) -> (&[f32], &PackedMatrix);

/// Adds the gradient of one weight matrix, `xᵀ dy` summed over the rows of all shards in order.
/// Shapes: `grads [inputs, outputs]`.
fn add_matrix_gradient(
    grads: &mut [f32],
    outputs: usize,
    shards: &[Shard],
    layer: usize,
    operands: Operands,
) {
    let inputs = grads.len() / outputs;
    let tasks = grads.par_chunks_mut(ROWS_PER_TASK * outputs).with_max_len(1);
    tasks.enumerate().for_each(|(i, rows)| {
        for shard in shards {
            let (x, dy) = operands(shard, layer);
            // Row k of the gradient is made from column k of `x`, so this task reads its own columns of `x`.
            add_weight_gradient(
                rows,
                Mat::part(&x[i * ROWS_PER_TASK..], shard.rows, rows.len() / outputs, inputs),
                dy,
            );
        }
    });
}
