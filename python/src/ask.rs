//! `learnery._native.ask`: asks a tool of a checkpoint's lab.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use learnery_lab::{
    AnyJob, AnyOutput, Budget, Interrupt, Kind, LabError, Named, ToolEntry, ToolStatus, with_spinning_threads,
};
use pyo3::prelude::*;
use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::{Amount, Watch, watched};

/// The output as JSON, whether it is only what was known when it was ended early, and whether Ctrl-C ended it.
pub type Answer = (String, bool, bool);

/// The input of a tool that names a file, its values that name none, and whether all others do; `None` if it
/// reads none, or if there is no such tool.
#[pyfunction]
pub fn file_input(checkpoint: &Checkpoint, tool: &str) -> Option<(String, Vec<String>, bool)> {
    let tool = ToolEntry::find(checkpoint.entry.tools, tool).ok()?;
    let schema = (tool.schema)();
    schema.fields().iter().find_map(|field| {
        let known = field.kind.known_names()?.to_vec();
        Some((field.name.clone(), known, field.kind == Kind::File))
    })
}

/// Asks a tool about the network of a checkpoint. `input` is JSON, `content` that of the file that it names.
/// After `seconds`, and at Ctrl-C, the answer is what is known by then. `show` is that of [`watched`]; `on_event`
/// is called with each event as JSON.
#[pyfunction]
pub fn ask(
    py: Python<'_>,
    checkpoint: &Checkpoint,
    tool: &str,
    input: &str,
    content: Option<Vec<u8>>,
    seconds: Option<f64>,
    show: Option<&Bound<'_, PyAny>>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let tool = ToolEntry::find(checkpoint.entry.tools, tool).map_err(value_error)?;
    let input = Value::Object(parse_object(input)?);
    let saved = checkpoint.saved.clone();
    let begin = move || tool.begin_named(&saved, &input, content.map(Named::File));
    let answered = answer(py, begin, seconds, show, on_event)?;
    answered.map_err(|e| match e {
        LabError::Input { .. } | LabError::Tool(_) | LabError::Evaluation(_) => value_error(e),
        other => checkpoint.error(&other),
    })
}

/// The events of a job as JSON, for the thread that waits for it.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<String>>>);

impl Events {
    fn add(&self, event: &AnyOutput) -> Result<(), LabError> {
        let json = serde_json::to_string(event).map_err(|e| LabError::Tool(e.to_string()))?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(json);
        Ok(())
    }

    /// Takes all that have come since the last time.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Begins a job and works until its answer is complete, or `seconds` have passed, or somebody presses Ctrl-C.
pub fn answer(
    py: Python<'_>,
    begin: impl FnOnce() -> Result<Box<dyn AnyJob>, LabError> + Send + 'static,
    seconds: Option<f64>,
    show: Option<&Bound<'_, PyAny>>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<Result<Answer, LabError>> {
    // A time that is too long for a clock never comes.
    let end =
        seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).and_then(|s| Instant::now().checked_add(s));
    let events = on_event.map(|_| Events::default());
    let reported = events.clone();
    let tell = move || match on_event.zip(events.as_ref()) {
        Some((on_event, events)) => {
            events.take().into_iter().try_for_each(|e| on_event.call1((e,)).map(drop))
        }
        None => Ok(()),
    };
    let work = move |watch: Watch| -> Result<(String, bool), LabError> {
        let mut job = begin()?;
        let is_late = move || end.is_some_and(|end| Instant::now() >= end);
        let stop = watch.interrupt();
        job.interrupt_by(Interrupt::new(move || is_late() || stop.is_raised()));
        let is_spinning = job.wants_spinning_threads();
        // An output stays in its thread, and its text does not.
        let mut finish = || -> Result<(String, bool), LabError> {
            let goes_on = |amount| watch.goes_on(amount) && !is_late();
            let mut failure = None;
            let mut report = |event: AnyOutput| {
                failure = reported.as_ref().and_then(|events| events.add(&event).err()).or(failure.take());
            };
            let (output, is_partial) = finish(&mut *job, &mut report, &goes_on)?;
            if let Some(error) = failure {
                return Err(error);
            }
            let json = serde_json::to_string(&output).map_err(|e| LabError::Tool(e.to_string()))?;
            Ok((json, is_partial))
        };
        if is_spinning { with_spinning_threads(finish) } else { finish() }
    };
    let (answered, was_interrupted) = watched(py, show, tell, work)?;
    Ok(answered.map(|(json, is_partial)| (json, is_partial, is_partial && was_interrupted)))
}

/// Works until the answer is complete or `goes_on` returns false, which is asked with how much is done.
/// `report` gets each event. Returns the output, and whether it is only what is known by then.
pub fn finish(
    job: &mut dyn AnyJob,
    report: &mut dyn FnMut(AnyOutput),
    goes_on: &(dyn Fn(Amount) -> bool + Sync),
) -> Result<(Option<AnyOutput>, bool), LabError> {
    loop {
        let status = job.advance(&mut Budget::steps(1), report)?;
        let (progress, total) = (job.progress(), job.total());
        let mut amount = Amount { count: progress.count, total, share: progress.share };
        match status {
            ToolStatus::Done(output) => {
                // What is left out, such as cancelled games, and progress that ends before the end, count as
                // done.
                (amount.count, amount.share) = (total.unwrap_or(progress.count), 1.0);
                goes_on(amount);
                return Ok((Some(output), false));
            }
            // On the CPU a tool waits for nothing.
            ToolStatus::Ready | ToolStatus::Waiting => {
                if !goes_on(amount) {
                    return Ok((job.partial(), true));
                }
            }
        }
    }
}
