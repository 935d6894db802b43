//! `learnery ask`: asks any tool of a lab by its name, and prints the answer as JSON, with `--events` also
//! what it reports meanwhile. The inputs are those of the tool's schema, so a new tool needs no code here.
//! `ask.rs` has what all commands that ask a tool share.

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

/// What is printed. `answer` is byte for byte what Python's `agent.ask` gets, on any machine that computes
/// the same class of bits.
#[derive(Serialize)]
struct Answered<'a> {
    lab: &'a str,
    tool: &'a str,
    /// The units (training iterations) that the network had behind it when it was saved.
    unit: u64,
    /// The class of bits with which the answer was computed: with fused multiply-add or without (`plain`).
    bits: &'a str,
    /// Whether the answer is only what was known when the tool was stopped.
    partial: bool,
    answer: Box<RawValue>,
}

/// The printed line of an event, which is what is known by then.
#[derive(Serialize)]
struct Reported {
    event: AnyOutput,
}

pub fn ask(args: &AskArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    // Only now is the lab known, and which tools it has.
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
    let to_json = |output| to_raw_value(&output).map_err(|e| LabError::Tool(e.to_string()));
    // The error of an event that could not be written. That ends the tool, and no event follows.
    let mut write_error = None;
    let mut take = |event| {
        if args.events {
            write_error = stdout::write_json(&Reported { event }).err();
        }
        write_error.is_none()
    };
    let answered = answer_of(&mut *job, tool.about.counts, &stop, seconds, &mut take, to_json, refuse);
    if let Some(error) = write_error {
        return Err(error);
    }
    let (answer, partial) = answered?;
    let (lab, tool, bits) = (entry.about.id, tool.about.id, isa::bits().name());
    stdout::write_json(&Answered { lab, tool, unit: job.units(), bits, partial, answer })
}

/// The inputs that were set, and the file or opponent that one of them names. No tool has two such inputs.
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

/// A tool's refusal in the words of this command, in which inputs are values of `--set` and no options. What
/// a tool itself refuses is due to its inputs, anything else to the file.
fn refused(error: LabError, path: &Path) -> anyhow::Error {
    match error {
        LabError::Input { field, problem } => usage(format!("--set {field}: {problem}")),
        error @ (LabError::Tool(_) | LabError::Evaluation(_)) => usage(error),
        error => file_error(path, error),
    }
}
