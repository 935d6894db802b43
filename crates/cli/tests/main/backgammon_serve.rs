//! `learnery backgammon serve`: the external player of GNU Backgammon (gnubg), over loopback. Where gnubg is
//! installed, it plays matches against us.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{Finished, Sandbox, gnubg};
use serde_json::Value;

/// The network that ships with the project.
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/backgammon.safetensors");
/// Money, the starting position, 2 1 is rolled; as gnubg sends it.
const OPENING: &str = "board:alpha:beta:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
/// Money, player 1 has two checkers on its ace point, the other side has one: it doubles, and the other side
/// passes.
const LAST_ROLL: &str = "board:alpha:beta:0:0:0:0:2:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-1:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:13:14:0:0:0:0:0:1";
/// Longer than any test waits for an answer that comes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A server on a free port. It is killed when this is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(sandbox: &Sandbox, args: &str) -> Self {
        let command = format!("backgammon serve --checkpoint {MODEL} --port 0 {args}");
        let mut child = sandbox.command(&command).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("Listening on ").and_then(|rest| rest.trim_end().parse().ok());
        Self { child, address: address.unwrap_or_else(|| panic!("no address: {line:?}")) }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        Client { answers: BufReader::new(stream.try_clone().unwrap()), stream }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if the server has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client {
    stream: TcpStream,
    answers: BufReader<TcpStream>,
}

impl Client {
    /// Sends a line and returns the answer without its line break; nothing if the connection was closed.
    fn ask(&mut self, line: impl AsRef<[u8]>) -> String {
        self.stream.write_all(line.as_ref()).unwrap();
        self.stream.write_all(b"\n").unwrap();
        self.line()
    }

    fn line(&mut self) -> String {
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end_matches('\n').to_owned()
    }
}

#[test]
fn server_answers_many_clients() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, "");
    let silent = server.connect();
    let (mut first, mut second) = (server.connect(), server.connect());
    for client in [&mut first, &mut second] {
        let play = client.ask(OPENING);
        assert_eq!(play.matches('/').count(), 2, "a play of two moves: {play}");
        // gnubg puts a zero byte behind each line.
        assert_eq!(client.ask(format!("\0{OPENING}")), play);
        assert_eq!(client.ask(LAST_ROLL), "double");
        assert_eq!(client.ask(LAST_ROLL.replace(":1:1:1:0:1:-1", ":1:1:1:1:1:-1")), "drop");
        let value = client.ask(format!("evaluation fibsboard {LAST_ROLL} plies 2 cubeful"));
        assert_eq!(value, "1.000000 0.000000 0.000000 0.000000 0.000000 1.000000");
    }
    assert_eq!(first.ask("version"), "Interface: 2");
    let rest = [(); 3].map(|()| first.line());
    assert!(rest[1].starts_with("Engine: ") && rest[2].starts_with("Software: "), "{rest:?}");
    // A client that goes away in the middle of a line disturbs nobody.
    second.stream.write_all(b"board:").unwrap();
    drop(second);
    assert_eq!(first.ask("exit"), "");
    assert_eq!(server.connect().ask(LAST_ROLL), "double");
    drop(silent);
}

#[test]
fn bad_lines_are_answered_with_one_line() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, "--plies 1");
    let mut client = server.connect();
    for (line, words) in [
        (&b""[..], "no command given"),
        (b"nonsense", "no request"),
        (b"board:a:b", "this has 2 fields"),
        (b"\xff\xfe\0\r", "no request"),
        (b"evaluation fibsboard", "board:..."),
        (OPENING.replace(":5:0:3:", ":5:99:3:").as_bytes(), "99 checkers"),
        (OPENING.replace(":2:1:2:1:", ":7:1:7:1:").as_bytes(), "a die cannot be 7"),
        (format!("{OPENING} resignation").as_bytes(), "0 to 3 points"),
        (format!("evaluation fibsboard {OPENING} plies 3").as_bytes(), "3 plies"),
    ] {
        let answer = client.ask(line);
        assert!(answer.starts_with("Error: ") && answer.contains(words), "{line:?}: {answer}");
    }
    // Afterwards a good line is answered as before.
    assert_eq!(client.ask(LAST_ROLL), "double");
    // A line without an end is read to its limit only.
    client.stream.write_all(&[b'x'; 4096]).unwrap();
    assert!(client.line().starts_with("Error: a line has at most 4096 bytes"));
    assert_eq!(client.line(), "");
    assert_eq!(server.connect().ask(LAST_ROLL), "double");
}

#[test]
fn address_that_is_not_available_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for address in [format!("--port {port}"), "--host no.such.host.invalid".into()] {
        let sentence = sandbox.rejected(&format!("backgammon serve --checkpoint {MODEL} {address}"), 1);
        assert!(sentence.contains("is not available"), "{address}: {sentence}");
    }
}

/// Ctrl-C ends the server, also while one client is silent and another one waits for an answer.
#[cfg(unix)]
#[test]
fn interrupted_server_ends() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, "--plies 2");
    let (_silent, mut asking) = (server.connect(), server.connect());
    assert_eq!(asking.ask(LAST_ROLL), "double");
    for _ in 0..20 {
        asking.stream.write_all(format!("{OPENING}\n").as_bytes()).unwrap();
    }
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    let mut messages = String::new();
    server.child.stderr.as_mut().unwrap().read_to_string(&mut messages).unwrap();
    assert!(messages.contains("Ctrl-C ends the server") && messages.lines().count() == 1, "{messages}");
}

/// What gnubg runs: it plays matches to 3 points against the external player, who has seat 0 or 1, and writes
/// what was played. Its own side looks no roll ahead. The lists of arguments replace the names in braces.
const SCRIPT: &str = r#"
import json
import gnubg

for line in ["automatic game on", "automatic roll on", "automatic bearoff on", "automatic move on", "display off",
             "output matchpc off", "rng mersenne", "seed 3", "player {GNUBG} gnubg",
             "player {GNUBG} chequer evaluation plies 0", "player {GNUBG} cubedecision evaluation plies 0",
             "player {SEAT} external {ADDRESS}"]:
    gnubg.command("set " + line)
gnubg.command("new match 3")
with open("match{SEAT}.json", "w") as file:
    json.dump(gnubg.match(0, 1, 0, 0), file)
"#;

#[test]
fn gnubg_plays_matches_against_the_server() {
    let Some(gnubg) = gnubg() else {
        println!("skipped: gnubg is not installed");
        return;
    };
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, "");
    for seat in [0, 1] {
        let script = SCRIPT.replace("{SEAT}", &seat.to_string()).replace("{GNUBG}", &(1 - seat).to_string());
        sandbox.write("script.py", script.replace("{ADDRESS}", &server.address.to_string()));
        let mut command = Command::new(&gnubg);
        command.args(["-t", "-q", "-r", "-p", "script.py"]).current_dir(sandbox.path("."));
        let output = command.env("HOME", sandbox.path(".")).stdin(Stdio::null()).output().unwrap();
        let played = sandbox.read(&format!("match{seat}.json"));
        let played: Value = serde_json::from_slice(&played).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(!text.contains("Error: ") && !text.contains("badly formed"), "{text}");
        check_match(&sandbox, &played, seat);
    }
}

/// Checks that a match was played to its end, and that all plays of the external player are legal.
fn check_match(sandbox: &Sandbox, played: &Value, seat: usize) {
    // gnubg calls player 0 X.
    let (us, them) = if seat == 0 { ("X", "O") } else { ("O", "X") };
    let games = played["games"].as_array().unwrap();
    let mut points = [0, 0];
    let (mut requests, mut expected) = (String::new(), Vec::new());
    for game in games {
        let info = &game["info"];
        assert_eq!(info["resigned"], false, "{info}");
        points[usize::from(info["winner"] == them)] += info["points-won"].as_i64().unwrap();
        let actions = game["game"].as_array().unwrap();
        assert!(actions.iter().any(|action| action["player"] == us), "{game}");
        for pair in actions.windows(2) {
            let [action, next] = pair else { continue };
            if action["player"] == us && action["action"] == "move" {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let dice = &action["dice"];
                requests += &format!("{} {} {}\n", text(&action["board"]), dice[0], dice[1]);
                expected.push(text(&next["board"]));
            }
        }
    }
    assert!(points.iter().any(|points| *points >= 3), "{points:?}");
    // gnubg takes any play from an external player, so legality is checked with our own rules.
    sandbox.write("lines", requests);
    let mut command = sandbox.command("backgammon plays --list");
    command.stdin(std::fs::File::open(sandbox.path("lines")).unwrap());
    let listed = Finished::from(command.output().unwrap());
    assert_eq!((listed.code, listed.out.lines().count()), (Some(0), expected.len()));
    for (plays, after) in listed.out.lines().zip(&expected) {
        assert!(plays.split(' ').skip(4).any(|play| play == after), "{after} does not follow: {plays}");
    }
}
