//! `learnery logic`: what can be asked of the circuits of the logic lab.

use anyhow::Result;
use learnery_labs::logic::{Format, export_checkpoint};

use crate::args::{CircuitFormat, LogicArgs, LogicCommand, LogicExportArgs};
use crate::eval::refuse_existing;
use crate::files::{about_file, checkpoint_path, read_checkpoint, write_whole};
use crate::out;

/// The command.
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
    let written = export_checkpoint(&checkpoint, args.full, format).map_err(|e| about_file(&path, e))?;
    let Some(file) = &args.out else {
        return out::say(&written.text);
    };
    refuse_existing(file)?;
    write_whole(file, written.text.as_bytes())?;
    out::say(&format!("The circuit of {} is in {}\n", path.display(), file.display()))
}
