//! A fleet of real processes: `learnery fleet serve` with a server of its own, and `learnery fleet join`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use learnery_fleet::status::FleetStatus;
use learnery_fleet::wire::{Link, Role};
use learnery_lab::Checkpoint;
use serde_json::Value;

use crate::common::Sandbox;

/// How long a test waits for anything. It is long, because machines are slow at times.
const PATIENCE: Duration = Duration::from_secs(300);

/// AlphaZero with a small search; three tables, which take some ten milliseconds each.
pub const SETTINGS: &str = "--set learner=alphazero --set games=130 --set horizon=8 --set batch=64 --set reuse=0.2 \
                            --set replay=4000 --set simulations=2 --set lambda=0.8 --set eval_every=0 --seed 7";

/// A process that is killed if the test fails.
pub struct Process {
    pub child: Child,
    /// What it has written to standard error.
    err: Arc<Mutex<String>>,
    reader: Option<thread::JoinHandle<()>>,
}

impl Process {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let err = Arc::new(Mutex::new(String::new()));
        let (lines, all) = (BufReader::new(child.stderr.take().unwrap()), Arc::clone(&err));
        let reader = thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                *all.lock().unwrap() += &(line + "\n");
            }
        });
        Self { child, err, reader: Some(reader) }
    }

    pub fn err(&self) -> String {
        self.err.lock().unwrap().clone()
    }

    /// Waits for the end; returns the exit code and what was written.
    pub fn end(mut self) -> (Option<i32>, String) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "it does not end: {}", self.err());
            sleep(Duration::from_millis(10));
        };
        self.reader.take().unwrap().join().unwrap();
        (status.code(), self.err())
    }

    /// Kills it with signal 9.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn signal(&self, signal: &str) {
        send_signal(self.child.id(), signal);
    }

    /// Sends a signal, and waits for the end.
    pub fn signal_and_end(self, signal: &str) -> (Option<i32>, String) {
        self.signal(signal);
        self.end()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

pub fn send_signal(process: u32, signal: &str) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

/// A run that is served.
pub struct Fleet {
    pub sandbox: Sandbox,
    port: u16,
    web_port: u16,
    pub learner: Option<Process>,
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.learner = None;
        // A server outlives a learner that was killed.
        if let Some(server) = self.server() {
            _ = Command::new("kill").args(["-9", &server.to_string()]).stderr(Stdio::null()).status();
        }
    }
}

/// A port on which nothing listens, and which no other test of this process gets. The ports lie below those
/// that systems give to outgoing connections: one of these may be taken again before the server listens.
pub fn free_port() -> u16 {
    const FIRST: u16 = 24_000;
    const COUNT: u16 = 7_000;
    static NEXT: LazyLock<AtomicU16> = LazyLock::new(|| {
        let process = process::id() % u32::from(COUNT);
        AtomicU16::new(process.try_into().unwrap())
    });
    (0..COUNT)
        .map(|_| FIRST + NEXT.fetch_add(1, Ordering::Relaxed) % COUNT)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a port is free")
}

impl Fleet {
    /// Serves a run in the folder `run` of a sandbox of its own.
    pub fn serve(args: &str) -> Self {
        Self::serve_with(SETTINGS, args)
    }

    pub fn serve_with(settings: &str, args: &str) -> Self {
        let (port, web_port) = (free_port(), free_port());
        let mut fleet = Self { sandbox: Sandbox::new(), port, web_port, learner: None };
        fleet.start(&format!("backgammon {settings} --out run {args}"));
        fleet
    }

    /// Completed units (training iterations) in the last checkpoint.
    fn saved(&self) -> u64 {
        Checkpoint::from_bytes(&self.sandbox.read("run/last.safetensors")).unwrap().header.units
    }

    /// Goes on with the run, up to this unit, after its learner has ended.
    pub fn resume(&mut self, last_unit: u64) {
        self.start(&format!("--resume run --units {}", last_unit - self.saved()));
    }

    /// Goes on with a run that has no last unit, after its learner has ended.
    pub fn resume_without_end(&mut self) {
        self.start("--resume run");
    }

    /// Stops the learner of a run that has no last unit, and resumes the run for three more units, or up to
    /// unit 20. Returns how many it then has. A run whose length was fixed could end before the test has done
    /// to it what it wants to, on a fast machine.
    pub fn finish(&mut self) -> u64 {
        let (code, err) = self.learner.take().unwrap().signal_and_end("-INT");
        assert_eq!(code, Some(0), "{err}");
        assert!(err.contains("fleet serve --resume run"), "{err}");
        let last = (self.saved() + 3).max(20);
        self.resume(last);
        self.end();
        last
    }

    fn start(&mut self, args: &str) {
        let Self { port, web_port, .. } = self;
        let ports = format!("--port {port} --web-port {web_port}");
        let command = self.sandbox.command(&format!("fleet serve {args} --threads 1 {ports}"));
        let learner = Process::start(command);
        wait("the links are printed", || {
            let err = learner.err();
            assert!(!err.contains("error:"), "{err}");
            err.contains("fleet watch 'nats://")
        });
        self.learner = Some(learner);
    }

    /// The link of actors.
    pub fn link(&self) -> Link {
        let err = self.learner.as_ref().unwrap().err();
        let begin = err.find("nats://").unwrap();
        err[begin..].split('\'').next().unwrap().parse().unwrap()
    }

    /// The password of a role.
    pub fn key(&self, role: Role) -> String {
        let secrets: Value = serde_json::from_slice(&self.sandbox.read("run/fleet/secrets.json")).unwrap();
        secrets[role.user()].as_str().unwrap().to_owned()
    }

    pub fn join(&self, threads: u16) -> Process {
        self.join_with(&format!("--threads {threads}"))
    }

    pub fn join_with(&self, args: &str) -> Process {
        Process::start(self.sandbox.command(&format!("fleet join {} {args}", self.link())))
    }

    /// The process of the server.
    pub fn server(&self) -> Option<u32> {
        fs::read_to_string(self.sandbox.path("run/fleet/nats.pid")).ok()?.trim().parse().ok()
    }

    pub fn status(&self) -> Option<FleetStatus> {
        serde_json::from_slice(&fs::read(self.sandbox.path("run/fleet/status.json")).ok()?).ok()
    }

    /// The class of bits with which it computes.
    pub fn bits(&self) -> String {
        self.wait("a status is written", |_| true);
        self.status().unwrap().bits
    }

    /// Waits until a status of after this call says that another unit is complete.
    pub fn wait_for_another_unit(&self) {
        let (before, time) = self.status().map_or((0, 0.0), |status| (status.unit, status.time));
        self.wait("another unit is complete", |status| status.time > time && status.unit > before);
    }

    /// Waits until the status says so.
    pub fn wait(&self, what: &str, is_so: impl Fn(&FleetStatus) -> bool) {
        wait(what, || {
            let is_so = self.status().is_some_and(|status| is_so(&status));
            assert!(is_so || self.learner.is_some(), "nobody serves");
            is_so
        });
    }

    /// Waits for the end of the learner; it must have ended well.
    pub fn end(&mut self) -> String {
        let (code, err) = self.learner.take().unwrap().end();
        assert_eq!(code, Some(0), "{err}");
        err
    }

    /// The last checkpoint must have the bytes of a run on one machine after this many units.
    pub fn assert_same_bytes(&self, units: u64) {
        self.assert_same_bytes_with(SETTINGS, units);
    }

    pub fn assert_same_bytes_with(&self, settings: &str, units: u64) {
        self.sandbox.succeed(&format!("train backgammon {settings} --units {units} --threads 1 --out alone"));
        let (alone, fleet) =
            (self.sandbox.read("alone/last.safetensors"), self.sandbox.read("run/last.safetensors"));
        assert!(alone == fleet, "another checkpoint than on one machine");
        let rows = |run| self.sandbox.rows(run).into_iter().map(without_time).collect::<Vec<_>>();
        assert_eq!(rows("run"), rows("alone"), "other metrics than on one machine");
    }
}

fn without_time(mut row: Value) -> Value {
    row.as_object_mut().unwrap().remove("seconds");
    row
}

pub fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}: not within {} s", PATIENCE.as_secs());
        sleep(Duration::from_millis(10));
    }
}

/// The path of nats-server, if it is installed; in the same places as `learnery fleet serve` looks for it.
pub fn nats_server() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(others)
        .map(|folder| folder.join("nats-server"))
        .find(|path| path.is_file())
}
