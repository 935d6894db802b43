//! `learnery control`: single steps of the classic-control worlds.

use anyhow::Result;
use learnery_labs::control::{find_world, trace_step};

use crate::args::{ControlArgs, ControlCommand};
use crate::failure::usage;
use crate::terminal::lines;

pub fn control(args: &ControlArgs) -> Result<()> {
    match &args.command {
        ControlCommand::Trace { world } => {
            let world = find_world(world).map_err(usage)?;
            lines::answer_json(|line| trace_step(world, line))
        }
    }
}
