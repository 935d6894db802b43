//! The host of a session inside a worker: carries out the page's requests, runs the session in slices, and decides
//! when to send progress. It is free of JavaScript, so that it can be tested natively.
//!
//! The host has no clock. Every time is passed in, in milliseconds.

use learnery_lab::{Advance, Budget, Checkpoint, LabError, Pace, Session, Status};
use serde_bytes::ByteBuf;
use serde_json::Value;

use crate::labs;
use crate::protocol::{Columns, Progress, Reply, Request, RunInfo};

#[derive(Default)]
pub struct Host {
    session: Option<Session>,
    running: bool,
    slow_motion: SlowMotion,
    /// Rows of metrics that have not been sent yet.
    unsent_rows: Columns,
    unsent: Unsent,
    /// When progress was last sent.
    sent_at: f64,
    /// Measures units and work per second.
    pace: Pace,
    /// A save that waits for the end of the unit.
    pending_save: Option<PendingSave>,
    /// A save that was waited for and has not been sent.
    finished_save: Option<Reply>,
}

/// A limit of steps per second, kept as a balance of steps: time adds to it, steps are taken from it.
#[derive(Clone, Copy, Debug, Default)]
struct SlowMotion {
    /// The rate; `None` runs at full speed.
    steps_per_second: Option<f64>,
    /// Steps that time has allowed and that have not been made, with a fraction.
    balance: f64,
    /// When time was last added to the balance.
    updated_at: f64,
}

#[derive(Clone, Debug)]
struct PendingSave {
    purpose: String,
    network_only: bool,
}

/// Whether there is progress to send, and how urgent it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Unsent {
    #[default]
    Nothing,
    /// Ordinary progress, sent every [`PROGRESS_INTERVAL_MS`].
    Progress,
    /// An event, such as a reached goal, sent at once.
    Event,
}

const PROGRESS_INTERVAL_MS: f64 = 50.0;

/// After a long pause, such as a hidden tab, slow motion and animation make up for no more than this.
const MAX_CATCH_UP_SECONDS: f64 = 0.25;

impl SlowMotion {
    fn new(steps_per_second: Option<f64>, now: f64) -> Self {
        let steps_per_second = steps_per_second.filter(|rate| rate.is_finite() && *rate > 0.0);
        Self { steps_per_second, balance: 0.0, updated_at: now }
    }

    /// How many steps are allowed now.
    fn allowed_steps(&mut self, now: f64) -> u64 {
        let Some(rate) = self.steps_per_second else { return u64::MAX };
        let seconds = ((now - self.updated_at) / 1000.0).clamp(0.0, MAX_CATCH_UP_SECONDS);
        self.balance += seconds * rate;
        self.updated_at = now;
        self.balance as u64
    }

    fn take(&mut self, steps: u64) {
        if self.steps_per_second.is_some() {
            self.balance = (self.balance - steps as f64).max(0.0);
        }
    }

    /// Milliseconds from the last update until one more step is allowed; zero at full speed.
    fn milliseconds_until_step(&self) -> f64 {
        self.steps_per_second.map_or(0.0, |rate| ((1.0 - self.balance) / rate * 1000.0).max(0.0))
    }
}

impl Host {
    /// Carries out a request and returns its answer, if it has one. `Request::View` goes to [`Host::view`] instead.
    pub fn handle(&mut self, request: Request, now: f64) -> Option<Reply> {
        let name = request.name();
        self.try_handle(request, now)
            .unwrap_or_else(|error| Some(Reply::Refused { request: name.into(), message: error.to_string() }))
    }

    fn try_handle(&mut self, request: Request, now: f64) -> Result<Option<Reply>, LabError> {
        match request {
            Request::Start { lab, settings, seed } => {
                let session = Session::start(*labs::find(&lab)?, &Value::Object(settings), seed)?;
                Ok(Some(self.open(session)))
            }
            Request::Resume { bytes } => {
                let checkpoint = Checkpoint::from_bytes(&bytes)?;
                let session = Session::resume(*labs::find(&checkpoint.header.lab)?, &checkpoint)?;
                Ok(Some(self.open(session)))
            }
            Request::Run { steps_per_second } => {
                self.slow_motion = SlowMotion::new(steps_per_second, now);
                self.running = true;
                self.pace.reset();
                self.session()?;
                Ok(Some(self.take_progress()))
            }
            Request::Pause => {
                self.running = false;
                self.session()?;
                Ok(Some(self.take_progress()))
            }
            Request::Step { unit } => {
                self.running = false;
                let session = self.session()?;
                let advance =
                    if unit { session.advance_unit() } else { session.advance(&mut Budget::steps(1)) };
                self.record(advance);
                Ok(Some(self.take_progress()))
            }
            Request::Configure { settings } => {
                let session = self.session()?;
                session.configure(&Value::Object(settings))?;
                Ok(Some(Reply::Configured { config: session.config().clone() }))
            }
            Request::Command { command } => self.session()?.apply(command).map(|()| None),
            Request::Save { purpose, network_only, wait } => {
                let save = PendingSave { purpose, network_only };
                if wait && self.session()?.is_mid_unit() {
                    self.pending_save = Some(save);
                    return Ok(None);
                }
                Ok(Some(self.save(save)?))
            }
            // `wasm` handles these: they need a serialiser of JavaScript's, a running clock or a real failure.
            Request::View { .. } | Request::Peak | Request::Fail { .. } => Ok(None),
        }
    }

    fn session(&mut self) -> Result<&mut Session, LabError> {
        self.session.as_mut().ok_or_else(|| LabError::Command("no run is open".into()))
    }

    fn open(&mut self, session: Session) -> Reply {
        let run = RunInfo {
            lab: session.entry().about.id.into(),
            config: session.config().clone(),
            seed: session.seed(),
            goal: session.goal(),
        };
        let history = session.history();
        let metrics = Columns { units: history.units().to_vec(), values: history.columns().to_vec() };
        self.unsent_rows = empty_columns(&session);
        self.session = Some(session);
        self.running = false;
        (self.pending_save, self.finished_save) = (None, None);
        self.pace.reset();
        Reply::Opened { run, metrics, progress: self.current_progress() }
    }

    fn save(&mut self, PendingSave { purpose, network_only }: PendingSave) -> Result<Reply, LabError> {
        let session = self.session()?;
        let units_before = session.units();
        let mut checkpoint = session.save();
        if session.units() > units_before {
            // The save finished the unit.
            self.add_row();
            self.unsent = Unsent::Event;
        }
        if network_only {
            checkpoint = checkpoint.network_only();
        }
        let units = checkpoint.header.units;
        Ok(Reply::Saved { purpose, units, bytes: ByteBuf::from(checkpoint.to_bytes()) })
    }

    /// True while [`Host::slice`] has work to do.
    pub fn is_running(&self) -> bool {
        self.running && self.session.is_some()
    }

    /// Milliseconds until slow motion allows the next step; zero at full speed.
    pub fn milliseconds_until_step(&self) -> f64 {
        self.slow_motion.milliseconds_until_step()
    }

    /// Runs the session for about `milliseconds`, or for as many steps as slow motion allows.
    pub fn slice(&mut self, milliseconds: f64, now: &mut dyn FnMut() -> f64) {
        if !self.is_running() {
            return;
        }
        let begin = now();
        let mut steps = self.slow_motion.allowed_steps(begin);
        let mut is_over = || now() - begin >= milliseconds;
        while steps > 0 && !is_over() {
            let Some(session) = &mut self.session else { return };
            let advance = session.advance(&mut Budget::until(steps, &mut is_over));
            steps -= advance.steps.min(steps);
            self.slow_motion.take(advance.steps);
            self.record(advance);
            if advance.status == Status::Waiting {
                break;
            }
        }
        if let Some(session) = &self.session {
            self.pace.record(now() / 1000.0, session.units(), session.work());
        }
    }

    /// Notes what there is to send after some steps, and makes a save that waited for the end of the unit.
    fn record(&mut self, advance: Advance) {
        let unsent = match advance {
            Advance { just_solved: true, .. } => Unsent::Event,
            Advance { steps: 0, .. } => Unsent::Nothing,
            _ => Unsent::Progress,
        };
        self.unsent = self.unsent.max(unsent);
        if advance.status == Status::Unit {
            self.add_row();
            if let Some(save) = self.pending_save.take() {
                self.finished_save = self.save(save).ok();
            }
        }
    }

    /// Adds the metrics of the last unit to the rows to send.
    fn add_row(&mut self) {
        let Some(session) = &self.session else { return };
        self.unsent_rows.units.push(session.units());
        for (column, value) in self.unsent_rows.values.iter_mut().zip(session.row().values()) {
            column.push(*value);
        }
    }

    /// The message that is due without a request: a save that was waited for, or progress, every
    /// [`PROGRESS_INTERVAL_MS`] or at once after an event.
    pub fn take_message(&mut self, now: f64) -> Option<Reply> {
        if self.finished_save.is_some() {
            return self.finished_save.take();
        }
        let is_due = match self.unsent {
            Unsent::Nothing => false,
            Unsent::Progress => now - self.sent_at >= PROGRESS_INTERVAL_MS,
            Unsent::Event => true,
        };
        is_due.then(|| {
            self.sent_at = now;
            self.take_progress()
        })
    }

    /// Progress with all rows that have not been sent, which count as sent from now on.
    pub fn take_progress(&mut self) -> Reply {
        let empty = self.session.as_ref().map(empty_columns).unwrap_or_default();
        let metrics = std::mem::replace(&mut self.unsent_rows, empty);
        self.unsent = Unsent::Nothing;
        Reply::Progress { progress: self.current_progress(), metrics }
    }

    fn current_progress(&self) -> Progress {
        let session = self.session.as_ref();
        let (units_per_second, work_per_second) = self.pace.per_second();
        Progress {
            units: session.map_or(0, Session::units),
            work: session.map_or(0, Session::work),
            work_per_second,
            units_per_second,
            running: self.running,
            steps_per_second: self.slow_motion.steps_per_second,
            solved_at: session.and_then(Session::solved_at),
        }
    }

    /// Animates the stage by `seconds` and returns the data to draw; `None` if no run is open.
    pub fn view(&mut self, seconds: f64) -> Option<Box<dyn erased_serde::Serialize>> {
        let session = self.session.as_mut()?;
        session.animate(seconds.clamp(0.0, MAX_CATCH_UP_SECONDS));
        Some(session.view())
    }
}

/// No rows yet, but a column for each metric.
fn empty_columns(session: &Session) -> Columns {
    Columns { units: Vec::new(), values: vec![Vec::new(); session.history().columns().len()] }
}
