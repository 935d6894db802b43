//! Standard output, where the results of a command go. The program that reads it may close the pipe early, as
//! `| head` does. That must not cause a panic or an error message.

use std::io::{self, Write};

use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::failure::io_reason;

/// The error of writing to a closed standard output. The program then ends quietly with exit code 0.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub struct StdoutClosed;

/// Writes text and flushes.
pub fn write(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(StdoutClosed.into()),
        result => result.map_err(|e| anyhow!("standard output cannot be written: {}", io_reason(&e))),
    }
}

/// Writes a value as JSON on one line.
pub fn write_json(value: &impl Serialize) -> Result<()> {
    write(&(serde_json::to_string(value)? + "\n"))
}
