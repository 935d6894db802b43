//! `learnery logic`: prints what the logic lab's tools answer.

use anyhow::Result;
use learnery_labs::logic::Export;

use super::ask::{Source, refused};
use crate::args::{LogicArgs, LogicCommand, LogicExportArgs};
use crate::files::{refuse_existing, write_atomically};
use crate::terminal::stdout;

pub fn logic(args: &LogicArgs) -> Result<()> {
    match &args.command {
        LogicCommand::Export(args) => export(args),
    }
}

fn export(args: &LogicExportArgs) -> Result<()> {
    let source = Source::read(&args.checkpoint)?;
    let mut job = source.begin::<Export>(args.inputs.input()?)?;
    let written = job.answer().map_err(|error| refused(error, Some(&source.path)))?;
    let Some(file) = &args.out else {
        return stdout::write(&written.text);
    };
    refuse_existing(file, "--out")?;
    write_atomically(file, written.text.as_bytes())?;
    stdout::write(&format!("The circuit of {} is in {}\n", source.path.display(), file.display()))
}
