//! What the lab can do with a trained network beside learning: solve one cube.

mod input;
mod solve;
mod solving;

pub use input::{CountedTurns, GivenBy, SolveInput};
pub use solve::{Shortest, Solution, Solve, SolveEvent, SolveOutput};
