//! What actors and the host tell each other. Any message can be lost, doubled, late or out of order: an actor repeats what is
//! not answered, and no message counts twice.

use std::time::Duration;

use learnery_lab::fleet::{JobId, Version};
use serde::{Deserialize, Serialize};

/// What an actor says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Its version of Learnery.
    pub build: String,
    /// Its class of bits, `fused` or `plain`.
    pub bits: String,
}

/// From an actor to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromActor {
    /// It wants to work for the fleet.
    Join(Hello),
    /// It is idle.
    Ask,
    /// It needs the file of a version.
    Fetch(Version),
    /// It is working on a job.
    Beat(JobId),
    /// It has computed a job.
    Result(Vec<u8>),
    /// It leaves; what it was working on can go to others at once.
    Leave,
}

/// From the host to an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToActor {
    Welcome {
        /// How often it tells that it is working.
        beat: Duration,
    },
    /// A job to compute.
    Job(Vec<u8>),
    /// The file of the version that it asked for.
    Weights(Version, Vec<u8>),
    /// Nothing to do now; ask again later.
    Wait(Duration),
    /// The result of this job arrived.
    Thanks(JobId),
    /// The job is no longer wanted.
    Drop(JobId),
    /// What it sent is refused, with the reason and what to do. It goes on, with a new job.
    Refused(String),
    /// It cannot work for this fleet, with the reason and what to do.
    End(String),
    /// The host does not know it, because the host was started anew: it joins again.
    Unknown,
}
