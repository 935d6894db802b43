//! One run on many machines, as logic alone: who computes which job until when, whose results are believed,
//! and how the run goes on after anything was lost. [`Host`] is the learner's side, [`Client`] an actor's.
//! Time and messages come in as arguments, so a test decides what is late, lost, doubled or out of order; a
//! transport moves the messages.
//!
//! A result is determined by its job and the version of the weights ([`learnery_lab::fleet`]). So nothing
//! here can change the bits of a run but a wrong result that is believed, and any result can be computed
//! again and compared to the byte.
//!
//! In WebAssembly there is the actor's side only: a tab computes for a fleet, and a terminal hosts it.

#[cfg(not(target_family = "wasm"))]
mod checks;
mod client;
#[cfg(not(target_family = "wasm"))]
mod early;
#[cfg(not(target_family = "wasm"))]
mod host;
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
pub use message::{FromActor, Hello, ToActor};
#[cfg(not(target_family = "wasm"))]
pub use run::{LabRun, Run, Step};
#[cfg(not(target_family = "wasm"))]
pub use trust::{Policy, Trust};
