//! A connection to a fleet's server, with one role's rights.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use learnery_lab::LabError;
use tokio::sync::mpsc;

use super::problem;
use crate::wire::{Link, PIECE};

/// Messages of a subscription that wait. More are dropped, and their senders repeat them: so memory is
/// bounded, whoever floods the fleet.
const WAITING: usize = 128;
/// Messages that wait to be written.
const UNWRITTEN: usize = 64;
/// The least that a server must let pass: a piece with its head and token.
const MIN_PAYLOAD: usize = PIECE + 64;
const TIMEOUT: Duration = Duration::from_secs(5);
/// After twice this time of silence the connection counts as lost.
const PING: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// What happens to a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    Lost,
    Back,
    /// The server refuses something.
    Refused(String),
}

/// Connects with the rights of a link. `ca` is a file with further certificates to trust. Once connected, it
/// comes back whenever the connection is lost.
pub async fn connect(
    link: &Link,
    ca: Option<PathBuf>,
    events: mpsc::Sender<Happened>,
) -> Result<Client, LabError> {
    let mut options = ConnectOptions::with_user_and_password(link.role.user().into(), link.key.clone())
        .name("learnery")
        .require_tls(link.tls)
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .ping_interval(PING)
        .subscription_capacity(WAITING)
        .client_capacity(UNWRITTEN)
        .ignore_discovered_servers()
        .reconnect_delay_callback(|attempts| LONGEST_PAUSE.min(Duration::from_millis(50 << attempts.min(6))))
        .event_callback(move |event| {
            let events = events.clone();
            async move {
                let happened = match event {
                    Event::Connected => Happened::Back,
                    Event::Disconnected | Event::Closed => Happened::Lost,
                    Event::ServerError(error) => Happened::Refused(error.to_string()),
                    _ => return,
                };
                // If nobody has looked for so long, the next event tells as much.
                _ = events.try_send(happened);
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
    if client.server_info().max_payload < MIN_PAYLOAD {
        return Err(problem(format!(
            "the server at {address} takes messages of {} bytes at most, and a fleet needs {MIN_PAYLOAD}; set its max_payload",
            client.server_info().max_payload
        )));
    }
    Ok(client)
}
