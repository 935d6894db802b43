//! `learnery ask`: asks a tool of a lab by its name, and prints the answer as JSON. The inputs are those of the tool's
//! schema, so a new tool needs no code here.

use std::path::Path;

use anyhow::{Result, bail};
use learnery_kernels::isa;
use learnery_lab::{Entry, LabError, Named, ToolEntry, with_spinning_threads};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::ask::finish_any;
use super::eval_options;
use crate::args::AskArgs;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::settings::parse_assignment;
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
    let begun = match named {
        Some(Named::Program(program)) => tool.begin_against(&checkpoint, &input, program),
        Some(Named::File(content)) => tool.begin(&checkpoint, &input, Some(content)),
        None => tool.begin(&checkpoint, &input, None),
    };
    let mut job = begun.map_err(|error| refused(error, &path))?;
    let stop = StopSignal::listen()?;
    let seconds = args.time.map(|time| time.seconds);
    let is_spinning = job.wants_spinning_threads();
    // An output stays in its thread, and its text does not.
    let mut finish = || -> Result<(Option<Box<RawValue>>, bool), LabError> {
        let (answer, partial) = finish_any(&mut *job, tool.about.counts, &stop, seconds)?;
        let text = answer.map(|answer| to_raw_value(&answer)).transpose();
        Ok((text.map_err(|e| LabError::Tool(e.to_string()))?, partial))
    };
    let (answer, partial) = if is_spinning { with_spinning_threads(finish) } else { finish() }
        .map_err(|error| refused(error, &path))?;
    // The answer is to be written even if a stop was requested.
    stop.begin_saving();
    let Some(answer) = answer else {
        if stop.requested() {
            return Err(stop.interrupted("it was interrupted before anything was known").into());
        }
        bail!("the time of --for ended before anything was known; give it more");
    };
    let (lab, tool, bits) = (entry.about.id, tool.about.id, isa::bits().name());
    stdout::write_json(&Answered { lab, tool, unit: job.units(), bits, partial, answer })
}

/// The table of the inputs that were set, and what one of them names.
fn input_of(entry: &Entry, tool: &ToolEntry, assignments: &[String]) -> Result<(Value, Option<Named>)> {
    let schema = (tool.schema)();
    let mut table = Map::new();
    for assignment in assignments {
        table.extend(parse_assignment(&schema, assignment)?);
    }
    let mut named = None;
    for field in schema.fields() {
        if let Some(name) =
            table.get(&field.name).and_then(Value::as_str).filter(|n| field.kind.names_a_file(n))
        {
            named = eval_options::open(entry, &field.kind, name)?;
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
