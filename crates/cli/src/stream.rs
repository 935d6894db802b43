//! `--json`: what happens in a run, one object a line on standard output.

use std::path::Path;

use anyhow::Result;
use learnery_lab::{Header, Session};

use crate::limits::Reason;
use crate::out::{self, Closed, Fields};

/// The stream, or nothing where it was not asked for.
pub struct Stream {
    on: bool,
    unread: bool,
}

impl Stream {
    /// A stream; silent unless `on`.
    pub fn new(on: bool) -> Self {
        Self { on, unread: false }
    }

    /// True once the reader has gone.
    pub fn unread(&self) -> bool {
        self.unread
    }

    fn event(&mut self, name: &'static str, fields: Fields) -> Result<()> {
        if !self.on || self.unread {
            return Ok(());
        }
        let mut event = Fields::default();
        event.add("event", name);
        event.0.extend(fields.0);
        match out::json(&event) {
            // The run goes on to the end of its unit and is saved; see `Reason::Unread`.
            Err(e) if e.is::<Closed>() => {
                self.unread = true;
                Ok(())
            }
            result => result,
        }
    }

    /// The run begins, or goes on.
    pub fn start(&mut self, session: &Session, folder: &Path, resumed: bool) -> Result<()> {
        let mut fields = Fields::default();
        fields.add("lab", session.entry().about.id);
        fields.add("seed", session.seed());
        fields.add("unit", session.units());
        fields.add("work", session.work());
        fields.add("threads", rayon::current_num_threads());
        fields.add("resumed", resumed);
        fields.add("folder", text(folder));
        fields.add("config", session.config().clone());
        fields.add("goal", serde_json::to_value(session.goal())?);
        fields.add("version", env!("CARGO_PKG_VERSION"));
        self.event("start", fields)
    }

    /// A unit has ended: the row of `metrics.jsonl`.
    pub fn metrics(&mut self, row: Fields) -> Result<()> {
        self.event("metrics", row)
    }

    /// A checkpoint was written.
    pub fn saved(&mut self, header: &Header, path: &Path) -> Result<()> {
        self.event("saved", at(header.units, header.work, path))
    }

    /// The goal was reached for the first time.
    pub fn solved(&mut self, session: &Session, path: &Path) -> Result<()> {
        self.event("solved", at(session.units(), session.work(), path))
    }

    /// The run has ended.
    pub fn done(&mut self, session: &Session, folder: &Path, reason: Reason, seconds: f64) -> Result<()> {
        let mut fields = Fields::default();
        fields.add("reason", serde_json::to_value(reason)?);
        fields.add("unit", session.units());
        fields.add("work", session.work());
        fields.add("seconds", seconds);
        fields.add("solved_at", session.solved_at());
        fields.add("folder", text(folder));
        self.event("done", fields)
    }
}

fn at(unit: u64, work: u64, path: &Path) -> Fields {
    let mut fields = Fields::default();
    fields.add("unit", unit);
    fields.add("work", work);
    fields.add("path", text(path));
    fields
}

/// A path in JSON, which knows only Unicode.
fn text(path: &Path) -> String {
    path.display().to_string()
}
