//! A fleet: many machines that compute one run, or the runs of a sweep. A run counts *units* (training
//! iterations). The work of a unit is cut into *jobs*, which *actors* compute; the *host*, at the learner's
//! side, leases jobs, checks results, and learns. The protocol is without a network: leases, trust, and
//! recovery after a loss. [`Host`] is the learner's side, [`Client`] an actor's. Time and messages come in as
//! arguments, so a test decides what is late, lost, doubled or out of order. The transport, the module `nats`
//! behind a feature of that name, moves the messages, which `wire` encodes. `sweep` leases whole runs instead
//! of jobs, and `status` is what a fleet tells people.
//!
//! A result is determined by its job and the version of the weights ([`learnery_lab::fleet`]). So a late,
//! lost or repeated message cannot change the bits of a run. Only a wrong result that is accepted can, and
//! any result can be computed again and compared to the byte.
//!
//! In WebAssembly there is the actor's side only: a tab computes for a fleet, and the command-line program
//! hosts it.

#[cfg(not(target_family = "wasm"))]
mod checks;
mod client;
#[cfg(not(target_family = "wasm"))]
mod early;
#[cfg(not(target_family = "wasm"))]
mod host;
mod keep_pace;
#[cfg(not(target_family = "wasm"))]
mod leases;
#[cfg(not(target_family = "wasm"))]
mod log;
mod message;
#[cfg(feature = "nats")]
pub mod nats;
#[cfg(not(target_family = "wasm"))]
mod run;
pub mod status;
pub mod sweep;
#[cfg(not(target_family = "wasm"))]
mod trust;
pub mod wire;

pub use client::{Client, ClientState, Compute};
#[cfg(not(target_family = "wasm"))]
pub use host::{Check, Host, Notice, Progress};
pub use keep_pace::KeepPace;
pub use message::{FromActor, Hello, ToActor};
#[cfg(not(target_family = "wasm"))]
pub use run::{LabRun, Run, Step};
#[cfg(not(target_family = "wasm"))]
pub use trust::{Policy, Trust};
