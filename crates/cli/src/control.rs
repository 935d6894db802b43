//! `learnery control`: what can be asked of the worlds of classic control.

use anyhow::Result;
use learnery_labs::control::{trace, world_named};

use crate::args::{ControlArgs, ControlCommand};
use crate::failure::usage;
use crate::lines;

/// The command.
pub fn control(args: &ControlArgs) -> Result<()> {
    match &args.command {
        ControlCommand::Trace { world } => {
            let world = world_named(world).map_err(usage)?;
            lines::answer(|line| trace(world, line))
        }
    }
}
