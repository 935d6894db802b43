//! The server as its clients see it: over TCP, at a free port of this machine.

#![allow(clippy::unwrap_used, reason = "test helpers are not test functions")]

mod https;

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use learnery_class::{Certificate, Class, Server, Site};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The file `_headers` of the site.
const HEADERS: &str = "/*\n  Cross-Origin-Opener-Policy: same-origin\n  Cross-Origin-Embedder-Policy: require-corp\n\
                       /\n  Content-Security-Policy: default-src 'none'\n/assets/*\n  Cache-Control: immutable\n";

/// A server that runs until the process of the tests ends.
struct Running {
    address: SocketAddr,
    /// The site's folder lies in it, beside a file that nobody may see.
    _folder: TempDir,
}

/// An answer of the server.
struct Answer {
    status: u16,
    /// The status line and the headers, up to and with the empty line.
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// Starts a server without a certificate.
fn started() -> Running {
    started_with(None)
}

/// Starts a server of a small site, for a class with the code `K7QM` whose teacher has the token `teacher`.
fn started_with(certificate: Option<Certificate>) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("dist");
    fs::create_dir_all(site.join("assets")).unwrap();
    fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    for (name, content) in [
        ("_headers", HEADERS),
        ("index.html", "<!doctype html>"),
        ("assets/x.wasm", "wasm"),
        ("assets/x.js", "js"),
        (".hidden", "hidden"),
    ] {
        fs::write(site.join(name), content).unwrap();
    }
    fs::write(site.join("large.bin"), vec![7; 300_000]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.txt", site.join("link.txt")).unwrap();
    let class = Class::new("K7QM".into(), "teacher".into(), "http://a/".into());
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::new(listener, Site::open(&site).unwrap(), class, certificate);
    thread::spawn(|| server.run());
    Running { address, _folder: folder }
}

impl Running {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends these bytes, and reads the answer until the server ends the connection.
    fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may have refused and closed before all was sent.
        _ = stream.write_all(bytes);
        _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Sends one request, whose head is given without its last lines, and reads the answer.
    fn request(&self, head: &str, body: &[u8]) -> Answer {
        let mut bytes = format!("{head}\r\nHost: localhost\r\nConnection: close\r\n").into_bytes();
        if head.starts_with("POST") {
            bytes.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(body);
        parsed(&self.raw(&bytes))
    }

    fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path} HTTP/1.1"), b"")
    }

    /// Sends a request to the interface.
    fn post(&self, name: &str, token: &str, body: &Value) -> Answer {
        let head = format!(
            "POST /class/api/{name} HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {token}"
        );
        self.request(&head, body.to_string().as_bytes())
    }

    /// Joins, and returns the token.
    fn join(&self, name: &str) -> String {
        let answer = self.post("join", "", &json!({ "code": "K7QM", "name": name }));
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["token"].as_str().unwrap().to_owned()
    }

    /// What the teacher's page sees.
    fn state(&self) -> Value {
        let answer = self.request("GET /class/api/state HTTP/1.1\r\nAuthorization: Bearer teacher", b"");
        assert_eq!(answer.status, 200);
        answer.json()
    }
}

/// Splits an answer into head and body.
fn parsed(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: bytes[end..].to_vec() }
}

fn progress(units: u32, value: f64) -> Value {
    json!({
        "recipe": "control?worlds=16", "seed": 7, "metric": "score", "target": 490.0, "units": units,
        "bits": "plain", "curve": { "units": [1, units], "values": [0.0, value] },
    })
}

#[test]
fn site_is_sent_with_types_and_headers() {
    let server = started();
    let page = server.get("/?x=1");
    assert_eq!((page.status, page.body.as_slice()), (200, &b"<!doctype html>"[..]));
    for line in [
        "Content-Type: text/html; charset=utf-8\r\n",
        "Cross-Origin-Opener-Policy: same-origin\r\n",
        "Cross-Origin-Embedder-Policy: require-corp\r\n",
        "Content-Security-Policy: default-src 'none'\r\n",
        "Cache-Control: no-cache\r\n",
        "Content-Length: 15\r\n",
    ] {
        assert!(page.head.contains(line), "{line} in {}", page.head);
    }
    let wasm = server.get("/assets/x.wasm");
    assert!(wasm.head.contains("Content-Type: application/wasm\r\n"), "{}", wasm.head);
    assert!(wasm.head.contains("Cache-Control: immutable\r\n") && !wasm.head.contains("no-cache"));
    assert_eq!(server.get("/large.bin").body, vec![7; 300_000]);
    let head = server.request("HEAD /large.bin HTTP/1.1", b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert!(head.head.contains("Content-Length: 300000\r\n"));
    assert!(server.get("/join").head.contains("Location: /#/class?join=\r\n"));
}

#[test]
fn nothing_outside_of_the_site_is_sent() {
    let server = started();
    let link = if cfg!(unix) { "/link.txt" } else { "/none" };
    for path in [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%5csecret.txt",
        "/..\\secret.txt",
        "//etc/passwd",
        "/assets//x.js",
        "/./index.html",
        "/index.html%00.js",
        "/.hidden",
        "/_headers",
        "/assets",
        "/assets/",
        "/C:/secret.txt",
        "/none",
        link,
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.windows(6).any(|six| six == b"secret"), "{path}");
    }
    assert!(Site::open(Path::new("/nonexistent")).is_err());
    assert!(Site::open(server._folder.path()).is_err(), "a folder without a site");
}

/// Copies of good bytes, each with one to three of them changed at random (by a xorshift generator).
fn mutations(good: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    std::iter::repeat_with(move || {
        let mut bytes = good.to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            bytes[at] = u8::try_from(random(256)).unwrap();
        }
        bytes
    })
}

#[test]
fn malformed_requests_are_harmless() {
    let server = started();
    let long = [b"GET /".to_vec(), vec![b'a'; 40_000], b" HTTP/1.1\r\n\r\n".to_vec()].concat();
    assert_eq!(parsed(&server.raw(&long)).status, 431);
    let large =
        [b"POST /class/api/join HTTP/1.1\r\nContent-Length: 40000\r\n\r\n".to_vec(), vec![b' '; 40_000]];
    assert_eq!(parsed(&server.raw(&large.concat())).status, 413);
    for (bytes, status) in [
        (&b"\0\0\0\0"[..], 400),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400),
        (b"GET http://x/ HTTP/1.1\r\n\r\n", 400),
        (b"PUT / HTTP/1.1\r\n\r\n", 405),
        (b"POST / HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 405),
        (b"POST /class/api/join HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    ] {
        assert_eq!(parsed(&server.raw(bytes)).status, status, "{}", String::from_utf8_lossy(bytes));
    }
    assert!(server.raw(b"").is_empty());
    assert!(server.raw(b"GET / HTTP/1.1\r\nHost").is_empty(), "a request that ends early has no answer");
    let good =
        b"POST /class/api/progress HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    for bytes in mutations(good).take(300) {
        server.raw(&bytes);
    }
    assert_eq!(server.get("/").status, 200, "it still answers");
}

#[test]
fn several_requests_of_a_connection_are_answered_in_order() {
    let server = started();
    let answers = server.raw(
        b"GET /assets/x.js HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    );
    let text = String::from_utf8(answers).unwrap();
    let statuses: Vec<_> = text.match_indices("HTTP/1.1 ").map(|(at, _)| &text[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["200", "404", "200"]);
}

#[test]
fn last_answer_of_a_connection_says_that_it_closes() {
    let server = started();
    // A connection may have 1,000 requests (`MAX_REQUESTS`).
    let text = String::from_utf8(server.raw(&b"GET /none HTTP/1.1\r\n\r\n".repeat(1_001))).unwrap();
    let answers: Vec<_> = text.split("HTTP/1.1 404").skip(1).collect();
    assert_eq!(answers.len(), 1_000);
    let closing: Vec<_> = (0..1_000).filter(|&i| answers[i].contains("Connection: close\r\n")).collect();
    assert_eq!(closing, [999]);
}

#[test]
fn joins_of_one_address_are_limited_and_a_proxy_on_this_machine_says_whose_they_are() {
    let server = started();
    let body = json!({ "code": "K7QM", "name": "A" }).to_string();
    let join = |forwarded: &str| {
        let head = format!(
            "POST /class/api/join HTTP/1.1\r\nContent-Type: application/json\r\nX-Forwarded-For: {forwarded}"
        );
        server.request(&head, body.as_bytes()).status
    };
    // One address may join 40 times at once (`JOIN_RATE`). The last address of the header is the one that a
    // proxy on this machine has written; the one before it comes from the client.
    let statuses: Vec<_> = (0..45).map(|i| join(&format!("10.9.9.{i}, 10.0.0.1"))).collect();
    assert_eq!(statuses[..40], [200; 40]);
    assert!(statuses.contains(&429), "what the client says does not count");
    assert_eq!(join("10.0.0.2"), 200);
    assert_eq!(server.post("join", "", &json!({ "code": "K7QM", "name": "Bob" })).status, 200);
}

#[test]
fn slow_client_holds_up_nobody_and_is_dropped() {
    let server = started();
    let mut slow = server.connect();
    slow.write_all(b"GET / HT").unwrap();
    let silent = server.connect();
    assert_eq!(server.get("/").status, 200);
    for mut stream in [slow, silent] {
        let mut rest = Vec::new();
        assert_eq!(stream.read_to_end(&mut rest).unwrap(), 0, "the server ends the connection");
    }
}

#[test]
fn class_goes_from_joining_to_results() {
    let server = started();
    let wrong = server.post("join", "", &json!({ "code": "WRNG", "name": "Eve" }));
    assert_eq!(
        (wrong.status, wrong.json()["problem"].as_str()),
        (403, Some("This is not the code of the class."))
    );
    let ada = server.join("Ada");
    assert_eq!(server.state()["pupils"][0]["name"], "Ada");
    let task = json!({ "link": "control?worlds=16", "question": "Why?" });
    assert_eq!(server.post("task", &ada, &task).status, 404, "a pupil does not open the class");
    assert_eq!(server.post("task", "teacher", &task).status, 200);
    // The tab learns of the task from the answer to its next request.
    let heard = server.post("here", &ada, &json!({})).json();
    assert_eq!((&heard["task"], &heard["told"]), (&task, &json!(false)));
    assert_eq!(server.post("progress", &ada, &progress(20, 100.0)).json()["told"], true);
    assert_eq!(server.post("answer", &ada, &json!({ "question": "Why?", "text": "<b>So</b>" })).status, 200);
    let result = |rate: f64| {
        json!({
            "block": "large", "metric": "evalReturn", "runs": 10, "reached": 3, "trained": 40, "units": null,
            "value": 9.4, "settings": { "learning_rate": rate },
        })
    };
    let measured = json!({ "checks": ["seen"], "blocks": [result(0.3), result(0.1)] });
    let lesson = json!({
        "link": task["link"], "answers": [{ "question": "How many?", "text": "3" }], "measured": measured,
    });
    let other = json!({ "link": "lesson/cube", "answers": lesson["answers"] });
    assert_eq!(
        server.post("lesson", &ada, &other).json()["problem"],
        "The class does something else now, so nothing was handed in."
    );
    let mut forged = lesson.clone();
    forged["measured"]["blocks"][0]["block"] = json!("<b>");
    assert_eq!(
        server.post("lesson", &ada, &forged).json()["problem"],
        "The results of the lesson could not be taken."
    );
    let handed_in = server.post("lesson", &ada, &lesson).json();
    assert_eq!((&handed_in["answers"], &handed_in["measured"]), (&json!(1), &json!(3)));
    assert_eq!(server.post("lesson", "teacher", &lesson).status, 404, "a teacher hands in nothing");
    // A pupil that joins late sees how far the class is. Case and spaces of the code do not matter.
    let late = server.post("join", "", &json!({ "code": " k7qm ", "name": "Bob" })).json();
    assert_eq!((late["units"].as_f64(), late["value"].as_f64()), (Some(20.0), Some(100.0)));
    assert_eq!(server.post("result", &ada, &json!({ "code": "LC1.00000000.AA" })).status, 200);
    assert_eq!(server.post("leave", &ada, &json!({})).status, 200);
    let pupil = &server.state()["pupils"][0];
    assert_eq!((&pupil["state"], &pupil["result"]), (&json!("left"), &json!("LC1.00000000.AA")));
    assert_eq!(pupil["progress"], progress(20, 100.0));
    assert_eq!(pupil["answers"][0]["text"], "<b>So</b>");
    assert_eq!((&pupil["lesson"], &pupil["measured"]), (&lesson["answers"], &measured));
    assert!(pupil.get("token").is_none(), "tokens are told to nobody else");
    // The pupil comes back, with its seat. That takes two seconds: a request right after leaving may have
    // been sent before.
    while server.state()["pupils"][0]["state"] != "here" {
        assert_eq!(server.post("here", &ada, &json!({})).status, 200);
        thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(server.post("remove", "teacher", &json!({ "seat": 1 })).status, 200);
    assert_eq!(server.post("here", &ada, &json!({})).status, 401);
}

#[test]
fn requests_that_are_not_allowed_change_nothing() {
    let server = started();
    let ada = server.join("Ada");
    let post = |name: &str, body: &str| {
        let head = format!(
            "POST /class/api/{name} HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {ada}"
        );
        server.request(&head, body.as_bytes()).status
    };
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"recipe":"a","seed":1,"metric":"m","target":null,"units":1e99,"bits":"plain","curve":{"units":[],"values":[]}}"#,
        r#"{"recipe":"a","seed":1,"metric":"m","target":null,"units":1,"bits":"plain","curve":{"units":[1],"values":[1e999]}}"#,
        r#"{"recipe":"a","seed":1,"metric":"m","target":null,"units":1,"bits":"plain","curve":{"units":[],"values":[]},"x":1}"#,
        &format!("{}{}", "[".repeat(8_000), "]".repeat(8_000)),
    ] {
        assert_eq!(post("progress", body), 400, "{body:.40}");
    }
    assert_eq!(post("none", "{}"), 404);
    assert_eq!(server.get("/class/api/state").status, 401);
    assert_eq!(server.get("/class/api/join").status, 405);
    // A page of another site can send this content type without a CORS preflight, so it has to be refused.
    let foreign = "POST /class/api/join HTTP/1.1\r\nContent-Type: text/plain";
    assert_eq!(server.request(foreign, br#"{"code":"K7QM","name":"Eve"}"#).status, 415);
    let state = server.state();
    assert_eq!(
        (state["pupils"].as_array().unwrap().len(), &state["pupils"][0]["progress"]),
        (1, &Value::Null)
    );
}

#[test]
fn rates_are_limited() {
    let server = started();
    let ada = server.join("Ada");
    let statuses: Vec<_> = (0..60).map(|_| server.post("here", &ada, &json!({})).status).collect();
    assert!(statuses.contains(&429), "of one tab");
    let guesses: Vec<_> =
        (0..90).map(|_| server.post("join", "", &json!({ "code": "WRNG", "name": "Eve" })).status).collect();
    assert_eq!(guesses[0], 403);
    assert!(guesses.contains(&429), "of wrong codes");
    assert_eq!(server.get("/").status, 200, "the site is still sent");
}
