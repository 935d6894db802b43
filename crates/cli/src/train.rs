//! Training: works in short slices, records every finished unit, saves now and then, shows where it
//! stands, and ends at a limit or when asked to.
//!
//! The clock decides when to look up and when to save, never what a unit does, so a run is the same
//! whatever it is called with.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use learnery_lab::{Budget, Checkpoint, Pace, Session, Status};

use crate::args::TrainArgs;
use crate::display::{Display, Now, Phase, Run};
use crate::files::LAST;
use crate::limits::{Limits, Reason};
use crate::metrics_file;
use crate::opening::{Opened, open};
use crate::out;
use crate::run_dir::RunDir;
use crate::signals::Stop;
use crate::stream::Stream;
use crate::words;

/// The longest a slice works before the display is looked after, in seconds.
const SLICE: f64 = 0.05;

/// Seconds between two saves, and the largest share of the time they may take.
const SAVE_EVERY: f64 = 30.0;
const SAVE_SHARE: f64 = 0.05;

/// Units longer than this are kept in memory at their end, so that a run interrupted in the next one loses nothing.
const LONG_UNIT: f64 = 0.25;

/// Seconds from a request to stop within which the unit in progress may still end.
const GRACE: f64 = 0.4;

/// Seconds between two hand-overs of fresh rows to the system, for readers beside the run.
const FLUSH_EVERY: f64 = 1.0;

/// Runs the pool of threads with `threads` of them; as many as there are cores where nothing is said.
pub fn use_threads(threads: Option<u16>) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    pool.build_global().context("the threads cannot be started")
}

/// The command.
pub fn train(args: &TrainArgs) -> Result<()> {
    use_threads(args.threads)?;
    let stop = Stop::listen()?;
    let Opened { session, folder, resumed } = open(args)?;
    let limits = limits(args, &session, resumed);
    let first_unit = session.units();
    let run = Run { path: folder.path().to_owned(), limits, first_unit };
    let mut stream = Stream::new(args.json);
    words::opening(&session, folder.path(), resumed, &limits);
    stream.start(&session, folder.path(), resumed)?;
    let display = Display::new(run, &session, args.json);
    let saved_unit = folder.path().join(LAST).exists().then_some(first_unit);
    let mut training = Training {
        session,
        folder,
        limits,
        first_unit,
        stream,
        display,
        stop,
        pace: Pace::default(),
        clock: Instant::now(),
        kept: None,
        saved_unit,
    };
    let reason = training.run()?;
    training.end(reason, args.until_goal)
}

/// Without any limit, a run goes on to its goal or to the end of what its settings plan ahead; one that has that behind it,
/// until it is stopped.
fn limits(args: &TrainArgs, session: &Session, resumed: bool) -> Limits {
    let open_end = args.time.is_none() && args.units.is_none() && !args.until_goal;
    let solved = resumed && session.solved_at().is_some();
    Limits {
        seconds: args.time.map(|span| span.seconds),
        last_unit: args.units.map(|units| session.units().saturating_add(units)),
        goal: args.until_goal || (open_end && !solved),
        schedule: session.schedule().filter(|last| open_end && !solved && session.units() < *last),
    }
}

struct Training {
    session: Session,
    folder: RunDir,
    limits: Limits,
    first_unit: u64,
    stream: Stream,
    display: Display,
    stop: Stop,
    pace: Pace,
    clock: Instant,
    /// The run at the end of its last unit, where units are long.
    kept: Option<Checkpoint>,
    /// The unit of the newest checkpoint in the folder.
    saved_unit: Option<u64>,
}

impl Training {
    fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    /// Trains until a limit is reached; whatever ends it, the run is saved.
    fn run(&mut self) -> Result<Reason> {
        let reason = self.train();
        self.stop.ending();
        let saved = if self.session.is_mid_unit() { self.save_kept() } else { self.save() };
        let reason = reason?;
        saved?;
        Ok(reason)
    }

    fn train(&mut self) -> Result<Reason> {
        let mut saved_at = None;
        let mut save_cost = 0.0;
        let mut flushed_at = 0.0;
        self.pace.note(0.0, self.session.units(), self.session.work());
        loop {
            let solved = self.session.solved_at().is_some();
            if let Some(reason) = self.limits.reached(self.session.units(), self.seconds(), solved) {
                return Ok(reason);
            }
            if self.stop.requested() {
                return Ok(Reason::Interrupted);
            }
            let begin = self.seconds();
            if !self.unit()? {
                return Ok(Reason::Interrupted);
            }
            if self.stream.unread() {
                return Ok(Reason::Unread);
            }
            let now = self.seconds();
            if now - flushed_at >= FLUSH_EVERY {
                self.folder.flush()?;
                flushed_at = now;
            }
            // The first unit is saved at once: from then on there is something to continue.
            if saved_at.is_none_or(|at| now - at >= SAVE_EVERY.max(save_cost / SAVE_SHARE)) {
                self.save()?;
                saved_at = Some(self.seconds());
                save_cost = self.seconds() - now;
            } else if now - begin > LONG_UNIT && save_cost < SAVE_SHARE * (now - begin) {
                self.kept = Some(self.session.save());
            }
        }
    }

    /// One whole unit, recorded and displayed; false where it was interrupted.
    fn unit(&mut self) -> Result<bool> {
        let mut requested_at = None;
        loop {
            let begin = Instant::now();
            let mut over = || begin.elapsed().as_secs_f64() >= SLICE;
            let done = self.session.advance(&mut Budget::until(u64::MAX, &mut over));
            let seconds = self.seconds();
            if done.status == Status::Unit {
                self.pace.note(seconds, self.session.units(), self.session.work());
                self.display.note(&self.session);
                let row = metrics_file::row(&self.session, self.folder.seconds_before + seconds);
                self.folder.record(&self.session, &row)?;
                self.stream.metrics(row)?;
                if done.just_solved {
                    let path = self.folder.save_solved(&self.session.save())?;
                    self.stream.solved(&self.session, &path)?;
                }
            }
            self.show();
            match done.status {
                Status::Unit => return Ok(true),
                Status::Ready => {}
                // A device is busy; asking it all the time would take a core from it.
                Status::Waiting => std::thread::sleep(Duration::from_micros(200)),
            }
            if self.stop.requested() && seconds - *requested_at.get_or_insert(seconds) >= GRACE {
                return Ok(false);
            }
        }
    }

    fn save(&mut self) -> Result<()> {
        let checkpoint = self.session.save();
        self.write(&checkpoint)
    }

    /// Saves the run as it was at the end of the last unit, where that is newer than the file.
    fn save_kept(&mut self) -> Result<()> {
        match self.kept.take() {
            Some(kept) if self.saved_unit.is_none_or(|unit| unit < kept.header.units) => self.write(&kept),
            _ => Ok(()),
        }
    }

    fn write(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        let path = self.folder.save_last(checkpoint)?;
        self.saved_unit = Some(checkpoint.header.units);
        self.stream.saved(&checkpoint.header, &path)
    }

    fn show(&mut self) {
        let phase = if self.stop.requested() { Phase::Stopping } else { Phase::Learning };
        let now =
            Now { session: &self.session, seconds: self.seconds(), pace: self.pace.per_second(), phase };
        self.display.tick(&now);
    }

    fn end(mut self, reason: Reason, goal_was_asked_for: bool) -> Result<()> {
        let seconds = self.seconds();
        let phase = Phase::Over(reason);
        let pace = self.pace.per_second();
        self.display.finish(&Now { session: &self.session, seconds, pace, phase });
        self.stream.done(&self.session, self.folder.path(), reason, seconds)?;
        let worked = self.session.units() > self.first_unit;
        let unsaved = self.session.is_mid_unit() && self.saved_unit != Some(self.session.units());
        let saved = if unsaved { self.saved_unit } else { Some(self.session.units()) };
        words::closing(
            &self.session,
            self.folder.path(),
            reason,
            worked,
            seconds,
            saved,
            self.display.watched(),
        );
        if reason == Reason::Unread {
            return Err(out::Closed.into());
        }
        let missed = goal_was_asked_for && matches!(reason, Reason::Units | Reason::Time);
        if missed && self.session.solved_at().is_none() {
            bail!("the goal was not reached within the limit");
        }
        Ok(())
    }
}
