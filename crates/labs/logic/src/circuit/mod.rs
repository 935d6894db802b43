//! Hard circuits, in which every gate is of one kind: netlists, their reduction, and their bit-parallel
//! execution. This module does not depend on how the gates were learned.

mod and_xor_graph;
mod bit_planes;
mod compile;
mod diagram;
mod equivalence;
mod gate;
mod hard_automaton;
mod life_table;
mod netlist;
mod node;
mod prune;
mod trim;

#[cfg(test)]
mod tests;

pub use diagram::{CircuitDiagram, LogicCircuit, LogicLit};
pub use gate::{Gate, GateKind};
pub use hard_automaton::HardAutomaton;
pub use netlist::{CENTRE, NEIGHBOURHOOD, Netlist, input_wire};
pub use prune::prune;

#[cfg(test)]
pub use equivalence::counting_pattern;
#[cfg(test)]
pub use prune::drop_hidden_channels;
