//! The training loop. It advances the session in slices of 50 ms, records the metrics of every unit (training
//! iteration), saves the run regularly, updates the display, and ends at a limit or on request.
//!
//! The clock decides when to update the display, when to save and, with a time limit, after which unit to
//! end, but never what a unit computes. So the state after a given unit does not depend on timing.

use std::mem;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use learnery_fleet::KeepPace;
use learnery_lab::{Budget, Checkpoint, DeviceWait, Limits, Pace, Precision, Recipe, Session, Status};

use crate::args::Device;
use crate::display::{Display, RunState, Snapshot};
use crate::fingerprint::ExpectedFingerprint;
use crate::limits::{EndReason, SaveInterval};
use crate::run::best::BestValue;
use crate::run::event_stream::EventStream;
use crate::run::folder::RunFolder;
use crate::run::kept::KeptRun;
use crate::run::messages::{self, Ending};
use crate::run::metrics_file;
use crate::run::recipe;
use crate::run::stop::StopSignal;
use crate::terminal::stdout::StdoutClosed;

/// The duration of a slice of training in seconds. The display is updated after each slice.
const SLICE_SECONDS: f64 = 0.05;

/// Seconds between two saves, or more if saving is slow.
const SAVE_INTERVAL_SECONDS: f64 = 30.0;

/// The maximum fraction of the time that is spent on saving.
const MAX_SAVE_FRACTION: f64 = 0.05;

/// Seconds after a request to stop in which the unit in progress can still be finished.
const STOP_GRACE_SECONDS: f64 = 0.4;

/// Seconds between two flushes of new rows of metrics, so that other programs can read them during the run.
const FLUSH_INTERVAL_SECONDS: f64 = 1.0;

/// One invocation of `learnery train`: the session with its folder, limits, events and display.
pub struct Training {
    pub session: Session,
    pub folder: RunFolder,
    pub limits: Limits,
    /// The number of completed units when this invocation began.
    pub first_unit: u64,
    pub stream: EventStream,
    pub display: Display,
    pub stop: StopSignal,
    /// When this invocation began.
    pub start: Instant,
    /// Measures the speed of training.
    pub pace: Pace,
    /// Whether the last attempt to save failed.
    pub is_unsaved: bool,
    /// Whether the lab has said that something is wrong with what the run learns.
    pub has_remarked: bool,
    /// The checkpoints in memory that the folder does not have yet: the newest, the best, and the first that
    /// reached the goal. They are written if the process ends in the middle of a step.
    pub kept: KeptRun,
    /// The fingerprint of the newest checkpoint that this invocation saved.
    pub fingerprint: Option<String>,
    /// The fingerprint that the run must end with.
    pub expected: Option<ExpectedFingerprint>,
    /// The recipe that the run repeats; `None` if it repeats none.
    pub recipe: Option<Recipe>,
    /// How often the run is saved; `None` for the usual interval.
    pub save_every: Option<SaveInterval>,
    /// How many copies of checkpoints are kept; `None` for none.
    pub keep: Option<u32>,
    /// The best value so far; `None` if its checkpoint is not kept.
    pub best: Option<BestValue>,
    /// The file of the text that the run learns from; `None` if it learns from none.
    pub text: Option<PathBuf>,
    /// The device and the precision that were asked for.
    pub device: Device,
    pub precision: Option<Precision>,
}

impl Training {
    /// Seconds since this invocation began.
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Trains until a limit is reached, or until a request or the event stream ends the run, and saves it,
    /// also after an error. In the middle of a unit, or if the session has failed, the checkpoints in memory
    /// are written instead.
    pub fn run(&mut self) -> Result<EndReason> {
        let reason = self.train();
        self.stop.begin_saving();
        let saved = if self.session.is_mid_unit() || self.session.failure().is_some() {
            self.save_from_memory()
        } else {
            self.save()
        };
        // If both failed, the error of training is the cause.
        let reason = reason?;
        saved?;
        Ok(reason)
    }

    fn train(&mut self) -> Result<EndReason> {
        // All times are in seconds since this invocation began.
        let mut saved_at = None;
        let (mut flushed_at, mut save_seconds) = (0.0, 0.0);
        let mut keep_pace = KeepPace::default();
        self.pace.record_at_boundary(0.0, self.session.units(), self.session.work());
        loop {
            self.apply_changes()?;
            let solved = self.session.solved_at().is_some();
            if let Some(reason) = self.limits.reached(self.session.units(), self.seconds(), solved) {
                return Ok(reason.into());
            }
            if self.stop.requested() {
                return Ok(EndReason::Interrupted);
            }
            if !self.train_unit()? {
                return Ok(EndReason::Interrupted);
            }
            if let Some(reason) = self.stream.end_reason() {
                return Ok(reason);
            }
            let now = self.seconds();
            if now - flushed_at >= FLUSH_INTERVAL_SECONDS {
                self.flush();
                flushed_at = now;
            }
            let is_due = |at: f64| match self.save_every {
                Some(SaveInterval::Units(units)) => self.session.units().is_multiple_of(units),
                Some(SaveInterval::Seconds(seconds)) => now - at >= seconds,
                None => now - at >= SAVE_INTERVAL_SECONDS.max(save_seconds / MAX_SAVE_FRACTION),
            };
            // The first unit is saved at once, so that there is something to continue.
            if saved_at.is_none_or(is_due) {
                let checkpoint = self.session.try_save()?;
                match self.write(&checkpoint) {
                    Ok(()) if mem::take(&mut self.is_unsaved) => self.display.tell(messages::SAVED_AGAIN),
                    Ok(()) => {}
                    Err(error) => {
                        self.go_on_unsaved(&error);
                        self.kept.keep(checkpoint);
                    }
                }
                saved_at = Some(self.seconds());
                save_seconds = self.seconds() - now;
                keep_pace.saved(self.start.elapsed());
            } else if keep_pace.is_due(self.start.elapsed()) {
                let begin = self.start.elapsed();
                // The checkpoint may be written at any time, and the file must have all rows up to it.
                self.flush();
                self.kept.keep(self.session.try_save()?);
                keep_pace.kept(begin, self.start.elapsed());
            }
        }
    }

    /// Tells the user, once, that the run's folder could not be written, as on a full disk. Training goes on,
    /// and everything is written later.
    fn go_on_unsaved(&mut self, error: &anyhow::Error) {
        if !mem::replace(&mut self.is_unsaved, true) {
            self.display.tell(&messages::goes_on_unsaved(error));
        }
    }

    /// Writes the rows that are new. If that fails, they are written later.
    fn flush(&mut self) {
        if let Err(error) = self.folder.flush() {
            self.go_on_unsaved(&error);
        }
    }

    /// Makes the recipe's changes that are due before the next unit, and tells if the run leaves its GPU for
    /// them.
    fn apply_changes(&mut self) -> Result<()> {
        let Some(recipe) = &self.recipe else { return Ok(()) };
        let sentence = recipe::apply_changes(recipe, &mut self.session, self.device, self.precision)?;
        if let Some(sentence) = sentence {
            self.display.tell(&sentence);
        }
        Ok(())
    }

    /// The fingerprint that the run must end with: the one that was asked for, or that of the recipe if the
    /// run got to its end.
    fn expected(&self) -> Option<ExpectedFingerprint> {
        let of_recipe = || {
            let recipe = self.recipe.as_ref().filter(|recipe| recipe.units == Some(self.session.units()))?;
            recipe.fingerprint()?.parse().ok()
        };
        self.expected.clone().or_else(of_recipe)
    }

    /// Trains, records and displays one unit. Returns false if a request to stop interrupted it.
    fn train_unit(&mut self) -> Result<bool> {
        let mut stop_requested_at = None;
        let mut wait = DeviceWait::default();
        loop {
            let begin = Instant::now();
            let mut slice_is_over = || begin.elapsed().as_secs_f64() >= SLICE_SECONDS;
            let done = self.session.advance(&mut Budget::until(u64::MAX, &mut slice_is_over));
            let seconds = self.seconds();
            if done.status == Status::UnitFinished {
                self.pace.record(seconds, self.session.units(), self.session.work());
                self.kept.complete(self.session.units());
                self.display.record(&self.session);
                self.tell_remark();
                let row = metrics_file::unit_row(&self.session, self.folder.seconds_before + seconds);
                self.folder.record(&self.session, &row)?;
                self.stream.metrics(row)?;
                if done.just_solved {
                    self.kept.keep_solved(self.session.try_save()?);
                    if let Err(error) = self.write_solved() {
                        self.go_on_unsaved(&error);
                    }
                }
                if self.best.as_mut().is_some_and(|best| best.improve(&self.session)) {
                    // The checkpoint may be written at any time, and the file must have all rows up to it.
                    self.flush();
                    self.kept.keep_best(self.session.try_save()?);
                }
            }
            self.update_display();
            if done.steps > 0 {
                wait.end();
            }
            match done.status {
                Status::UnitFinished => return Ok(true),
                Status::Ready => {}
                Status::Waiting => _ = wait.pause(),
                Status::Failed => {
                    let reason = self.session.failure().unwrap_or_default();
                    bail!(
                        "{reason}; the run can be continued from its last checkpoint, also with --device cpu"
                    );
                }
            }
            if self.stop.requested()
                && seconds - *stop_requested_at.get_or_insert(seconds) >= STOP_GRACE_SECONDS
            {
                return Ok(false);
            }
        }
    }

    /// Tells, once, what is wrong with what the run learns.
    fn tell_remark(&mut self) {
        if !self.has_remarked
            && let Some(remark) = self.session.remark()
        {
            self.has_remarked = true;
            let unit = self.session.entry().about.unit;
            self.display.tell(&messages::remark(unit, self.session.units(), &remark));
        }
    }

    /// Writes the checkpoint that first reached the goal, unless the folder has it.
    fn write_solved(&mut self) -> Result<()> {
        let write = |checkpoint: &Checkpoint| {
            self.folder.save_solved(checkpoint).map(|path| (checkpoint.header.clone(), path))
        };
        match self.kept.save_solved(write)? {
            Some((header, path)) => self.stream.solved(&header, &path),
            None => Ok(()),
        }
    }

    fn save(&mut self) -> Result<()> {
        let checkpoint = self.session.try_save()?;
        self.write(&checkpoint)
    }

    /// Writes the checkpoints in memory, if there are any.
    fn save_from_memory(&mut self) -> Result<()> {
        match self.kept.take() {
            Some(checkpoint) => self.write(&checkpoint),
            None => {
                let best_written = self.write_best();
                self.write_solved()?;
                best_written
            }
        }
    }

    /// Writes the best checkpoint so far, unless the folder has it.
    fn write_best(&mut self) -> Result<()> {
        let path = self.kept.save_best(|checkpoint| self.folder.save_best(checkpoint))?;
        let best = self.best.as_ref().and_then(BestValue::get);
        match path.zip(best) {
            Some((path, (value, unit))) => self.stream.best(unit, value, &path),
            None => Ok(()),
        }
    }

    fn write(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        // The newest checkpoint is written last: if the process is killed in between, the continued run gets
        // to the others again. If those cannot be written, the newest, which matters most, is written anyway.
        let best_written = self.write_best();
        let solved_written = self.write_solved();
        let path = self.kept.save(checkpoint, || self.folder.save_last(checkpoint))?;
        best_written.and(solved_written)?;
        if let Some(most) = self.keep {
            self.kept.write(|| self.folder.save_copy(checkpoint, most))?;
        }
        let fingerprint = self.fingerprint.insert(checkpoint.fingerprint());
        self.stream.saved(&checkpoint.header, &path, fingerprint)
    }

    fn update_display(&mut self) {
        let state = if self.stop.requested() { RunState::Stopping } else { RunState::Learning };
        let (units_per_second, work_per_second) = self.pace.per_second();
        let (session, seconds) = (&self.session, self.seconds());
        self.display.update(&Snapshot { session, seconds, units_per_second, work_per_second, state });
    }

    /// Reports the end of the run. Returns an error if its output failed, if it was interrupted before what
    /// was asked for, or if its fingerprint is another one than expected; with `until_goal`, also if a limit
    /// was reached before the goal.
    pub fn end(mut self, reason: EndReason, until_goal: bool) -> Result<()> {
        let seconds = self.seconds();
        let (units_per_second, work_per_second) = self.pace.per_second();
        let (session, state) = (&self.session, RunState::Ended(reason));
        self.display.finish(&Snapshot { session, seconds, units_per_second, work_per_second, state });
        self.stream.done(&self.session, self.folder.path(), reason, seconds, self.fingerprint.as_deref())?;
        messages::print_end(&Ending {
            session: &self.session,
            folder: self.folder.path(),
            reason,
            has_trained: self.session.units() > self.first_unit,
            seconds,
            // In the middle of a unit the session cannot be saved, so the folder may have an older unit only.
            saved_unit: self.kept.saved_unit(),
            metric: self.display.metric(),
            best: self.best.as_ref(),
            fingerprint: self.fingerprint.as_deref(),
            text: self.text.as_deref(),
        });
        if reason == EndReason::StdoutClosed {
            return Err(StdoutClosed.into());
        }
        if let Some(error) = self.stream.failure.take() {
            return Err(error);
        }
        if reason == EndReason::Interrupted
            && let Some(interrupted) = self.stop.missed()
        {
            return Err(interrupted.into());
        }
        if let Some(expected) = self.expected() {
            let fingerprint = self.fingerprint.as_deref().unwrap_or("none");
            if !expected.matches(fingerprint) {
                bail!("the fingerprint is {fingerprint}, but {} was expected", expected.digits());
            }
            messages::print_same();
        }
        let missed = until_goal && matches!(reason, EndReason::Units | EndReason::Time);
        if missed && self.session.solved_at().is_none() {
            bail!("the goal was not reached within the limit");
        }
        Ok(())
    }
}
