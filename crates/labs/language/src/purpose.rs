//! What random numbers are drawn for. Each purpose has a counter-based stream of its own, so that drawing for one never
//! shifts another. The values are part of a run's bits and must not change.

use learnery_kernels::rng::Stream;

/// Initial parameters.
pub const INITIALISATION: u32 = 0;
/// Training batches.
pub const TRAINING: u32 = 1;
/// Held-out stories, the same for every seed.
pub const HELD_OUT: u32 = 2;
/// Stories that tokens are learned from and the order-3 baseline is fitted to, the same for every seed.
pub const EXAMPLES: u32 = 3;
/// Which blocks of the visitor's text are held out, the same for every seed.
pub const SPLIT: u32 = 4;
/// Samples on the stage.
pub const STAGE: u32 = 5;
/// Samples that are kept with the run.
pub const SAMPLES: u32 = 6;
/// Fresh problems and stories of the `eval` command, and text generated on request.
pub const EVALUATION: u32 = 7;
/// Where in a sequence of stories a training row begins.
pub const OFFSETS: u32 = 8;

/// The stream that text is sampled from outside of a run, on request.
pub fn sampling_stream(seed: u32) -> Stream {
    Stream::new(seed, EVALUATION)
}
