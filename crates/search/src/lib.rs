//! Search in two-player zero-sum games with chance, for any [`Game`] and any [`Evaluator`].
//!
//! [`SearchBatch`] runs Monte Carlo tree search (PUCT, as in AlphaZero, with chance nodes) in many trees at
//! once, so that the evaluator gets large batches. [`Expectimax`] looks one or two plies ahead over all
//! rolls. Neither search depends on a network.
//!
//! A *play* is a whole turn of one side, a *state* is a position at the beginning of a turn, after the roll.
//! All values are between -1 (the largest loss) and 1 (the largest win). The value of a state is for the side
//! to move, the value of a play for the side that played. Both are defined between turns only, never inside a
//! turn.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod batch;
mod cache;
mod descent;
mod evaluator;
mod expectimax;
mod game;
mod options;
mod requests;
mod result;
mod root;
mod tree;

pub use batch::{SearchBatch, SearchCounts};
pub use evaluator::{AfterstateEvaluator, Evaluator, PolicyRequest};
pub use expectimax::{Expectimax, Plies};
pub use game::Game;
pub use options::{Chance, Noise, Options};
pub use result::Root;
