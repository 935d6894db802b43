//! The folder of a run: settings, metrics, TensorBoard events and checkpoints.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Checkpoint, Session};

use crate::failure::reason;
use crate::files::{LAST, SOLVED, write_whole};
use crate::metrics_file::{self, MetricsFile};
use crate::out::Fields;
use crate::settings;
use crate::tensorboard::EventFile;

const CONFIG: &str = "config.toml";

/// An open run folder. Nobody else writes to it meanwhile.
pub struct RunDir {
    path: PathBuf,
    metrics: MetricsFile,
    events: EventFile,
    /// Seconds of training before this sitting.
    pub seconds_before: f64,
    _lock: Option<File>,
}

/// A folder that is this process's alone.
pub struct Locked {
    path: PathBuf,
    continued: bool,
    lock: Option<File>,
}

impl Locked {
    /// A folder for a new run: `out`, or the next free one under `runs/`.
    pub fn fresh(out: Option<&Path>, lab: &str, seed: u32) -> Result<Self> {
        let path = match out {
            Some(path) => {
                if holds_run(path) {
                    bail!(
                        "{} already holds a run; continue it with --resume {0} or choose another --out",
                        path.display()
                    );
                }
                fs::create_dir_all(path).map_err(|e| unusable(path, &e))?;
                path.to_owned()
            }
            None => next_free(Path::new("runs"), lab, seed)?,
        };
        let lock = lock(&path)?;
        Ok(Self { path, continued: false, lock })
    }

    /// The folder of a run that is continued.
    pub fn continued(path: PathBuf) -> Result<Self> {
        let lock = lock(&path)?;
        Ok(Self { path, continued: true, lock })
    }

    /// Opens the files of the run. What an earlier sitting wrote beyond the session's unit goes, and what
    /// is missing is written again from the session's own history.
    pub fn open(self, session: &Session) -> Result<RunDir> {
        let Self { path, continued, lock } = self;
        let config = settings::to_toml(session.entry(), session.schema(), session.config(), session.seed());
        write_whole(&path.join(CONFIG), config.as_bytes())?;
        let unit = session.units();
        let (metrics, kept) = MetricsFile::open(&path, unit).map_err(|e| unusable(&path, &e))?;
        let events =
            EventFile::create(&path, continued.then_some(kept.unit)).map_err(|e| unusable(&path, &e))?;
        let mut run = RunDir { path, metrics, events, seconds_before: kept.seconds, _lock: lock };
        for (unit, values) in metrics_file::rows_from_history(session, kept.unit) {
            let mut row = Fields::default();
            row.add("unit", unit);
            values.iter().for_each(|&(name, value)| row.add(name, value));
            run.put(unit, &row, values.into_iter())?;
        }
        run.flush()?;
        Ok(run)
    }
}

impl RunDir {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the row of the unit that has just ended.
    pub fn record(&mut self, session: &Session, row: &Fields) -> Result<()> {
        self.put(session.units(), row, session.row().measured())
    }

    fn put(
        &mut self,
        unit: u64,
        row: &Fields,
        values: impl Iterator<Item = (&'static str, f64)>,
    ) -> Result<()> {
        let written = self.metrics.write(row).and_then(|()| self.events.scalars(unit, values));
        written.map_err(|e| unwritten(&self.path, &e))
    }

    /// Hands what was recorded to the system, for readers beside this run.
    pub fn flush(&mut self) -> Result<()> {
        self.metrics.flush().and_then(|()| self.events.flush()).map_err(|e| unwritten(&self.path, &e))
    }

    /// Saves the last checkpoint. The rows come first, so that a checkpoint never lacks them.
    pub fn save_last(&mut self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        self.save(checkpoint, LAST)
    }

    /// Saves the checkpoint at which the goal was reached.
    pub fn save_solved(&mut self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        self.save(checkpoint, SOLVED)
    }

    fn save(&mut self, checkpoint: &Checkpoint, name: &str) -> Result<PathBuf> {
        let rows = self.metrics.sync().and_then(|()| self.events.flush());
        let path = self.path.join(name);
        // The checkpoint is worth more than the rows: it is written even where they failed.
        write_whole(&path, &checkpoint.to_bytes())?;
        rows.map_err(|e| unwritten(&self.path, &e))?;
        Ok(path)
    }
}

/// True where a folder holds what a run leaves behind.
pub fn holds_run(path: &Path) -> bool {
    [LAST, SOLVED, metrics_file::NAME, CONFIG].iter().any(|name| path.join(name).exists())
}

fn next_free(parent: &Path, lab: &str, seed: u32) -> Result<PathBuf> {
    fs::create_dir_all(parent).map_err(|e| unusable(parent, &e))?;
    let mut n = 1u32;
    loop {
        let path = parent.join(format!("{lab}-{seed}-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => n += 1,
            Err(e) => return Err(unusable(&path, &e)),
        }
    }
}

fn unusable(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{} cannot be used as a run folder: {}", path.display(), reason(error))
}

fn unwritten(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{} cannot take any more rows: {}", path.join(metrics_file::NAME).display(), reason(error))
}

/// Locks the folder for as long as the file is held. The folder itself is locked, so that nothing is
/// left behind; where a system cannot do that, there is no lock.
#[cfg(unix)]
fn lock(path: &Path) -> Result<Option<File>> {
    let folder = File::open(path).map_err(|e| unusable(path, &e))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another learnery is training in {}; stop it first or choose another --out", path.display())
        }
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(not(unix))]
fn lock(_path: &Path) -> Result<Option<File>> {
    Ok(None)
}
