//! Exports the circuit of a checkpoint without running it.

use learnery_lab::{Checkpoint, Entry, LabError, Schema};
use serde_json::Value;

use crate::automaton::Network;
use crate::config::LogicConfig;
use crate::export::{Format, LogicExport, export};
use crate::lab::Logic;

/// Exports the circuit of a checkpoint, which may hold only the network: pruned, or with all of its gates if `full`.
pub fn export_checkpoint(
    checkpoint: &Checkpoint,
    full: bool,
    format: Format,
) -> Result<LogicExport, LabError> {
    Entry::of::<Logic>().owns(checkpoint)?;
    let header = &checkpoint.header;
    // Settings that the checkpoint lacks, because it is older than they are, get their defaults.
    let settings = Schema::of::<LogicConfig>().complete(None, &Value::Object(header.config.clone()))?;
    let config: LogicConfig =
        serde_json::from_value(Value::Object(settings)).map_err(|e| LabError::unreadable_settings(&e))?;
    let network = Network::from_tensors(&config, &checkpoint.tensors.under("network/"))?;
    let size = config.experiment.setup().size;
    // The work of this lab is counted in steps of single cells.
    let work_per_epoch = u64::from(config.batch) * u64::from(config.steps) * (size * size) as u64;
    let epochs = header.work / work_per_epoch;
    Ok(export(&network, header.seed, epochs, config.fire_rate, full, format))
}
