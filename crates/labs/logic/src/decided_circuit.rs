//! The decided circuit of a checkpoint as a netlist, for those who run it themselves.

use learnery_lab::{Checkpoint, LabError};

use crate::automaton::Network;
use crate::circuit::{Netlist, prune};
use crate::config::LogicConfig;
use crate::experiment::Experiment;
use crate::lab::Logic;

/// The circuit of one cell, in which every gate is its most likely kind, and what is needed to run it.
#[derive(Clone, Debug)]
pub struct DecidedCircuit {
    pub netlist: Netlist,
    /// What it was trained for, which says how large the grid was and whether its edges wrap around.
    pub experiment: Experiment,
    /// The probability that a cell updates in a step.
    pub fire_rate: f64,
}

impl DecidedCircuit {
    /// The circuit of a checkpoint: pruned, or with all of its gates if `full`.
    pub fn of_checkpoint(checkpoint: &Checkpoint, full: bool) -> Result<Self, LabError> {
        let config = checkpoint.settings::<Logic>()?;
        let network = Network::from_tensors(&config, &checkpoint.network())?;
        let LogicConfig { experiment, fire_rate, .. } = config;
        let whole = network.netlist();
        Ok(Self { netlist: if full { whole } else { prune(&whole) }, experiment, fire_rate })
    }
}
