//! Reading and writing of files: atomic writes, checkpoints, text files. Every error message contains the
//! file's path.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use learnery_lab::{Checkpoint, Entry, LabError, NamedText};

use crate::failure::io_reason;

/// File name of the checkpoint that a run continues from.
pub const LAST: &str = "last.safetensors";

/// File name of the checkpoint saved when the goal was first reached.
pub const SOLVED: &str = "solved.safetensors";

/// File name of the checkpoint with the best value of the goal's metric so far.
pub const BEST: &str = "best.safetensors";

/// Writes a file atomically: writes `bytes` to a temporary file in the same folder and renames it to `path`.
/// After a crash, `path` has either its old content or all of the new one.
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

/// The checkpoint file that an argument refers to: `path` itself, or the last checkpoint in it if it is a run
/// folder.
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

/// Reads a text file of which at most `limit` bytes can be used: one more at most is read, which shows that
/// it is too large.
pub fn read_text_up_to(path: &Path, limit: usize) -> Result<NamedText> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))?;
    Ok(NamedText { name: path.display().to_string(), bytes })
}

/// [`read_text_up_to`] of standard input.
pub fn read_standard_input_up_to(limit: usize) -> Result<NamedText> {
    let name = "standard input";
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|e| anyhow!("{name} cannot be read: {}", io_reason(&e)))?;
    Ok(NamedText { name: name.into(), bytes })
}

/// Adds the file's path to an error about its content.
pub fn file_error(path: &Path, error: LabError) -> anyhow::Error {
    match error {
        LabError::Checkpoint(problem) => anyhow!("{}: {problem}", path.display()),
        other => anyhow!("{}: {other}", path.display()),
    }
}

/// Returns an error if `path`, the value of `option`, is no new file in a folder that exists. Otherwise
/// returns its absolute path, by which two arguments can be compared.
pub fn check_new_file(path: &Path, option: &str) -> Result<PathBuf> {
    refuse_existing(path, option)?;
    let name = path.file_name().filter(|_| !path.to_string_lossy().ends_with(std::path::is_separator));
    let name = name.with_context(|| format!("{} is no file; choose another {option}", path.display()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder
        .canonicalize()
        .map_err(|e| anyhow!("{} cannot be written: {}", path.display(), io_reason(&e)))?;
    Ok(folder.join(name))
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

    #[test]
    fn file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_text_up_to(&path, 3).unwrap().bytes, b"1234");
        assert_eq!(read_text_up_to(&path, 5).unwrap().bytes, b"12345");
        let error = read_text_up_to(&folder.path().join("b"), 5).unwrap_err().to_string();
        assert!(error.ends_with("b cannot be read: there is no such file or folder"), "{error}");
    }
}
