//! One run on many machines, as logic alone: who computes which job until when, whose results are believed, and how the run
//! goes on after anything was lost. [`Host`] is the learner's side, [`Client`] an actor's. Time and messages come in as
//! arguments, so a test decides what is late, lost, doubled or out of order; a transport moves the messages.
//!
//! A result is determined by its job and the version of the weights ([`learnery_lab::fleet`]). So nothing here can change the
//! bits of a run but a wrong result that is believed, and any result can be computed again and compared to the byte.

mod checks;
mod client;
mod early;
mod host;
mod leases;
mod log;
mod message;
mod run;
pub mod status;
pub mod sweep;
mod trust;
pub mod wire;

pub use client::{Client, ClientState, Compute};
pub use host::{Check, Host, Notice, Progress};
pub use message::{FromActor, Hello, ToActor};
pub use run::{LabRun, Run, Step};
pub use trust::{Policy, Trust};
