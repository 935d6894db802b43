//! Error messages of one line, and exit codes that distinguish a failed command from a mistake in the command
//! line.

use std::fmt;
use std::io;

use clap::error::{ContextKind, ContextValue, ErrorKind};

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

/// A signal ended the command before it had done what it should.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted {
    /// The message, which says what was not reached.
    pub sentence: &'static str,
    /// The number of the signal.
    pub signal: i32,
}

impl Interrupted {
    /// The conventional exit code: 128 plus the number of the signal. That is 130 after Ctrl-C.
    pub fn code(self) -> u8 {
        u8::try_from(128 + self.signal).unwrap_or(1)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.sentence)
    }
}

impl std::error::Error for Interrupted {}

/// What clap says about a mistake in the command line, as one sentence. Clap prints several paragraphs: a
/// sentence, below it the arguments that are missing or the values that are possible, each indented, then
/// tips and the usage. Where a command is missing, it prints the help, which says nothing of a mistake.
pub fn sentence_of(error: &clap::Error, program: &mut clap::Command) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return missing_command(program);
    }
    let text = error.to_string();
    let mut lines = text.lines();
    let sentence = lines.next().unwrap_or_default();
    let details: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect();
    let details = if details.is_empty() { String::new() } else { format!(" {}", details.join(", ")) };
    let similar = similar(error).map_or_else(String::new, |word| format!("; did you mean `{word}`?"));
    format!("{sentence}{details}{similar}")
}

/// The command or option that clap thinks was meant. For values this is not needed: the sentence lists all
/// possible ones.
fn similar(error: &clap::Error) -> Option<&str> {
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg];
    match kinds.iter().find_map(|kind| error.get(*kind))? {
        ContextValue::String(word) => Some(word),
        // The most similar one comes last.
        ContextValue::Strings(words) => words.last().map(String::as_str),
        _ => None,
    }
}

/// The sentence for arguments of this process that end where a command is expected, such as `learnery cube`.
fn missing_command(program: &mut clap::Command) -> String {
    program.build();
    let mut command = &*program;
    for word in std::env::args_os().skip(1) {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    let names: Vec<String> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .filter(|name| *name != "help")
        .map(|name| format!("`{name}`"))
        .collect();
    let path = command.get_bin_name().unwrap_or_default();
    format!("error: `{path}` needs one of its commands: {}", names.join(", "))
}

/// The exit code of the program: 2 for a mistake in the command line, 128 and more after a signal, 1 for any
/// other error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Interrupted>() {
        Some(interrupted) => interrupted.code(),
        None if error.is::<UsageError>() => 2,
        None => 1,
    }
}

/// The messages of the error and of its causes, on one line.
pub fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An I/O error in plain words. Only rare kinds have the system's words, with the number of the error.
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
