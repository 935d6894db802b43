//! Standard output. A reader who has gone (`| head`) is no failure and must never be a panic.

use std::io::{self, Write};

use anyhow::Result;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Marks that the reader of standard output has gone: the rest need not be said.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub struct Closed;

/// Writes text.
pub fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
        result => Ok(result?),
    }
}

/// Writes one JSON object on a line of its own.
pub fn json(value: &impl Serialize) -> Result<()> {
    say(&(serde_json::to_string(value)? + "\n"))
}

/// A JSON object whose fields stay in the order to be read in.
#[derive(Clone, Default)]
pub struct Fields(pub Vec<(&'static str, Value)>);

impl Fields {
    /// Adds a field.
    pub fn add(&mut self, name: &'static str, value: impl Into<Value>) {
        self.0.push((name, value.into()));
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
