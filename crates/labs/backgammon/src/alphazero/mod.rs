//! AlphaZero with chance nodes (Silver et al., "A general reinforcement learning algorithm that masters
//! chess, shogi and Go through self-play", 2018): a network learns policy and value from tree searches that
//! it guides itself.

mod fleet;
#[cfg(feature = "gpu")]
mod gpu;
mod learner;
mod network;
mod optimiser;
mod policy;
mod replay;
mod sample;
mod self_play;
mod self_play_counts;
mod settings;
mod table;
mod turns;

pub use fleet::SelfPlayActor;
#[cfg(feature = "gpu")]
pub use gpu::resnet;
pub use learner::AlphaZeroLearner;
pub use network::{Network, NetworkEvaluator, Scratch, embedding_size, encode_turn, policy_head};
pub use self_play_counts::SelfPlayCounts;
pub use settings::AlphaZeroSettings;

#[cfg(test)]
mod tests;
