//! One run of a sweep: opened or continued in its folder, trained on one thread, saved every minute.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use learnery_fleet::sweep::{CompletedRun, StopCondition};
use learnery_lab::{Budget, Checkpoint, Session, Status};

use super::{Job, Sweep, check_settings, start_run};
use crate::files::{LAST, read_checkpoint};
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::kept::KeptRun;
use crate::run::metrics_file;
use crate::run::stop::StopSignal;

/// The time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);
/// The time after which a save that failed is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// The time between two flushes of new rows of metrics, so that other programs can read them during the run.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// How long a slice of training takes, after which a request to stop is noticed.
const SLICE_DURATION: Duration = Duration::from_millis(50);
/// The time after a request to stop in which a unit can still be finished. It ends well before [`StopSignal`]
/// ends the process.
const STOP_GRACE: Duration = Duration::from_millis(400);

/// The maximum fraction of the time in which checkpoints are kept in memory.
const MAX_KEEP_FRACTION: f64 = 0.05;

/// A run with its folder.
pub struct OneRun {
    session: Session,
    folder: RunFolder,
    /// The newest checkpoint in memory, which is written if the process ends in the middle of a step.
    kept: KeptRun,
    /// The fingerprint of the last checkpoint; empty before the first.
    fingerprint: String,
    /// Whether it was told that the folder could not be written.
    is_unsaved: bool,
}

/// What a run in training asks and tells.
pub struct Reports<'a> {
    /// Whether this run shall stop.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Is told the number of completed units after each.
    pub has_unit: &'a dyn Fn(u64),
    /// Is told once that the folder could not be written.
    pub goes_on_unsaved: &'a dyn Fn(&anyhow::Error),
}

impl OneRun {
    /// Starts a run of a sweep in its folder, or continues the one that is there.
    pub fn open(sweep: &Sweep, job: &Job) -> Result<Self> {
        let Sweep { entry, world, settings, .. } = sweep;
        let Job { configuration, seed, folder: path } = job;
        let setting = &settings[*configuration];
        let last = path.join(LAST);
        if !last.exists() {
            let session = start_run(entry, &setting.config, *seed, world.as_ref())?;
            // A run that was killed before its first save leaves a folder without a checkpoint.
            let locked = match holds_run(path) {
                true => LockedFolder::continued(path.to_owned())?,
                false => LockedFolder::fresh(Some(path), entry.about.id, *seed)?,
            };
            let folder = locked.open(&session)?;
            let kept = KeptRun::new(path, entry.about.unit, None, 0);
            return Ok(Self { session, folder, kept, fingerprint: String::new(), is_unsaved: false });
        }
        let locked = LockedFolder::continued(path.to_owned())?;
        let (_, checkpoint) = read_checkpoint(&last)?;
        check_settings(entry, setting, *seed, &checkpoint)?;
        let session = Session::resume(**entry, &checkpoint)?;
        let folder = locked.open(&session)?;
        let units = session.units();
        let kept = KeptRun::new(path, entry.about.unit, Some(units), units);
        Ok(Self { session, folder, kept, fingerprint: checkpoint.fingerprint(), is_unsaved: false })
    }

    /// Trains to the end of the run, and saves it. Returns false if it was stopped before: then all units are
    /// saved that could be finished in time or were kept in memory. `stop` is the signal of the process, which
    /// ends it in the middle of a step. While the folder cannot be written, as on a full disk, the run goes on
    /// and tries again; only what cannot be saved in the end is an error.
    pub fn train(&mut self, end: StopCondition, stop: &StopSignal, reports: &Reports) -> Result<bool> {
        let Reports { is_stopped, has_unit, goes_on_unsaved } = *reports;
        let (begin, mut stopped_at) = (Instant::now(), None);
        let is_done = |session: &Session| end.is_reached(session.units(), session.solved_at());
        // The first unit is saved at once, so that there is something to continue.
        let (mut save_at, mut flushed_at) = (begin, Instant::now());
        // How long a checkpoint in memory takes: the least that was measured, because a busy machine may delay one
        // at any time.
        let (mut kept_at, mut keep_duration) = (Instant::now(), Duration::MAX);
        stop.add(&self.kept);
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
            self.kept.complete(self.session.units());
            has_unit(self.session.units());
            self.record(begin.elapsed())?;
            if flushed_at.elapsed() >= FLUSH_INTERVAL {
                let flushed = self.folder.flush();
                self.is_written(flushed, goes_on_unsaved);
                flushed_at = Instant::now();
            }
            if done.just_solved {
                self.kept.keep_solved(self.session.save());
                let written = self.save_solved();
                if !self.is_written(written, goes_on_unsaved) {
                    save_at = Instant::now() + RETRY_INTERVAL;
                }
            }
            if Instant::now() >= save_at {
                let checkpoint = self.session.save();
                let saved = self.save(&checkpoint);
                let is_saved = self.is_written(saved, goes_on_unsaved);
                if !is_saved {
                    self.kept.keep(checkpoint);
                }
                save_at = Instant::now() + if is_saved { SAVE_INTERVAL } else { RETRY_INTERVAL };
                kept_at = Instant::now();
            } else if keep_duration == Duration::MAX
                || kept_at.elapsed().mul_f64(MAX_KEEP_FRACTION) >= keep_duration
            {
                let keep_begin = Instant::now();
                let flushed = self.folder.flush();
                self.is_written(flushed, goes_on_unsaved);
                self.kept.keep(self.session.save());
                kept_at = Instant::now();
                keep_duration = keep_duration.min(kept_at - keep_begin);
            }
        }
        let newest = if self.session.is_mid_unit() {
            self.kept.take()
        } else {
            let is_saved = self.kept.saved_unit() == Some(self.session.units());
            (!is_saved).then(|| Arc::new(self.session.save()))
        };
        newest.map_or(Ok(()), |checkpoint| self.save(&checkpoint))?;
        self.save_solved()?;
        Ok(is_done(&self.session))
    }

    /// Whether the folder was written. If it was not, that is told once.
    fn is_written(&mut self, written: Result<()>, goes_on_unsaved: &dyn Fn(&anyhow::Error)) -> bool {
        if let Err(error) = &written
            && !mem::replace(&mut self.is_unsaved, true)
        {
            goes_on_unsaved(error);
        }
        written.is_ok()
    }

    /// The number of completed units.
    pub fn units(&self) -> u64 {
        self.session.units()
    }

    fn record(&mut self, elapsed: Duration) -> Result<()> {
        let seconds = self.folder.seconds_before + elapsed.as_secs_f64();
        let row = metrics_file::unit_row(&self.session, seconds);
        self.folder.record(&self.session, &row)
    }

    /// Saves the checkpoint that first reached the goal, unless the folder has it.
    fn save_solved(&mut self) -> Result<()> {
        self.kept.save_solved(|checkpoint| self.folder.save_solved(checkpoint)).map(drop)
    }

    fn save(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        // The newest one, which matters more, is written in any case.
        let solved_written = self.save_solved();
        self.kept.save(checkpoint, || self.folder.save_last(checkpoint))?;
        self.fingerprint = checkpoint.fingerprint();
        solved_written
    }

    /// The result of the run. `metric` is the name of the metric of the goal.
    pub fn completed(self, configuration: usize, metric: &str) -> CompletedRun {
        CompletedRun::of(&self.session, configuration, metric, self.fingerprint)
    }
}
