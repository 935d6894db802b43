//! Tests of texts, tokenizers and baselines against slow reference implementations.

mod baselines;
mod corpus;
mod stories;
mod tasks;
mod tokens;
