//! Cellular automata made of logic gates that learn which gates to be.

pub mod automaton;
pub mod circuit;
pub mod grid;
pub mod wiring;

#[cfg(test)]
mod tests;
