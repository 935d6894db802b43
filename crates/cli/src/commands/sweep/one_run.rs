//! One run of a sweep: opened or continued in its folder, trained on one thread, saved every minute.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use learnery_fleet::KeepPace;
use learnery_fleet::sweep::{CompletedRun, StopCondition};
use learnery_lab::{Budget, Checkpoint, Session, Status};

use super::{Job, Sweep, check_settings, start_run};
use crate::files::{LAST, read_checkpoint};
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::kept::KeptRun;
use crate::run::stop::StopSignal;
use crate::run::{messages, metrics_file};

/// The time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);
/// The time after which a save that failed is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// The time between two flushes of new rows of metrics, so that other programs can read them during the run.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// How long a slice of training takes, after which a request to stop is noticed.
const SLICE_DURATION: Duration = Duration::from_millis(50);
/// The time after a request to stop in which a unit (training iteration) can still be finished. It ends well
/// before [`StopSignal`] ends the process.
const STOP_GRACE: Duration = Duration::from_millis(400);

/// A run with its folder.
pub struct OneRun {
    session: Session,
    folder: RunFolder,
    /// The newest checkpoint in memory, which is written if the process ends in the middle of a step.
    kept: KeptRun,
    /// The fingerprint of the last checkpoint; empty before the first.
    fingerprint: String,
    /// Whether the folder could not be written last.
    is_unsaved: bool,
}

/// What a run asks of its sweep and tells it.
pub struct Observer<'a> {
    /// Whether this run shall stop.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Is called with the number of completed units after each.
    pub completed: &'a dyn Fn(u64),
    /// Is called with a sentence for the user.
    pub tell: &'a dyn Fn(&str),
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
    /// saved that could be finished in time or were kept in memory. `stop` is the signal of the process,
    /// which ends it in the middle of a step. While the folder cannot be written, as on a full disk, the run
    /// goes on and tries again; only what cannot be saved in the end is an error.
    pub fn train(&mut self, end: StopCondition, stop: &StopSignal, observer: &Observer) -> Result<bool> {
        let Observer { is_stopped, completed, tell } = *observer;
        let (begin, mut stopped_at) = (Instant::now(), None);
        let is_done = |session: &Session| end.is_reached(session.units(), session.solved_at());
        // The first unit is saved at once, so that there is something to continue.
        let (mut save_at, mut flushed_at) = (begin, Instant::now());
        let mut keep_pace = KeepPace::default();
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
            completed(self.session.units());
            self.record(begin.elapsed())?;
            if flushed_at.elapsed() >= FLUSH_INTERVAL {
                self.flush(tell);
                flushed_at = Instant::now();
            }
            if done.just_solved {
                self.kept.keep_solved(self.session.save());
                if let Err(error) = self.save_solved() {
                    self.go_on_unsaved(&error, tell);
                    save_at = Instant::now() + RETRY_INTERVAL;
                }
            }
            if Instant::now() >= save_at {
                let checkpoint = self.session.save();
                let interval = match self.save(&checkpoint) {
                    Ok(()) => {
                        if mem::take(&mut self.is_unsaved) {
                            tell(messages::SAVED_AGAIN);
                        }
                        SAVE_INTERVAL
                    }
                    Err(error) => {
                        self.go_on_unsaved(&error, tell);
                        self.kept.keep(checkpoint);
                        RETRY_INTERVAL
                    }
                };
                save_at = Instant::now() + interval;
                keep_pace.saved(begin.elapsed());
            } else if keep_pace.is_due(begin.elapsed()) {
                let keep_begin = begin.elapsed();
                self.flush(tell);
                self.kept.keep(self.session.save());
                keep_pace.kept(keep_begin, begin.elapsed());
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

    /// Tells the user, once, that the folder could not be written.
    fn go_on_unsaved(&mut self, error: &anyhow::Error, tell: &dyn Fn(&str)) {
        if !mem::replace(&mut self.is_unsaved, true) {
            tell(&messages::goes_on_unsaved(error));
        }
    }

    /// Writes the rows that are new. If that fails, they are written later.
    fn flush(&mut self, tell: &dyn Fn(&str)) {
        if let Err(error) = self.folder.flush() {
            self.go_on_unsaved(&error, tell);
        }
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
