//! The numbers of one update of a network's weights, which the kernels read from a small buffer, and the
//! factor by which the loss is scaled in f16. Learners other than transformers leave unused fields at zero.

use learnery_nn::Precision;

use crate::buffer::Buffer;
use crate::device::Gpu;

/// The fields of `Update` in `wgsl/update.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Update {
    /// The derivative of the mean loss with respect to the loss of each row (token), counted or not: 1 / the
    /// number of targets.
    pub gradient_scale: f32,
    /// How many rows at the start of the batch are learned from like the others, but left out of the loss in
    /// the metrics: those of texts that repeat themselves, whose loss would not be comparable.
    pub uncounted: u32,
    /// The place of the update's loss and norm in the metrics of the unit.
    pub slot: u32,
    /// The learning rate of Adam.
    pub learning_rate: f32,
    /// The learning rate of Muon.
    pub muon_rate: f32,
    /// The gradient is scaled down to this norm.
    pub max_norm: f32,
    /// Adam's decay rates of the first and of the second moment.
    pub betas: (f32, f32),
    /// What Adam adds to the root of the second moment.
    pub epsilon: f32,
    /// The decay rate of Muon's momentum.
    pub momentum: f32,
    /// The weight decay of Muon's matrices.
    pub muon_decay: f32,
}

/// In f16, the loss is scaled so that the gradient at the logit of a confident but wrong answer lies between
/// this and twice as much. Half precision reaches from 6e-8 to 65504. So there is a factor of 2000 for
/// gradients that grow on their way back (a norm divides them by the deviation of its input, which begins
/// small), and probabilities down to 4e-9 still have a gradient.
const HALF_GRADIENT: f32 = 16.0;

/// The words of an update on the device.
pub const WORDS: usize = 12;

impl Update {
    /// The factor of the loss, and so of the gradient until the optimiser divides by it: 1 in f32. In f16,
    /// where small gradients would become zero, it is a power of two, which changes no bit of their
    /// significands.
    pub fn loss_scale(&self, precision: Precision) -> f32 {
        let scale = self.gradient_scale;
        if precision == Precision::F32 || !scale.is_normal() {
            return 1.0;
        }
        // Both are rounded down to a power of two and divided: their exponents are subtracted. `min` only
        // keeps the bits valid, because a batch of 2^56 targets does not exist. In the bits of an f32, 23
        // bits of fraction follow the exponent, which is stored plus 127.
        let exponent = |x: f32| x.to_bits() >> 23;
        let power = exponent(HALF_GRADIENT).saturating_sub(exponent(scale)).min(60);
        f32::from_bits((127 + power) << 23)
    }

    /// Writes the numbers to the device, for a part of the batch that begins at row `first_row`, with the
    /// loss scale of `precision`.
    pub fn write(&self, gpu: &Gpu, buffer: &Buffer, first_row: usize, precision: Precision) {
        let loss_scale = self.loss_scale(precision);
        let uncounted = self.uncounted.saturating_sub(first_row as u32);
        let words: [u32; WORDS] = [
            (self.gradient_scale * loss_scale).to_bits(),
            uncounted,
            self.slot,
            self.learning_rate.to_bits(),
            self.muon_rate.to_bits(),
            self.max_norm.to_bits(),
            self.betas.0.to_bits(),
            self.betas.1.to_bits(),
            self.epsilon.to_bits(),
            self.momentum.to_bits(),
            self.muon_decay.to_bits(),
            (1.0 / loss_scale).to_bits(),
        ];
        gpu.write(buffer, 0, &words);
    }
}
