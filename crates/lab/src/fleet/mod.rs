//! One run on many machines: a *fleet*. What a unit (training iteration) needs that does not depend on the
//! learning in it, such as its self-play, is cut into *jobs*. *Actors* compute jobs; the *learner* takes
//! their results, learns, and counts units. Nothing here knows a network: a job is bytes, a result is bytes,
//! and somebody carries them.
//!
//! A result is determined by its job and by a *version* of the weights, to the bit. So it does not matter who
//! computes a job, how often, or in which order results arrive: the run has the bits of the same run on one
//! machine. And any result can be checked by computing it again.
//!
//! A lab is a [`FleetLab`], and implements [`Learner`] and [`Actor`]. [`SharedRun`] and [`VersionedActor`] wrap them: they know
//! units and versions, and refuse damaged, late and foreign bytes before a lab sees them.

mod actor;
mod bytes;
mod envelope;
mod lab;
#[cfg(not(target_family = "wasm"))]
mod run;
mod version;

use learnery_nn::Tensors;
use thiserror::Error;

pub use actor::VersionedActor;
pub use bytes::{Reader, digest, write_varint};
pub use envelope::{Job, JobId, JobResult};
pub use lab::{FleetEntry, FleetLab};
#[cfg(not(target_family = "wasm"))]
pub use run::{SharedRun, TakeOutcome};
pub use version::{Version, VersionSettings};

use crate::Budget;

/// Computes jobs with the weights that it was made with. A job has no header here, and neither has its
/// result.
pub trait Actor: Send {
    /// Begins a job, in place of the one under way.
    fn begin(&mut self, job: &[u8]) -> Result<(), Refusal>;

    /// Works on the job until the budget is spent. Returns the result once it is complete.
    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>>;

    /// The work in the last completed job, to show to people, such as turns and finished games.
    fn work(&self) -> Vec<(&'static str, u64)>;

    /// Takes other weights of the same run, between two jobs. The settings are as before.
    fn load(&mut self, network: &Tensors) -> Result<(), crate::LabError>;
}

/// The jobs of a lab's run, and what is learned from their results. A *part* of a job is a piece of it, such
/// as a game, that can be computed on its own, so that a result can be checked in part.
///
/// There is no method to learn: the lab's run goes on step by step as on one machine
/// ([`SharedRun::advance`]). It may learn while jobs are open, for instance from the replay buffer, but its
/// unit ends only when every job has a result; until then it waits ([`crate::Status::Waiting`]).
pub trait Learner {
    /// The number of jobs in each unit.
    fn jobs(&self) -> u32;

    /// The jobs of the unit under way without a result, ascending; `None` between two units.
    fn open_jobs(&self) -> Option<Vec<u32>>;

    /// The weights with which the unit under way is computed.
    fn weights(&self) -> Tensors;

    /// Job `index` of the unit under way.
    fn job(&self, index: u32) -> Vec<u8>;

    /// The number of parts of job `index`.
    fn parts(&self, index: u32) -> u32;

    /// A job that computes some parts of job `index` again. The parts are ascending.
    fn job_of_parts(&self, index: u32, parts: &[u32]) -> Vec<u8>;

    /// Whether a result of job `index` that [`Learner::check`] has accepted agrees to the byte with `again`,
    /// the result of [`Learner::job_of_parts`].
    fn parts_agree(&self, index: u32, result: &[u8], parts: &[u32], again: &[u8]) -> bool;

    /// The most bytes that a result can have.
    fn max_result_bytes(&self) -> usize;

    /// Checks all of a result that can be checked without computing it again: rules, random numbers, sums.
    fn check(&self, index: u32, result: &[u8]) -> Result<(), Refusal>;

    /// Takes a result that [`Learner::check`] has accepted. It counts when the unit ends.
    fn take(&mut self, index: u32, result: &[u8]);

    /// Forgets the result of a job, which is open again.
    fn revoke(&mut self, index: u32);
}

/// Why a job or a result is refused, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The bytes are not what was sent: cut short, too long, or changed on the way.
    #[error("the message is damaged: {0}; send it again")]
    Damaged(String),
    /// The result comes too late.
    #[error("unit {unit} is complete, the run is in unit {now}; ask for a new job")]
    Late { unit: u64, now: u64 },
    /// The result is of a unit that the run has not reached, or of a job that it does not have.
    #[error("there is no job {index} in unit {unit}, the run is in unit {now}; ask for a new job")]
    Unknown { unit: u64, index: u32, now: u64 },
    /// The job or the result needs other weights.
    #[error(
        "these are not the weights of the unit, {expected}, but {found}; fetch the weights and ask for a new job"
    )]
    Version { expected: String, found: String },
    /// No computation of the job gives this result.
    #[error("the result is impossible: {0}")]
    Impossible(String),
}

impl Refusal {
    /// Whether only a broken or hostile actor can have caused this. Damage or delay on the way cannot.
    pub fn proves_bad_actor(&self) -> bool {
        matches!(self, Self::Impossible(_))
    }
}
