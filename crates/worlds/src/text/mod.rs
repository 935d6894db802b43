//! Training text for language models: exercises with exact answers, stories from a grammar of known entropy,
//! or a corpus that the user provides. Also tokenizers, and compression methods as baselines.

mod answers;
pub mod baselines;
mod byte_pairs;
mod corpus;
mod exercises;
pub mod stories;
mod task;
mod tokens;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use corpus::{Corpus, MAX_BYTES, MIN_BYTES, Passages};
pub use exercises::{Exercise, Problem, Split};
pub use task::Task;
pub use tokens::{MAX_TOKENS, Tokenizer};

/// Why a corpus or a question is invalid: one sentence for the user who provided it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);
