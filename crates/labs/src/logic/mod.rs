//! Cellular automata made of logic gates that learn which gates to be.

pub mod automaton;
pub mod circuit;
pub mod config;
pub mod experiment;
pub mod grid;
pub mod hard;
pub mod trainer;
pub mod view;
pub mod wiring;

#[cfg(test)]
mod tests;
