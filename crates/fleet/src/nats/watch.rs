//! Watching a fleet: its status as the host publishes it.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt;
use learnery_lab::LabError;
use serde_json::Value;
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use super::connection::connect;
use super::problem;
use crate::status::FleetStatus;
use crate::wire::{Link, Subjects};

/// The longest time between two calls of `show`, which says whether to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Reads a status. One with control characters, which could change the terminal that shows it, is ignored.
fn read_status(bytes: &[u8]) -> Option<FleetStatus> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    is_printable(&value).then(|| serde_json::from_value(value).ok())?
}

fn is_printable(value: &Value) -> bool {
    let is_printable_text = |text: &str| !text.contains(char::is_control);
    match value {
        Value::String(text) => is_printable_text(text),
        Value::Array(values) => values.iter().all(is_printable),
        Value::Object(fields) => {
            fields.iter().all(|(name, value)| is_printable_text(name) && is_printable(value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Calls `show` with every status of the fleet, and with `None` after each tenth of a second without one,
/// until `show` returns false.
pub fn watch(
    link: &Link,
    ca: Option<PathBuf>,
    mut show: impl FnMut(Option<FleetStatus>) -> bool,
) -> Result<(), LabError> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| problem(format!("no thread for the network can be started: {e}")))?;
    runtime.block_on(async {
        // Nobody reads the events: the client connects again by itself.
        let (events, _unread_events) = mpsc::channel(1);
        let client = connect(link, ca, events).await?;
        let status = client.subscribe(Subjects::new(&link.fleet).status()).await;
        let mut status = status.map_err(|e| problem(e.to_string()))?;
        loop {
            let next = match tokio::time::timeout(POLL_INTERVAL, status.next()).await {
                Ok(Some(message)) => read_status(&message.payload),
                Ok(None) => return Err(problem("the connection to the fleet has ended")),
                Err(_) => None,
            };
            if !show(next) {
                return Ok(());
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_that_could_change_the_terminal_is_ignored() {
        let status = |label: &str| {
            let machine = crate::status::MachineStatus { label: label.into(), ..Default::default() };
            let status = FleetStatus { machines: vec![machine], ..FleetStatus::default() };
            read_status(&serde_json::to_vec(&status).unwrap())
        };
        assert!(status("a machine").is_some());
        assert!(status("\u{1b}]52;c;x\u{7}").is_none() && status("two\nlines").is_none());
        assert!(read_status(b"{").is_none() && read_status(b"3").is_none());
    }
}
