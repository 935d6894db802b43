//! TD(lambda) on afterstates (Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//!
//! An afterstate is the position that a play leads to, before the opponent rolls. Self-play makes positions
//! with lambda returns as targets, a replay buffer keeps the latest positions, and minibatches from the
//! buffer train the networks.

mod body;
mod expert;
mod features;
mod learner;
mod network;
mod optimiser;
mod replay;
mod self_play;

pub use crate::config::Inputs;
#[cfg(not(target_family = "wasm"))]
pub use features::RAW_INPUTS;
pub use learner::{AfterstateLearner, Counters, Phase};
pub use network::{Network, NetworkShape, Scratch};
