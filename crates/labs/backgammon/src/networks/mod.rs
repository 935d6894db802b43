//! The networks of both learners as evaluators for players, rollouts and analyses.

mod reference;
mod trained;

pub use reference::{NetworkRef, Scratch};
pub use trained::TrainedNetwork;
