//! The numbers of one unit (a training iteration), which the kernels read from a small buffer.

use learnery_gpu::Buffer;
use learnery_gpu::Gpu;

use super::evaluation::EvaluationStart;

/// The most components of an observation of any world.
pub const MAX_INPUTS: usize = 32;

/// Words of `Unit` in `wgsl/ppo_unit.wgsl`: integers and floats, then the normaliser.
pub(super) const WORDS: usize = NORMALISER_WORD + 1 + 2 * MAX_INPUTS;
/// The index of the first word of the normaliser: the limit, then shift and scale.
const NORMALISER_WORD: usize = 28;
/// The index of the word with the seed, and of the first word of the index of an evaluation's first world.
const SEED_WORD: usize = 2;
const EVALUATION_WORD: usize = 26;

/// What a unit does. `Unit` in `wgsl/ppo_unit.wgsl` has these numbers, and the number of worlds and steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unit {
    pub seed: u32,
    /// Steps of a world since the run began.
    pub clock: u64,
    /// The number of the unit's first shuffle; its epochs have this one and those after it. A multiple of 64.
    pub shuffle: u64,
    /// Epochs, at least one, and minibatches of each: at least one, at most as many as samples.
    pub epochs: u32,
    pub minibatches: u32,
    pub normalise_advantages: bool,
    pub learning_rate: f32,
    /// The gradient is scaled down to this norm.
    pub max_norm: f32,
    pub clip: f32,
    /// 0 for an unclipped value loss.
    pub value_clip: f32,
    /// 0 for no limit of the KL divergence.
    pub target_kl: f32,
    pub entropy_weight: f32,
    pub value_weight: f32,
    pub gamma: f32,
    pub lambda: f32,
    pub reward_scale: f32,
    /// Weight of the shaping reward; 0 for none.
    pub shaping: f32,
    /// Of the discounted returns of all steps so far: their number, mean, and sum of squared deviations from
    /// it. Only worlds of the user's own have them.
    pub discounted: [f32; 3],
    /// How observations are normalised; `None` leaves them as they are.
    pub normaliser: Option<Normaliser>,
}

/// Observations become `(x - shift) * scale`, clamped to plus or minus `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normaliser {
    pub limit: f32,
    pub shift: [f32; MAX_INPUTS],
    pub scale: [f32; MAX_INPUTS],
}

impl Normaliser {
    /// Changes nothing.
    const NONE: Self = Self { limit: f32::MAX, shift: [0.0; MAX_INPUTS], scale: [1.0; MAX_INPUTS] };

    /// The numbers as `Unit` has them.
    fn floats(self) -> impl Iterator<Item = f32> {
        [self.limit].into_iter().chain(self.shift).chain(self.scale)
    }
}

/// Writes the numbers of an evaluation over those of the unit on the device.
pub(super) fn write_evaluation(gpu: &Gpu, buffer: &Buffer, start: &EvaluationStart) {
    let floats: Vec<f32> = start.normaliser.unwrap_or(Normaliser::NONE).floats().collect();
    gpu.write(buffer, NORMALISER_WORD, &floats);
    gpu.write(buffer, SEED_WORD, &[start.seed]);
    gpu.write(buffer, EVALUATION_WORD, &[start.first as u32, (start.first >> 32) as u32]);
}

impl Unit {
    /// Writes the numbers to the device, for this many worlds and steps.
    pub(super) fn write(&self, gpu: &Gpu, buffer: &Buffer, worlds: usize, horizon: usize) {
        let [rows, columns] = shuffle_shape(worlds * horizon);
        let normaliser = self.normaliser.unwrap_or(Normaliser::NONE);
        // 64-bit numbers take two words, the low one first.
        let mut words = vec![
            worlds as u32,
            horizon as u32,
            self.seed,
            self.clock as u32,
            (self.clock >> 32) as u32,
            self.shuffle as u32,
            (self.shuffle >> 32) as u32,
            rows,
            columns,
            self.epochs,
            self.minibatches,
            u32::from(self.normalise_advantages),
        ];
        let floats = [
            self.learning_rate,
            self.max_norm,
            self.clip,
            self.value_clip,
            self.target_kl,
            self.entropy_weight,
            self.value_weight,
            self.gamma,
            self.lambda,
            self.reward_scale,
            self.shaping,
        ];
        words.extend(floats.into_iter().chain(self.discounted).map(f32::to_bits));
        // An evaluation writes its first world.
        words.extend([0, 0]);
        words.extend(normaliser.floats().map(f32::to_bits));
        assert_eq!(words.len(), WORDS, "the words of `Unit`");
        gpu.write(buffer, 0, &words);
    }
}

/// Rows and columns whose product is at least `samples` and exceeds it by less than a row, about as many of
/// both, see `wgsl/shuffle.wgsl`.
fn shuffle_shape(samples: usize) -> [u32; 2] {
    let columns = samples.isqrt().next_power_of_two();
    [samples.div_ceil(columns) as u32, columns as u32]
}
