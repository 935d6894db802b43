//! The worker's side of the conversation, free of JavaScript so that it can be tested natively: holds the
//! session, carries out requests, paces the work and measures its speed.
//!
//! Time always comes in from outside, in milliseconds.

use learnery_lab::{Advance, Budget, Checkpoint, LabError, Pace, Session, Status};
use serde_bytes::ByteBuf;
use serde_json::Value;

use crate::labs;
use crate::protocol::{Columns, Progress, Reply, Request, RunInfo};

/// One session and its pace.
#[derive(Default)]
pub struct Host {
    session: Option<Session>,
    running: bool,
    steps_per_second: Option<f64>,
    /// Steps that slow motion owes, and when it was last settled.
    owed: f64,
    settled_at: f64,
    /// Rows finished since the page was last told.
    fresh: Columns,
    /// Whether there is anything to tell, and when the page was last told.
    news: News,
    told_at: f64,
    pace: Pace,
    /// A save that waits for the end of the unit (its purpose, and whether the network alone is wanted),
    /// and one that is done.
    awaited: Option<(String, bool)>,
    saved: Option<Reply>,
}

/// What the page does not know yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    #[default]
    None,
    /// Work was done; the page hears of it in its turn.
    Work,
    /// Something it should hear at once.
    Event,
}

/// Progress is told at most this often while it runs.
const TELL_EVERY_MS: f64 = 50.0;

/// Slow motion never tries to catch up more than this many seconds.
const MOST_OWED_SECONDS: f64 = 0.25;

impl Host {
    /// Carries out a request; `None` where there is nothing to say. Views are asked for with
    /// [`Host::view`].
    pub fn handle(&mut self, request: Request, now: f64) -> Option<Reply> {
        let name = request_name(&request);
        self.carry_out(request, now)
            .unwrap_or_else(|error| Some(Reply::Refused { request: name.into(), message: error.to_string() }))
    }

    fn carry_out(&mut self, request: Request, now: f64) -> Result<Option<Reply>, LabError> {
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
                self.steps_per_second = steps_per_second.filter(|rate| rate.is_finite() && *rate > 0.0);
                (self.running, self.owed, self.settled_at) = (true, 0.0, now);
                self.pace.reset();
                self.session()?;
                Ok(Some(self.progress()))
            }
            Request::Pause => {
                self.running = false;
                self.session()?;
                Ok(Some(self.progress()))
            }
            Request::Step { unit } => {
                self.running = false;
                let session = self.session()?;
                let done = if unit { session.advance_unit() } else { session.advance(&mut Budget::steps(1)) };
                self.note(done);
                Ok(Some(self.progress()))
            }
            Request::Configure { settings } => {
                let session = self.session()?;
                session.configure(&Value::Object(settings))?;
                Ok(Some(Reply::Configured { config: session.config().clone() }))
            }
            Request::Command { command } => self.session()?.apply(command).map(|()| None),
            Request::Save { purpose, network_only, wait } => {
                let session = self.session()?;
                if wait && session.is_mid_unit() {
                    self.awaited = Some((purpose, network_only));
                    return Ok(None);
                }
                Ok(Some(self.save(purpose, network_only)?))
            }
            // These need JavaScript's side (a serialiser, a clock that runs, a real failure) and are handled there.
            Request::View { .. } | Request::Peak | Request::Fail { .. } => Ok(None),
        }
    }

    /// The session, or a refusal.
    pub fn session(&mut self) -> Result<&mut Session, LabError> {
        self.session.as_mut().ok_or_else(|| LabError::Command("no run is open".into()))
    }

    fn save(&mut self, purpose: String, network_only: bool) -> Result<Reply, LabError> {
        let session = self.session()?;
        let before = session.units();
        let mut checkpoint = session.save();
        if session.units() > before {
            self.keep_row();
            self.news = News::Event;
        }
        if network_only {
            checkpoint = checkpoint.network_only();
        }
        let units = checkpoint.header.units;
        Ok(Reply::Saved { purpose, units, bytes: ByteBuf::from(checkpoint.to_bytes()) })
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
        self.fresh = empty_columns(&session);
        self.session = Some(session);
        self.running = false;
        (self.awaited, self.saved) = (None, None);
        self.pace.reset();
        Reply::Opened { run, metrics, progress: self.where_it_stands() }
    }

    /// True while slices should follow one another.
    pub fn is_running(&self) -> bool {
        self.running && self.session.is_some()
    }

    /// Milliseconds until slow motion owes another step; zero flat out.
    pub fn rest(&self) -> f64 {
        self.steps_per_second.map_or(0.0, |rate| ((1.0 - self.owed) / rate * 1000.0).max(0.0))
    }

    /// Works for about `milliseconds`, as the pace allows.
    pub fn slice(&mut self, milliseconds: f64, now: &mut dyn FnMut() -> f64) {
        if !self.is_running() {
            return;
        }
        let begin = now();
        let mut steps = u64::MAX;
        if let Some(rate) = self.steps_per_second {
            self.owed += ((begin - self.settled_at) / 1000.0).clamp(0.0, MOST_OWED_SECONDS) * rate;
            self.settled_at = begin;
            steps = self.owed as u64;
        }
        let mut over = || now() - begin >= milliseconds;
        while steps > 0 && !over() {
            let Some(session) = &mut self.session else { return };
            let done = session.advance(&mut Budget::until(steps, &mut over));
            steps -= done.steps.min(steps);
            if self.steps_per_second.is_some() {
                self.owed = (self.owed - done.steps as f64).max(0.0);
            }
            self.note(done);
            if done.status == Status::Waiting {
                break;
            }
        }
        if let Some(session) = &self.session {
            self.pace.note(now() / 1000.0, session.units(), session.work());
        }
    }

    fn note(&mut self, done: Advance) {
        let news = match done {
            Advance { just_solved: true, .. } => News::Event,
            Advance { steps: 0, .. } => News::None,
            _ => News::Work,
        };
        self.news = self.news.max(news);
        if done.status == Status::Unit {
            self.keep_row();
            if let Some((purpose, network_only)) = self.awaited.take() {
                self.saved = self.save(purpose, network_only).ok();
            }
        }
    }

    fn keep_row(&mut self) {
        let Some(session) = &self.session else { return };
        self.fresh.units.push(session.units());
        for (column, value) in self.fresh.values.iter_mut().zip(session.row().values()) {
            column.push(*value);
        }
    }

    /// A save that was waited for; or progress, when it is time to tell the page: at once after an event,
    /// else every [`TELL_EVERY_MS`].
    pub fn news(&mut self, now: f64) -> Option<Reply> {
        if self.saved.is_some() {
            return self.saved.take();
        }
        let due = match self.news {
            News::None => false,
            News::Work => now - self.told_at >= TELL_EVERY_MS,
            News::Event => true,
        };
        due.then(|| {
            self.told_at = now;
            self.progress()
        })
    }

    /// Where the run stands, with the rows finished since this was last asked.
    pub fn progress(&mut self) -> Reply {
        let empty = self.session.as_ref().map(empty_columns).unwrap_or_default();
        let metrics = std::mem::replace(&mut self.fresh, empty);
        self.news = News::None;
        Reply::Progress { progress: self.where_it_stands(), metrics }
    }

    fn where_it_stands(&self) -> Progress {
        let session = self.session.as_ref();
        let (units_per_second, work_per_second) = self.pace.per_second();
        Progress {
            units: session.map_or(0, Session::units),
            work: session.map_or(0, Session::work),
            work_per_second,
            units_per_second,
            running: self.running,
            steps_per_second: self.steps_per_second,
            solved_at: session.and_then(Session::solved_at),
        }
    }

    /// What can be drawn now, after `seconds` for what runs at its own pace.
    pub fn view(&mut self, seconds: f64) -> Option<Box<dyn erased_serde::Serialize>> {
        let session = self.session.as_mut()?;
        session.animate(seconds.clamp(0.0, MOST_OWED_SECONDS));
        Some(session.view())
    }
}

fn empty_columns(session: &Session) -> Columns {
    Columns { units: Vec::new(), values: vec![Vec::new(); session.history().columns().len()] }
}

fn request_name(request: &Request) -> &'static str {
    match request {
        Request::Start { .. } => "start",
        Request::Resume { .. } => "resume",
        Request::Run { .. } => "run",
        Request::Pause => "pause",
        Request::Step { .. } => "step",
        Request::Configure { .. } => "configure",
        Request::Command { .. } => "command",
        Request::View { .. } => "view",
        Request::Save { .. } => "save",
        Request::Peak => "peak",
        Request::Fail { .. } => "fail",
    }
}
