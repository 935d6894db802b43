//! Error messages of one line, and exit codes that distinguish a failed command from a mistake in the command
//! line.

use std::fmt;
use std::io;

/// A mistake in the command line. The program ends with exit code 2, not 1.
#[derive(Debug)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Creates a [`UsageError`] with this message.
pub fn usage(sentence: impl fmt::Display) -> anyhow::Error {
    UsageError(sentence.to_string()).into()
}

/// What clap says about a mistake in the command line, as one sentence. Clap prints several paragraphs: a
/// sentence, below it the arguments that are missing or the values that are possible, each indented, then
/// tips and the usage.
pub fn sentence_of(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines();
    let sentence = lines.next().unwrap_or_default();
    let details: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect();
    if details.is_empty() { sentence.into() } else { format!("{sentence} {}", details.join(", ")) }
}

/// The exit code of the program: 2 for a mistake in the command line, 1 for any other error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<UsageError>() { 2 } else { 1 }
}

/// The messages of the error and of its causes, on one line.
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
