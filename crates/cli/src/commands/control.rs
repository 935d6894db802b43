//! `learnery control`: each line of standard input is a state and an action, for which the tool `trace` of
//! the control lab answers with the step of the world.

use anyhow::Result;
use learnery_lab::Job;
use learnery_labs::control::{Trace, TraceInput, find_world};

use super::ask::sentence;
use crate::args::{ControlArgs, ControlCommand};
use crate::failure::usage;
use crate::terminal::lines;

pub fn control(args: &ControlArgs) -> Result<()> {
    match &args.command {
        ControlCommand::Trace { world } => {
            find_world(world).map_err(usage)?;
            lines::answer_json(|line| {
                let input = TraceInput::from_line(world, line)?;
                let mut job = Job::<Trace>::without_network(input, None).map_err(sentence)?;
                // A line has one action, so there is one step.
                Ok(job.answer().map_err(sentence)?.steps.pop())
            })
        }
    }
}
