//! The purposes random numbers are drawn for. Each has its own stream of the run's seed, so that drawing more for one
//! purpose changes nothing for the others.

pub const WIRING: u32 = 0;
pub const INITIAL_STATES: u32 = 1;
pub const ACTIVE_CELLS: u32 = 2;
pub const PROOF: u32 = 3;
pub const STAGE: u32 = 4;
pub const EVALUATION: u32 = 5;
pub const INITIAL_LOGITS: u32 = 6;
pub const DECIDED_GATES: u32 = 7;
pub const LOCAL_SEARCH: u32 = 8;

/// The purpose takes the lowest bits of a stream's number. The bits above hold the attempt, for those purposes that draw
/// again after a restart.
pub const BITS: u32 = 8;
