//! Ids of the lab's random-number streams: the second argument of `Stream::new`. Each use of randomness has a
//! counter-based stream of its own, so that drawing more numbers for one use never changes the numbers of
//! another. The ids determine the bits of every run and must not change.

use learnery_kernels::rng::Stream;

/// Initial parameters.
pub const INITIALISATION: u32 = 0;
/// Training batches.
pub const TRAINING: u32 = 1;
/// Held-out stories, the same for every seed.
pub const HELD_OUT: u32 = 2;
/// Stories that byte pair encoding and the order-3 baseline (a simple model that predicts each byte from the
/// three before it) are fitted to, the same for every seed.
pub const EXAMPLES: u32 = 3;
/// Which blocks of the user's text are held out, the same for every seed.
pub const SPLIT: u32 = 4;
/// Samples on the stage (the interactive part of the page).
pub const STAGE: u32 = 5;
/// Samples that are kept with the run.
pub const SAMPLES: u32 = 6;
/// Fresh problems and stories of the `eval` command, and text generated on request.
pub const EVALUATION: u32 = 7;
/// Where in a sequence of stories a training row begins.
pub const OFFSETS: u32 = 8;

/// The stream for sampling text outside of a run, by a command.
pub fn sampling_stream(seed: u32) -> Stream {
    Stream::new(seed, EVALUATION)
}
