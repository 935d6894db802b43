//! Ids of the lab's independent streams of random numbers (see `learnery_kernels::rng`). Taking more numbers from one
//! stream changes none of the others.

pub const WIRING: u32 = 0;
pub const INITIAL_STATES: u32 = 1;
pub const ACTIVE_CELLS: u32 = 2;
pub const PROOF: u32 = 3;
pub const STAGE: u32 = 4;
pub const EVALUATION: u32 = 5;
pub const INITIAL_LOGITS: u32 = 6;
pub const HARD_GATES: u32 = 7;
pub const LOCAL_SEARCH: u32 = 8;

/// Bits of a stream id that hold one of the constants above. For wiring and initial logits, which every restart makes
/// afresh, the higher bits hold the number of restarts.
pub const ID_BITS: u32 = 8;
