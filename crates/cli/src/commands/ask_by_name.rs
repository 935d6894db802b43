//! `learnery ask`: asks a tool of a lab by its name, and prints the answer as JSON, with `--events` also what it reports
//! meanwhile. The inputs are those of the tool's schema, so a new tool needs no code here.

use std::path::Path;

use anyhow::Result;
use learnery_kernels::isa;
use learnery_lab::{AnyOutput, Entry, LabError, Named, ToolEntry};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::ask::answer_of;
use super::eval_options;
use crate::args::AskArgs;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::settings::parse_assignments;
use crate::terminal::stdout;
use crate::threads;

/// What is printed. The answer is the text that Python gets too, if both machines compute the same class of bits.
#[derive(Serialize)]
struct Answered<'a> {
    lab: &'a str,
    tool: &'a str,
    /// The units after which the network was saved.
    unit: u64,
    /// The class of bits with which the answer was computed.
    bits: &'a str,
    /// Whether the answer is only what was known when the tool was stopped.
    partial: bool,
    answer: Box<RawValue>,
}

/// What is printed of an event: it says what is known by then.
#[derive(Serialize)]
struct Reported {
    event: AnyOutput,
}

pub fn ask(args: &AskArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let Some(name) = &args.tool else {
        let names: Vec<&str> = entry.tools.iter().map(|tool| tool.about.id).collect();
        return Err(usage(format!("expected a tool: {}", names.join(", "))));
    };
    let tool = ToolEntry::find(entry.tools, name).map_err(usage)?;
    let (input, named) = input_of(entry, tool, &args.set)?;
    let refuse = |error| refused(error, &path);
    let mut job = tool.begin_named(&checkpoint, &input, named).map_err(refuse)?;
    let stop = StopSignal::listen()?;
    let seconds = args.time.map(|time| time.seconds);
    let as_text = |output| to_raw_value(&output).map_err(|e| LabError::Tool(e.to_string()));
    let mut not_written = None;
    let mut take = |event| {
        if args.events {
            not_written = stdout::write_json(&Reported { event }).err();
        }
        not_written.is_none()
    };
    let answered = answer_of(&mut *job, tool.about.counts, &stop, seconds, &mut take, as_text, refuse);
    if let Some(error) = not_written {
        return Err(error);
    }
    let (answer, partial) = answered?;
    let (lab, tool, bits) = (entry.about.id, tool.about.id, isa::bits().name());
    stdout::write_json(&Answered { lab, tool, unit: job.units(), bits, partial, answer })
}

/// The table of the inputs that were set, and what one of them names.
fn input_of(entry: &Entry, tool: &ToolEntry, assignments: &[String]) -> Result<(Value, Option<Named>)> {
    let schema = (tool.schema)();
    let table = parse_assignments(&schema, assignments)?;
    let mut named = None;
    for field in schema.fields() {
        if let Some(name) =
            table.get(&field.name).and_then(Value::as_str).filter(|n| field.kind.names_a_file(n))
        {
            let place = format!("--set {}: ", field.name);
            named = Some(eval_options::open(entry, &field.kind, name, &place)?);
        }
    }
    Ok((Value::Object(table), named))
}

/// A tool's refusal in the words of this command.
fn refused(error: LabError, path: &Path) -> anyhow::Error {
    match error {
        LabError::Input { field, problem } => usage(format!("--set {field}: {problem}")),
        error @ (LabError::Tool(_) | LabError::Evaluation(_)) => usage(error),
        error => file_error(path, error),
    }
}
