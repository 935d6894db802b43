//! Backgammon: a learner of the value of positions.

mod lines;

pub use lines::plays;
