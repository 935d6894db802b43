//! What changes with every update on the device: random streams, lengths of walks, and when value iteration
//! copies its target network.

use learnery_gpu::Buffer;
use learnery_gpu::Gpu;

/// The parameters of an update. The device and the CPU draw the same random words from streams with the same
/// keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SamplingParameters {
    /// Keys of the streams of the walks, of the neighbours that distillation learns from, and of samples by
    /// residual.
    pub walk_key: [u32; 2],
    pub neighbour_key: [u32; 2],
    pub residual_key: [u32; 2],
    /// The number of the update's first walk (or scramble) in its stream, and the number of the update.
    pub first_walk: u64,
    pub update: u64,
    /// Turns of a walk. Each state of a walk is a sample; the last walk of a minibatch may be cut. For
    /// scrambles ([`super::IndexedTrainer`]) the most turns; only the last state is a sample.
    pub length: usize,
    /// Value iteration copies its target network after this many updates at the latest and at the earliest,
    /// and between them if the moving average of the loss is below `copy_below`.
    pub latest: u32,
    pub earliest: u32,
    pub copy_below: f32,
}

/// Words of `SamplingParameters` in `wgsl/sampling.wgsl`: 14 words of fields and two of padding.
pub(super) const SAMPLING_WORDS: usize = 16;

impl SamplingParameters {
    pub(super) fn write(&self, gpu: &Gpu, buffer: &Buffer) {
        let halves = |wide: u64| [wide as u32, (wide >> 32) as u32];
        let [first_walk, update] = [self.first_walk, self.update].map(halves);
        let pairs = [self.walk_key, self.neighbour_key, self.residual_key, first_walk, update];
        let single_words = [self.length as u32, self.latest, self.earliest, self.copy_below.to_bits()];
        let words: Vec<u32> = pairs.into_iter().flatten().chain(single_words).collect();
        gpu.write(buffer, 0, &words);
    }
}
