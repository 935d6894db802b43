//! Failures: one sentence on standard error, and an exit code that tells a failed command from a wrong one.

use std::fmt;
use std::io;

/// A mistake in the command line, as opposed to work that failed. Ends with exit code 2.
#[derive(Debug)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// A mistake in the command line, described in one sentence.
pub fn usage(sentence: impl fmt::Display) -> anyhow::Error {
    UsageError(sentence.to_string()).into()
}

/// 1 if the work failed, 2 for a mistake in the command line.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<UsageError>() { 2 } else { 1 }
}

/// The error with its causes on one line.
pub fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An I/O error in plain words, without error numbers.
pub fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space is left".into(),
        io::ErrorKind::AlreadyExists => "there is a file of that name".into(),
        io::ErrorKind::NotADirectory => "a part of the path is a file".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        _ => error.to_string(),
    }
}
