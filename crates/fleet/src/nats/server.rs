//! A nats-server as a child process. If the learner is killed its server lives on and keeps results; the next
//! start adopts it. If the server is killed, it is started again with what it had stored.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use learnery_lab::LabError;

use super::config::{self, Listen, is_loopback};
use super::problem;
use super::secrets::{Secrets, write_private};
use super::version::ServerVersion;

const PROGRAM: &str = "nats-server";
/// How long a server may take until it listens at its port.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a server may take to accept the connection that shows that it listens.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
/// The time between two looks at the port or the process.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The pause before a server that ended is started again.
const MIN_RESTART_INTERVAL: Duration = Duration::from_millis(500);
/// How long a server that is to end may take to deliver its last messages.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// How many of the server's last lines are kept for an error message.
const MAX_KEPT_LINES: usize = 8;

/// A server that runs.
pub struct Server {
    program: PathBuf,
    folder: PathBuf,
    listen: Listen,
    /// `None` if the server was started by an earlier learner.
    child: Option<Child>,
    lines: Lines,
    /// When [`Server::tend`] last looked whether the server runs.
    checked_at: Instant,
    /// How often in a row an adopted server has not answered.
    misses: u32,
}

/// The last lines that a server has written, which a thread of its own reads.
type Lines = Arc<Mutex<VecDeque<String>>>;

/// Writes the file with the fleet's users for the configuration of a server that somebody else runs, and
/// returns its path.
pub fn write_users(folder: &Path, secrets: &Secrets) -> Result<PathBuf, LabError> {
    let path = folder.join("users.conf");
    write_private(&path, &config::users(secrets))?;
    Ok(path)
}

impl Server {
    /// Starts a server with its files in `folder`, or adopts the one that an earlier learner has left there.
    pub fn start(folder: &Path, secrets: &Secrets, listen: Listen) -> Result<Self, LabError> {
        let folder = fs::canonicalize(folder).map_err(|e| problem(format!("{}: {e}", folder.display())))?;
        let program = find_program()?;
        let version = version_of(&program)?;
        if let Some(danger) = version.danger().filter(|_| !is_loopback(&listen.host)) {
            return Err(problem(danger));
        }
        write_users(&folder, secrets)?;
        let path = folder.join("nats.conf");
        let text = config::server(secrets, &listen, &folder);
        // Only a server that was started with these ports and passwords can be adopted.
        let is_as_before = fs::read_to_string(&path).is_ok_and(|before| before == text);
        write_private(&path, &text)?;
        let (lines, checked_at) = (Lines::default(), Instant::now());
        let mut server = Self { program, folder, listen, child: None, lines, checked_at, misses: 0 };
        for port in [server.listen.port, server.listen.web_port] {
            if answers(&server.listen.host, port) && !(is_as_before && server.pid().is_some()) {
                return Err(problem(format!(
                    "port {port} is in use by another program; choose others with --port and --web-port"
                )));
            }
        }
        if !answers(&server.listen.host, server.listen.port) {
            server.spawn()?;
        }
        Ok(server)
    }

    fn spawn(&mut self) -> Result<(), LabError> {
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(self.folder.join("nats.conf"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C in the terminal is the learner's to handle: it saves first.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |e: &dyn std::fmt::Display| problem(format!("{PROGRAM} cannot be started: {e}"));
        let mut child = command.spawn().map_err(|e| failed(&e))?;
        let lines = Lines::default();
        if let Some(stderr) = child.stderr.take() {
            let lines = Arc::clone(&lines);
            thread::spawn(move || keep_lines(BufReader::new(stderr), &lines));
        }
        self.lines = lines;
        let begin = Instant::now();
        while begin.elapsed() < START_TIMEOUT {
            let has_port = answers(&self.listen.host, self.listen.port);
            thread::sleep(POLL_INTERVAL);
            // Only a server that lives on after the port was open has opened it.
            if let Ok(Some(_)) = child.try_wait() {
                // Its last lines may still be in the pipe to the thread that keeps them.
                thread::sleep(POLL_INTERVAL);
                let last_line = self.lines.lock().map(|lines| lines.back().cloned()).ok().flatten();
                return Err(failed(&last_line.unwrap_or_else(|| "it ended at once".into())));
            }
            if has_port {
                self.child = Some(child);
                return Ok(());
            }
        }
        _ = child.kill().and_then(|()| child.wait());
        Err(failed(&"it does not listen after ten seconds"))
    }

    /// The process that the server has noted in its file.
    fn pid(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("nats.pid")).ok()?.trim().parse().ok()
    }

    /// Starts the server again if it has ended; to be called often. Returns true if it was started.
    pub fn tend(&mut self) -> Result<bool, LabError> {
        if self.checked_at.elapsed() < MIN_RESTART_INTERVAL {
            return Ok(false);
        }
        self.checked_at = Instant::now();
        let has_ended = match &mut self.child {
            Some(child) => matches!(child.try_wait(), Ok(Some(_))),
            // An adopted server is no child, so only its port tells that it runs. A busy machine can fail to
            // answer once, so only the second miss counts.
            None if answers(&self.listen.host, self.listen.port) => {
                self.misses = 0;
                false
            }
            None => {
                self.misses += 1;
                self.misses > 1
            }
        };
        if has_ended {
            self.misses = 0;
            self.spawn()?;
        }
        Ok(has_ended)
    }

    /// Lets the server deliver its last messages, and ends it.
    pub fn quit(&mut self) {
        self.send_signal("quit");
        let begin = Instant::now();
        while begin.elapsed() < QUIT_TIMEOUT
            && self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
        {
            thread::sleep(POLL_INTERVAL);
        }
        self.stop();
    }

    /// Ends the server at once. Results are stored when they arrive, so there is nothing to wait for. One
    /// that was adopted is told to end itself; the caller has logged in to it, so it is the fleet's own.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            _ = child.kill().and_then(|()| child.wait());
        } else {
            self.send_signal("stop");
        }
        _ = fs::remove_file(self.folder.join("nats.pid"));
    }

    /// Has nats-server's program send one of its signals to the server. If that fails, nothing else can be
    /// done.
    fn send_signal(&self, signal: &str) {
        let Some(pid) = self.pid() else { return };
        let mut command = Command::new(&self.program);
        command.arg("--signal").arg(format!("{signal}={pid}"));
        _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

fn keep_lines(reader: impl BufRead, lines: &Lines) {
    for line in reader.lines().map_while(Result::ok) {
        let Ok(mut lines) = lines.lock() else { return };
        lines.push_back(line);
        if lines.len() > MAX_KEPT_LINES {
            lines.pop_front();
        }
    }
}

/// Whether something listens at this port of this machine.
fn answers(host: &str, port: u16) -> bool {
    let host = address_to_connect(host);
    let addresses = (host.trim_start_matches('[').trim_end_matches(']'), port).to_socket_addrs();
    let is_open = |address| TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).is_ok();
    addresses.is_ok_and(|mut addresses| addresses.any(is_open))
}

/// The address at which this machine reaches a server that listens at `host`: a server that listens at all
/// addresses also listens on the loopback.
pub(super) fn address_to_connect(host: &str) -> &str {
    match host {
        "0.0.0.0" => "127.0.0.1",
        "[::]" | "::" => "[::1]",
        other => other,
    }
}

fn find_program() -> Result<PathBuf, LabError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs servers in a folder that is not in every user's PATH.
    let system_folders = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"].map(PathBuf::from);
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let mut programs = std::env::split_paths(&path).chain(system_folders).map(|folder| folder.join(&name));
    programs.find(|program| program.is_file()).ok_or_else(|| {
        problem(
            "a fleet needs nats-server, which is not installed; install it (Debian: `apt-get install nats-server`, others: \
             https://nats.io/download), or say with --nats where one runs",
        )
    })
}

fn version_of(program: &Path) -> Result<ServerVersion, LabError> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|e| problem(format!("{} cannot be started: {e}", program.display())))?;
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let unknown = || problem(format!("{} does not say its version", program.display()));
    ServerVersion::find(&text).ok_or_else(unknown)
}

impl Drop for Server {
    /// A server that this process has started does not outlive it, unless the process is killed.
    fn drop(&mut self) {
        if self.child.is_some() {
            self.stop();
        }
    }
}
