//! Texts held to what can be known of them by slower ways.

mod baselines;
mod corpus;
mod stories;
mod tasks;
mod tokens;
