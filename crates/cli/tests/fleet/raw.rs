//! A NATS client of a few lines, which sends whatever a test wants, and sees what the server answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use learnery_fleet::wire::{Link, Role};

/// A connection.
pub struct Raw {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    /// Messages that came while something else was expected: subject and payload. The subject of a message
    /// with headers begins with `!`.
    pub messages: Vec<(String, Vec<u8>)>,
}

impl Raw {
    /// Logs in as a link's user. `Err` has the server's words.
    pub fn log_in(link: &Link, role: Role, key: &str) -> Result<Self, String> {
        let stream = TcpStream::connect((link.host.as_str(), link.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut raw =
            Self { reader: BufReader::new(stream.try_clone().unwrap()), stream, messages: Vec::new() };
        assert!(raw.line().starts_with("INFO"));
        let user = role.user();
        let connect = format!(
            r#"CONNECT {{"verbose":false,"user":"{user}","pass":"{key}","headers":true,"no_responders":true}}"#
        );
        raw.write(format!("{connect}\r\n").as_bytes());
        raw.flush().map(|_| raw)
    }

    fn write(&mut self, bytes: &[u8]) {
        // The server may have closed the connection; what it said stands in front of that.
        _ = self.stream.write_all(bytes);
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        _ = self.reader.read_line(&mut line);
        line.trim_end().to_owned()
    }

    /// Waits until the server has taken everything. Returns the errors that it has reported, or `Err` with
    /// the last if it has closed the connection.
    pub fn flush(&mut self) -> Result<Vec<String>, String> {
        self.write(b"PING\r\n");
        let mut errors = Vec::new();
        loop {
            let line = self.line();
            match line.split_whitespace().next() {
                Some("PONG") => return Ok(errors),
                Some("PING") => self.write(b"PONG\r\n"),
                Some("-ERR") => errors.push(line),
                Some(kind @ ("MSG" | "HMSG")) => {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    let length: usize = words[words.len() - 1].parse().unwrap();
                    let subject = words[1].to_owned();
                    // A line break follows the payload.
                    let mut payload = vec![0; length + 2];
                    self.reader.read_exact(&mut payload).unwrap();
                    payload.truncate(length);
                    self.messages
                        .push((format!("{}{subject}", if kind == "HMSG" { "!" } else { "" }), payload));
                }
                // The server's information.
                Some(_) => {}
                None => return Err(errors.pop().unwrap_or_default()),
            }
        }
    }

    pub fn publish(&mut self, subject: &str, reply: &str, payload: &[u8]) {
        self.write(format!("PUB {subject} {reply} {}\r\n", payload.len()).as_bytes());
        self.write(payload);
        self.write(b"\r\n");
    }

    /// Subscribes. `sid` is the client's number for the subscription.
    pub fn subscribe(&mut self, subject: &str, sid: u32) {
        self.write(format!("SUB {subject} {sid}\r\n").as_bytes());
    }

    /// Whether the server allows a publication.
    pub fn may_publish(&mut self, subject: &str, reply: &str, payload: &[u8]) -> bool {
        self.publish(subject, reply, payload);
        !self.flush().unwrap().iter().any(|error| error.contains("Permissions Violation"))
    }

    /// Whether the server allows a subscription.
    pub fn may_subscribe(&mut self, subject: &str) -> bool {
        self.subscribe(subject, 77);
        let is_allowed = !self.flush().unwrap().iter().any(|error| error.contains("Permissions Violation"));
        self.write(b"UNSUB 77\r\n");
        is_allowed
    }

    /// Asks, and waits for the answer.
    pub fn request(&mut self, subject: &str, payload: &[u8]) -> String {
        self.subscribe("_INBOX.test", 78);
        self.publish(subject, "_INBOX.test", payload);
        for _ in 0..200 {
            self.flush().unwrap();
            if let Some(at) = self.messages.iter().position(|(subject, _)| subject == "_INBOX.test") {
                return String::from_utf8(self.messages.swap_remove(at).1).unwrap();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("no answer to {subject}")
    }
}
