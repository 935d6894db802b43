//! The host's side of a sweep: leases whole runs, and takes their checkpoints from the actor that has the
//! newest lease. Unlike the host of one run it computes nothing again: a sweep believes those who have its
//! link.

use std::collections::BTreeMap;
use std::time::Duration;

use learnery_lab::fleet::{Job, JobId, JobResult, Refusal, Version};
use learnery_lab::{Checkpoint, LabError};

use super::order::{Delivery, MAX_CHECKPOINT_BYTES, version_of};
use super::queue::{Queue, Verdict};
use crate::message::{FromActor, Hello, ToActor};
use crate::trust::admit;

/// How long an idle actor waits before it asks for a job again.
const ASK_INTERVAL: Duration = Duration::from_secs(5);
/// How long an actor waits before it asks to join again, if the fleet has as many actors as it may.
const JOIN_RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Why a checkpoint was not saved.
#[derive(Debug)]
pub enum SaveError {
    /// The checkpoint is not one of this run.
    Refused(String),
    /// The files of the sweep cannot be written, as on a full disk.
    Failed,
}

/// Stores the runs of a sweep, as folders or in memory.
pub trait Store {
    /// The file of a job: the order of the run, with its newest checkpoint.
    fn order(&mut self, job: u32) -> Result<Vec<u8>, LabError>;
    /// Saves the newest checkpoint of a run. What cannot be written comes again, because its worker hears
    /// nothing.
    fn save(&mut self, job: u32, checkpoint: &Checkpoint, delivery: &Delivery) -> Result<(), SaveError>;
    /// Whether a run with this checkpoint is at its end.
    fn is_at_end(&self, job: u32, checkpoint: &Checkpoint) -> bool;
    /// The run is complete, and its last checkpoint is saved.
    fn finish(&mut self, job: u32) -> Result<(), LabError>;
    /// Complete runs that have got a later end since the last call, so that they go on. The next round of
    /// successive halving does this.
    fn reopened(&mut self) -> Vec<u32> {
        Vec::new()
    }
}

/// What the host demands of its workers.
#[derive(Clone, Debug)]
pub struct SweepPolicy {
    pub build: String,
    pub bits: String,
    /// How long a run stays with a worker that is not heard of.
    pub lease: Duration,
    /// How often a worker tells that it is working.
    pub heartbeat_interval: Duration,
    pub max_actors: usize,
}

/// What happened, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepNotice {
    /// A message was refused.
    Refused { actor: String, reason: String },
    /// This actor has completed a run.
    Finished { actor: String },
    /// This actor sent a checkpoint or a heartbeat of a run that is leased to it no longer.
    Late { actor: String },
}

/// The host of a sweep.
pub struct SweepHost {
    queue: Queue,
    policy: SweepPolicy,
    actors: BTreeMap<String, Hello>,
    notices: Vec<SweepNotice>,
    /// Whether leases were granted that are not in a file yet.
    has_granted: bool,
}

impl SweepHost {
    pub fn new(queue: Queue, policy: SweepPolicy) -> Self {
        Self { queue, policy, actors: BTreeMap::new(), notices: Vec::new(), has_granted: false }
    }

    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Sets how far a run is already, see [`Queue::set_progress`].
    pub fn set_progress(&mut self, job: u32, units: u64, is_done: bool) {
        self.queue.set_progress(job, units, is_done);
    }

    /// What has happened since the last call.
    pub fn notices(&mut self) -> Vec<SweepNotice> {
        std::mem::take(&mut self.notices)
    }

    /// Whether leases were granted since the last call. The caller writes them to a file before their workers
    /// hear of them, so that the next host knows the newest.
    pub fn has_granted(&mut self) -> bool {
        std::mem::take(&mut self.has_granted)
    }

    /// Opens the jobs of workers that are not heard of.
    pub fn expire(&mut self, now: Duration) {
        self.queue.expire(now);
    }

    /// Answers a message. The error ends the sweep: its files cannot be read, or a checkpoint is too long.
    pub fn receive(
        &mut self,
        now: Duration,
        actor: &str,
        message: FromActor,
        store: &mut dyn Store,
    ) -> Result<Option<ToActor>, LabError> {
        let until = now + self.policy.lease;
        Ok(match message {
            FromActor::Join(hello) => Some(self.join(actor, hello)),
            FromActor::Leave => {
                self.queue.release_all(actor);
                self.actors.remove(actor);
                None
            }
            FromActor::Result(bytes) => self.take(now, actor, &bytes, true, store)?,
            FromActor::Checkpoint(bytes) => self.take(now, actor, &bytes, false, store)?,
            _ if !self.actors.contains_key(actor) => Some(ToActor::Unknown),
            FromActor::Ask => Some(self.grant(now, actor, store)?),
            FromActor::Fetch(version) => Some(self.send_order(actor, version, store)?),
            FromActor::Heartbeat(id) => {
                (!self.queue.extend(actor, &id, until)).then(|| self.note_late(actor, id))
            }
        })
    }

    fn join(&mut self, actor: &str, hello: Hello) -> ToActor {
        let SweepPolicy { build, bits, heartbeat_interval, max_actors, .. } = &self.policy;
        if let Err(reason) = admit(build, bits, &hello) {
            self.notices.push(SweepNotice::Refused { actor: actor.into(), reason: reason.clone() });
            return ToActor::Excluded(reason);
        }
        if self.actors.len() >= *max_actors && !self.actors.contains_key(actor) {
            return ToActor::Wait(JOIN_RETRY_INTERVAL);
        }
        let welcome = ToActor::Welcome { heartbeat_interval: *heartbeat_interval };
        self.actors.insert(actor.into(), hello);
        welcome
    }

    fn grant(&mut self, now: Duration, actor: &str, store: &mut dyn Store) -> Result<ToActor, LabError> {
        if self.queue.is_complete() {
            return Ok(ToActor::Complete);
        }
        self.queue.expire(now);
        let Some(index) = self.queue.next(actor) else { return Ok(ToActor::Wait(ASK_INTERVAL)) };
        let version = version_of(&store.order(index)?);
        let id = self.queue.grant(index, actor, version, now + self.policy.lease);
        self.has_granted = true;
        Ok(ToActor::Job(Job { id, body: b"" }.to_bytes()))
    }

    fn send_order(
        &mut self,
        actor: &str,
        wanted: Version,
        store: &mut dyn Store,
    ) -> Result<ToActor, LabError> {
        // The job that is leased to the actor, or else the one that it would get.
        if let Some(index) = self.queue.next(actor) {
            let file = store.order(index)?;
            if version_of(&file) == wanted {
                return Ok(ToActor::Weights(wanted, file));
            }
        }
        Ok(ToActor::Refused("this run is no longer to be computed; ask for another".into()))
    }

    fn note_late(&mut self, actor: &str, id: JobId) -> ToActor {
        self.notices.push(SweepNotice::Late { actor: actor.into() });
        ToActor::Drop(id)
    }

    fn refuse(&mut self, actor: &str, reason: String) -> ToActor {
        self.notices.push(SweepNotice::Refused { actor: actor.into(), reason: reason.clone() });
        ToActor::Refused(reason)
    }

    /// Takes checkpoints from an actor, joined or not: only its lease counts. There is no answer if they
    /// cannot be written, so that the actor sends them again.
    fn take(
        &mut self,
        now: Duration,
        actor: &str,
        bytes: &[u8],
        is_last: bool,
        store: &mut dyn Store,
    ) -> Result<Option<ToActor>, LabError> {
        let (id, delivery) = match read_delivery(bytes) {
            Ok(delivered) => delivered,
            Err(refusal) => return Ok(Some(self.refuse(actor, refusal.to_string()))),
        };
        if !self.queue.is_current(actor, &id) {
            return Ok(Some(self.note_late(actor, id)));
        }
        // The worker left the checkpoint out because it is too long, see `Delivery::last`.
        if delivery.last.is_empty() {
            return Err(LabError::Fleet(format!(
                "a checkpoint of these runs has more than {} MB, which is too much to send; use --local",
                MAX_CHECKPOINT_BYTES >> 20
            )));
        }
        let checkpoint = match Checkpoint::from_bytes(delivery.last) {
            Ok(checkpoint) => checkpoint,
            Err(error) => return Ok(Some(self.refuse(actor, error.to_string()))),
        };
        let units = checkpoint.header.units;
        let is_at_end = store.is_at_end(id.index, &checkpoint);
        if is_last && !is_at_end {
            return Ok(Some(self.refuse(actor, format!("the run does not end after {units} units"))));
        }
        self.queue.extend(actor, &id, now + self.policy.lease);
        if self.queue.judge(actor, &id, units) == Verdict::New {
            match store.save(id.index, &checkpoint, &delivery) {
                Ok(()) => self.queue.set_progress(id.index, units, false),
                Err(SaveError::Refused(reason)) => return Ok(Some(self.refuse(actor, reason))),
                Err(SaveError::Failed) => return Ok(None),
            }
        }
        if !is_last {
            return Ok(Some(ToActor::Saved(id, units)));
        }
        self.queue.set_progress(id.index, units, true);
        store.finish(id.index)?;
        store.reopened().into_iter().for_each(|index| self.queue.reopen(index));
        self.notices.push(SweepNotice::Finished { actor: actor.into() });
        Ok(Some(ToActor::Thanks(id)))
    }
}

fn read_delivery(bytes: &[u8]) -> Result<(JobId, Delivery<'_>), Refusal> {
    let JobResult { id, body } = JobResult::from_bytes(bytes)?;
    Ok((id, Delivery::from_bytes(body)?))
}
