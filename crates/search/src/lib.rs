//! Search in games of two sides and chance, for any game and any evaluator.
//!
//! [`Batch`] grows many trees at once, so that the evaluator gets what they all want to know in one go
//! ([`Evaluator`]); [`Expectation`] looks one or two turns ahead over every roll, with values of what a turn leaves
//! behind. Neither knows a network. A position's value belongs to the side that is to move there, and is read only
//! where a turn begins.

mod backgammon;
mod batch;
mod cache;
mod descent;
mod evaluator;
mod expectation;
mod game;
mod options;
mod root;
mod tree;

pub use backgammon::{Backgammon, MAX_POINTS, Turn};
pub use batch::{Root, SearchBatch, SearchCounts};
pub use evaluator::{AfterstateEvaluator, Evaluator, PolicyRequest};
pub use expectation::{Expectimax, Plies};
pub use game::Game;
pub use options::{Chance, Noise, Options};
