//! `learnery export`: writes the network of a checkpoint to a file of its own, or the recipe that repeats its run.

use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_lab::{Checkpoint, Recipe};

use crate::args::{ExportArgs, ExportFormat};
use crate::files::{checkpoint_path, file_error, read_checkpoint, refuse_existing, write_atomically};
use crate::terminal::{numbers, stdout};

pub fn export(args: &ExportArgs) -> Result<()> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let recipe = || {
        // The file does not say which class of bits computed it.
        let class = None;
        Recipe::of_checkpoint(entry, &checkpoint, class)
    };
    let text = match args.format {
        ExportFormat::Network => return export_network(&path, &checkpoint, args),
        ExportFormat::Recipe => recipe().map(|recipe| recipe.to_json()),
        ExportFormat::Link => recipe().and_then(|recipe| recipe.to_link(entry)).map(|link| link + "\n"),
    };
    let text = text.map_err(|e| file_error(&path, e))?;
    let Some(out) = &args.out else { return stdout::write(&text) };
    refuse_existing(out, "--out")?;
    write_atomically(out, text.as_bytes())?;
    stdout::write(&format!("The recipe of {} is in {}\n", path.display(), out.display()))
}

fn export_network(path: &Path, checkpoint: &Checkpoint, args: &ExportArgs) -> Result<()> {
    let out = args.out.as_deref().ok_or_else(|| anyhow!("--out is missing"))?;
    refuse_existing(out, "--out")?;
    let bytes = checkpoint.network_only().to_bytes();
    write_atomically(out, &bytes)?;
    let size = numbers::si(bytes.len() as f64);
    stdout::write(&format!("The network of {} is in {} ({size}B)\n", path.display(), out.display()))
}
