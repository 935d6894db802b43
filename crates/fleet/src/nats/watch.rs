//! Watching a fleet: its status as the host publishes it.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt;
use learnery_lab::LabError;
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use super::connection::connect;
use super::problem;
use crate::status::FleetStatus;
use crate::wire::{Link, Subjects};

/// How often `is_stopped` is asked.
const LOOK: Duration = Duration::from_millis(100);

/// Calls `show` with every status of the fleet, and every tenth of a second with none, until it returns false.
pub fn watch(
    link: &Link,
    ca: Option<PathBuf>,
    mut show: impl FnMut(Option<FleetStatus>) -> bool,
) -> Result<(), LabError> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| problem(format!("no thread for the network can be started: {e}")))?;
    runtime.block_on(async {
        let (events, _happened) = mpsc::channel(1);
        let client = connect(link, ca, events).await?;
        let status = client.subscribe(Subjects::new(&link.fleet).status()).await;
        let mut status = status.map_err(|e| problem(e.to_string()))?;
        loop {
            let next = match tokio::time::timeout(LOOK, status.next()).await {
                Ok(Some(message)) => serde_json::from_slice(&message.payload).ok(),
                Ok(None) => return Err(problem("the connection to the fleet has ended")),
                Err(_) => None,
            };
            if !show(next) {
                return Ok(());
            }
        }
    })
}
