//! Purposes: the ids of the lab's independent streams of random numbers (see `learnery_kernels::rng`). Each
//! use of random numbers has a stream of its own. Taking more numbers from one stream changes none of the
//! others.

pub const WIRING: u32 = 0;
pub const INITIAL_STATES: u32 = 1;
pub const ACTIVE_CELLS: u32 = 2;
pub const PROOF: u32 = 3;
/// The stage, which is what the user of the page sees and touches.
pub const STAGE: u32 = 4;
pub const EVALUATION: u32 = 5;
pub const INITIAL_LOGITS: u32 = 6;
/// Which gates are replaced by their most likely kind in an epoch of training.
pub const HARD_GATES: u32 = 7;
pub const LOCAL_SEARCH: u32 = 8;

/// Number of low bits of a stream id that hold one of the constants above. Every restart of a run draws a new
/// wiring and new initial logits; for these two, the higher bits hold the number of restarts.
pub const ID_BITS: u32 = 8;
