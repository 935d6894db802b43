//! Search in two-player zero-sum games with chance, for any [`Game`] and any [`Evaluator`].
//!
//! [`SearchBatch`] runs Monte Carlo tree search (PUCT, as in AlphaZero, with chance nodes) in many trees at once, so that the
//! evaluator gets large batches. [`Expectimax`] looks one or two plies ahead over all rolls. Neither knows a network. Values are
//! from the point of view of the side to move, between -1 and 1, and are defined at the beginning of turns only.

mod backgammon;
mod batch;
mod cache;
mod descent;
mod evaluator;
mod expectimax;
mod game;
mod options;
mod root;
mod tree;

pub use backgammon::{Backgammon, MAX_POINTS, Turn};
pub use batch::{Root, SearchBatch, SearchCounts};
pub use evaluator::{AfterstateEvaluator, Evaluator, PolicyRequest};
pub use expectimax::{Expectimax, Plies};
pub use game::Game;
pub use options::{Chance, Noise, Options};
