//! The configuration of a fleet's server: users and what they may do, JetStream, WebSocket, TLS.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use super::secrets::Secrets;
use crate::wire::{MAX_PIECE_BYTES, Role};

/// Where a server listens, and with which certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// An address of this machine, or 0.0.0.0 for all of them.
    pub host: String,
    pub port: u16,
    pub web_port: u16,
    pub tls: Option<Tls>,
}

/// A certificate and its key, files in PEM form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Whether an address cannot be reached from other machines.
pub fn is_loopback(host: &str) -> bool {
    let inner = host.trim_start_matches('[').trim_end_matches(']');
    inner == "localhost" || inner.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// A text as the configuration has it: its language has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text")
}

/// The users of a fleet, as a block that a server's configuration can include.
///
/// Actors have no right to JetStream's subjects, not even to read messages directly: with Debian's 2.9.10 the
/// reply subject of such a request reaches other requests, which may delete a stream. Nor can they create
/// consumers, whose `deliver_subject` may be anything.
pub fn users(secrets: &Secrets) -> String {
    let fleet = &secrets.fleet;
    let rights = |role| match role {
        Role::Learner => "publish: \">\", subscribe: \">\"".to_owned(),
        Role::Actor => format!(
            "publish: [\"learnery.{fleet}.up.*\", \"learnery.{fleet}.result.*\"], \
             subscribe: [\"learnery.{fleet}.down.*\", \"learnery.{fleet}.status\"]"
        ),
        Role::Watch => format!("publish: {{ deny: \">\" }}, subscribe: \"learnery.{fleet}.status\""),
    };
    let user = |role: Role| {
        let (name, key) = (quoted(role.user()), quoted(secrets.key(role)));
        format!("    {{ user: {name}, password: {key}, permissions: {{ {} }} }}\n", rights(role))
    };
    let users: String = Role::ALL.into_iter().map(user).collect();
    format!(
        "# The users of a fleet. A server that includes this file can serve it.\nauthorization {{\n  users: [\n{users}  ]\n}}\n"
    )
}

/// The whole configuration of a server. Its files lie in `folder`, `users.conf` among them.
pub fn server(secrets: &Secrets, listen: &Listen, folder: &Path) -> String {
    let Listen { host, port, web_port, tls } = listen;
    let host = quoted(host.trim_start_matches('[').trim_end_matches(']'));
    let store = quoted(&folder.join("jetstream").display().to_string());
    let pid = quoted(&folder.join("nats.pid").display().to_string());
    let (mut tls_block, mut web_tls) = (String::new(), "no_tls: true".to_owned());
    if let Some(Tls { certificate, key }) = tls {
        let files = format!(
            "{{ cert_file: {}, key_file: {} }}",
            quoted(&certificate.display().to_string()),
            quoted(&key.display().to_string())
        );
        tls_block = format!("tls: {files}\n");
        web_tls = format!("tls: {files}");
    }
    // A piece, with ample room for its header and token.
    let max_payload = MAX_PIECE_BYTES + (64 << 10);
    // A machine subscribes once for each of its threads, of which a name allows 1,024, and once for messages
    // to all. The stores have 16 MiB and 1 GiB; the second holds the stream of results (`Buffer`).
    format!(
        "# Written by `learnery fleet serve`, anew at every start.\n\
         server_name: \"learnery_{fleet}\"\n\
         host: {host}\n\
         port: {port}\n\
         {tls_block}\
         pid_file: {pid}\n\
         max_payload: {max_payload}\n\
         max_connections: 4096\n\
         max_subscriptions: 1100\n\
         max_control_line: 1024\n\
         ping_interval: \"20s\"\n\
         jetstream: {{ store_dir: {store}, max_memory_store: 16777216, max_file_store: 1073741824 }}\n\
         websocket: {{ host: {host}, port: {web_port}, {web_tls}, compression: false }}\n\
         include \"./users.conf\"\n",
        fleet = secrets.fleet,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_loopback_are_told_from_others() {
        for host in ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["0.0.0.0", "192.168.1.5", "[::]", "example.org", "localhost.example.org", ""] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn paths_with_quotation_marks_stay_texts() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::open(folder.path()).unwrap();
        let listen = Listen { host: "[::1]".into(), port: 1, web_port: 2, tls: None };
        let text = server(&secrets, &listen, Path::new("/a \"b\" } port: 9"));
        assert!(text.contains(r#"store_dir: "/a \"b\" } port: 9/jetstream""#), "{text}");
        assert!(text.contains("host: \"::1\"\n"), "{text}");
    }
}
