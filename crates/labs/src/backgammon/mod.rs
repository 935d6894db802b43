//! Backgammon: a learner of the value of positions.

pub mod az;
mod lines;

pub use lines::plays;
