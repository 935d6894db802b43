//! GNU Backgammon (gnubg) as an opponent in evaluations. It is a separate program, which runs in child
//! processes if it is installed.
//!
//! gnubg can run Python scripts. Our script answers each line `POSITION D1 D2` (a position ID and two dice)
//! with the position after the best play by gnubg's cubeless evaluation (no doubling cube) without noise, at
//! 0, 1 or 2 plies. The rest is as gnubg is delivered: with lookahead, its normal move filter (0 plies value
//! all plays, and the best eight within 0.16 points are valued with lookahead) and its pruning networks. The
//! answers begin with a prefix; gnubg's other output is skipped.
//!
//! gnubg is slow, so the threads of the run share a pool of processes.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard};

use anyhow::{Context, Result, anyhow};
use learnery_lab::Program;

use crate::failure::io_reason;

/// The names of the opponents, in the order of their plies of lookahead.
pub const NAMES: [&str; 3] = ["gnubg", "gnubg-1ply", "gnubg-2ply"];

/// What they are, for people.
pub const HELP: &str = "Also GNU Backgammon, where it is installed, without lookahead (gnubg) or with 1 or 2 \
                        plies of it (gnubg-1ply, gnubg-2ply).";

/// The commands to try. Debian installs games in a folder that is not in every user's PATH.
const PROGRAMS: [&str; 2] = ["gnubg", "/usr/games/gnubg"];

/// The prefix of every answer of the script.
const ANSWER_PREFIX: &str = "learnery> ";

/// The script. A board of gnubg is two lists, first the opponent's and then that of the player on roll: the
/// number of checkers on each of the 24 points, seen by their owner, and on the bar (index 24). A play is a
/// flat list of start and end points, counted from 1; an end of 0 is off the board, and zeros fill the list.
/// The arguments of `cubeinfo` are the value and the owner of the doubling cube, the player on roll, the
/// match length (0 for none), the score, and whether the cube is not allowed (Crawford rule); cubeless
/// evaluation ignores the cube. PLIES stands for a number.
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
evaluation = gnubg.evalcontext()
evaluation.update(cubeful=0, plies=PLIES, noise=0.0)

for request in sys.stdin:
    name, high, low = request.split()
    board = gnubg.positionfromid(name)
    other, own = list(board[0]), list(board[1])
    gnubg.command("set dice %s %s" % (high, low))
    best = list(gnubg.findbestmove(board, cube, evaluation) or ())
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

/// The child processes that wait for a request. If there is none, a request starts another, so there are at
/// most as many as threads.
struct Pool {
    idle: Mutex<Vec<Gnubg>>,
    script: TempScript,
}

/// A child process. It is killed when this is dropped.
struct Gnubg {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The temporary file with the script. It is deleted when this is dropped.
struct TempScript(PathBuf);

impl Drop for TempScript {
    fn drop(&mut self) {
        // A small file left behind in the temporary folder does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Drop for Gnubg {
    fn drop(&mut self) {
        // Fails if the program has already ended.
        let _ = self.child.kill();
        // Otherwise the system would keep the ended process until ours ends.
        let _ = self.child.wait();
    }
}

/// The plies of lookahead of the opponent with this name; `None` if it is not gnubg.
pub fn plies(name: &str) -> Option<usize> {
    NAMES.iter().position(|known| *known == name)
}

/// Starts gnubg with the script.
pub fn start(plies: usize) -> Result<Program> {
    let path = std::env::temp_dir().join(format!("learnery-gnubg-{}.py", std::process::id()));
    let script = TempScript(path);
    std::fs::write(&script.0, SCRIPT.replace("PLIES", &plies.to_string()))
        .map_err(|e| anyhow!("{} cannot be written: {}", script.0.display(), io_reason(&e)))?;
    // Started here, so that a missing gnubg is noticed before the first game.
    let first = Gnubg::start(&script)?;
    let pool = Pool { idle: Mutex::new(vec![first]), script };
    Ok(Program::new(move |request| pool.request(request).map_err(|e| format!("gnubg: {e}"))))
}

impl Pool {
    /// Has an idle process answer a line. A process that fails is dropped.
    fn request(&self, line: &str) -> Result<String> {
        let idle = self.lock_idle()?.pop();
        let mut gnubg = idle.map_or_else(|| Gnubg::start(&self.script), Ok)?;
        let answer = gnubg.request(line)?;
        self.lock_idle()?.push(gnubg);
        Ok(answer)
    }

    fn lock_idle(&self) -> Result<MutexGuard<'_, Vec<Gnubg>>> {
        self.idle.lock().map_err(|_| anyhow!("it failed earlier"))
    }
}

impl Gnubg {
    fn start(script: &TempScript) -> Result<Self> {
        let try_start = |name: &&str| {
            let mut command = Command::new(name);
            // Without windows, quiet, without the user's settings; and the Python script to run.
            command.args(["-t", "-q", "-r", "-p"]).arg(&script.0);
            // Ctrl-C in a terminal reaches the whole process group. gnubg goes on in its own until the
            // evaluation has ended, and it ends with its input in any case.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
        };
        let mut child = PROGRAMS.iter().find_map(try_start).context("gnubg is not installed here")?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.context("gnubg has no standard input or output")?;
        Ok(Self { child, requests, answers: BufReader::new(answers) })
    }

    /// Sends a line and waits for its answer.
    fn request(&mut self, line: &str) -> std::io::Result<String> {
        writeln!(self.requests, "{line}")?;
        self.requests.flush()?;
        let mut output = String::new();
        loop {
            output.clear();
            if self.answers.read_line(&mut output)? == 0 {
                return Err(std::io::Error::other("it has ended"));
            }
            if let Some(answer) = output.strip_prefix(ANSWER_PREFIX) {
                return Ok(answer.trim().to_owned());
            }
        }
    }
}
