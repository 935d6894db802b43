//! `learnery control`: what can be asked of the worlds of classic control.

use anyhow::Result;
use learnery_labs::control::{find_world, trace_step};

use crate::args::{ControlArgs, ControlCommand};
use crate::failure::usage;
use crate::lines;

/// The command.
pub fn control(args: &ControlArgs) -> Result<()> {
    match &args.command {
        ControlCommand::Trace { world } => {
            let world = find_world(world).map_err(usage)?;
            lines::answer(|line| trace_step(world, line))
        }
    }
}
