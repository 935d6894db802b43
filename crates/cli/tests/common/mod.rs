//! Helpers of the tests: run the program `learnery` as a user would, in a temporary folder.
#![allow(dead_code, clippy::unwrap_used, reason = "shared by the test files; each uses a part of it")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Settings of the control lab with which a unit (training iteration) takes about a millisecond. Evaluations
/// are switched off: reaching the goal in one by chance would end a run early.
pub const SMALL: [&str; 8] =
    ["--set", "worlds=8", "--set", "horizon=8", "--set", "minibatches=1", "--set", "eval_every=0"];

/// A temporary folder in which the program runs.
pub struct Sandbox {
    folder: TempDir,
}

/// A finished process: exit code, standard output, standard error.
pub struct Finished {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Starts a command that would take days. Once it has written its first line to standard error, which must
/// have these words, does `before` and ends the command by Ctrl-C. Returns the finished process, and what it
/// wrote to standard error after that line.
#[cfg(unix)]
pub fn interrupted(mut command: Command, words: &str, before: impl FnOnce()) -> (Finished, String) {
    let mut child = command.spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert!(line.contains(words), "{line}");
    before();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let finished = Finished::from(child.wait_with_output().unwrap());
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    (finished, rest)
}

impl Sandbox {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The path of a file in the sandbox.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// The rows of a run's `metrics.jsonl`.
    pub fn rows(&self, run: &str) -> Vec<Value> {
        json_lines(&String::from_utf8(self.read(&format!("{run}/metrics.jsonl"))).unwrap())
    }

    /// A command with these arguments, separated by blanks, that has not been started.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learnery"));
        command.current_dir(self.folder.path()).args(args.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &str) -> Finished {
        Finished::from(self.command(args).output().unwrap())
    }

    /// Runs a command and panics unless its exit code is 0.
    pub fn succeed(&self, args: &str) -> Finished {
        let finished = self.run(args);
        assert_eq!(finished.code, Some(0), "{args}: {}", finished.err);
        finished
    }

    /// Trains the control lab with the settings in `SMALL`; panics unless the exit code is 0.
    pub fn train_small(&self, args: &str) -> Finished {
        let finished =
            Finished::from(self.command(&format!("train control {args}")).args(SMALL).output().unwrap());
        assert_eq!(finished.code, Some(0), "{args}: {}", finished.err);
        finished
    }

    /// Starts the same training and returns without waiting for its end.
    pub fn start_small(&self, args: &str) -> Child {
        self.command(&format!("train control {args}")).args(SMALL).spawn().unwrap()
    }

    /// Runs a command and panics unless it is rejected: with this exit code, a single line `error: MESSAGE`
    /// on standard error, and nothing on standard output. Returns the message.
    pub fn rejected(&self, args: &str, code: i32) -> String {
        let finished = self.run(args);
        assert_eq!(finished.code, Some(code), "{args}: {}", finished.err);
        assert_eq!(finished.out, "", "{args}");
        assert_eq!(finished.err.trim_end().lines().count(), 1, "{args}: {}", finished.err);
        assert!(!finished.err.contains("panicked"), "{args}: {}", finished.err);
        finished
            .err
            .strip_prefix("error: ")
            .unwrap_or_else(|| panic!("{args}: {}", finished.err))
            .trim_end()
            .to_owned()
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// gnubg, if it is installed; in the same places as `learnery eval --against gnubg` looks for it.
pub fn gnubg() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("gnubg")).find(|program| program.is_file())
}

/// Parses every line as JSON.
pub fn json_lines(text: &str) -> Vec<Value> {
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no line break: {text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// All files in a folder and its subfolders, with their contents.
pub fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}
