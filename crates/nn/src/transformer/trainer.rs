//! Losses and gradients of batches, data-parallel, with gradient accumulation over micro-batches.
//!
//! A batch is processed in micro-batches of up to [`MAX_SHARDS`] shards of about [`SHARD_ROWS`] rows each. Threads
//! share the shards, each of which holds the activations of its sequences. In the backward pass, block by block, they
//! then share the weight matrices: each thread computes some rows of a gradient and sums over all shards in order. So
//! there is only one gradient, the memory does not grow with the batch, and the number of threads changes no bit.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::embedding_bag::embedding_bag_backward;
use learnery_kernels::gemm::Mat;
use learnery_kernels::linear::PackedMatrix;
use learnery_kernels::reduce::add_assign;
use learnery_kernels::weight_gradient::add_weight_gradient;
use rayon::prelude::*;

use super::block::MLP;
use super::shard::Shard;
use super::{IGNORE, Transformer};
use crate::weights::Weights;

/// Approximate number of rows per shard.
const SHARD_ROWS: usize = 256;

/// The largest number of shards per micro-batch.
const MAX_SHARDS: usize = 8;

/// Rows of a weight matrix per parallel task of its gradient.
const ROWS_PER_TASK: usize = 64;

/// Values per parallel task when gradients are cleared.
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
    /// The mean per counted token; zero if there is none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// Buffers for losses and gradients of batches of any size, allocated once.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// Tokens per sequence and per full shard.
    length: usize,
    size: usize,
    shards: Vec<Shard>,
    /// The gradient of the embeddings as inputs. It is added to the gradient of the same table as output layer only at
    /// the end, so that the order of sums does not depend on the micro-batches. // [vocabulary + context, width]
    embedding_grads: Buffer,
}

impl Trainer {
    /// A trainer for sequences of `length` tokens. Batches may have any number of sequences; a micro-batch has at most
    /// `sequences`.
    pub fn new(net: &Transformer, length: usize, sequences: usize) -> Self {
        assert!(length > 0 && sequences > 0, "empty batches");
        let per_shard = (SHARD_ROWS / length).max(1);
        let size = per_shard.min(sequences) * length;
        let count = sequences.div_ceil(per_shard).min(MAX_SHARDS);
        let embedding_grads = Buffer::new(net.table.len());
        Self { length, size, shards: vec![Shard::new(net, size, length); count], embedding_grads }
    }

    /// The number of sequences in `shards` full shards.
    pub fn sequences(length: usize, shards: usize) -> usize {
        (SHARD_ROWS / length).max(1) * shards
    }

    /// Tokens of a full micro-batch: those that go through the network together.
    pub fn micro_batch(&self) -> usize {
        self.size * self.shards.len()
    }

    /// The loss of a batch. `inputs` holds sequences, one after the other; `targets` the next token after each, or
    /// [`IGNORE`]. // inputs, targets [sequences, length]
    pub fn loss(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], targets: &[u16]) -> Loss {
        let mut loss = self.check(inputs, targets);
        let (size, micro_batch) = (self.size, self.micro_batch());
        for (inputs, targets) in inputs.chunks(micro_batch).zip(targets.chunks(micro_batch)) {
            let shards = &mut self.shards;
            forward(&mut loss.sum, shards, [size, self.length], net, weights, inputs, targets, 0, 1.0);
        }
        loss
    }

    /// The most likely next token after each token of `inputs`; the first of equals. // inputs, out [sequences, length]
    pub fn likeliest(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], out: &mut [u16]) {
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        let (size, length) = (self.size, self.length);
        let micro_batch = self.micro_batch();
        for (inputs, out) in inputs.chunks(micro_batch).zip(out.chunks_mut(micro_batch)) {
            let batches = inputs.par_chunks(size).zip(out.par_chunks_mut(size));
            self.shards.par_iter_mut().zip(batches).with_max_len(1).for_each(|(shard, (inputs, out))| {
                shard.forward(net, weights, inputs, length);
                shard.likeliest(net, weights, out);
            });
        }
    }

    /// The loss of a batch, and in `grads`, which has the layout of the parameters, the gradient of its mean.
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
            self.add(net, weights, inputs, targets, 0, scale, grads, &mut loss);
        }
        self.finish(net, grads);
        loss
    }

    /// Begins gradient accumulation: any number of [`Trainer::add`], then [`Trainer::finish`]. With full
    /// micro-batches, the result has the bits of [`Trainer::gradient`].
    pub fn begin(&mut self, grads: &mut [f32]) {
        grads.par_chunks_mut(CHUNK).for_each(|chunk| chunk.fill(0.0));
        self.embedding_grads.par_chunks_mut(CHUNK).for_each(|chunk| chunk.fill(0.0));
    }

    /// Adds the gradient of the sum of the losses of some sequences, at most a micro-batch, times `scale` to `grads`,
    /// and their losses to `loss`. The first `uncounted` tokens contribute to the gradient but not to `loss`.
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
        let shards = &mut self.shards[..inputs.len().div_ceil(self.size)];
        let size = [self.size, self.length];
        forward(&mut loss.sum, shards, size, net, weights, inputs, targets, uncounted, scale);
        backward(shards, net, weights, grads, &mut self.embedding_grads);
    }

    /// Ends gradient accumulation.
    pub fn finish(&mut self, net: &Transformer, grads: &mut [f32]) {
        add_assign(&mut grads[net.table.clone()], &self.embedding_grads);
    }

    /// Checks the sizes of a batch, and counts its targets.
    fn check(&self, inputs: &[u16], targets: &[u16]) -> Loss {
        assert_eq!(inputs.len(), targets.len(), "not a target for each token");
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        Loss { sum: 0.0, count: count_targets(targets) }
    }
}

/// The number of targets that are not [`IGNORE`].
fn count_targets(targets: &[u16]) -> usize {
    targets.iter().filter(|target| **target != IGNORE).count()
}

/// Forward pass, loss and gradient at the logits of a micro-batch. Adds the losses to `total`, shard by shard, without
/// those of the first `uncounted` tokens.
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

/// Backward pass of a micro-batch: adds the gradients of all parameters to `grads`, except those of the embeddings as
/// inputs, which are added to `embedding_grads`.
fn backward(
    shards: &mut [Shard],
    net: &Transformer,
    weights: &Weights,
    grads: &mut [f32],
    embedding_grads: &mut [f32],
) {
    let width = net.shape.width;
    shards.par_iter_mut().with_max_len(1).for_each(|shard| shard.backward_head(net, weights));
    let d_tokens = &mut grads[net.tokens.range.clone()];
    add_matrix_gradient(d_tokens, net.tokens.outputs, shards, 0, |shard, _| {
        (&shard.d_logits, &shard.packed_final)
    });
    shards.iter().for_each(|shard| {
        add_assign(&mut grads[net.final_norm.range()], &shard.gradients.small_grads[..2 * width])
    });
    for (layer, block) in net.blocks.iter().enumerate().rev() {
        shards.par_iter_mut().with_max_len(1).for_each(|shard| shard.backward(net, weights, layer));
        let [qkv, mix, up, down] = block.dense().map(|dense| &dense.weight);
        let [d_qkv, d_mix, d_up, d_down] = grads
            .get_disjoint_mut([qkv, mix, up, down].map(|matrix| matrix.range.clone()))
            .expect("disjoint ranges");
        let all_shards = &*shards;
        // The large matrices first, so that the last tasks are small.
        rayon::join(
            || {
                add_matrix_gradient(d_up, MLP * width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].middle.y, &shard.gradients.packed[2])
                });
                add_matrix_gradient(d_mix, width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].mixed, &shard.gradients.packed[1])
                });
            },
            || {
                add_matrix_gradient(d_down, width, all_shards, layer, |shard, layer| {
                    (&shard.tapes[layer].activated, &shard.gradients.packed[3])
                });
                add_matrix_gradient(d_qkv, 3 * width, all_shards, layer, |shard, layer| {
                    (&shard.entries[layer].y, &shard.gradients.packed[0])
                });
            },
        );
        for shard in &mut *shards {
            block.add_small(grads, &shard.gradients.small_grads);
            shard.move_to_previous_block();
        }
    }
    for shard in shards {
        let (indices, dy) = (&shard.indices[..2 * shard.rows], &shard.gradients.end[..shard.rows * width]);
        embedding_bag_backward(embedding_grads, indices, 2, dy, width);
    }
}

/// Gives the input of a layer and the packed gradient at its output, for one shard.
type Operands = fn(&Shard, usize) -> (&[f32], &PackedMatrix);

/// Adds the gradient of one weight matrix, `xᵀ dy` summed over the rows of all shards in order.
/// // grads [inputs, outputs]
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
            add_weight_gradient(
                rows,
                Mat::part(&x[i * ROWS_PER_TASK..], shard.rows, rows.len() / outputs, inputs),
                dy,
            );
        }
    });
}
