//! The differentiable cellular automaton: the wiring and parameters of a cell's circuits, the forward pass
//! with soft gates (mixtures of the sixteen gate kinds), and backpropagation through the automaton's steps.

mod backward;
mod cell;
mod grid;
mod layers;
mod network;
mod soft_automaton;
mod tile;
mod wiring;

#[cfg(test)]
mod tests;

pub use backward::Backward;
pub use cell::CellCircuits;
pub use grid::Grids;
pub use network::{Network, target_by_channel};
pub use soft_automaton::SoftAutomaton;
