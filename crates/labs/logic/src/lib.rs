//! Differentiable logic cellular automata: cells made of logic gates that learn which gates to be (Miotti,
//! Niklasson, Randazzo and Mordvintsev, "Differentiable logic cellular automata", 2025).
//!
//! A *unit* of a run is one training iteration: some epochs, each one update of all gates, then an evaluation
//! where it is due.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod about;
mod automaton;
mod circuit;
mod config;
mod decided_circuit;
mod experiment;
mod export;
#[cfg(feature = "gpu")]
pub mod gpu;
mod lab;
mod proof;
mod purpose;
mod stage;
mod tools;
mod training;
mod view;

#[cfg(test)]
mod test_circuits;

pub use automaton::CellCircuits;
pub use circuit::{Gate, GateKind, HardAutomaton, Netlist, prune};
pub use config::{InitialKernels, LogicConfig, Parameters};
pub use decided_circuit::DecidedCircuit;
pub use experiment::Experiment;
pub use export::{Format, LogicExport};
pub use lab::Logic;
pub use tools::{Evaluate, EvaluationInput, Export, ExportInput};
pub use view::{LogicCommand, LogicView};
