//! The learner of a fleet at work: one thread that learns, answers actors and keeps the run's folder, beside
//! the threads that compute checks and the one of the network. A *unit* is one training iteration.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use learnery_lab::fleet::Version;
use learnery_lab::{Entry, LabError};

use super::checkers::{Checkers, FinishedCheck};
use super::farewell::tell_complete;
use super::gauges::Gauges;
use super::hub::{Hub, HubEvent};
use super::keeper::Keeper;
use super::secrets::random;
use super::server::Server;
use crate::host::{Host, Notice, Progress};
use crate::message::{FromActor, ToActor};
use crate::run::{LabRun, Run};
use crate::status::{FleetStatus, LearnerState, LearnerStatus, Quarantine};
use crate::trust::{Policy, Trust};
use crate::wire::ActorName;

/// How long a job stays with an actor that is not heard of.
pub(super) const LEASE_DURATION: Duration = Duration::from_secs(30);
/// How often an actor tells that it is working.
pub(super) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);
/// How many actors may compute the same job when no other is left.
const MAX_COPIES: usize = 2;
/// How many actors a fleet takes at the same time.
pub(super) const MAX_ACTORS: usize = 4096;
/// Bytes of results since the last checkpoint after which the next is due.
const MAX_LOG_BYTES: usize = 256 << 20;
/// The shortest time between two saves.
const MIN_SAVE_INTERVAL: Duration = Duration::from_secs(5);
/// The largest fraction of the time that saves may take.
const MAX_SAVE_FRACTION: f64 = 0.05;
/// The longest sleep while only results are missing.
const MAX_SLEEP: Duration = Duration::from_millis(50);
/// The longest sleep while a check is under way, whose result is looked for in between.
const MAX_SLEEP_DURING_CHECK: Duration = Duration::from_millis(3);
/// Messages that are answered between two steps of learning.
const MAX_MESSAGES_PER_STEP: usize = 64;
const STATUS_INTERVAL: Duration = Duration::from_secs(1);
/// The most actors in quarantine that the status lists.
const MAX_LISTED_QUARANTINED: usize = 50;
/// The most sentences about refusals that are printed; the status counts all of them.
const MAX_PRINTED_SENTENCES: u64 = 20;

/// A run to serve, and how.
pub struct Serve {
    pub run: LabRun,
    pub entries: &'static [Entry],
    /// The version of Learnery.
    pub build: String,
    /// The class of bits, `fused` or `plain`.
    pub bits: String,
    /// Ends after this unit, counted from the beginning of the run.
    pub last_unit: Option<u64>,
    /// Threads that compute checks.
    pub threads: usize,
    /// Whether all of every result is computed again.
    pub check_all: bool,
    /// What earlier hosts of the run knew of its actors.
    pub trust: Trust,
}

/// Why serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServeEnd {
    /// The last unit is done, and all is saved.
    Complete,
    Stopped,
}

/// Serves a run until its last unit is done or somebody stops it.
pub fn serve(
    serve: Serve,
    hub: Hub,
    server: Option<Server>,
    keeper: &mut dyn Keeper,
) -> Result<ServeEnd, LabError> {
    let Serve { run, entries, build, bits, last_unit, threads, check_all, trust } = serve;
    let policy = Policy {
        build: build.clone(),
        bits: bits.clone(),
        lease: LEASE_DURATION,
        heartbeat_interval: HEARTBEAT_INTERVAL,
        max_copies: MAX_COPIES,
        max_actors: MAX_ACTORS,
        // The clock decides, see `is_save_due`.
        save_every: u64::MAX,
        max_log_bytes: MAX_LOG_BYTES,
        check_all,
        secret: random(),
    };
    let session = run.session();
    let constant_status = FleetStatus {
        build,
        bits,
        lab: session.entry().about.id.to_owned(),
        seed: session.seed(),
        work: session.entry().about.work.to_owned(),
        last_unit,
        ..FleetStatus::default()
    };
    let work_before_unit = session.work();
    let host = Host::new(run, policy, trust)?;
    let mut serving = Serving {
        host,
        hub,
        server,
        keeper,
        checkers: Checkers::start(threads, entries),
        gauges: Gauges::default(),
        constant_status,
        last_unit,
        started_at: Instant::now(),
        version_file: None,
        work_before_unit,
        work_per_job: None,
        saved_at: None,
        is_unsaved: false,
        save_time: Duration::ZERO,
        waited: Duration::ZERO,
        printed_sentences: 0,
        sent_bytes: 0,
        idle_actors: BTreeSet::new(),
        given_out: None,
    };
    let end = serving.run().and_then(|end| serving.save_at_last().map(|()| end));
    match (&mut serving.server, &end) {
        // `quit` lets the server deliver its last messages, so that actors hear that the run is complete.
        (Some(server), Ok(ServeEnd::Complete)) => server.quit(),
        (Some(server), _) => server.stop(),
        (None, _) => {}
    }
    end
}

struct Serving<'a> {
    host: Host<LabRun>,
    hub: Hub,
    server: Option<Server>,
    keeper: &'a mut dyn Keeper,
    checkers: Checkers,
    gauges: Gauges,
    /// The fields of the status that do not change; the others have their defaults.
    constant_status: FleetStatus,
    last_unit: Option<u64>,
    started_at: Instant,
    /// The last version that was checked, with its file.
    version_file: Option<(Version, Arc<Vec<u8>>)>,
    /// The run's work when the unit under way began.
    work_before_unit: u64,
    /// How much work was in each job of the last unit; `None` until one has ended.
    work_per_job: Option<f64>,
    saved_at: Option<Instant>,
    /// Whether the folder could not be written last.
    is_unsaved: bool,
    /// How long the last save took.
    save_time: Duration,
    /// The time in which only results were missing.
    waited: Duration,
    /// How many sentences about refusals and server failures have been printed.
    printed_sentences: u64,
    /// Bytes sent up to the last status.
    sent_bytes: u64,
    /// Actors that were told to wait for a job.
    idle_actors: BTreeSet<ActorName>,
    /// The unit whose jobs the idle actors have been offered, and its version. After a false result the same
    /// unit can come again with another version, and two units can have the same version.
    given_out: Option<(u64, Version)>,
}

impl Serving<'_> {
    fn run(&mut self) -> Result<ServeEnd, LabError> {
        // So the run can be resumed whatever happens before its first save.
        self.keeper.save(self.host.saved())?;
        let mut progress = self.advance()?;
        if self.is_complete() {
            return Ok(ServeEnd::Complete);
        }
        // Takes what actors sent while no host was there. The call of `advance` comes before, because results
        // count only for a unit that is under way.
        match self.hub.open_buffer() {
            Ok(kept) => kept.into_iter().for_each(|arrived| self.take(arrived)),
            Err(reason) => self.keeper.terminal().tell(&format!(
                "The server keeps no results while the learner is away ({reason}); they will be computed again."
            )),
        }
        // Actors of an earlier host join again.
        self.hub.send_to_all(&ToActor::Unknown);
        let mut status_at = Instant::now();
        loop {
            if self.keeper.terminal().is_stopped() {
                return Ok(ServeEnd::Stopped);
            }
            self.tend_server();
            let is_waiting = progress == Progress::Waiting;
            let has_received = self.answer(is_waiting);
            self.begin_checks();
            // A learner that waits for results can go on only if something has come.
            if !is_waiting || has_received {
                progress = self.advance()?;
                self.give_out();
            }
            self.take_notices()?;
            if self.is_complete() {
                self.publish_status(false);
                tell_complete(&mut self.hub, &mut self.gauges, self.started_at);
                return Ok(ServeEnd::Complete);
            }
            if status_at.elapsed() >= STATUS_INTERVAL {
                status_at = Instant::now();
                self.publish_status(is_waiting);
            }
        }
    }

    fn now(&self) -> Duration {
        self.started_at.elapsed()
    }

    fn is_complete(&self) -> bool {
        self.last_unit.is_some_and(|last| self.host.run().session().units() >= last)
    }

    fn tend_server(&mut self) {
        match self.server.as_mut().map(Server::tend) {
            Some(Ok(true)) => self.keeper.terminal().tell("The server had ended, and was started again."),
            Some(Err(error)) if self.printed_sentences < MAX_PRINTED_SENTENCES => {
                self.printed_sentences += 1;
                self.keeper.terminal().tell(&error.to_string());
            }
            // The server runs, or this process has none, or enough has been printed.
            _ => {}
        }
    }

    /// Takes messages, and what checks have computed; sleeps if there is nothing else to do. Returns whether
    /// anything came.
    fn answer(&mut self, is_waiting: bool) -> bool {
        let mut has_received = self.take_finished_checks();
        let sleep = match (is_waiting && !has_received, self.checkers.is_busy()) {
            (false, _) => Duration::ZERO,
            (true, true) => MAX_SLEEP_DURING_CHECK,
            (true, false) => MAX_SLEEP,
        };
        let before = Instant::now();
        let first_event = self.hub.next(sleep);
        if is_waiting {
            self.waited += before.elapsed();
        }
        if let Some(arrived) = first_event {
            has_received = true;
            self.take(arrived);
            for _ in 1..MAX_MESSAGES_PER_STEP {
                let Some(arrived) = self.hub.next(Duration::ZERO) else { break };
                self.take(arrived);
            }
        }
        has_received
    }

    fn take(&mut self, arrived: HubEvent) {
        let now = self.now();
        match arrived {
            HubEvent::Refused(reason) => self.gauges.refused(&reason),
            HubEvent::Restored => {
                self.hub.reopen_buffer();
                // Whoever waits for an answer asks again at once.
                self.hub.send_to_all(&ToActor::Unknown);
            }
            HubEvent::Message { actor, message, bytes } => {
                self.gauges.heard(now, &actor, bytes, matches!(message, FromActor::Heartbeat(_)));
                self.idle_actors.remove(&actor);
                if message == FromActor::Leave {
                    self.gauges.left(&actor);
                }
                self.receive(now, &actor, message);
            }
        }
    }

    /// Answers a message of an actor.
    fn receive(&mut self, now: Duration, actor: &ActorName, message: FromActor) {
        // The host consumes the message.
        let hello = if let FromActor::Join(hello) = &message { Some(hello.clone()) } else { None };
        let name = actor.to_string();
        for answer in self.host.receive(now, &name, message) {
            match (&answer, &hello) {
                (ToActor::Welcome { .. }, Some(hello)) => self.gauges.joined(now, actor, hello.clone()),
                (ToActor::Job(_), _) => self.gauges.given_job(actor),
                // A `Wait` in answer to a `Join` means that the fleet is full, not that the actor is idle.
                (ToActor::Wait(_), None) => _ = self.idle_actors.insert(actor.clone()),
                // Other answers change nothing that the status shows.
                _ => {}
            }
            self.hub.send(&name, &answer);
        }
    }

    /// Gives jobs of a unit that has begun to actors that wait, so that they need not ask first.
    fn give_out(&mut self) {
        let unit = self.host.run().unit();
        let begun = self.host.version().map(|(version, _)| (unit, version));
        if begun.is_some() && begun != self.given_out {
            self.given_out = begun;
            let now = self.now();
            for actor in std::mem::take(&mut self.idle_actors) {
                self.receive(now, &actor, FromActor::Ask);
            }
        }
    }

    /// Tells the host what checks have computed. Returns whether any has finished.
    fn take_finished_checks(&mut self) -> bool {
        let mut has_finished = false;
        while let Some(FinishedCheck { ticket, result }) = self.checkers.next_finished() {
            self.host.checked(ticket, &result);
            has_finished = true;
        }
        has_finished
    }

    /// Gives checks to the threads that are idle.
    fn begin_checks(&mut self) {
        while self.checkers.is_idle() {
            let Some(check) = self.host.next_check() else { return };
            let Some((version, bytes)) = self.host.version() else { return };
            let file = match &self.version_file {
                Some((kept, file)) if *kept == version => Arc::clone(file),
                _ => {
                    let file = Arc::new(bytes.to_vec());
                    self.version_file = Some((version, Arc::clone(&file)));
                    file
                }
            };
            self.checkers.begin(check, file);
        }
    }

    /// Learns for a moment. After a unit the next begins at once, so that results are always expected.
    fn advance(&mut self) -> Result<Progress, LabError> {
        let is_last = |unit| self.last_unit.is_some_and(|last| unit + 1 >= last);
        if is_last(self.host.run().session().units()) || self.is_save_due() {
            self.host.save_soon();
        }
        let mut progress = self.host.advance();
        self.take_notices()?;
        if self.host.version().is_none() && !self.is_complete() {
            progress = self.host.advance();
        }
        Ok(progress)
    }

    /// The first unit is saved at once, so that there is something to continue.
    fn is_save_due(&self) -> bool {
        let pause = MIN_SAVE_INTERVAL.max(self.save_time.div_f64(MAX_SAVE_FRACTION));
        self.saved_at.is_none_or(|at| at.elapsed() >= pause)
    }

    /// Writes a checkpoint, and what is known of actors. While that is not possible, as on a full disk, the
    /// run goes on, and tries again when the next checkpoint is due.
    fn save(&mut self, file: &[u8]) {
        let began_at = Instant::now();
        let written = self.keeper.save(file).and_then(|()| self.keeper.save_trust(self.host.trust()));
        self.is_unsaved = written.is_err();
        self.keeper.note_save(written.as_ref().err());
        if written.is_ok() {
            self.hub.purge_buffer();
        }
        self.save_time = began_at.elapsed();
        self.saved_at = Some(Instant::now());
    }

    /// Writes the last checkpoint if that was not possible before.
    fn save_at_last(&mut self) -> Result<(), LabError> {
        if self.is_unsaved {
            self.keeper.save(self.host.saved())?;
            self.keeper.save_trust(self.host.trust())?;
        }
        Ok(())
    }

    fn take_notices(&mut self) -> Result<(), LabError> {
        let notices: Vec<_> = self.host.notices().collect();
        let now = self.now();
        for notice in notices {
            match notice {
                Notice::UnitFinished(_) => {
                    let session = self.host.run().session();
                    self.keeper.unit_finished(session)?;
                    let unit_work = session.work().saturating_sub(self.work_before_unit);
                    self.work_before_unit = session.work();
                    let jobs = self.host.jobs().all.max(1);
                    self.work_per_job = Some(unit_work as f64 / f64::from(jobs));
                }
                Notice::Checkpoint(_, file) => self.save(&file),
                Notice::Quarantined { actor, reason, forgotten, back_to } => {
                    if let Err(error) = self.keeper.save_trust(self.host.trust()) {
                        self.is_unsaved = true;
                        self.keeper.note_save(Some(&error));
                    }
                    // Jobs are open again.
                    self.given_out = None;
                    if back_to.is_some() {
                        self.keeper.went_back();
                        self.work_before_unit = self.host.run().session().work();
                    }
                    if let Some(name) = ActorName::parse(&actor) {
                        self.gauges.left(&name);
                    }
                    let back =
                        back_to.map_or(String::new(), |unit| format!(", and the run is back at unit {unit}"));
                    self.keeper.terminal().tell(&format!(
                        "{actor} is in quarantine: {reason}; {forgotten} of its results are forgotten{back}."
                    ));
                }
                Notice::Refused { actor, reason } => {
                    if self.printed_sentences < MAX_PRINTED_SENTENCES {
                        self.printed_sentences += 1;
                        self.keeper.terminal().tell(&format!("{actor} was refused: {reason}"));
                    }
                    self.gauges.refused(&reason);
                }
                Notice::Accepted(actor) => self.gauges.accepted(now, &actor),
                Notice::Late(_) => self.gauges.late += 1,
            }
        }
        Ok(())
    }

    fn publish_status(&mut self, is_waiting: bool) {
        let now = self.now();
        for actor in self.gauges.forget_silent(now) {
            self.idle_actors.remove(&actor);
            // As if the actor had left. Nobody is there for an answer.
            self.host.receive(now, &actor.to_string(), FromActor::Leave);
        }
        let sent_bytes = self.hub.sent_bytes();
        self.gauges.bytes_out.add(now, (sent_bytes - self.sent_bytes) as f64);
        self.sent_bytes = sent_bytes;
        let state = match (is_waiting, self.gauges.has_actors()) {
            (false, _) => LearnerState::Busy,
            (true, true) => LearnerState::Waiting,
            (true, false) => LearnerState::NoActors,
        };
        // Never zero, because shares of this time follow.
        let seconds = now.as_secs_f64().max(1e-9);
        let session = self.host.run().session();
        // JSON has no NaN or infinity.
        let metrics = session.row().measured().filter(|(_, value)| value.is_finite());
        let metrics = metrics.map(|(name, value)| (name.to_owned(), value)).collect();
        let status = FleetStatus {
            time: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64(),
            seconds,
            unit: session.units(),
            metrics,
            version: self.host.version().map(|(version, _)| version.to_string()),
            jobs: self.host.jobs(),
            learner: LearnerStatus {
                state,
                waiting_share: self.waited.as_secs_f64() / seconds,
                checking_share: self.checkers.spent().as_secs_f64() / seconds,
            },
            rate: self.work_per_job.map(|work| work * self.gauges.results.per_second(now)),
            bytes_in_per_second: self.gauges.bytes_in.per_second(now),
            bytes_out_per_second: self.gauges.bytes_out.per_second(now),
            machines: self.gauges.machines(now, self.work_per_job),
            accepted: self.gauges.accepted,
            late: self.gauges.late,
            refusals: self.gauges.refusals(),
            quarantined: self
                .host
                .trust()
                .quarantined_actors()
                .take(MAX_LISTED_QUARANTINED)
                .map(|(actor, reason)| Quarantine { actor: actor.to_owned(), reason: reason.to_owned() })
                .collect(),
            ..self.constant_status.clone()
        };
        let json = serde_json::to_vec(&status).expect("plain data");
        self.keeper.terminal().status(&status, &json);
        self.hub.publish_status(json);
    }
}
