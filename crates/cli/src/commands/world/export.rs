//! `learnery world export`: a world as a program of another language.

use anyhow::Result;

use super::{compile, read};
use crate::args::{WorldExportArgs, WorldFormat};
use crate::files::{refuse_existing, write_atomically};
use crate::terminal::stdout;

pub fn export(args: &WorldExportArgs) -> Result<()> {
    let text = read(&args.file)?;
    let world = compile(&text)?;
    let (written, what) = match args.format {
        WorldFormat::Numpy => (world.numpy(), "class"),
        WorldFormat::Wgsl => (world.wgsl(), "shader"),
    };
    let Some(out) = &args.out else { return stdout::write(&written) };
    refuse_existing(out, "--out")?;
    write_atomically(out, written.as_bytes())?;
    stdout::write(&format!("The {what} of {} is in {}\n", text.name, out.display()))
}
