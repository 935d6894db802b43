//! The host runs one session (a training run) inside a web worker. It executes the page's requests, trains in
//! slices of a few milliseconds, and decides when to send progress to the page. It does not use JavaScript,
//! so it can be tested natively.
//!
//! The host has no clock. Every point of time is passed as an argument, in milliseconds. A *unit* is one
//! training iteration, a *step* its smallest interruptible piece.

mod asking;
#[cfg_attr(not(feature = "gpu"), path = "host/without_gpu.rs")]
mod opening;
mod progress;
mod replacement;

use std::collections::VecDeque;

use learnery_lab::{Budget, Change, Checkpoint, LabError, Pace, Recipe, Session, Status};
use serde_bytes::ByteBuf;
use serde_json::Value;

use crate::animation_limit::AnimationLimit;
use crate::labs;
use crate::pending::{BetweenUnits, PendingWork, RequestedStep, SaveRequest, WaitingRequest};
use crate::protocol::{Columns, Reply, ReplyTo, Request, RunInfo};
use crate::questions::{Question, Questions};
use crate::slow_motion::{MAX_CATCH_UP_SECONDS, SlowMotion};
pub use opening::{OpenGpu, Opening};
use progress::{Unsent, empty_columns};
use replacement::NextRun;

#[derive(Default)]
pub struct Host {
    /// The open run.
    session: Option<Session>,
    /// Whether the page has started the run and not paused it.
    is_running: bool,
    slow_motion: SlowMotion,
    /// Rows of metrics that have not been sent yet.
    unsent_rows: Columns,
    /// Whether and how urgently progress must be sent.
    unsent: Unsent,
    /// When progress was last sent.
    sent_at_ms: f64,
    /// Limits the animation while a GPU trains at full speed.
    animation_limit: AnimationLimit,
    /// Measures units and work per second.
    pace: Pace,
    /// The changes of the run that the page knows.
    sent_changes: Vec<Change>,
    /// Saves for which training goes on to the end of the unit at its own pace.
    saves_at_unit_end: Vec<WaitingRequest>,
    /// Work that later slices continue.
    pending: PendingWork,
    /// The run that replaces the open one once the requests in `pending` have been carried out.
    next: Option<NextRun>,
    /// What the page has asked the lab's tools. It outlives the run, because each tool has its own network.
    questions: Questions,
    /// The device that was opened for the run.
    gpu: Option<OpenGpu>,
    /// What a GPU needs of the worker; `None` where there is none.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU calls them"))]
    worker: Option<WorkerCalls>,
    /// Messages for the page, to be sent with the next [`Host::take_message`]: replies to requests that had
    /// to wait, and what the page has not asked for.
    queued_replies: VecDeque<ReplyTo>,
}

/// The functions that a GPU calls.
#[derive(Clone, Copy)]
pub struct WorkerCalls {
    /// Called when the GPU has finished something, so that the worker goes on at once.
    pub wake: fn(),
    /// Returns the time in seconds, by which the speed of the GPU is measured.
    pub clock: fn() -> f64,
    /// Returns whether a generated kernel is being compiled in the background.
    pub is_compiling: fn() -> bool,
}

/// Milliseconds until a busy GPU is asked again.
const DEVICE_POLL_MS: f64 = 2.0;

impl Host {
    /// A host whose runs can compute on a GPU.
    pub fn with_calls(worker: WorkerCalls) -> Self {
        Self { worker: Some(worker), ..Self::default() }
    }

    /// Executes the request with this number and returns the reply, or `None` if there is none (yet): a reply
    /// that comes later is a message with this number. `Request::View` goes to [`Host::view`] instead.
    pub fn handle(&mut self, id: u32, request: Request, now: f64) -> Option<Reply> {
        if self.next.is_some() {
            self.queue_for_next(id, request);
            return None;
        }
        let name = request.name();
        self.try_handle(id, request, now).unwrap_or_else(|error| Some(refused(name, error)))
    }

    fn try_handle(&mut self, id: u32, request: Request, now: f64) -> Result<Option<Reply>, LabError> {
        match request {
            Request::Start { lab, settings, seed } => {
                let session = Session::start(*labs::find(&lab)?, &Value::Object(settings), seed)?;
                Ok(self.replace(id, session, now))
            }
            Request::Resume { bytes } => {
                let checkpoint = Checkpoint::from_bytes(&bytes)?;
                let session = Session::resume(*labs::find(&checkpoint.header.lab)?, &checkpoint)?;
                Ok(self.replace(id, session, now))
            }
            Request::Run { steps_per_second } => {
                self.slow_motion = SlowMotion::new(steps_per_second, now);
                self.is_running = true;
                self.pace.reset();
                self.session()?; // refused if no run is open
                Ok(Some(self.take_progress()))
            }
            Request::Pause => {
                self.is_running = false;
                self.session()?; // refused if no run is open
                self.end_step();
                Ok(Some(self.take_progress()))
            }
            Request::Step { unit } => {
                self.is_running = false;
                self.session()?;
                self.end_step();
                self.pending.step = Some((id, if unit { RequestedStep::Unit } else { RequestedStep::Step }));
                // A single step is short, so it is done at once unless something else has to come first.
                if !unit && self.pending.waiting.is_empty() && !self.pending.opens_device() {
                    self.finish_step(&mut || true);
                }
                Ok(self.pending.step.is_none().then(|| {
                    self.pending.ended_steps.pop_back();
                    self.take_progress()
                }))
            }
            Request::Configure { settings } => {
                let session = self.session()?;
                session.configure(&Value::Object(settings))?;
                Ok(Some(self.configured()?))
            }
            Request::Reseed { seed } => self.do_between_units(id, BetweenUnits::Reseed(seed)),
            Request::Command { command, bytes: Some(file) } => {
                let text = self.session()?.apply_with_file(command, file.into_vec())?;
                Ok(Some(Reply::Executed { text }))
            }
            Request::Command { command, bytes: None } => {
                if self.session()?.entry().sets_data(&command) {
                    return self.do_between_units(id, BetweenUnits::SetData(command));
                }
                let text = self.session()?.apply(command)?;
                Ok(Some(Reply::Executed { text }))
            }
            Request::Save { network_only, wait, fingerprint, recipe } => {
                let save = BetweenUnits::Save(SaveRequest { network_only, fingerprint, recipe });
                if wait && self.session()?.is_mid_unit() {
                    self.saves_at_unit_end.push(WaitingRequest { id, work: save });
                    return Ok(None);
                }
                self.do_between_units(id, save)
            }
            Request::UseGpu { software, name } => {
                self.session()?;
                self.pending.openings.push_back((Some(id), Opening::begin(software, name)?));
                Ok(None)
            }
            Request::Ask { id, tool, input, bytes, priority } => {
                let question = Question { id, tool, input, bytes: bytes.map(ByteBuf::into_vec), priority };
                self.do_between_units(id, BetweenUnits::Ask(question))
            }
            Request::Cancel { id } => self.cancel(id).map(|()| None),
            // The module `wasm` handles these, because they need conversion to JavaScript objects, a clock or
            // a real failure.
            Request::View { .. } | Request::Peak | Request::Fail { .. } => Ok(None),
        }
    }

    /// The open run, or an error if there is none.
    fn session(&mut self) -> Result<&mut Session, LabError> {
        self.session.as_mut().ok_or_else(no_run)
    }

    /// Makes this the open run, and returns its description.
    fn open(&mut self, session: Session) -> Reply {
        let run = RunInfo {
            lab: session.entry().about.id.into(),
            config: session.config().clone(),
            seed: session.seed(),
            changes: session.changes().to_vec(),
            goal: session.goal(),
            network_since: session.network_since(),
        };
        self.sent_changes.clone_from(&run.changes);
        let history = session.history();
        let metrics = Columns { units: history.units().to_vec(), values: history.columns().to_vec() };
        self.unsent_rows = empty_columns(&session);
        self.session = Some(session);
        self.is_running = false;
        (self.saves_at_unit_end, self.pending, self.gpu) = (Vec::new(), PendingWork::default(), None);
        self.unsent = Unsent::Nothing;
        self.pace.reset();
        Reply::Opened { run, metrics, progress: self.current_progress() }
    }

    /// The message about what live settings and the seed are now, and what has changed during the run.
    fn configured(&mut self) -> Result<Reply, LabError> {
        let session = self.session()?;
        let (config, seed) = (session.config().clone(), session.seed());
        let (changes, goal) = (session.changes().to_vec(), session.goal());
        self.sent_changes.clone_from(&changes);
        Ok(Reply::Configured { config, seed, changes, goal })
    }

    /// Carries out the request, or lets it wait and returns `None`: until slices have finished the unit in
    /// progress, and until the run has been fetched from the GPU.
    fn do_between_units(&mut self, id: u32, work: BetweenUnits) -> Result<Option<Reply>, LabError> {
        if let BetweenUnits::Ask(question) = &work {
            let answerer = self.questions.answerer()?;
            if self.session.is_none() {
                answerer.refuse(question.id, no_run());
                return Ok(None);
            }
        }
        let session = self.session()?;
        if session.will_finish_unit() || session.prepare_save() == Status::Waiting {
            self.pending.waiting.push_back(WaitingRequest { id, work });
            return Ok(None);
        }
        match work {
            BetweenUnits::Save(save) => self.save(save).map(Some),
            BetweenUnits::Reseed(seed) => {
                self.session()?.reseed(seed)?;
                self.configured().map(Some)
            }
            BetweenUnits::SetData(command) => {
                self.session()?.apply(command)?;
                self.return_to_device();
                self.configured().map(Some)
            }
            BetweenUnits::Ask(question) => self.begin_question(question).map(|()| None),
        }
    }

    /// Saves the run, which is between two units and has been fetched from the GPU.
    fn save(&mut self, request: SaveRequest) -> Result<Reply, LabError> {
        let SaveRequest { network_only, fingerprint, recipe } = request;
        let mut checkpoint = self.session()?.try_save()?;
        let fingerprint = fingerprint.then(|| checkpoint.fingerprint());
        let units = checkpoint.header.units;
        let bytes = match recipe {
            Some(class) => {
                let recipe = Recipe::of_checkpoint(self.session()?.entry(), &checkpoint, Some(&class))?;
                recipe.to_json().into_bytes()
            }
            None => {
                if network_only {
                    checkpoint = checkpoint.network_only();
                }
                checkpoint.to_bytes()
            }
        };
        Ok(Reply::Saved { units, fingerprint, bytes: ByteBuf::from(bytes) })
    }

    /// Carries out a request that has been waiting, and queues the reply. If the run has to be fetched from
    /// the GPU, the request goes on waiting.
    fn retry_between_units(&mut self, WaitingRequest { id, work }: WaitingRequest) {
        let name = work.name();
        let reply = self.do_between_units(id, work).unwrap_or_else(|error| Some(refused(name, error)));
        self.queued_replies.extend(reply.map(|reply| ReplyTo::request(id, reply)));
    }

    /// Ends the step that the page asked for: it is finished, or a pause or another step comes before. Its
    /// answer follows.
    fn end_step(&mut self) {
        self.pending.ended_steps.extend(self.pending.step.take().map(|(id, _)| id));
    }

    /// Goes on with the step or unit that the page asked for, and with the unit at whose end a request waits,
    /// until they are finished, `is_over` returns true or the GPU is busy.
    fn finish_step(&mut self, is_over: &mut dyn FnMut() -> bool) {
        loop {
            let step = self.pending.step.map(|(_, step)| step);
            let finishes_unit = self.is_unit_awaited() || step == Some(RequestedStep::Unit);
            let is_requested = finishes_unit || step.is_some();
            let Some(session) = self.session.as_mut().filter(|_| is_requested) else { return };
            let mut budget = if finishes_unit { Budget::until(u64::MAX, is_over) } else { Budget::steps(1) };
            let advance = session.advance(&mut budget);
            self.record(advance);
            let is_finished = match advance.status {
                Status::UnitFinished | Status::Failed => true,
                Status::Ready => !finishes_unit,
                Status::Waiting => {
                    self.pending.is_busy = true;
                    return;
                }
            };
            if is_finished {
                self.end_step();
                self.unsent = self.unsent.max(Unsent::Event);
                return;
            }
            if is_over() {
                return;
            }
        }
    }

    /// Whether a request waits for the end of the unit in progress.
    fn is_unit_awaited(&self) -> bool {
        !self.pending.waiting.is_empty() && self.session.as_ref().is_some_and(Session::will_finish_unit)
    }

    /// Goes on with what the page asked for and with what waits for the GPU, until `is_over` returns true.
    /// Returns true when training may go on.
    fn advance_pending_work(&mut self, now: f64, is_over: &mut dyn FnMut() -> bool) -> bool {
        self.pending.is_busy = false;
        if !self.open_device(now) {
            self.pending.is_busy = true;
            return false;
        }
        if self.is_unit_awaited() {
            self.finish_step(is_over);
            if self.is_unit_awaited() {
                return false;
            }
        }
        // These requests come first, because a step would change what is being fetched for them.
        for request in std::mem::take(&mut self.pending.waiting) {
            self.retry_between_units(request);
        }
        if self.pending.waiting.is_empty() {
            self.finish_step(is_over);
        }
        self.pending.is_busy |= !self.pending.waiting.is_empty();
        !self.pending.is_busy && self.pending.step.is_none()
    }

    /// True while [`Host::slice`] has work to do: the run trains, a request waits for the end of a unit or for
    /// the GPU, or a tool works.
    pub fn has_work(&self) -> bool {
        self.trains() || self.questions.has_work()
    }

    /// Whether the run has work to do.
    fn trains(&self) -> bool {
        self.session.is_some() && (self.is_running || !self.pending.is_empty())
    }

    /// Milliseconds until slow motion allows the next step, or until a busy GPU is asked again; zero at full
    /// speed, for what the page asked for, and while a tool works.
    pub fn milliseconds_until_slice(&self, now: f64) -> f64 {
        if self.questions.has_work() {
            0.0
        } else if self.pending.is_busy {
            DEVICE_POLL_MS
        } else if self.pending.is_empty() {
            self.slow_motion.milliseconds_until_step(now)
        } else {
            0.0
        }
    }

    /// Works for about `milliseconds`: first on a question to a tool, then on what is pending, then on training,
    /// with no more steps than slow motion allows. `now` returns the current time.
    pub fn slice(&mut self, milliseconds: f64, now: &mut dyn FnMut() -> f64) {
        let begin = now();
        if self.questions.has_work() {
            self.advance_questions(milliseconds, begin, now);
        }
        if !self.trains() {
            return;
        }
        let mut is_over = || now() - begin >= milliseconds;
        let may_train = self.advance_pending_work(begin, &mut is_over);
        if self.next.is_some() {
            self.open_next(begin);
            return;
        }
        if !may_train || !self.is_running {
            return;
        }
        let mut steps = self.slow_motion.allowed_steps(begin);
        while steps > 0 && !is_over() {
            let Some(session) = &mut self.session else { return };
            let advance = session.advance(&mut Budget::until(steps, &mut is_over));
            steps -= advance.steps.min(steps); // never below zero, whatever the lab counts
            self.slow_motion.take(advance.steps);
            self.record(advance);
            // A save that waited for the end of the unit is now being fetched, which the next step would
            // undo.
            self.pending.is_busy = advance.status == Status::Waiting || !self.pending.waiting.is_empty();
            if self.pending.is_busy || advance.status == Status::Failed {
                break;
            }
        }
        if let Some(session) = &self.session {
            self.pace.record(now() / 1000.0, session.units(), session.work());
        }
    }

    /// Advances the animation of the stage (the interactive picture) by `seconds` and returns the data to
    /// draw; `None` if no run is open. While a GPU trains at full speed, the animation gets a limited share of
    /// the worker's time, and stands still in between. `now` returns the current time.
    pub fn view(
        &mut self,
        seconds: f64,
        now: &mut dyn FnMut() -> f64,
    ) -> Option<Box<dyn erased_serde::Serialize>> {
        let session = self.session.as_mut()?;
        let begin = now();
        let keeps_gpu_busy = self.is_running
            && self.slow_motion.steps_per_second.is_none()
            && session.devices().last().is_some_and(|device| !device.is_cpu());
        if !keeps_gpu_busy || self.animation_limit.allows(begin) {
            session.animate(seconds.clamp(0.0, MAX_CATCH_UP_SECONDS));
            self.animation_limit.record(begin, now());
        }
        Some(session.view())
    }
}

fn no_run() -> LabError {
    LabError::Command("no run is open".into())
}

/// The reply to a request of this name that was refused.
fn refused(name: &str, error: LabError) -> Reply {
    Reply::Refused { request: name.into(), message: reason(error) }
}

/// Why a request was refused. About a checkpoint only what is wrong with it, because the page knows the name
/// of the file.
pub fn reason(error: LabError) -> String {
    match error {
        LabError::Checkpoint(problem) => problem,
        other => other.to_string(),
    }
}
