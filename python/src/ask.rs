//! `learnery._native.ask`: asks a tool of a checkpoint's lab.

use std::time::Instant;

use learnery_lab::{Budget, LabError, ToolEntry, ToolStatus};
use pyo3::prelude::*;
use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::compute;

/// Asks a tool about the network of a checkpoint. `input` is JSON. Returns the output as JSON, and whether it is
/// only what was known after `seconds`.
#[pyfunction]
pub fn ask(
    py: Python<'_>,
    checkpoint: &Checkpoint,
    tool: &str,
    input: &str,
    seconds: Option<f64>,
) -> PyResult<(String, bool)> {
    let tool = ToolEntry::find(checkpoint.entry.tools, tool).map_err(value_error)?;
    let input = Value::Object(parse_object(input)?);
    let saved = checkpoint.saved.clone();
    let answered = compute(py, move |stop| -> Result<(String, bool), LabError> {
        let mut job = tool.begin(&saved, &input, None)?;
        let begin = Instant::now();
        let is_late = || seconds.is_some_and(|seconds| begin.elapsed().as_secs_f64() >= seconds);
        let (output, is_partial) = loop {
            match job.advance(&mut Budget::steps(1), &mut |_| {})? {
                ToolStatus::Done(output) => break (Some(output), false),
                // On the CPU a tool waits for nothing.
                ToolStatus::Ready | ToolStatus::Waiting if is_late() || stop.is_requested() => {
                    break (job.partial(), true);
                }
                ToolStatus::Ready | ToolStatus::Waiting => {}
            }
        };
        let json = serde_json::to_string(&output).map_err(|e| LabError::Tool(e.to_string()))?;
        Ok((json, is_partial))
    })?;
    answered.map_err(|e| match e {
        LabError::Input { .. } | LabError::Tool(_) => value_error(e),
        other => checkpoint.error(&other),
    })
}
