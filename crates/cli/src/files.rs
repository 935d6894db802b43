//! Files written whole, and checkpoints read with a sentence where they cannot be used.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use learnery_lab::{Checkpoint, Entry, LabError, NamedText};

use crate::failure::reason;

/// The name of the checkpoint a run continues from.
pub const LAST: &str = "last.safetensors";

/// The name of the checkpoint taken when the goal was first reached.
pub const SOLVED: &str = "solved.safetensors";

/// Writes `bytes` so that `path` holds either all of them or what it held before, whatever happens.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_and_rename(&temporary, path, bytes);
    if written.is_err() {
        // Whatever could be written of it is of no use; if even this fails there is nothing left to do.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(|e| anyhow!("{} cannot be written: {}", path.display(), reason(&e)))
}

fn write_and_rename(temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(temporary, path)?;
    // The new name is safe only once its folder is; not every system lets one sync a folder.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// The checkpoint file that `path` means: itself, or the last one of a run folder.
pub fn checkpoint_path(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let last = path.join(LAST);
    if !last.exists() {
        bail!("{} holds no checkpoint ({LAST})", path.display());
    }
    Ok(last)
}

/// Reads a checkpoint and finds its lab.
pub fn read_checkpoint(path: &Path) -> Result<(&'static Entry, Checkpoint)> {
    let bytes = fs::read(path).map_err(|e| anyhow!("{} cannot be read: {}", path.display(), reason(&e)))?;
    let checkpoint = Checkpoint::from_bytes(&bytes).map_err(|e| about_file(path, e))?;
    let entry = learnery_labs::find(&checkpoint.header.lab)
        .with_context(|| format!("{} cannot be used", path.display()))?;
    Ok((entry, checkpoint))
}

/// Reads a text file; its content is not yet checked.
pub fn read_text(path: &Path) -> Result<NamedText> {
    let bytes = fs::read(path).map_err(|e| anyhow!("{} cannot be read: {}", path.display(), reason(&e)))?;
    Ok(NamedText { name: path.display().to_string(), bytes })
}

/// A refusal of a checkpoint, with the name of its file.
pub fn about_file(path: &Path, error: LabError) -> anyhow::Error {
    match error {
        LabError::Checkpoint(problem) => anyhow!("{}: {problem}", path.display()),
        other => anyhow!("{}: {other}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write_whole(&folder.path().join("no/such/a.bin"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("a.bin cannot be written: there is no such file or folder"), "{error}");
    }
}
