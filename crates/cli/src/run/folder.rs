//! The folder of a run, with its settings (`config.toml`), metrics (`metrics.jsonl`), TensorBoard events and
//! checkpoints. A *unit* is one training iteration, and has one row of metrics.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Checkpoint, Session};
use serde_json::Value;

use crate::failure::io_reason;
use crate::files::{BEST, LAST, SOLVED, write_atomically};
use crate::json_object::JsonObject;
use crate::run::metrics_file::{self, MetricsFile};
use crate::run::tensorboard::EventFile;
use crate::settings;

/// The file with the settings.
pub const CONFIG: &str = "config.toml";

/// A run folder with open files, locked against other processes.
pub struct RunFolder {
    path: PathBuf,
    metrics: MetricsFile,
    events: EventFile,
    /// Seconds of training in earlier invocations.
    pub seconds_before: f64,
    /// Held for as long as the folder is open.
    _lock: Option<File>,
}

/// A folder that is locked for this process, but whose files are not open yet.
pub struct LockedFolder {
    path: PathBuf,
    /// Whether the folder already contains the run.
    is_continued: bool,
    lock: Option<File>,
}

impl LockedFolder {
    /// Creates and locks a folder for a new run: `out`, or the next free one under `runs/`.
    pub fn fresh(out: Option<&Path>, lab: &str, seed: u32) -> Result<Self> {
        let path = match out {
            Some(path) => {
                if holds_run(path) {
                    bail!(
                        "{} already holds a run; continue it with --resume {0} or choose another --out",
                        path.display()
                    );
                }
                fs::create_dir_all(path).map_err(|e| folder_error(path, &e))?;
                path.to_owned()
            }
            None => create_next_free(Path::new("runs"), lab, seed)?,
        };
        let lock = lock_folder(&path)?;
        Ok(Self { path, is_continued: false, lock })
    }

    /// Locks the folder of a run that is continued in the same folder.
    pub fn continued(path: PathBuf) -> Result<Self> {
        let lock = lock_folder(&path)?;
        Ok(Self { path, is_continued: true, lock })
    }

    /// Opens the files of the run. Rows of metrics for units that the session has not completed are removed.
    /// Missing rows are written from the session's history.
    pub fn open(self, session: &Session) -> Result<RunFolder> {
        let Self { path, is_continued, lock } = self;
        let config = settings::to_toml(session.entry(), session.schema(), session.config(), session.seed());
        write_atomically(&path.join(CONFIG), config.as_bytes())?;
        let unit = session.units();
        let (metrics, last_row) = MetricsFile::open(&path, unit).map_err(|e| folder_error(&path, &e))?;
        let seed = Value::from(session.seed());
        let named = session.config().iter().map(|(name, value)| (name.as_str(), value));
        let events =
            EventFile::create(&path, is_continued.then_some(last_row.unit), named.chain([("seed", &seed)]));
        let events = events.map_err(|e| folder_error(&path, &e))?;
        let mut run = RunFolder { path, metrics, events, seconds_before: last_row.seconds, _lock: lock };
        for (unit, values) in metrics_file::rows_from_history(session, last_row.unit) {
            let mut row = JsonObject::default();
            row.add("unit", unit);
            values.iter().for_each(|&(name, value)| row.add(name, value));
            run.append(unit, &row, values.into_iter())?;
        }
        run.flush()?;
        Ok(run)
    }
}

impl RunFolder {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the row of metrics of the unit that has just ended.
    pub fn record(&mut self, session: &Session, row: &JsonObject) -> Result<()> {
        self.append(session.units(), row, session.row().measured())
    }

    /// Appends the row of metrics of a unit, whose values have these names.
    pub fn append(
        &mut self,
        unit: u64,
        row: &JsonObject,
        values: impl Iterator<Item = (&'static str, f64)>,
    ) -> Result<()> {
        let written = self.metrics.write(row).and_then(|()| self.events.scalars(unit, values));
        written.map_err(|e| rows_error(&self.path, &e))
    }

    /// Passes all buffered rows to the operating system, so that other programs can read them during the run.
    pub fn flush(&mut self) -> Result<()> {
        self.metrics.flush().and_then(|()| self.events.flush()).map_err(|e| rows_error(&self.path, &e))
    }

    /// Saves the newest checkpoint, from which the run can be continued.
    pub fn save_last(&mut self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        self.save(&checkpoint.to_bytes(), LAST)
    }

    /// Saves a copy of a checkpoint, which a later one does not replace, and removes all but the newest
    /// `most` copies.
    pub fn save_copy(&mut self, checkpoint: &Checkpoint, most: u32) -> Result<()> {
        self.save(&checkpoint.to_bytes(), &copy_name(checkpoint.header.units))?;
        let entries = fs::read_dir(&self.path).map_err(|e| folder_error(&self.path, &e))?;
        let mut units: Vec<u64> =
            entries.flatten().filter_map(|entry| unit_of_copy(entry.file_name().to_str()?)).collect();
        units.sort_unstable();
        for unit in &units[..units.len().saturating_sub(most as usize)] {
            // A copy that cannot be removed only takes room.
            let _ = fs::remove_file(self.path.join(copy_name(*unit)));
        }
        Ok(())
    }

    /// Saves the checkpoint of the unit at which the goal was first reached.
    pub fn save_solved(&mut self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        self.save(&checkpoint.to_bytes(), SOLVED)
    }

    /// Saves the best checkpoint so far, in place of the one before.
    pub fn save_best(&mut self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        self.save(&checkpoint.to_bytes(), BEST)
    }

    /// Saves the newest checkpoint, given as the bytes of its file.
    #[cfg(feature = "fleet")]
    pub fn save_last_file(&mut self, file: &[u8]) -> Result<PathBuf> {
        self.save(file, LAST)
    }

    /// Saves the checkpoint of the unit at which the goal was first reached, given as the bytes of its file.
    #[cfg(feature = "fleet")]
    pub fn save_solved_file(&mut self, file: &[u8]) -> Result<PathBuf> {
        self.save(file, SOLVED)
    }

    fn save(&mut self, file: &[u8], name: &str) -> Result<PathBuf> {
        // Rows are synced first, so that the checkpoint never contains a unit whose row is missing. If
        // syncing fails, the checkpoint is written anyway, because it matters more, and the error is reported
        // afterwards.
        let rows_synced = self.metrics.sync().and_then(|()| self.events.flush());
        let path = self.path.join(name);
        write_atomically(&path, file)?;
        rows_synced.map_err(|e| rows_error(&self.path, &e))?;
        Ok(path)
    }
}

/// The name of the copy of a unit's checkpoint.
fn copy_name(unit: u64) -> String {
    format!("checkpoint-{unit}.safetensors")
}

/// The unit of a file of that name; `None` for other files.
fn unit_of_copy(name: &str) -> Option<u64> {
    name.strip_prefix("checkpoint-")?.strip_suffix(".safetensors")?.parse().ok()
}

/// Whether a folder contains any file of a run.
pub fn holds_run(path: &Path) -> bool {
    [LAST, SOLVED, BEST, metrics_file::NAME, CONFIG].iter().any(|name| path.join(name).exists())
}

/// Creates `<lab>-<seed>-<n>` with the first free number n.
fn create_next_free(parent: &Path, lab: &str, seed: u32) -> Result<PathBuf> {
    fs::create_dir_all(parent).map_err(|e| folder_error(parent, &e))?;
    let mut n = 1u32;
    loop {
        let path = parent.join(format!("{lab}-{seed}-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => n += 1,
            Err(e) => return Err(folder_error(&path, &e)),
        }
    }
}

/// The message for a folder that cannot be created, opened or written.
fn folder_error(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{} cannot be used as a run folder: {}", path.display(), io_reason(error))
}

/// The message for rows of metrics that cannot be written.
fn rows_error(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{} cannot take any more rows: {}", path.join(metrics_file::NAME).display(), io_reason(error))
}

/// Locks the folder until the returned file is dropped. The lock is on the folder itself, so no lock file can
/// be left behind. Returns `None` on systems that cannot lock a folder; the run then has no lock.
#[cfg(unix)]
pub fn lock_folder(path: &Path) -> Result<Option<File>> {
    let folder = File::open(path).map_err(|e| folder_error(path, &e))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another learnery is training in {}; stop it first or choose another --out", path.display())
        }
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(not(unix))]
pub fn lock_folder(_path: &Path) -> Result<Option<File>> {
    Ok(None)
}
