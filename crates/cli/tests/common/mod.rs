//! Running the program as a person would, in a folder of its own.
#![allow(dead_code, clippy::unwrap_used, reason = "a helper of tests, of which each file uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Settings with which a unit takes about a millisecond. Without examinations no goal is reached by luck.
pub const SMALL: [&str; 8] =
    ["--set", "worlds=8", "--set", "horizon=8", "--set", "minibatches=1", "--set", "eval_every=0"];

/// A folder that is gone when the test ends.
pub struct Place {
    folder: TempDir,
}

/// What a run of the program left.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// The rows of a run's metrics.
    pub fn rows(&self, run: &str) -> Vec<Value> {
        json_lines(&String::from_utf8(self.read(&format!("{run}/metrics.jsonl"))).unwrap())
    }

    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learnery"));
        command.current_dir(self.folder.path()).args(args.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &str) -> Ran {
        Ran::from(self.command(args).output().unwrap())
    }

    /// Runs what must go well.
    pub fn fine(&self, args: &str) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args}: {}", ran.err);
        ran
    }

    /// Trains with settings that make units short.
    pub fn train_small(&self, args: &str) -> Ran {
        let ran = Ran::from(self.command(&format!("train control {args}")).args(SMALL).output().unwrap());
        assert_eq!(ran.code, Some(0), "{args}: {}", ran.err);
        ran
    }

    pub fn start_small(&self, args: &str) -> Child {
        self.command(&format!("train control {args}")).args(SMALL).spawn().unwrap()
    }

    /// Runs what must be refused: with this exit code, in one sentence, without a word on standard output.
    pub fn refused(&self, args: &str, code: i32) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(code), "{args}: {}", ran.err);
        assert_eq!(ran.out, "", "{args}");
        assert_eq!(ran.err.trim_end().lines().count(), 1, "{args}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{args}: {}", ran.err);
        ran.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{args}: {}", ran.err)).trim_end().to_owned()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Every line as JSON; anything else on a line is a failure.
pub fn json_lines(text: &str) -> Vec<Value> {
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no end: {text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// All files below a folder with their contents.
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
