//! One run of a sweep: opened or continued in its folder, trained on one thread, saved every minute.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use learnery_fleet::sweep::{CompletedRun, StopCondition};
use learnery_lab::{Budget, Checkpoint, Entry, Session, Status};
use serde_json::{Map, Value};

use crate::files::{LAST, read_checkpoint};
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::metrics_file;
use crate::run::stop::StopSignal;

/// The time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);
/// The time between two flushes of new rows of metrics, so that other programs can read them during the run.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// How long a slice of training takes, after which a request to stop is noticed.
const SLICE_DURATION: Duration = Duration::from_millis(50);
/// The time after a request to stop in which a unit can still be finished. It ends well before [`StopSignal`]
/// ends the process.
const STOP_GRACE: Duration = Duration::from_millis(400);

/// A run with its folder.
pub struct OneRun {
    session: Session,
    folder: RunFolder,
    /// The fingerprint of the last checkpoint; empty before the first.
    fingerprint: String,
}

impl OneRun {
    /// Starts a run in this folder, or continues the one that is there.
    pub fn open(entry: &Entry, settings: &Map<String, Value>, seed: u32, path: &Path) -> Result<Self> {
        let last = path.join(LAST);
        if !last.exists() {
            let session = Session::start(*entry, &Value::Object(settings.clone()), seed)?;
            // A run that was killed before its first save leaves a folder without a checkpoint.
            let locked = match holds_run(path) {
                true => LockedFolder::continued(path.to_owned())?,
                false => LockedFolder::fresh(Some(path), entry.about.id, seed)?,
            };
            let folder = locked.open(&session)?;
            return Ok(Self { session, folder, fingerprint: String::new() });
        }
        let locked = LockedFolder::continued(path.to_owned())?;
        let (_, checkpoint) = read_checkpoint(&last)?;
        check_settings(entry, settings, seed, &checkpoint)?;
        let session = Session::resume(*entry, &checkpoint)?;
        let folder = locked.open(&session)?;
        Ok(Self { session, folder, fingerprint: checkpoint.fingerprint() })
    }

    /// Trains to the end of the run, and saves it. Returns false if it was stopped before: then the run is
    /// saved if its unit could be finished in time, otherwise the last checkpoint remains. `is_stopped` says
    /// whether this run shall stop; `stop` is the signal of the process, which must know that a run is being
    /// saved.
    pub fn train(
        &mut self,
        end: StopCondition,
        is_stopped: &dyn Fn() -> bool,
        stop: &StopSignal,
    ) -> Result<bool> {
        let (mut saved_at, mut flushed_at) = (None, Instant::now());
        let (begin, mut stopped_at) = (Instant::now(), None);
        let is_done = |session: &Session| end.is_reached(session.units(), session.solved_at());
        // Whether the checkpoint in the folder is of the last unit.
        let mut is_saved = !self.fingerprint.is_empty();
        while !is_done(&self.session) {
            if is_stopped() {
                let is_late = stopped_at.get_or_insert_with(Instant::now).elapsed() >= STOP_GRACE;
                if !self.session.is_mid_unit() || is_late {
                    break;
                }
            }
            let slice_begin = Instant::now();
            let mut slice_is_over = || slice_begin.elapsed() >= SLICE_DURATION;
            let done = self.session.advance(&mut Budget::until(u64::MAX, &mut slice_is_over));
            if done.status != Status::UnitFinished {
                continue;
            }
            is_saved = false;
            self.record(begin.elapsed())?;
            if flushed_at.elapsed() >= FLUSH_INTERVAL {
                self.folder.flush()?;
                flushed_at = Instant::now();
            }
            if done.just_solved {
                let checkpoint = self.session.save();
                self.folder.save_solved(&checkpoint)?;
            }
            // The first unit is saved at once, so that there is something to continue.
            if saved_at.is_none_or(|at: Instant| at.elapsed() >= SAVE_INTERVAL) {
                self.save()?;
                (saved_at, is_saved) = (Some(Instant::now()), true);
            }
        }
        // Some time after the signal the process ends by itself, unless it knows that a run is being saved.
        if is_stopped() {
            stop.begin_saving();
        }
        if !is_saved && !self.session.is_mid_unit() {
            self.save()?;
        }
        Ok(is_done(&self.session))
    }

    fn record(&mut self, elapsed: Duration) -> Result<()> {
        let seconds = self.folder.seconds_before + elapsed.as_secs_f64();
        let row = metrics_file::unit_row(&self.session, seconds);
        self.folder.record(&self.session, &row)
    }

    fn save(&mut self) -> Result<()> {
        let checkpoint = self.session.save();
        self.folder.save_last(&checkpoint)?;
        self.fingerprint = checkpoint.fingerprint();
        Ok(())
    }

    /// The result of the run. `metric` is the name of the metric of the goal.
    pub fn completed(self, configuration: usize, metric: &str) -> CompletedRun {
        CompletedRun::of(&self.session, configuration, metric, self.fingerprint)
    }
}

/// Whether a checkpoint is of the run with these settings and this seed; the error says what to do if it is
/// not.
pub fn check_settings(
    entry: &Entry,
    settings: &Map<String, Value>,
    seed: u32,
    checkpoint: &Checkpoint,
) -> Result<()> {
    let header = &checkpoint.header;
    let is_same = header.lab == entry.about.id
        && header.seed == seed
        && (entry.schema)().complete(None, &Value::Object(header.config.clone()))? == *settings;
    if !is_same {
        bail!("the folder holds a run with other settings; choose another --out");
    }
    Ok(())
}
