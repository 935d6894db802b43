//! Purposes: the ids of the lab's independent streams of random numbers (see `learnery_kernels::rng`). Each
//! use of random numbers has a stream of its own. Taking more numbers from one stream changes none of the
//! others.

/// Initial weights.
pub const NETWORK: u32 = 1;
/// The scrambles that value iteration, EfficientCube and CayleyPy learn from.
pub const SCRAMBLES: u32 = 2;
/// The scrambles that the attempts of deep Q-learning start from.
pub const EPISODES: u32 = 3;
/// The random turns of these attempts.
pub const EXPLORATION: u32 = 4;
/// Which transitions deep Q-learning draws from its replay buffer.
pub const REPLAY_SAMPLES: u32 = 5;
/// The scrambles of its supervised pretraining.
pub const PRETRAINING: u32 = 6;
/// The stage, which is the cube that the user of the page sees and turns.
pub const STAGE: u32 = 7;
/// The states that evaluations search from.
pub const EVALUATION: u32 = 8;
/// Which states value iteration draws by their Bellman residual.
pub const RESIDUAL_SAMPLES: u32 = 9;
/// The neighbours that distillation learns from. (Distillation: a second network learns what the first one
/// predicts for the neighbours of a state, which are the states one turn away.)
pub const NEIGHBOURS: u32 = 10;
/// The scrambles whose predicted lengths the page shows.
pub const PREDICTED_SCRAMBLES: u32 = 11;
