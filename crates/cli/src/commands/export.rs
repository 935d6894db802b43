//! `learnery export`: writes the network of a checkpoint to a file of its own.

use anyhow::Result;

use crate::args::ExportArgs;
use crate::files::{checkpoint_path, read_checkpoint, refuse_existing, write_atomically};
use crate::terminal::{numbers, stdout};

pub fn export(args: &ExportArgs) -> Result<()> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = checkpoint.network_only();
    refuse_existing(&args.out)?;
    let bytes = network.to_bytes();
    write_atomically(&args.out, &bytes)?;
    let size = numbers::si(bytes.len() as f64);
    stdout::write(&format!("The network of {} is in {} ({size}B)\n", path.display(), args.out.display()))
}
