//! Ids of the lab's random-number streams: the second argument of `Stream::new`. Each use of randomness has a
//! stream of its own, so that drawing more numbers for one use never changes the numbers of another. The ids
//! determine the bits of every run and must not change.
//!
//! After a warm restart the afterstate learner's dice and minibatches have the run's seed plus the rounds
//! before the restart as their seed.

/// Dice of the afterstate learner's self-play, and its exploring plays.
pub const AFTERSTATE_DICE: u32 = 1;
/// Initial weights of the afterstate networks.
pub const AFTERSTATE_WEIGHTS: u32 = 2;
/// Minibatches of the afterstate learner.
pub const AFTERSTATE_BATCHES: u32 = 3;
/// Dice of the evaluation games during a run.
pub const TRAINING_EVALUATION: u32 = 4;
/// Dice of the stage (the board that the user watches or plays on).
pub const STAGE: u32 = 5;
/// Dice of an evaluation apart from a run (`learnery eval`).
pub const EVALUATION: u32 = 6;
// 7 to 10 are ids of `learnery-backgammon-play`.

/// Initial weights of AlphaZero's network.
pub const ALPHAZERO_WEIGHTS: u32 = 101;
/// Dice of AlphaZero's self-play.
pub const ALPHAZERO_DICE: u32 = 102;
/// Root noise and sampled dice rolls in AlphaZero's searches.
pub const ALPHAZERO_SEARCH: u32 = 103;
/// Sampling of AlphaZero's self-play plays from the search's visits.
pub const ALPHAZERO_PLAYS: u32 = 104;
/// Minibatches of AlphaZero.
pub const ALPHAZERO_BATCHES: u32 = 105;
/// Which turns of AlphaZero's self-play have a full search.
pub const ALPHAZERO_FULL_SEARCHES: u32 = 106;
