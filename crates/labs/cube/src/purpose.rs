//! Ids of the lab's independent streams of random numbers (see `learnery_kernels::rng`). Taking more numbers from one
//! stream changes none of the others.

pub const NETWORK: u32 = 1;
pub const SCRAMBLES: u32 = 2;
pub const EPISODES: u32 = 3;
pub const EXPLORATION: u32 = 4;
pub const REPLAY_SAMPLES: u32 = 5;
pub const PRETRAINING: u32 = 6;
pub const STAGE: u32 = 7;
pub const EVALUATION: u32 = 8;
pub const RESIDUAL_SAMPLES: u32 = 9;
