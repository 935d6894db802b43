//! The network of a fleet: NATS. The host's side ([`serve`]) starts a server as a child or uses one that
//! runs; an actor's side ([`join`]) computes on all threads of its machine. [`serve_sweep`] hosts a sweep of
//! whole runs for the same actors. Neither trusts what it receives. The logic is in [`crate::Host`] and
//! [`crate::Client`], the form of the messages in [`crate::wire`].

mod buffer;
mod checkers;
mod config;
mod connection;
mod farewell;
mod gauges;
mod hub;
mod join;
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
pub use join::{Join, JoinEnd, Joined};
pub use secrets::{Secrets, new_token, random};
pub use serve::{Keeper, Serve, ServeEnd, serve};
pub use server::{Server, write_users};
pub use sweep::{ServeSweep, SweepKeeper, serve_sweep};
pub use terminal::Terminal;
pub use watch::watch;

/// Something went wrong, as a sentence for people.
fn problem(sentence: impl Into<String>) -> LabError {
    LabError::Fleet(sentence.into())
}
