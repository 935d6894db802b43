//! `learnery ask`: asks a tool of a lab by its name, and prints the answer as JSON. The inputs are those of the tool's
//! schema, so a new tool needs no code here.

use std::path::Path;

use anyhow::{Result, bail};
use learnery_kernels::isa;
use learnery_lab::{AnyJob, Budget, Interrupt, Kind, LabError, ToolEntry, ToolStatus, with_spinning_threads};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::ask::{end_of, progress_bar};
use crate::args::AskArgs;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint, read_text};
use crate::run::stop::StopSignal;
use crate::settings::parse_assignment;
use crate::terminal::progress_line::ProgressLine;
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
    let (input, content) = input_of(tool, &args.set)?;
    let mut job = tool.begin(&checkpoint, &input, content).map_err(|error| refused(error, &path))?;
    let stop = StopSignal::listen()?;
    let seconds = args.time.map(|time| time.seconds);
    let (answer, partial) = if job.wants_spinning_threads() {
        with_spinning_threads(|| finish(&mut *job, tool, &stop, seconds))
    } else {
        finish(&mut *job, tool, &stop, seconds)
    }
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

/// The table of the inputs that were set, and the content of the file that one of them names.
fn input_of(tool: &ToolEntry, assignments: &[String]) -> Result<(Value, Option<Vec<u8>>)> {
    let schema = (tool.schema)();
    let mut table = Map::new();
    for assignment in assignments {
        table.extend(parse_assignment(&schema, assignment)?);
    }
    let file = schema.fields().iter().find(|field| field.kind == Kind::File);
    let name = file.and_then(|field| table.get(&field.name)?.as_str()).filter(|name| !name.is_empty());
    let content = name.map(|name| read_text(Path::new(name))).transpose()?.map(|file| file.bytes);
    Ok((Value::Object(table), content))
}

/// Works until the answer is complete, a stop is requested, or `seconds` have passed. Returns the answer, and whether
/// it is only what is known by then.
fn finish(
    job: &mut dyn AnyJob,
    tool: &ToolEntry,
    stop: &StopSignal,
    seconds: Option<f64>,
) -> Result<(Option<Box<RawValue>>, bool), LabError> {
    let is_over = end_of(stop, seconds);
    job.interrupt_by(Interrupt::new(is_over.clone()));
    let line = ProgressLine::new();
    let (output, partial) = loop {
        match job.advance(&mut Budget::steps(1), &mut |_| {})? {
            ToolStatus::Done(output) => break (Some(output), false),
            // On the CPU a tool waits for nothing.
            ToolStatus::Ready | ToolStatus::Waiting if is_over() => break (job.partial(), true),
            ToolStatus::Ready | ToolStatus::Waiting => {
                line.show(|| progress_bar(job.progress(), tool.about.counts, ""));
            }
        }
    };
    line.clear();
    let answer = output.map(|output| to_raw_value(&output)).transpose();
    Ok((answer.map_err(|e| LabError::Tool(e.to_string()))?, partial))
}

/// A tool's refusal in the words of this command.
fn refused(error: LabError, path: &Path) -> anyhow::Error {
    match error {
        LabError::Input { field, problem } => usage(format!("--set {field}: {problem}")),
        error @ (LabError::Tool(_) | LabError::Evaluation(_)) => usage(error),
        error => file_error(path, error),
    }
}
