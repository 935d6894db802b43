//! The learner's side of a fleet. It leases jobs to actors, checks results, learns, saves, and after a false
//! result goes back to the last checkpoint. A *unit* is one training iteration, and a *job* a piece of its
//! work. The *version* is the hash of the weights with which the jobs of a unit are computed. A *part* of a
//! job, such as a game, can be computed again alone.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use learnery_lab::LabError;
use learnery_lab::fleet::{JobId, JobResult, Refusal, TakeOutcome, Version};

use crate::checks::{Checks, Pending};
use crate::early::Early;
use crate::leases::Leases;
use crate::log::{Log, Logged};
use crate::message::{FromActor, Hello, ToActor};
use crate::run::{Run, Step};
use crate::status::JobCounts;
use crate::trust::{Policy, Trust, admit};

/// How long an idle actor waits before it asks for a job again.
const ASK_INTERVAL: Duration = Duration::from_secs(2);
/// How long an actor waits before it asks to join again, if the fleet has as many actors as it may.
const JOIN_RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// A part of a result that the host's own machine computes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Names the check to [`Host::checked`].
    pub ticket: u64,
    pub version: Version,
    /// The job to compute.
    pub job: Vec<u8>,
}

/// What happened, for people and for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    UnitFinished(u64),
    /// A checkpoint file, after this many units.
    Checkpoint(u64, Vec<u8>),
    /// An actor sent a result that is wrong.
    Quarantined {
        actor: String,
        reason: String,
        /// The number of its results that are forgotten.
        forgotten: usize,
        /// The unit to which the run went back, if it did.
        back_to: Option<u64>,
    },
    /// A message was refused.
    Refused {
        actor: String,
        reason: String,
    },
    /// A result of this actor counts.
    Accepted(String),
    /// A result of this actor came too late or again. Nobody is to blame.
    Late(String),
}

/// What the learner needs after a slice of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do at once.
    Busy,
    /// Only results are missing.
    Waiting,
}

/// A checkpoint of the run.
struct SavedCheckpoint {
    /// Completed units.
    unit: u64,
    file: Vec<u8>,
}

/// The learner's side of a fleet.
pub struct Host<R: Run> {
    run: R,
    policy: Policy,
    trust: Trust,
    leases: Leases,
    log: Log,
    early: Early,
    checks: Checks,
    /// Actors that have joined since the host was started.
    actors: BTreeMap<String, Hello>,
    last_checkpoint: SavedCheckpoint,
    /// The unit and version whose results have already been taken from the log.
    recalled: Option<(u64, Version)>,
    /// Whether the run is to be saved at the end of the unit.
    is_save_wanted: bool,
    notices: VecDeque<Notice>,
}

impl<R: Run> Host<R> {
    /// Serves a run between two units. `trust` is what earlier hosts of the run knew of its actors.
    pub fn new(mut run: R, policy: Policy, trust: Trust) -> Result<Self, LabError> {
        let file =
            run.save().ok_or_else(|| LabError::Fleet("a run is shared between two units only".into()))?;
        Ok(Self {
            last_checkpoint: SavedCheckpoint { unit: run.unit(), file },
            run,
            policy,
            trust,
            leases: Leases::default(),
            log: Log::default(),
            early: Early::default(),
            checks: Checks::default(),
            actors: BTreeMap::new(),
            recalled: None,
            is_save_wanted: false,
            notices: VecDeque::new(),
        })
    }

    pub fn run(&self) -> &R {
        &self.run
    }

    pub fn run_mut(&mut self) -> &mut R {
        &mut self.run
    }

    /// The jobs of the unit under way.
    pub fn jobs(&mut self) -> JobCounts {
        let all = self.run.jobs();
        let mut counts = JobCounts { all, ..JobCounts::default() };
        // Between two units there are no jobs to count.
        if self.run.version().is_none() {
            return counts;
        }
        let open = self.run.open_jobs();
        counts.done = all - open.len() as u32;
        for job in open {
            let counter = match (self.checks.count(job), self.leases.count(job)) {
                (1.., _) => &mut counts.in_check,
                (0, 1..) => &mut counts.leased,
                (0, 0) => &mut counts.open,
            };
            *counter += 1;
        }
        counts
    }

    /// The last checkpoint file.
    pub fn saved(&self) -> &[u8] {
        &self.last_checkpoint.file
    }

    /// Saves the run at the end of the unit, whatever [`Policy::save_every`] says.
    pub fn save_soon(&mut self) {
        self.is_save_wanted = true;
    }

    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Jobs under way.
    pub fn leases(&self) -> usize {
        self.leases.len()
    }

    /// What has happened since the last call.
    pub fn notices(&mut self) -> impl Iterator<Item = Notice> {
        self.notices.drain(..)
    }

    /// Answers a message of an actor. `now` is the time since the host was started.
    pub fn receive(&mut self, now: Duration, actor: &str, message: FromActor) -> Vec<ToActor> {
        if let Some(reason) = self.trust.quarantine_reason(actor) {
            return vec![ToActor::Excluded(quarantine_message(reason))];
        }
        match message {
            FromActor::Join(hello) => vec![self.join(actor, hello)],
            FromActor::Leave => {
                self.leases.release_all(actor);
                self.actors.remove(actor);
                vec![]
            }
            FromActor::Checkpoint(_) => {
                let reason = "this fleet computes one run, and takes no checkpoints".to_owned();
                self.note_refusal(actor, &reason);
                vec![ToActor::Refused(reason)]
            }
            // Results can be left from before the host was started anew.
            FromActor::Result(result) => self.take_result(actor, result),
            _ if !self.actors.contains_key(actor) => vec![ToActor::Unknown],
            FromActor::Ask => vec![self.grant(now, actor)],
            FromActor::Fetch(wanted) => vec![self.send_weights(wanted)],
            FromActor::Heartbeat(id) => self.heartbeat(now, actor, id),
        }
    }

    fn join(&mut self, actor: &str, hello: Hello) -> ToActor {
        let Policy { build, bits, heartbeat_interval, max_actors, .. } = &self.policy;
        if let Err(reason) = admit(build, bits, &hello) {
            self.note_refusal(actor, &reason);
            return ToActor::Excluded(reason);
        }
        if self.actors.len() >= *max_actors && !self.actors.contains_key(actor) {
            self.note_refusal(
                actor,
                &format!("this fleet has {max_actors} actors already, and takes no more"),
            );
            return ToActor::Wait(JOIN_RETRY_INTERVAL);
        }
        let welcome = ToActor::Welcome { heartbeat_interval: *heartbeat_interval };
        self.actors.insert(actor.into(), hello);
        welcome
    }

    fn grant(&mut self, now: Duration, actor: &str) -> ToActor {
        self.leases.expire(now);
        let mut open = self.run.open_jobs();
        let (checks, until) = (&self.checks, now + self.policy.lease);
        // Leaves out the jobs that this actor has computed: their checks will be done before it could compute
        // them again.
        open.retain(|job| !checks.has(*job, actor));
        let granted = self.leases.grant(actor, &open, |job| checks.count(job), self.policy.max_copies, until);
        granted.and_then(|index| self.run.job(index)).map_or(ToActor::Wait(ASK_INTERVAL), ToActor::Job)
    }

    fn send_weights(&self, wanted: Version) -> ToActor {
        match self.run.version() {
            Some((version, file)) if version == wanted => ToActor::Weights(version, file.to_vec()),
            _ => ToActor::Refused(format!("the weights {wanted} are no longer wanted; ask for a new job")),
        }
    }

    fn heartbeat(&mut self, now: Duration, actor: &str, id: JobId) -> Vec<ToActor> {
        if !self.is_of_unit(&id) || !self.run.open_jobs().contains(&id.index) {
            return vec![ToActor::Drop(id)];
        }
        // An actor whose lease ran out, or is of an earlier host, goes on as long as nobody else has
        // finished: its result is as good as any. With a lease again, others need not compute the same.
        let until = now + self.policy.lease;
        let copies = self.leases.count(id.index) + self.checks.count(id.index);
        if !self.leases.extend(actor, id.index, until) && copies < self.policy.max_copies {
            self.leases.add(actor, id.index, until);
        }
        vec![]
    }

    fn is_of_unit(&self, id: &JobId) -> bool {
        id.unit == self.run.unit() && self.run.version().is_some_and(|(version, _)| version == id.version)
    }

    fn take_result(&mut self, actor: &str, result: Vec<u8>) -> Vec<ToActor> {
        let id = match self.run.check(&result) {
            Ok(id) => id,
            Err(refusal) if refusal.proves_bad_actor() => {
                self.quarantine(actor, &refusal.to_string());
                return vec![ToActor::Excluded(quarantine_message(&refusal.to_string()))];
            }
            Err(Refusal::Unknown { unit, now, .. }) if unit > now => return self.keep_early(actor, result),
            Err(Refusal::Late { .. } | Refusal::Unknown { .. } | Refusal::Version { .. }) => {
                // The result comes too late, or from before the run went back. Nobody is to blame.
                self.leases.release_all(actor);
                self.notices.push_back(Notice::Late(actor.into()));
                // The actor is to go on with another job.
                let id = JobResult::from_bytes(&result).map(|result| result.id);
                return id.map_or(vec![], |id| vec![ToActor::Drop(id)]);
            }
            Err(refusal) => {
                self.note_refusal(actor, &refusal.to_string());
                return vec![ToActor::Refused(refusal.to_string())];
            }
        };
        self.leases.release_all(actor);
        if self.run.open_jobs().contains(&id.index) {
            let all_parts = self.run.parts(id.index);
            let parts_to_check = self.trust.choose(&self.policy, actor, all_parts);
            self.checks.add(id, actor, result, parts_to_check, self.policy.max_copies);
        } else {
            self.notices.push_back(Notice::Late(actor.into()));
        }
        vec![ToActor::Thanks(id)]
    }

    /// Keeps a result of a later unit, from before the host was started anew or the run went back.
    fn keep_early(&mut self, actor: &str, result: Vec<u8>) -> Vec<ToActor> {
        let Ok(JobResult { id, .. }) = JobResult::from_bytes(&result) else { return vec![] };
        self.leases.release_all(actor);
        self.early.keep(id, actor, result, self.policy.max_log_bytes);
        vec![ToActor::Thanks(id)]
    }

    /// The next check that the host's machine has to compute, with the weights of [`Host::version`]. Several
    /// can be under way.
    pub fn next_check(&mut self) -> Option<Check> {
        // Results that wait are of the unit under way, so each has a job.
        let Pending { ticket, id, parts, .. } = self.checks.take_up()?;
        let job = self.run.job_of_parts(id.index, parts)?;
        Some(Check { ticket: *ticket, version: id.version, job })
    }

    /// The version of the unit under way, and its file.
    pub fn version(&self) -> Option<(Version, &[u8])> {
        self.run.version()
    }

    /// Takes what a check has computed. A result that agrees counts from now on; another one puts its
    /// actor in quarantine.
    pub fn checked(&mut self, ticket: u64, recomputed: &[u8]) {
        let Some(Pending { id, actor, result, parts, .. }) = self.checks.finish(ticket) else { return };
        if !self.run.parts_agree(&result, &parts, recomputed) {
            let reason = format!(
                "its result of job {} in unit {} is not what the job gives when it is computed again",
                id.index, id.unit
            );
            self.quarantine(&actor, &reason);
            return;
        }
        self.trust.agreed(&actor);
        let is_certain = parts.len() as u32 == self.run.parts(id.index);
        if self.run.take(&result).is_ok_and(|taken| taken == TakeOutcome::Counted) {
            self.notices.push_back(Notice::Accepted(actor.clone()));
            self.log.insert(id, Logged { actor, result, is_certain });
        } else {
            self.notices.push_back(Notice::Late(actor));
        }
    }

    /// Believes an actor no longer, and forgets its results since the last checkpoint.
    fn quarantine(&mut self, actor: &str, reason: &str) {
        self.trust.quarantine(actor, reason);
        self.leases.release_all(actor);
        self.actors.remove(actor);
        self.checks.forget(actor);
        self.early.forget(actor);
        let forgotten = self.log.forget(actor);
        let mut back_to = None;
        // What came from a unit that has ended is in the weights; what came in this unit can be taken out.
        if forgotten.iter().any(|id| !self.is_of_unit(id)) {
            let SavedCheckpoint { unit, file } = &self.last_checkpoint;
            self.run.restore(file).expect("a checkpoint that this run has written");
            back_to = Some(*unit);
            self.begin_unit();
        } else {
            forgotten.iter().for_each(|id| self.run.revoke(id.index));
        }
        self.notices.push_back(Notice::Quarantined {
            actor: actor.into(),
            reason: reason.into(),
            forgotten: forgotten.len(),
            back_to,
        });
    }

    fn note_refusal(&mut self, actor: &str, reason: &str) {
        self.notices.push_back(Notice::Refused { actor: actor.into(), reason: reason.into() });
    }

    /// Forgets what was under way for the unit before.
    fn begin_unit(&mut self) {
        self.leases.clear();
        self.checks.clear();
        self.recalled = None;
    }

    /// Learns for a moment, and takes what the log has of the unit.
    pub fn advance(&mut self) -> Progress {
        let step = self.run.advance();
        if step == Step::UnitFinished {
            self.begin_unit();
            self.notices.push_back(Notice::UnitFinished(self.run.unit()));
            self.save_if_due();
        }
        let has_recalled = self.recall();
        if step == Step::Waiting && !has_recalled { Progress::Waiting } else { Progress::Busy }
    }

    /// Takes the results of the unit that the log has, and checks those that came early, once for each
    /// version. Returns whether the log had any.
    fn recall(&mut self) -> bool {
        let Some((version, _)) = self.run.version() else { return false };
        let unit = self.run.unit();
        if self.recalled.replace((unit, version)) == Some((unit, version)) {
            return false;
        }
        let mut has_taken_any = false;
        for index in self.run.open_jobs() {
            if let Some(logged) = self.log.get(&JobId { unit, index, version }) {
                // A logged result was checked when it came.
                has_taken_any |= self.run.take(&logged.result).is_ok();
            }
        }
        for (actor, result) in self.early.take(unit, version) {
            if self.trust.quarantine_reason(&actor).is_none() {
                // The actor no longer waits for the answer: it was thanked when the result came.
                self.take_result(&actor, result);
            }
        }
        has_taken_any
    }

    fn save_if_due(&mut self) {
        let units = self.run.unit();
        let is_due = self.is_save_wanted
            || units >= self.last_checkpoint.unit.saturating_add(self.policy.save_every)
            || self.log.bytes() > self.policy.max_log_bytes;
        if let Some(file) = is_due.then(|| self.run.save()).flatten() {
            self.is_save_wanted = false;
            self.last_checkpoint = SavedCheckpoint { unit: units, file: file.clone() };
            self.log.forget_before(units);
            self.notices.push_back(Notice::Checkpoint(units, file));
        }
    }
}

fn quarantine_message(reason: &str) -> String {
    format!(
        "this machine is in quarantine: {reason}; its results are not used, check its memory and its version of Learnery"
    )
}
