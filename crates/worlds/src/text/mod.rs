//! Text to learn from: exercises with exact answers, stories whose entropy is known, or what a person brings; the tokens
//! it is cut into, and what compressors make of it.

mod answers;
pub mod baselines;
mod corpus;
mod pairs;
mod pieces;
pub mod stories;
mod tasks;
mod tokens;

#[cfg(test)]
mod tests;

pub use corpus::{Corpus, LEAST_BYTES, MOST_BYTES, Passages};
pub use tasks::{Exercise, Problem, Split, Task};
pub use tokens::{MOST_TOKENS, Tokenizer};

/// Why a text cannot be learned from, or a question not be asked: one sentence for the person who brought it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);
