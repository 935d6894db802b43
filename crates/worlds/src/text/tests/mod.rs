//! Tests of texts, tokenizers and baselines against slow reference implementations.

mod baselines;
mod corpus;
mod exercises;
mod stories;
mod tokens;
