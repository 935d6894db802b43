//! Losses and gradients of whole batches, on however many threads there are.
//!
//! A batch goes through in *waves* of a few *slots*, each some 256 rows. Threads share out the slots, which own all that
//! is kept of their sequences, and then, block by block on the way back, the matrices: each thread has some rows of a
//! gradient for itself and sums over all slots in their order. So no gradient exists twice, what is kept does not grow
//! with the batch, and the number of threads changes no bit.

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

/// About how many rows a slot has.
const SLOT: usize = 256;

/// The most slots of a wave.
const WAVE: usize = 8;

/// Rows of a matrix whose gradient one thread makes at a time.
const SHARE: usize = 64;

/// Gradients that one thread clears at a time.
const STRETCH: usize = 1 << 16;

/// What a batch cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The cross-entropies of all tokens that count, in natural units.
    pub sum: f64,
    /// How many they are.
    pub count: usize,
}

impl Loss {
    /// For each token that counts; zero where there is none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// What training works in; made once for batches of any size.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// Tokens of a sequence, and of a full slot.
    length: usize,
    size: usize,
    slots: Vec<Shard>,
    /// What a batch's lookups come to. Kept apart from what the head gives to the same table, so that how a batch is cut
    /// into waves changes no sum. // [vocabulary + context, width]
    of_lookup: Buffer,
}

impl Trainer {
    /// For sequences of `length` tokens. Batches may have any number of them; room is made for what `sequences` need.
    pub fn new(net: &Transformer, length: usize, sequences: usize) -> Self {
        assert!(length > 0 && sequences > 0, "batches of nothing");
        let each = (SLOT / length).max(1);
        let size = each.min(sequences) * length;
        let count = sequences.div_ceil(each).min(WAVE);
        let of_lookup = Buffer::new(net.table.len());
        Self { length, size, slots: vec![Shard::new(net, size, length); count], of_lookup }
    }

    /// Sequences that `slots` threads are busy with at a time, each with one slot.
    pub fn sequences(length: usize, slots: usize) -> usize {
        (SLOT / length).max(1) * slots
    }

    /// Tokens of a full wave: what goes through in one go.
    pub fn micro_batch(&self) -> usize {
        self.size * self.slots.len()
    }

    /// The loss of a batch: `inputs` holds sequences, one after the other, and `targets` what should follow each token,
    /// or [`IGNORE`].
    pub fn loss(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], targets: &[u16]) -> Loss {
        let mut loss = self.check(inputs, targets);
        let (size, wave) = (self.size, self.micro_batch());
        for (inputs, targets) in inputs.chunks(wave).zip(targets.chunks(wave)) {
            let slots = &mut self.slots;
            forward(&mut loss.sum, slots, [size, self.length], net, weights, inputs, targets, 0, 1.0);
        }
        loss
    }

    /// The token that the network holds likeliest after each of the sequences in `inputs`; of equally likely ones the first.
    pub fn likeliest(&mut self, net: &Transformer, weights: &Weights, inputs: &[u16], out: &mut [u16]) {
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        let (size, length) = (self.size, self.length);
        let wave = self.micro_batch();
        for (inputs, out) in inputs.chunks(wave).zip(out.chunks_mut(wave)) {
            let batches = inputs.par_chunks(size).zip(out.par_chunks_mut(size));
            self.slots.par_iter_mut().zip(batches).with_max_len(1).for_each(|(slot, (inputs, out))| {
                slot.forward(net, weights, inputs, length);
                slot.likeliest(net, weights, out);
            });
        }
    }

    /// The loss of a batch, and in `grads`, laid out like the parameters, the gradient of its mean.
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
        let wave = self.micro_batch();
        for (inputs, targets) in inputs.chunks(wave).zip(targets.chunks(wave)) {
            self.add(net, weights, inputs, targets, 0, scale, grads, &mut loss);
        }
        self.finish(net, grads);
        loss
    }

    /// Begins a gradient that is made piece by piece: any number of [`Trainer::add`], then [`Trainer::finish`]. Pieces of
    /// whole waves give the bits of [`Trainer::gradient`].
    pub fn begin(&mut self, grads: &mut [f32]) {
        grads.par_chunks_mut(STRETCH).for_each(|stretch| stretch.fill(0.0));
        self.of_lookup.par_chunks_mut(STRETCH).for_each(|stretch| stretch.fill(0.0));
    }

    /// Adds the gradient of some sequences, at most a wave, to `grads`: that of the sum of their losses, times `scale`; and
    /// what they cost to `loss`, the first `uncounted` tokens left out.
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
        loss.count += said(&targets[uncounted..]);
        assert!(
            inputs.len() <= self.micro_batch(),
            "{} tokens in a wave of {}",
            inputs.len(),
            self.micro_batch()
        );
        let slots = &mut self.slots[..inputs.len().div_ceil(self.size)];
        let size = [self.size, self.length];
        forward(&mut loss.sum, slots, size, net, weights, inputs, targets, uncounted, scale);
        backward(slots, net, weights, grads, &mut self.of_lookup);
    }

    /// Ends a gradient that was made piece by piece.
    pub fn finish(&mut self, net: &Transformer, grads: &mut [f32]) {
        add_assign(&mut grads[net.table.clone()], &self.of_lookup);
    }

    /// Checks a batch, and counts the targets that say something.
    fn check(&self, inputs: &[u16], targets: &[u16]) -> Loss {
        assert_eq!(inputs.len(), targets.len(), "not a target for each token");
        assert!(inputs.len().is_multiple_of(self.length), "not whole sequences of {}", self.length);
        Loss { sum: 0.0, count: said(targets) }
    }
}

/// How many targets say something.
fn said(targets: &[u16]) -> usize {
    targets.iter().filter(|target| **target != IGNORE).count()
}

/// Runs a wave, and adds its losses to `total`, slot by slot, but for those of the first `uncounted` tokens.
fn forward(
    total: &mut f64,
    slots: &mut [Shard],
    [size, length]: [usize; 2],
    net: &Transformer,
    weights: &Weights,
    inputs: &[u16],
    targets: &[u16],
    uncounted: usize,
    scale: f32,
) {
    let mut sums = [0.0; WAVE];
    let batches = inputs.par_chunks(size).zip(targets.par_chunks(size));
    let work = slots.par_iter_mut().zip(&mut sums).zip(batches).with_max_len(1).enumerate();
    work.for_each(|(i, ((slot, sum), (inputs, targets)))| {
        slot.forward(net, weights, inputs, length);
        *sum = slot.judge(net, weights, targets, uncounted.saturating_sub(i * size), scale);
    });
    sums.iter().for_each(|sum| *total += sum);
}

/// Adds the gradients of a wave; those at the lookup go into `of_lookup`.
fn backward(
    slots: &mut [Shard],
    net: &Transformer,
    weights: &Weights,
    grads: &mut [f32],
    of_lookup: &mut [f32],
) {
    let width = net.shape.width;
    slots.par_iter_mut().with_max_len(1).for_each(|slot| slot.backward_head(net, weights));
    let of_tokens = &mut grads[net.tokens.range.clone()];
    matrix(of_tokens, net.tokens.outputs, slots, 0, |slot, _| (&slot.of_logits, &slot.packed_end));
    slots.iter().for_each(|slot| add_assign(&mut grads[net.end.range()], &slot.back.small[..2 * width]));
    for (layer, block) in net.blocks.iter().enumerate().rev() {
        slots.par_iter_mut().with_max_len(1).for_each(|slot| slot.backward(net, weights, layer));
        let [qkv, mix, up, down] = block.dense().map(|dense| &dense.weight);
        let [of_qkv, of_mix, of_up, of_down] = grads
            .get_disjoint_mut([qkv, mix, up, down].map(|matrix| matrix.range.clone()))
            .expect("matrices that lie apart");
        let slots_now = &*slots;
        // The large ones first, so that what is left at the end is small.
        rayon::join(
            || {
                matrix(of_up, MLP * width, slots_now, layer, |slot, layer| {
                    (&slot.kept[layer].middle.y, &slot.back.packed[2])
                });
                matrix(of_mix, width, slots_now, layer, |slot, layer| {
                    (&slot.kept[layer].mixed, &slot.back.packed[1])
                });
            },
            || {
                matrix(of_down, width, slots_now, layer, |slot, layer| {
                    (&slot.kept[layer].after, &slot.back.packed[3])
                });
                matrix(of_qkv, 3 * width, slots_now, layer, |slot, layer| {
                    (&slot.entries[layer].y, &slot.back.packed[0])
                });
            },
        );
        for slot in &mut *slots {
            block.add_small(grads, &slot.back.small);
            slot.step_back();
        }
    }
    for slot in slots {
        let (ones, dy) = (&slot.ones[..2 * slot.rows], &slot.back.end[..slot.rows * width]);
        embedding_bag_backward(of_lookup, ones, 2, dy, width);
    }
}

/// What went into a layer, and the gradient at what came out.
type Factors = fn(&Shard, usize) -> (&[f32], &PackedMatrix);

/// Adds the gradient of one matrix of so many `outputs`, `xᵀ dy` over the rows of all slots.
fn matrix(grads: &mut [f32], outputs: usize, slots: &[Shard], layer: usize, factors: Factors) {
    let inputs = grads.len() / outputs;
    let shares = grads.par_chunks_mut(SHARE * outputs).with_max_len(1);
    shares.enumerate().for_each(|(i, share)| {
        for slot in slots {
            let (x, dy) = factors(slot, layer);
            add_weight_gradient(
                share,
                Mat::part(&x[i * SHARE..], slot.rows, share.len() / outputs, inputs),
                dy,
            );
        }
    });
}
