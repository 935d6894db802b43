//! GNU Backgammon as an opponent: the real program, if it is installed, as a process of its own.
//!
//! It runs a few lines of Python inside, which answer `POSITION D1 D2` with the position that its static evaluation, without
//! looking ahead and without the cube, likes best. What else it prints is passed over.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow};
use learnery_lab::Program;

use crate::failure::reason;

/// Where it may be found. Debian puts games where not every path leads.
const NAMES: [&str; 2] = ["gnubg", "/usr/games/gnubg"];

/// What its answers begin with.
const MARK: &str = "learnery> ";

const SCRIPT: &str = r#"
import os, sys
import gnubg

for line in ["automatic game off", "automatic roll off", "automatic bearoff off", "automatic move off",
             "player 0 human", "player 1 human", "display off", "jacoby off"]:
    gnubg.command("set " + line)
gnubg.command("new game")
gnubg.command("set turn 1")
cube = gnubg.cubeinfo(1, 0, 1, 0, (0, 0), 0)
cube["jacoby"] = 0
static = gnubg.evalcontext()
static.update(cubeful=0, plies=0, noise=0.0)

for question in sys.stdin:
    name, high, low = question.split()
    board = gnubg.positionfromid(name)
    other, own = list(board[0]), list(board[1])
    gnubg.command("set dice %s %s" % (high, low))
    best = list(gnubg.findbestmove(board, cube, static) or ())
    for start, end in zip(best[::2], best[1::2]):
        if start == 0:
            continue
        own[start - 1] -= 1
        if end > 0:
            own[end - 1] += 1
            if other[24 - end] == 1:
                other[24 - end] = 0
                other[24] += 1
    answer = gnubg.positionid((tuple(own), tuple(other)))
    os.write(1, ("\nlearnery> " + answer + "\n").encode())
"#;

/// The program, running. It ends with its last user.
struct Running {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    _script: Script,
}

/// A file that is gone with its owner.
struct Script(std::path::PathBuf);

impl Drop for Script {
    fn drop(&mut self) {
        // If it stays, it is a small file in a folder for such.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts it.
pub fn start() -> Result<Program> {
    let path = std::env::temp_dir().join(format!("learnery-gnubg-{}.py", std::process::id()));
    let script = Script(path);
    std::fs::write(&script.0, SCRIPT)
        .map_err(|e| anyhow!("{} cannot be written: {}", script.0.display(), reason(&e)))?;
    let start = |name: &&str| {
        let mut command = Command::new(name);
        command.args(["-t", "-q", "-r", "-p"]).arg(&script.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
    };
    let mut child = NAMES.iter().find_map(start).context("gnubg is not installed here")?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (questions, answers) = pipes.context("gnubg cannot be talked to")?;
    let running = Running { child, questions, answers: BufReader::new(answers), _script: script };
    let running = Mutex::new(running);
    Ok(Program::new(move |question| {
        let mut running = running.lock().map_err(|_| "gnubg is in disorder".to_owned())?;
        running.ask(question).map_err(|e| format!("gnubg: {e}"))
    }))
}

impl Running {
    fn ask(&mut self, question: &str) -> std::io::Result<String> {
        writeln!(self.questions, "{question}")?;
        self.questions.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.answers.read_line(&mut line)? == 0 {
                return Err(std::io::Error::other("it has ended"));
            }
            if let Some(answer) = line.strip_prefix(MARK) {
                return Ok(answer.trim().to_owned());
            }
        }
    }
}
