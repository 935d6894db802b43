//! Solving cubes with a trained network: greedily or by beam search, one cube ([`solver`]) or a random sample
//! ([`sample`]).

pub mod beam;
pub mod sample;
pub mod solver;
