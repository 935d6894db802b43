//! Ids of the lab's random-number streams: the second argument of `Stream::new`. Each use of randomness has a
//! Philox stream of its own, so that drawing more numbers for one use never changes the numbers of another.
//! The ids determine the bits of every run and must not change.

/// Start states of the training worlds.
pub const STARTS: u32 = 1;
/// Sampling of actions during collection.
pub const ACTIONS: u32 = 2;
/// Order of the samples in each epoch.
pub const SHUFFLE: u32 = 3;
/// Initial weights of the actor.
pub const ACTOR: u32 = 4;
/// Initial weights of the critic.
pub const CRITIC: u32 = 5;
/// Start states of the evaluations during training.
pub const TRAINING_EVALUATION: u32 = 6;
/// Start states on the stage, the world apart from training that the user can push.
pub const STAGE: u32 = 7;
/// Start states of an evaluation of a finished network, `learnery eval`.
#[cfg(not(target_family = "wasm"))]
pub const FINAL_EVALUATION: u32 = 8;
/// Actions drawn at random, of `learnery world trace`.
#[cfg(not(target_family = "wasm"))]
pub const RANDOM_ACTIONS: u32 = 9;
