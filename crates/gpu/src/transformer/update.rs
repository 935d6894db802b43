//! The numbers of one update, which the kernels read from a small buffer.

use crate::buffer::Buffer;
use crate::device::Gpu;

/// The fields of `Update` in `wgsl/update.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Update {
    /// The derivative of the mean loss with respect to each counted row's loss: 1 / the number of targets.
    pub gradient_scale: f32,
    /// The first rows of the batch, which have a gradient but whose losses are not counted in the figures.
    pub uncounted: u32,
    /// The place of the update's loss and norm in the figures of the unit.
    pub slot: u32,
    /// The learning rate of Adam, and that of Muon.
    pub learning_rate: f32,
    pub muon_rate: f32,
    /// The gradient is scaled down to this norm.
    pub max_norm: f32,
    /// Adam's decay rates, and what it adds to the root of the second moment.
    pub betas: (f32, f32),
    pub epsilon: f32,
    /// The decay rate of Muon's momentum, and the weight decay of its matrices.
    pub momentum: f32,
    pub muon_decay: f32,
}

/// The words of an update on the device.
pub const WORDS: usize = 12;

impl Update {
    /// Writes the numbers to the device, for a part of the batch that begins at row `first_row`.
    pub fn write(&self, gpu: &Gpu, buffer: &Buffer, first_row: usize) {
        let uncounted = self.uncounted.saturating_sub(first_row as u32);
        let words: [u32; WORDS] = [
            self.gradient_scale.to_bits(),
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
            0,
        ];
        gpu.write(buffer, 0, &words);
    }
}
