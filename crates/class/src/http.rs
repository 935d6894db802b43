//! HTTP/1.1 (RFC 9112) as far as a site and a small API need it: requests with deadlines and limits,
//! and answers with a known length. The length of a body is given by `Content-Length` only. Chunked bodies
//! are refused, so server and proxy cannot disagree about where a request ends (request smuggling).

use std::fs::File;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::certificate::Certificate;
use crate::stream::Stream;

/// The most bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The most bytes of a body. The largest ones are answers to a teacher's own lesson: they repeat the link of
/// the lesson, which holds its whole text.
pub const MAX_BODY_BYTES: usize = 32 * 1024;
/// The most headers of a request.
const MAX_HEADERS: usize = 64;
/// How long a connection may be silent between two requests.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request may take to arrive, from its first byte on.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an answer may take to be sent: the largest files of a site have some megabytes, and thirty tabs
/// of a class may fetch them over one slow line.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
/// Bytes of a file that are read and written at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// The methods that are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
    Post,
}

/// A request, with the headers that matter here.
#[derive(Debug)]
pub struct Request {
    pub method: Method,
    /// The path, decoded, from its slash on and without the query.
    pub path: String,
    /// The token of the header `Authorization: Bearer …`.
    pub token: Option<String>,
    /// The client of a proxy, as the proxy says: the last address of `X-Forwarded-For`. The addresses before
    /// it come from the client, which may write anything.
    pub forwarded: Option<IpAddr>,
    /// Whether the content type is JSON. For a page of another site a browser sends JSON only after a CORS
    /// preflight (`OPTIONS`), which this server refuses. So no other site can send one in a visitor's name.
    pub is_json: bool,
    pub body: Vec<u8>,
    /// Whether the connection stays open for the next request.
    pub keep_alive: bool,
}

/// Why a request is not answered.
#[derive(Debug)]
pub enum Refusal {
    /// The connection has ended, is silent or has failed: there is nobody to answer.
    Gone,
    /// The request is refused with this status, and the connection ends.
    Status(u16, &'static str),
}

/// A connection.
pub struct Connection {
    stream: Stream,
    /// The bytes that have arrived and belong to no request yet.
    buffer: Vec<u8>,
}

/// The head of a request.
struct Head {
    /// The request, without its body.
    request: Request,
    /// The length of the head.
    head_bytes: usize,
    /// The length of the body that follows.
    body_bytes: usize,
}

impl Connection {
    /// Opens a connection, which is encrypted if there is a certificate. The handshake then has the time
    /// limits of a request. A client that sends plain HTTP nevertheless gets a plain connection, over which
    /// it can be redirected.
    pub fn open(stream: TcpStream, certificate: Option<&Certificate>) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let stream = match certificate {
            Some(certificate) => Stream::encrypted(stream, certificate, IDLE_TIMEOUT, ARRIVAL_TIMEOUT)?,
            None => Stream::plain(stream),
        };
        Ok(Self { stream, buffer: Vec::new() })
    }

    pub fn is_encrypted(&self) -> bool {
        self.stream.is_encrypted()
    }

    /// Waits for the next request.
    pub fn read(&mut self) -> Result<Request, Refusal> {
        if self.buffer.is_empty() {
            self.receive(Instant::now() + IDLE_TIMEOUT)?;
        }
        let deadline = Instant::now() + ARRIVAL_TIMEOUT;
        loop {
            if let Some(request) = take(&mut self.buffer)? {
                return Ok(request);
            }
            self.receive(deadline)?;
        }
    }

    /// Waits for further bytes until the deadline, and appends them to the buffer.
    fn receive(&mut self, deadline: Instant) -> Result<(), Refusal> {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes, deadline) {
            Ok(0) | Err(_) => Err(Refusal::Gone),
            Ok(read) => {
                self.buffer.extend_from_slice(&bytes[..read]);
                Ok(())
            }
        }
    }

    /// Writes an answer, without its body if `head_only` (for the method `HEAD`). `keep_alive` says
    /// whether the connection stays open.
    pub fn write(&mut self, response: Response, keep_alive: bool, head_only: bool) -> io::Result<()> {
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let length = match &response.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File { bytes, .. } => *bytes,
        };
        let mut head = format!("HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
        for (name, value) in &response.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let connection = if keep_alive { "keep-alive" } else { "close" };
        head += &format!("Content-Length: {length}\r\nConnection: {connection}\r\n\r\n");
        self.stream.write_all(head.as_bytes(), deadline)?;
        match response.body {
            _ if head_only => Ok(()),
            Body::Bytes(bytes) => self.stream.write_all(&bytes, deadline),
            Body::File { mut file, bytes } => {
                let mut left = bytes;
                let mut chunk = vec![0; CHUNK_BYTES];
                while left > 0 {
                    let most = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    let read = file.read(&mut chunk[..most])?;
                    if read == 0 {
                        // The file has become shorter than the length that the head promised. Closing the
                        // connection is the only way left to tell the client.
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                    self.stream.write_all(&chunk[..read], deadline)?;
                    left -= read as u64;
                }
                Ok(())
            }
        }
    }

    /// Ends the connection after its last answer.
    pub fn finish(mut self) {
        self.stream.finish();
    }
}

/// Removes the request at the beginning of the buffer and returns it; `None` as long as it is not complete.
pub fn take(buffer: &mut Vec<u8>) -> Result<Option<Request>, Refusal> {
    let Some(Head { mut request, head_bytes, body_bytes }) = parse(buffer)? else {
        return match buffer.len() {
            MAX_HEAD_BYTES.. => Err(Refusal::Status(431, "The head of the request is too long.")),
            _ => Ok(None),
        };
    };
    if body_bytes > MAX_BODY_BYTES {
        return Err(Refusal::Status(413, "The body of the request is too long."));
    }
    let end = head_bytes + body_bytes;
    if buffer.len() < end {
        return Ok(None);
    }
    request.body = buffer[head_bytes..end].to_vec();
    buffer.drain(..end);
    Ok(Some(request))
}

/// Parses the head at the beginning of these bytes; `None` as long as it is not complete.
fn parse(bytes: &[u8]) -> Result<Option<Head>, Refusal> {
    const MALFORMED: Refusal = Refusal::Status(400, "The request is malformed.");
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head_bytes = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Refusal::Status(431, "The request has too many headers."));
        }
        Err(_) => return Err(MALFORMED),
    };
    if head_bytes > MAX_HEAD_BYTES {
        return Err(Refusal::Status(431, "The head of the request is too long."));
    }
    let method = match parsed.method {
        Some("GET") => Method::Get,
        Some("HEAD") => Method::Head,
        Some("POST") => Method::Post,
        _ => return Err(Refusal::Status(405, "This method is not allowed.")),
    };
    let path = decoded(parsed.path.unwrap_or_default()).ok_or(MALFORMED)?;
    let mut request = Request {
        method,
        path,
        token: None,
        forwarded: None,
        is_json: false,
        body: Vec::new(),
        // By default connections of HTTP/1.1 stay open, and those of HTTP/1.0 do not.
        keep_alive: parsed.version == Some(1),
    };
    let mut body_bytes = None;
    for header in parsed.headers.iter() {
        let Ok(value) = std::str::from_utf8(header.value) else { continue };
        let value = value.trim();
        match header.name.to_ascii_lowercase().as_str() {
            "content-length" => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                // A length of more digits than the type holds is too long in any case.
                let length = value.parse::<usize>().unwrap_or(usize::MAX);
                if !digits || body_bytes.is_some_and(|other| other != length) {
                    return Err(MALFORMED);
                }
                body_bytes = Some(length);
            }
            "transfer-encoding" => {
                return Err(Refusal::Status(501, "Bodies are accepted with Content-Length only."));
            }
            "connection" if value.to_ascii_lowercase().contains("close") => request.keep_alive = false,
            "content-type" => request.is_json = value.to_ascii_lowercase().starts_with("application/json"),
            "x-forwarded-for" => request.forwarded = value.rsplit(',').next().and_then(address),
            "authorization" => request.token = value.strip_prefix("Bearer ").map(str::to_owned),
            _ => {}
        }
    }
    if method == Method::Post && body_bytes.is_none() {
        return Err(Refusal::Status(411, "The length of the body is missing."));
    }
    Ok(Some(Head { request, head_bytes, body_bytes: body_bytes.unwrap_or(0) }))
}

/// The address in a text, which may have a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    let address = text.trim_matches(['[', ']']).parse().ok().or_else(with_port)?;
    Some(address.to_canonical())
}

/// The path of a request's target: without its query, and with its `%` codes decoded. `None` if the target is
/// no path, if a `%` code is malformed, or if the path is not UTF-8. Any other character may remain, also
/// `..`: a site finds no file outside of its folder whatever the path says.
fn decoded(target: &str) -> Option<String> {
    let path = target.split(['?', '#']).next()?;
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let byte = if byte == b'%' {
            let digit = |b: u8| char::from(b).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            (high * 16 + low) as u8
        } else {
            byte
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}

/// The body of an answer.
#[derive(Debug)]
pub enum Body {
    Bytes(Vec<u8>),
    /// The first `bytes` bytes of a file.
    File {
        file: File,
        bytes: u64,
    },
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

impl Response {
    pub fn new(status: u16, content_type: &str, body: Body) -> Self {
        Self { status, headers: vec![("Content-Type".into(), content_type.into())], body }
    }

    pub fn text(status: u16, text: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", Body::Bytes(text.as_bytes().to_vec()))
    }

    pub fn json(status: u16, value: &serde_json::Value) -> Self {
        let body = Body::Bytes(value.to_string().into_bytes());
        Self::new(status, "application/json", body).with("Cache-Control", "no-store")
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn with_all<'a>(mut self, headers: impl Iterator<Item = &'a (String, String)>) -> Self {
        self.headers.extend(headers.cloned());
        self
    }

    /// Whether it has a header with this name.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(each, _)| each.eq_ignore_ascii_case(name))
    }
}

/// The reason phrase of a status.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status with which a head is refused; 200 if it is accepted, and 0 if it is not complete.
    fn status(bytes: &[u8]) -> u16 {
        match parse(bytes) {
            Err(Refusal::Status(status, _)) => status,
            Ok(None) => 0,
            _ => 200,
        }
    }

    #[test]
    fn heads_are_parsed_or_refused() {
        let head = parse(
            b"POST /a%20b/%C3%A9?x=1 HTTP/1.1\r\nContent-Length: 3\r\nContent-Type: application/json; charset=utf-8\r\n\
              Authorization: Bearer t\r\n\r\nabc",
        );
        let Ok(Some(Head { request, head_bytes, body_bytes })) = head else { panic!("it is a head") };
        assert_eq!((request.method, request.path.as_str(), body_bytes), (Method::Post, "/a b/é", 3));
        assert_eq!((request.token.as_deref(), request.is_json, request.keep_alive), (Some("t"), true, true));
        assert!(head_bytes > 100);
        for (bytes, expected) in [
            (&b"GET / HTTP/1.1\r\n\r\n"[..], 200),
            (b"GET / HTTP/1.0\r\n\r\n", 200),
            (b"GET / HTTP/1.1\r\n", 0),
            (b"", 0),
            (b"GET http://else/ HTTP/1.1\r\n\r\n", 400),
            (b"GET * HTTP/1.1\r\n\r\n", 400),
            (b"GET /%zz HTTP/1.1\r\n\r\n", 400),
            (b"GET /%f HTTP/1.1\r\n\r\n", 400),
            (b"GET /%ff HTTP/1.1\r\n\r\n", 400),
            (b"GET / HTTP/3.1\r\n\r\n", 400),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
            (b"GET /\0 HTTP/1.1\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nA\x01: b\r\n\r\n", 400),
            (b"DELETE / HTTP/1.1\r\n\r\n", 405),
            (b"OPTIONS / HTTP/1.1\r\n\r\n", 405),
            (b"POST / HTTP/1.1\r\n\r\n", 411),
            (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ] {
            assert_eq!(status(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
        let forwarded = |value: &str| {
            let bytes = format!("GET / HTTP/1.1\r\nX-Forwarded-For: {value}\r\n\r\n");
            match parse(bytes.as_bytes()) {
                Ok(Some(head)) => head.request.forwarded.map(|address| address.to_string()),
                _ => panic!("it is a head"),
            }
        };
        for (value, expected) in [
            ("10.0.0.7", Some("10.0.0.7")),
            ("1.1.1.1, 10.0.0.7", Some("10.0.0.7")),
            ("10.0.0.7:5000", Some("10.0.0.7")),
            ("[fd00::1]:80", Some("fd00::1")),
            ("[fd00::1]", Some("fd00::1")),
            ("::ffff:10.0.0.7", Some("10.0.0.7")),
            ("10.0.0.7,", None),
            ("unknown", None),
        ] {
            assert_eq!(forwarded(value).as_deref(), expected, "{value}");
        }
        let huge = b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\n";
        assert!(matches!(parse(huge), Ok(Some(Head { body_bytes: usize::MAX, .. }))));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MAX_HEADERS + 1));
        assert_eq!(status(many.as_bytes()), 431);
    }
}
