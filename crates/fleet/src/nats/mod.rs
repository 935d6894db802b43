//! The transport of a fleet: NATS. On the host's side, [`serve`] starts a nats-server as a child process or
//! uses one that is already running. On an actor's side, [`Join`] computes on several threads of its machine.
//! [`serve_sweep`] hosts a sweep, whose jobs are whole runs. Neither side trusts what it receives. The
//! protocol is in [`crate::Host`] and [`crate::Client`], that of sweeps in [`crate::sweep`], and the format
//! of the messages in [`crate::wire`].
//!
//! The program around a host, `learnery fleet serve` or `sweep`, implements [`Keeper`] or [`SweepKeeper`],
//! which keep the folders of runs, and [`Terminal`], which shows the status and says when to stop.

mod buffer;
mod checkers;
mod config;
mod connection;
mod farewell;
mod gauges;
mod hub;
mod join;
mod keeper;
mod secrets;
mod serve;
mod server;
mod sweep;
mod terminal;
mod version;
mod watch;

use learnery_lab::LabError;

pub use config::{Listen, Tls, is_loopback};
pub use hub::{Hub, MemoryLimits};
pub use join::{Join, JoinEnd, Joined, LeftRun};
pub use keeper::Keeper;
pub use secrets::{Secrets, new_token, random};
pub use serve::{Serve, ServeEnd, serve};
pub use server::{Server, write_users};
pub use sweep::{ServeSweep, SweepKeeper, serve_sweep};
pub use terminal::Terminal;
pub use watch::watch;

/// An error with a sentence for people.
fn problem(sentence: impl Into<String>) -> LabError {
    LabError::Fleet(sentence.into())
}
