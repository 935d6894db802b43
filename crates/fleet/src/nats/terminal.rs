//! What a host shows of its work, and how it learns that it is to stop.

use crate::status::FleetStatus;

/// The terminal of a host.
pub trait Terminal {
    /// Shows what the fleet is doing, once a second. `json` is the same status as it is published.
    fn status(&mut self, status: &FleetStatus, json: &[u8]);
    /// Prints a sentence.
    fn tell(&mut self, sentence: &str);
    /// Whether somebody wants the host to stop.
    fn is_stopped(&self) -> bool;
}
