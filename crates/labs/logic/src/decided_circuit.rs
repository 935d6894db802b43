//! The hard circuit of a checkpoint as a netlist, for programs that run it themselves, such as the Python
//! package. "Decided" means hard: every gate is its most likely kind.

use learnery_lab::{Checkpoint, LabError};

use crate::automaton::Network;
use crate::circuit::{Netlist, prune};
use crate::config::LogicConfig;
use crate::experiment::Experiment;
use crate::lab::Logic;

/// The hard circuit of one cell, and what is needed to run it.
#[derive(Clone, Debug)]
pub struct DecidedCircuit {
    pub netlist: Netlist,
    /// The task it was trained for, which says how large the grid was and whether its edges wrap around.
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
