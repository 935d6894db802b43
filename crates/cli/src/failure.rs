//! How a command fails: one sentence on standard error and an exit code that says whose mistake it was.

use std::fmt;
use std::io;

/// A mistake in what was typed, as opposed to work that failed. Ends with exit code 2.
#[derive(Debug)]
pub struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What was typed cannot be done, in one sentence.
pub fn usage(sentence: impl fmt::Display) -> anyhow::Error {
    Usage(sentence.to_string()).into()
}

/// 1 for work that failed, 2 for a mistake in the command.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() { 2 } else { 1 }
}

/// The whole chain of causes on one line, whatever line breaks the causes bring along.
pub fn sentence(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why the system refused, without its error numbers.
pub fn reason(error: &io::Error) -> String {
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
