//! An actor's side of a fleet: it joins, asks for a job, fetches weights, computes, and delivers. What is not
//! answered is sent again, later each time, so that many actors do not all call at once when a host comes
//! back.

use std::time::Duration;

use learnery_lab::fleet::{Job, JobId, Refusal, Version, VersionedActor, digest};
use learnery_lab::{Budget, LabError};

use crate::keep_pace::KeepPace;
use crate::message::{FromActor, Hello, ToActor};
use crate::sweep::RunSoFar;

/// The first pause before an unanswered message is sent again.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Each further pause is this many percent of the one before, up to [`MAX_PAUSE`].
const PAUSE_GROWTH_PERCENT: u32 = 130;
/// The longest pause before an unanswered message is sent again.
const MAX_PAUSE: Duration = Duration::from_secs(120);
/// The smallest factor by which pauses vary; the largest is 0.5 more.
const MIN_JITTER: f64 = 0.75;
/// Twice the time over which the calls of actors are spread when a host comes back: it is multiplied by 0 to
/// 0.5.
const RECONNECT_SPREAD: Duration = Duration::from_secs(1);
/// The time between two checkpoints of a job.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

/// What computes jobs: [`VersionedActor`] those of a run, [`Runner`](crate::sweep::Runner) the whole runs of
/// a sweep.
pub trait Compute {
    /// The version (hash of the weights) that is loaded.
    fn version(&self) -> Option<Version>;
    /// Loads the file of a version. A job under way is given up.
    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError>;
    /// Begins a job, whose version must be loaded.
    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal>;
    /// Works on the job until the budget is spent. Returns the result once it is complete.
    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>>;

    /// A checkpoint of the job under way, from which another actor can go on, with its number of completed
    /// units (training iterations).
    /// `None` if nothing is new since the last one, or if the job cannot be saved now. Only whole runs have
    /// checkpoints.
    fn checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        None
    }

    /// The newest checkpoint of the job under way, like [`Self::checkpoint`], but the one in memory if the
    /// job cannot be saved now.
    fn last_checkpoint(&mut self) -> Option<(u64, Vec<u8>)> {
        self.checkpoint()
    }

    /// Keeps a checkpoint of the job under way in memory. Returns false if nothing is new since the last one,
    /// or if the job cannot be saved now.
    fn keep(&mut self) -> bool {
        false
    }

    /// How far the run under way is, or the one that has ended last; `None` if the jobs are not whole runs.
    fn so_far(&self) -> Option<&RunSoFar> {
        None
    }

    /// Whether a checkpoint can be made now.
    fn can_save(&self) -> bool {
        true
    }

    /// The host has the checkpoint that was taken after this many units.
    fn saved(&mut self, _units: u64) {}
}

impl Compute for VersionedActor {
    fn version(&self) -> Option<Version> {
        self.version()
    }

    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        self.load(version, file)
    }

    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        self.begin(job)
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        self.advance(budget)
    }
}

/// What an actor is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientState {
    /// The actor asks for a job.
    Idle,
    /// The actor fetches the weights of this version for a job, whose bytes it keeps.
    Fetching(Version, Vec<u8>),
    Working(JobId),
    /// The actor delivers a result.
    Delivering(JobId, Vec<u8>),
    /// The actor cannot work for the fleet, for this reason.
    Failed(String),
    /// The run is complete.
    Complete,
}

impl ClientState {
    /// Whether there is nothing more to do.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Complete)
    }
}

/// A checkpoint that has not arrived yet.
struct Unsaved {
    units: u64,
    bytes: Vec<u8>,
    /// When the checkpoint is sent next.
    due: Duration,
    pause: Duration,
}

/// An actor of a fleet.
pub struct Client<C: Compute> {
    name: String,
    hello: Hello,
    compute: C,
    /// Whether the host knows the actor.
    is_known: bool,
    state: ClientState,
    /// When the next message is sent.
    due: Duration,
    pause: Duration,
    /// Whether the host has refused the result that is being delivered.
    is_refused: bool,
    heartbeat_interval: Duration,
    /// When the next checkpoint is to be made.
    save_due: Duration,
    /// The last checkpoint, until the host has it.
    unsaved: Option<Unsaved>,
    keep_pace: KeepPace,
    /// Messages sent that want an answer. Their number varies the pauses.
    sent: u64,
    /// Results that have arrived.
    accepted: u64,
}

impl<C: Compute> Client<C> {
    /// An actor whose name no other has.
    pub fn new(name: &str, hello: Hello, compute: C) -> Self {
        Self {
            name: name.into(),
            hello,
            compute,
            is_known: false,
            state: ClientState::Idle,
            due: Duration::ZERO,
            pause: FIRST_PAUSE,
            is_refused: false,
            // Until the host says which it wants.
            heartbeat_interval: FIRST_PAUSE,
            save_due: Duration::ZERO,
            unsaved: None,
            keep_pace: KeepPace::default(),
            sent: 0,
            accepted: 0,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn state(&self) -> &ClientState {
        &self.state
    }

    /// What computes the actor's jobs.
    pub fn compute(&self) -> &C {
        &self.compute
    }

    /// Results that have arrived.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// The message to send now, if one is due.
    pub fn poll(&mut self, now: Duration) -> Option<FromActor> {
        if let Some(unsaved) = self.unsaved.as_mut().filter(|unsaved| self.is_known && unsaved.due <= now) {
            unsaved.due = now + unsaved.pause;
            unsaved.pause = (unsaved.pause * PAUSE_GROWTH_PERCENT / 100).min(MAX_PAUSE);
            return Some(FromActor::Checkpoint(unsaved.bytes.clone()));
        }
        if now < self.due {
            return None;
        }
        let message = match &self.state {
            ClientState::Failed(_) | ClientState::Complete => return None,
            // The host takes results from actors that it does not know, too.
            ClientState::Delivering(_, result) => FromActor::Result(result.clone()),
            _ if !self.is_known => FromActor::Join(self.hello.clone()),
            ClientState::Idle => FromActor::Ask,
            ClientState::Fetching(version, _) => FromActor::Fetch(*version),
            ClientState::Working(id) => {
                // A sign of life needs no answer.
                self.due = now + self.heartbeat_interval;
                return Some(FromActor::Heartbeat(*id));
            }
        };
        self.sent += 1;
        self.due = now + self.pause.mul_f64(self.jitter());
        self.pause = (self.pause * PAUSE_GROWTH_PERCENT / 100).min(MAX_PAUSE);
        Some(message)
    }

    /// A factor from 0.75 to 1.25 that depends on the name and the number of the message.
    fn jitter(&self) -> f64 {
        let hash = digest(&[self.name.as_bytes(), &self.sent.to_le_bytes()].concat());
        // 510 = 2 × 255: a byte becomes 0 to 0.5.
        MIN_JITTER + f64::from(hash[0]) / 510.0
    }

    /// Goes on with another state; its first message is due at once.
    fn enter(&mut self, now: Duration, state: ClientState) {
        self.state = state;
        // It was of the job before, which is over for this actor.
        self.unsaved = None;
        self.is_refused = false;
        self.due = now;
        self.pause = FIRST_PAUSE;
    }

    /// When the actor has something to send next. Until then it only reacts to messages of the host.
    pub fn due(&self) -> Duration {
        self.due
    }

    /// The connection was lost and is back: what waits for an answer is sent again at once.
    pub fn reconnected(&mut self, now: Duration) {
        self.due = now;
        self.pause = FIRST_PAUSE;
        if let Some(unsaved) = &mut self.unsaved {
            (unsaved.due, unsaved.pause) = (now, FIRST_PAUSE);
        }
    }

    /// Takes a message of the host.
    pub fn receive(&mut self, now: Duration, message: ToActor) {
        match (message, &self.state) {
            (_, state) if state.is_final() => {}
            (ToActor::Excluded(reason), _) => self.enter(now, ClientState::Failed(reason)),
            (ToActor::Complete, _) => self.enter(now, ClientState::Complete),
            (ToActor::Unknown, _) => {
                self.is_known = false;
                self.pause = FIRST_PAUSE;
                self.due = now + RECONNECT_SPREAD.mul_f64(self.jitter() - MIN_JITTER);
            }
            (ToActor::Welcome { heartbeat_interval }, _) => {
                self.heartbeat_interval = heartbeat_interval;
                if !self.is_known {
                    self.is_known = true;
                    self.due = now;
                    self.pause = FIRST_PAUSE;
                }
            }
            (ToActor::Job(job), ClientState::Idle) => self.begin(now, job),
            (ToActor::Wait(pause), ClientState::Idle) => {
                self.due = now + pause.mul_f64(self.jitter());
                self.pause = FIRST_PAUSE;
            }
            (ToActor::Weights(version, file), ClientState::Fetching(wanted, job)) if version == *wanted => {
                let job = job.clone();
                match self.compute.load(version, &file) {
                    Ok(()) => self.begin(now, job),
                    // The file was damaged on the way; it is fetched again when that is due.
                    Err(LabError::Fleet(_)) => {}
                    Err(error) => self.enter(now, ClientState::Failed(error.to_string())),
                }
            }
            (ToActor::Thanks(id), ClientState::Delivering(delivered, _)) if id == *delivered => {
                self.accepted += 1;
                self.enter(now, ClientState::Idle);
            }
            (ToActor::Saved(id, units), ClientState::Working(current)) if id == *current => {
                self.unsaved.take_if(|unsaved| unsaved.units <= units);
                self.compute.saved(units);
            }
            (ToActor::Drop(id), ClientState::Delivering(current, _) | ClientState::Working(current))
                if id == *current =>
            {
                self.enter(now, ClientState::Idle);
            }
            // The result may have been damaged on the way, so it is sent once more.
            (ToActor::Refused(_), ClientState::Delivering(..)) if !self.is_refused => {
                self.is_refused = true;
                self.due = now;
            }
            (ToActor::Refused(_), ClientState::Delivering(..) | ClientState::Fetching(..)) => {
                self.enter(now, ClientState::Idle);
            }
            // A message that comes late or twice does not fit the state, and is ignored.
            _ => {}
        }
    }

    fn begin(&mut self, now: Duration, job: Vec<u8>) {
        // A damaged job is asked for again when that is due.
        let Ok(Job { id, .. }) = Job::from_bytes(&job) else { return };
        if self.compute.version() != Some(id.version) {
            return self.enter(now, ClientState::Fetching(id.version, job));
        }
        // A job that cannot be begun leaves the state as it is, so its message is sent again when that is
        // due.
        if self.compute.begin(&job).is_ok() {
            self.enter(now, ClientState::Working(id));
            // Another run's checkpoints may take longer to keep.
            self.keep_pace = KeepPace::default();
            self.due = now + self.heartbeat_interval;
            // The first checkpoint is made at once, so that there is something to go on from.
            self.save_due = now;
        }
    }

    /// Computes until the budget is spent. Returns whether there is something to compute.
    pub fn work(&mut self, now: Duration, budget: &mut Budget) -> bool {
        let ClientState::Working(id) = self.state else { return false };
        if let Some(result) = self.compute.advance(budget) {
            self.enter(now, ClientState::Delivering(id, result));
        } else if now >= self.save_due {
            self.save(now);
        }
        true
    }

    fn save(&mut self, now: Duration) {
        if let Some((units, bytes)) = self.compute.checkpoint() {
            self.save_due = now + CHECKPOINT_INTERVAL;
            self.unsaved = Some(Unsaved { units, bytes, due: now, pause: FIRST_PAUSE });
        }
    }

    /// Keeps the newest checkpoint in memory, if a unit has just ended and the last one is old enough. To be
    /// called after [`Client::work`]; `clock` gives the time.
    pub fn keep(&mut self, clock: impl Fn() -> Duration) {
        let begin = clock();
        let is_working = matches!(self.state, ClientState::Working(_));
        if is_working && self.keep_pace.is_due(begin) && self.compute.keep() {
            self.keep_pace.kept(begin, clock());
        }
    }

    /// How far the run of a sweep is that is not complete at the host; `None` if there is none.
    pub fn so_far(&self) -> Option<&RunSoFar> {
        let has_run = matches!(self.state, ClientState::Working(_) | ClientState::Delivering(..));
        self.compute.so_far().filter(|_| has_run)
    }

    /// Whether [`Client::leave`] would send all that has been computed. Otherwise it is worth while to
    /// compute a little longer.
    pub fn can_save(&self) -> bool {
        !matches!(self.state, ClientState::Working(_)) || self.compute.can_save()
    }

    /// Gives up the job under way, and returns the last messages: a result that was not sent yet, or the
    /// newest checkpoint, from which another actor can go on.
    pub fn leave(&mut self, now: Duration) -> Vec<FromActor> {
        let last = match &self.state {
            ClientState::Delivering(_, result) if self.due <= now => Some(FromActor::Result(result.clone())),
            ClientState::Working(_) => {
                let newest = self.compute.last_checkpoint().map(|(_, bytes)| bytes);
                newest.or(self.unsaved.take().map(|unsaved| unsaved.bytes)).map(FromActor::Checkpoint)
            }
            _ => None,
        };
        last.into_iter().chain([FromActor::Leave]).collect()
    }
}
