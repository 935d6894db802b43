//! AlphaZero with chance nodes (Silver et al., "A general reinforcement learning algorithm that masters chess, shogi
//! and Go through self-play", 2018): a network learns policy and value from tree searches that it guides itself.

mod learner;
mod network;
mod optimiser;
mod policy;
mod replay;
mod sample;
mod self_play;
mod self_play_counts;
mod settings;

pub use learner::AlphaZeroLearner;
#[cfg(test)]
use network::encode_before_roll;
pub use network::{LOGITS_PER_POINT, Network, NetworkEvaluator, Scratch, encode_turn, policy_head};
#[cfg(test)]
use self_play::search_index;
pub use self_play_counts::SelfPlayCounts;
pub use settings::AlphaZeroSettings;

#[cfg(test)]
mod tests;
