//! `learnery logic`: prints what the logic lab's tools answer.

use anyhow::Result;
use learnery_lab::Job;
use learnery_labs::logic::{Export, ExportInput, Format};

use crate::args::{CircuitFormat, LogicArgs, LogicCommand, LogicExportArgs};
use crate::files::{checkpoint_path, file_error, read_checkpoint, refuse_existing, write_atomically};
use crate::terminal::stdout;

pub fn logic(args: &LogicArgs) -> Result<()> {
    match &args.command {
        LogicCommand::Export(args) => export(args),
    }
}

fn export(args: &LogicExportArgs) -> Result<()> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let format = match args.format {
        CircuitFormat::Verilog => Format::Verilog,
        CircuitFormat::Json => Format::Json,
        CircuitFormat::Wgsl => Format::Wgsl,
        CircuitFormat::C => Format::C,
    };
    let input = ExportInput { format, full: args.full };
    let job = Job::<Export>::begin(&checkpoint, input, None);
    let written = job.and_then(Job::answer).map_err(|e| file_error(&path, e))?;
    let Some(file) = &args.out else {
        return stdout::write(&written.text);
    };
    refuse_existing(file, "--out")?;
    write_atomically(file, written.text.as_bytes())?;
    stdout::write(&format!("The circuit of {} is in {}\n", path.display(), file.display()))
}
