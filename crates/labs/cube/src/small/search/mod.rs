//! Solving cubes with a trained network: greedily or by beam search.

pub mod beam;
pub mod sample;
pub mod solver;
