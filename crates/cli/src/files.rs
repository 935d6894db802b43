//! Reading and writing of files: atomic writes, checkpoints, text files. Every error message contains the file's path.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use learnery_lab::{Checkpoint, Entry, LabError, NamedText};

use crate::failure::io_reason;

/// File name of the checkpoint that a run continues from.
pub const LAST: &str = "last.safetensors";

/// File name of the checkpoint saved when the goal was first reached.
pub const SOLVED: &str = "solved.safetensors";

/// Writes a file atomically: writes `bytes` to a temporary file in the same folder and renames it to `path`. After a
/// crash, `path` has either its old content or all of the new one.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_and_rename(&temporary, path, bytes);
    if written.is_err() {
        // Cleaning up after a failed write may fail for the same reason.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(|e| anyhow!("{} cannot be written: {}", path.display(), io_reason(&e)))
}

/// Writes a folder with files atomically: writes a temporary folder beside it and renames that to `path`.
pub fn write_folder_atomically(path: &Path, files: &[(impl AsRef<str>, Vec<u8>)]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let write = || {
        fs::create_dir(&temporary)?;
        for (name, content) in files {
            let mut file = File::create(temporary.join(name.as_ref()))?;
            file.write_all(content)?;
            file.sync_all()?;
        }
        fs::rename(&temporary, path)
    };
    let written = write();
    if written.is_err() {
        // Cleaning up after a failed write may fail for the same reason.
        let _ = fs::remove_dir_all(&temporary);
    }
    written.map_err(|e| anyhow!("{} cannot be written: {}", path.display(), io_reason(&e)))
}

fn write_and_rename(temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(temporary, path)?;
    // The rename is durable only once its folder is synced, which some systems do not support.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// The checkpoint file that an argument refers to: `path` itself, or the last checkpoint in it if it is a run folder.
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

/// Reads a checkpoint and finds the lab that saved it.
pub fn read_checkpoint(path: &Path) -> Result<(&'static Entry, Checkpoint)> {
    let bytes =
        fs::read(path).map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))?;
    let checkpoint = Checkpoint::from_bytes(&bytes).map_err(|e| file_error(path, e))?;
    let entry = learnery_labs::find(&checkpoint.header.lab)
        .with_context(|| format!("{} cannot be used", path.display()))?;
    Ok((entry, checkpoint))
}

/// Reads a text file without checking its content.
pub fn read_text(path: &Path) -> Result<NamedText> {
    let bytes =
        fs::read(path).map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))?;
    Ok(NamedText { name: path.display().to_string(), bytes })
}

/// Adds the file's path to an error about its content.
pub fn file_error(path: &Path, error: LabError) -> anyhow::Error {
    match error {
        LabError::Checkpoint(problem) => anyhow!("{}: {problem}", path.display()),
        other => anyhow!("{}: {other}", path.display()),
    }
}

/// Returns an error if a file exists at `path`, the value of `option`, so that no command overwrites files.
pub fn refuse_existing(path: &Path, option: &str) -> Result<()> {
    match path.symlink_metadata() {
        Ok(_) => bail!("{} exists already; choose another {option}", path.display()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(anyhow!("{} cannot be written: {}", path.display(), io_reason(&e))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_replaced_atomically_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write_atomically(&folder.path().join("no/such/a.bin"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("a.bin cannot be written: there is no such file or folder"), "{error}");
    }
}
