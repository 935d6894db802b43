//! The server with a certificate: whole requests, clients that make no handshake, and certificates that
//! cannot be used.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use learnery_class::Certificate;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::{Answer, Running, mutations, parsed, started_with};

/// The path of a certificate or key of the tests.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// A server with the certificate `room.pem`.
fn started() -> Running {
    started_with(Some(Certificate::read(&file("room.pem"), &file("room-key.pem")).unwrap()))
}

type Encrypted = StreamOwned<ClientConnection, TcpStream>;

impl Running {
    /// Connects as a browser that trusts the certificate does.
    fn encrypted(&self) -> Encrypted {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(file("room.pem")).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let connection = ClientConnection::new(Arc::new(config), name).unwrap();
        StreamOwned::new(connection, self.connect())
    }

    /// Sends this over an encrypted connection, and reads the answer until the server ends the connection. It
    /// has to do so with the message that TLS requires (`close_notify`), else reading fails.
    fn asked(&self, request: &str) -> Answer {
        let mut stream = self.encrypted();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        parsed(&answer)
    }

    /// Asserts that the server still answers.
    fn assert_answers(&self) {
        assert_eq!(self.asked("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status, 200);
    }
}

#[test]
fn https_requests_are_answered_as_those_over_http() {
    let server = started();
    let page = server.asked("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!((page.status, page.body.as_slice()), (200, &b"<!doctype html>"[..]));
    for line in
        ["Cross-Origin-Opener-Policy: same-origin\r\n", "Cross-Origin-Embedder-Policy: require-corp\r\n"]
    {
        assert!(page.head.contains(line), "{line} in {}", page.head);
    }
    assert_eq!(server.asked("GET /large.bin HTTP/1.1\r\nConnection: close\r\n\r\n").body, vec![7; 300_000]);
    let body = r#"{"code":"K7QM","name":"Ada"}"#;
    let head = "POST /class/api/join HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close";
    let joined = server.asked(&format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
    assert_eq!((joined.status, joined.json()["seed"].as_u64()), (200, Some(1)));

    // A connection stays open for further requests, also if one arrives in two pieces. A refused request ends
    // it.
    let mut stream = server.encrypted();
    stream.write_all(b"GET /none HTTP/1.1\r\n\r\nGET / HT").unwrap();
    stream.flush().unwrap();
    stream.write_all(b"TP/1.1\r\n\r\nPUT / HTTP/1.1\r\n\r\n").unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    let statuses: Vec<_> =
        answers.match_indices("HTTP/1.1 ").map(|(at, _)| &answers[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["404", "200", "405"]);
}

#[test]
fn https_server_sends_clients_without_encryption_to_its_address() {
    let server = started();
    for (path, location) in
        [("/join?x=1", "http://a/join"), ("/", "http://a/"), ("//else.example/", "http://a/")]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, 302);
        assert!(answer.head.contains(&format!("\r\nLocation: {location}\r\n")), "{}", answer.head);
        let text = String::from_utf8(answer.body).unwrap();
        assert_eq!(text, format!("This server uses HTTPS only: {location}"));
    }
    assert_eq!(server.post("join", "", &serde_json::json!({ "code": "K7QM", "name": "Ada" })).status, 302);
    assert_eq!(parsed(&server.raw(b"GET http://x/ HTTP/1.1\r\n\r\n")).status, 400);
}

#[test]
fn https_server_survives_whatever_comes_instead_of_a_handshake() {
    let server = started();
    // The first message of a good handshake.
    let mut hello = Vec::new();
    server.encrypted().conn.write_tls(&mut hello).unwrap();
    for bytes in [
        &b""[..],
        b"\0",
        b"\x80\x2e\x01\x03\x01",
        b"\x16\x03\x01\x00\x00",
        b"\x16\x03\x01\xff\xff",
        b"\x15\x03\x03\x00\x02\x02\x28",
        b"\x17\x03\x03\x00\x01\x00",
        b"get / http/1.1\r\n\r\n",
        &hello[..hello.len() / 2],
        &[0xff; 70_000],
        &hello.repeat(3),
    ] {
        let answer = server.raw(bytes);
        assert!(!answer.starts_with(b"HTTP"), "{bytes:.20x?}");
    }
    for bytes in mutations(&hello).take(200) {
        server.raw(&bytes);
    }
    // Bytes that cannot be decrypted, after a good handshake.
    let mut stream = server.encrypted();
    stream.conn.complete_io(&mut stream.sock).unwrap();
    stream.sock.write_all(&[0x17, 3, 3, 0, 40]).unwrap();
    stream.sock.write_all(&[9; 40]).unwrap();
    let mut rest = Vec::new();
    assert!(stream.read_to_end(&mut rest).is_err(), "the server refuses with an alert");
    server.assert_answers();
}

#[test]
fn https_clients_that_are_slow_hold_up_nobody_and_are_dropped() {
    let server = started();
    let mut hello = Vec::new();
    server.encrypted().conn.write_tls(&mut hello).unwrap();
    let mut half = server.connect();
    half.write_all(&hello[..hello.len() / 2]).unwrap();
    // The handshake is finished but for the client's last message.
    let mut unfinished = server.connect();
    unfinished.write_all(&hello).unwrap();
    let silent = server.connect();
    let mut asking = server.encrypted();
    asking.write_all(b"GET / HT").unwrap();
    // This client sends one byte each second, so it is never silent for long, but its handshake never ends.
    let drips = server.connect();
    let mut dripping = drips.try_clone().unwrap();
    let drip = std::thread::spawn(move || {
        let mut sent = 0;
        while dripping.write_all(&[hello[sent.min(hello.len() / 2)]]).is_ok() {
            std::thread::sleep(std::time::Duration::from_secs(1));
            sent += 1;
        }
    });
    server.assert_answers();
    for mut stream in [half, unfinished, silent, drips, asking.sock] {
        // The server ends the connection; the client sees a reset instead if it goes on sending. Only the
        // client's own time limit would mean that the server has kept it.
        let end = stream.read_to_end(&mut Vec::new());
        let is_limit = |error: &Error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!end.as_ref().is_err_and(is_limit), "{end:?}");
        _ = stream.shutdown(Shutdown::Both);
    }
    drip.join().unwrap();
}

#[test]
fn certificate_is_refused_with_the_name_of_the_file_that_is_wrong() {
    let refused = |certificate: &str, key: &str| {
        Certificate::read(&file(certificate), &file(key)).err().expect("it is refused").to_string()
    };
    let mismatched = refused("room.pem", "other-key.pem");
    assert!(mismatched.contains("other-key.pem is not the key of the certificate in "), "{mismatched}");
    assert!(refused("none.pem", "room-key.pem").contains("none.pem cannot be read: "));
    assert!(refused("room.pem", "none.pem").contains("none.pem cannot be read: "));
    assert!(refused("README.md", "room-key.pem").contains("README.md has no certificate in PEM form"));
    assert!(refused("room.pem", "README.md").contains("README.md has no key in PEM form"));
}

#[test]
fn certificate_files_that_were_changed_are_refused_or_used() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = ["room.pem", "room-key.pem"].map(|name| std::fs::read(file(name)).unwrap());
    let [changed_certificate, changed_key] = ["a.pem", "b.pem"].map(|name| folder.path().join(name));
    let mut refused = 0;
    for at in 0..certificate.len() + key.len() {
        let mut both = [certificate.clone(), key.clone()].concat();
        both[at] ^= 3;
        std::fs::write(&changed_certificate, &both[..certificate.len()]).unwrap();
        std::fs::write(&changed_key, &both[certificate.len()..]).unwrap();
        refused += usize::from(Certificate::read(&changed_certificate, &changed_key).is_err());
    }
    // Not every change matters, for example of a line break. No file may make the program panic.
    assert!(refused > key.len() / 2, "{refused}");
}
