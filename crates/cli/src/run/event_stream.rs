//! The events of `train --json`: one JSON object per line on standard output. A *unit* is one training
//! iteration, *work* is what the lab counts, such as games.

use std::path::Path;

use anyhow::Result;
use learnery_lab::{DeviceUse, Header, Session};

use crate::device;
use crate::json_object::JsonObject;
use crate::limits::EndReason;
use crate::terminal::stdout::{self, StdoutClosed};

/// Writes events if `--json` was given, otherwise nothing.
pub struct EventStream {
    is_enabled: bool,
    is_closed: bool,
    /// Why standard output cannot be written, as on a full disk; `None` if it can.
    pub failure: Option<anyhow::Error>,
}

impl EventStream {
    pub fn new(is_enabled: bool) -> Self {
        Self { is_enabled, is_closed: false, failure: None }
    }

    /// Why the run has to end because of its events: nobody reads them, or they cannot be written.
    pub fn end_reason(&self) -> Option<EndReason> {
        if self.is_closed {
            return Some(EndReason::StdoutClosed);
        }
        self.failure.as_ref().map(|_| EndReason::StdoutFailed)
    }

    fn write_event(&mut self, name: &'static str, fields: JsonObject) -> Result<()> {
        if !self.is_enabled || self.end_reason().is_some() {
            return Ok(());
        }
        let mut event = JsonObject::default();
        event.add("event", name);
        event.0.extend(fields.0);
        match stdout::write_json(&event) {
            // Not an error here: the run ends after this unit and is saved; see `EndReason::StdoutClosed`.
            Err(e) if e.is::<StdoutClosed>() => {
                self.is_closed = true;
                Ok(())
            }
            // Nor is this: the run is saved first.
            Err(e) => {
                self.failure = Some(e);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Writes the event that a run starts or continues.
    pub fn start(&mut self, session: &Session, folder: &Path, is_resumed: bool) -> Result<()> {
        let mut fields = JsonObject::default();
        fields.add("lab", session.entry().about.id);
        fields.add("seed", session.seed());
        fields.add("unit", session.units());
        fields.add("work", session.work());
        fields.add("threads", rayon::current_num_threads());
        fields.add("resumed", is_resumed);
        fields.add("folder", path_text(folder));
        fields.add("config", session.config().clone());
        fields.add("goal", serde_json::to_value(session.goal())?);
        fields.add("version", env!("CARGO_PKG_VERSION"));
        self.write_event("start", fields)
    }

    /// Writes the event that a unit has ended. `row` is its row in `metrics.jsonl`.
    pub fn metrics(&mut self, row: JsonObject) -> Result<()> {
        self.write_event("metrics", row)
    }

    /// Writes the event that a checkpoint was saved.
    pub fn saved(&mut self, header: &Header, path: &Path, fingerprint: &str) -> Result<()> {
        let mut fields = checkpoint_fields(header.units, header.work, path);
        add_fingerprint(&mut fields, Some(fingerprint), &header.devices);
        self.write_event("saved", fields)
    }

    /// Writes the event that the goal was reached for the first time.
    pub fn solved(&mut self, header: &Header, path: &Path) -> Result<()> {
        self.write_event("solved", checkpoint_fields(header.units, header.work, path))
    }

    /// Writes the event that the checkpoint with the best value so far was saved.
    pub fn best(&mut self, unit: u64, value: f64, path: &Path) -> Result<()> {
        let mut fields = JsonObject::default();
        fields.add("unit", unit);
        fields.add("value", value);
        fields.add("path", path_text(path));
        self.write_event("best", fields)
    }

    /// Writes the event that the invocation ends.
    pub fn done(
        &mut self,
        session: &Session,
        folder: &Path,
        reason: EndReason,
        seconds: f64,
        fingerprint: Option<&str>,
    ) -> Result<()> {
        let mut fields = JsonObject::default();
        fields.add("reason", serde_json::to_value(reason)?);
        fields.add("unit", session.units());
        fields.add("work", session.work());
        fields.add("seconds", seconds);
        fields.add("solved_at", session.solved_at());
        fields.add("folder", path_text(folder));
        add_fingerprint(&mut fields, fingerprint, session.devices());
        self.write_event("done", fields)
    }
}

/// Adds the fingerprint of the newest checkpoint, and the class of bits that computed it: `fused` or `plain`
/// (multiply-adds are rounded once or twice), or `gpu`.
fn add_fingerprint(fields: &mut JsonObject, fingerprint: Option<&str>, devices: &[DeviceUse]) {
    fields.add("fingerprint", fingerprint);
    fields.add("bits", device::bits_class(devices));
}

fn checkpoint_fields(unit: u64, work: u64, path: &Path) -> JsonObject {
    let mut fields = JsonObject::default();
    fields.add("unit", unit);
    fields.add("work", work);
    fields.add("path", path_text(path));
    fields
}

/// A path as text. Bytes that are not UTF-8 are replaced.
fn path_text(path: &Path) -> String {
    path.display().to_string()
}
