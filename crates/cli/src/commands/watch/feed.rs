//! What a fleet publishes, received in a thread of its own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use learnery_fleet::nats::watch;
use learnery_fleet::status::FleetStatus;
use learnery_fleet::wire::Link;

use crate::failure::usage;

/// The statuses of a fleet, as they come; an error is the last.
pub struct Feed(Receiver<Result<FleetStatus>>);

impl Feed {
    /// Connects to the fleet behind a link. `ca` is a file with certificates to trust.
    pub fn open(link: &str, ca: Option<PathBuf>) -> Result<Self> {
        let link: Link = link.parse().map_err(usage)?;
        let (sender, receiver) = channel();
        thread::spawn(move || {
            // Whether to go on.
            let pass_on = |status| match status {
                Some(status) => sender.send(Ok(status)).is_ok(),
                // Nothing has come within a tenth of a second. The thread ends with the process at the
                // latest.
                None => true,
            };
            if let Err(e) = watch(&link, ca, pass_on) {
                // Without a receiver nobody wants to know.
                _ = sender.send(Err(e.into()));
            }
        });
        Ok(Self(receiver))
    }

    /// What has come since the last call, and why nothing more will.
    pub fn take(&mut self) -> (Vec<FleetStatus>, Option<String>) {
        let mut statuses = Vec::new();
        for event in self.0.try_iter() {
            match event {
                Ok(status) => statuses.push(status),
                Err(e) => return (statuses, Some(e.to_string())),
            }
        }
        (statuses, None)
    }

    /// Waits for the next status.
    pub fn wait(&mut self, most: Duration) -> Result<FleetStatus> {
        match self.0.recv_timeout(most) {
            Ok(status) => status,
            Err(_) => bail!("the fleet published nothing for {} seconds; does its host run?", most.as_secs()),
        }
    }
}
