//! TD(lambda) on afterstates (Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//!
//! An afterstate is the position that a play leaves. Self-play makes positions with lambda returns as targets, a replay
//! buffer keeps the latest, and minibatches from it train the networks.

mod features;
mod learner;
mod network;
mod optimiser;
mod replay;
mod self_play;

pub use learner::{AfterstateLearner, Phase};
pub use network::{Network, NetworkShape, Scratch};
