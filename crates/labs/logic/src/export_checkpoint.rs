//! The decided circuit of a checkpoint, without running it: as a netlist, or exported as a file.

use learnery_lab::{Checkpoint, LabError};

use crate::automaton::Network;
use crate::circuit::{Netlist, prune};
use crate::config::LogicConfig;
use crate::experiment::Experiment;
use crate::export::{Format, LogicExport, export};
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

/// The settings and the network of a checkpoint, which may hold only the network.
fn read(checkpoint: &Checkpoint) -> Result<(LogicConfig, Network), LabError> {
    let config = checkpoint.settings::<Logic>()?;
    let network = Network::from_tensors(&config, &checkpoint.network())?;
    Ok((config, network))
}

impl DecidedCircuit {
    /// The circuit of a checkpoint: pruned, or with all of its gates if `full`.
    pub fn of_checkpoint(checkpoint: &Checkpoint, full: bool) -> Result<Self, LabError> {
        let (LogicConfig { experiment, fire_rate, .. }, network) = read(checkpoint)?;
        let whole = network.netlist();
        Ok(Self { netlist: if full { whole } else { prune(&whole) }, experiment, fire_rate })
    }
}

/// Exports the circuit of a checkpoint: pruned, or with all of its gates if `full`.
pub fn export_checkpoint(
    checkpoint: &Checkpoint,
    full: bool,
    format: Format,
) -> Result<LogicExport, LabError> {
    let header = &checkpoint.header;
    let (config, network) = read(checkpoint)?;
    let size = config.experiment.setup().size;
    // The work of this lab is counted in steps of single cells.
    let work_per_epoch = u64::from(config.batch) * u64::from(config.steps) * size as u64 * size as u64;
    let epochs = header.work / work_per_epoch;
    Ok(export(&network, header.seed, epochs, config.fire_rate, full, format))
}
