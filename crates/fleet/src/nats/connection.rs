//! A connection to a fleet's server, with one role's rights.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use learnery_lab::LabError;
use tokio::sync::mpsc;

use super::problem;
use crate::wire::{Link, MAX_PIECE_BYTES};

/// How many unread messages a subscription keeps. Further ones are dropped, so a flood cannot fill the
/// memory. Senders repeat messages that are not answered.
const MAX_WAITING_MESSAGES: usize = 128;
/// The most messages that wait to be written to the connection.
const MAX_UNWRITTEN_MESSAGES: usize = 64;
/// Room for what stands before a piece's bytes: magic, token and three numbers are 32 bytes today.
const MAX_PIECE_HEADER_BYTES: usize = 64;
/// The longest message that a server must let pass.
const MIN_PAYLOAD_BYTES: usize = MAX_PIECE_BYTES + MAX_PIECE_HEADER_BYTES;
/// The most events of a connection that wait to be read.
pub const MAX_WAITING_EVENTS: usize = 64;
/// How long the server may take to accept a connection, or to answer a request.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The time between two pings. The connection counts as lost if two are unanswered when the third is due.
const PING_INTERVAL: Duration = Duration::from_secs(10);
/// The longest pause between two attempts to connect again.
pub const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(3);

/// An event of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEvent {
    Lost,
    /// Connected for the first time, or again.
    Connected,
    /// The server refuses something.
    Refused(String),
}

/// Connects with the rights of a link. `ca` is a file with the certificates to trust instead of the system's.
/// The client connects again whenever the connection is lost. `events` gets what happens to the connection.
pub async fn connect(
    link: &Link,
    ca: Option<PathBuf>,
    events: mpsc::Sender<ConnectionEvent>,
) -> Result<Client, LabError> {
    let mut options = ConnectOptions::with_user_and_password(link.role.user().into(), link.key.clone())
        .name("learnery")
        .require_tls(link.tls)
        .connection_timeout(ANSWER_TIMEOUT)
        .request_timeout(Some(ANSWER_TIMEOUT))
        .ping_interval(PING_INTERVAL)
        .subscription_capacity(MAX_WAITING_MESSAGES)
        .client_capacity(MAX_UNWRITTEN_MESSAGES)
        .ignore_discovered_servers()
        .reconnect_delay_callback(|attempts| {
            // The first attempt is number 1. The delay doubles from 0.1 seconds up to the longest.
            MAX_RECONNECT_DELAY.min(Duration::from_millis(50 << attempts.min(6)))
        })
        .event_callback(move |event| {
            let events = events.clone();
            async move {
                let connection_event = match event {
                    Event::Connected => ConnectionEvent::Connected,
                    Event::Disconnected | Event::Closed => ConnectionEvent::Lost,
                    Event::ServerError(error) => ConnectionEvent::Refused(error.to_string()),
                    _ => return,
                };
                // If the queue is full, this event is dropped: nobody has read the earlier ones yet, and
                // waiting here would hold up the connection.
                _ = events.try_send(connection_event);
            }
        });
    if let Some(ca) = ca {
        options = options.add_root_certificates(ca);
    }
    let address = format!("{}:{}", link.host, link.port);
    let client = options.connect(link.server()).await.map_err(|error| {
        problem(match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                format!("the server at {address} refuses the password; ask for a new link")
            }
            ConnectErrorKind::Tls => format!(
                "the server at {address} has no certificate that this machine trusts ({error}); use --ca FILE if it has one of \
                 its own"
            ),
            _ => format!(
                "no server answers at {address} ({error}); is the fleet running, and does a firewall let this port through?"
            ),
        })
    })?;
    if client.server_info().max_payload < MIN_PAYLOAD_BYTES {
        return Err(problem(format!(
            "the server at {address} takes messages of {} bytes at most, and a fleet needs {MIN_PAYLOAD_BYTES}; set its max_payload",
            client.server_info().max_payload
        )));
    }
    Ok(client)
}
