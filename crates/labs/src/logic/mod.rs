//! Cellular automata made of logic gates that learn which gates to be.

pub mod alike;
pub mod automaton;
pub mod circuit;
pub mod config;
pub mod drawing;
pub mod experiment;
pub mod export;
pub mod graph;
pub mod grid;
pub mod hard;
pub mod netlist;
pub mod planes;
pub mod program;
pub mod prune;
pub mod trainer;
pub mod view;
pub mod wiring;

#[cfg(test)]
mod hard_tests;
#[cfg(test)]
mod tests;
