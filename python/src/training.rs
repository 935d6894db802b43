//! The loop of `train`, for runs of a lab and for runs on the user's own environments.

use std::ffi::CString;
use std::time::Instant;

use learnery_lab::{Entry, History, Limit, Limits};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;

/// Seconds of training between two looks at signals such as Ctrl-C.
pub const SLICE_SECONDS: f64 = 0.05;

/// Seconds after Ctrl-C in which the unit in progress can still be finished, as on the command line.
const GRACE_SECONDS: f64 = 0.4;

/// A run, as the loop drives it.
pub trait Trains {
    /// Trains for a slice of time, or to the end of the unit. Returns whether the unit is finished.
    fn slice(&self, py: Python<'_>) -> PyResult<bool>;
    fn progress(&self, py: Python<'_>) -> PyResult<Progress>;
    /// What the last unit measured.
    fn metrics(&self, py: Python<'_>) -> PyResult<Metrics>;
    /// What the user should know about the last unit, as a sentence without a full stop.
    fn remark(&self, py: Python<'_>) -> PyResult<Option<String>>;
}

/// How far a run is.
pub struct Progress {
    pub units: u64,
    pub is_solved: bool,
}

/// What a unit measured.
pub struct Metrics {
    pub unit: u64,
    pub work: u64,
    pub values: Vec<(&'static str, f64)>,
}

/// How training of a unit has ended.
struct UnitEnd {
    is_finished: bool,
    /// Whether Ctrl-C was pressed.
    is_interrupted: bool,
}

/// The metrics of a history: the numbers of its units, and for each metric its name and a column with a value
/// for each unit.
pub type Columns<'py> = (Bound<'py, PyArray1<u64>>, Vec<(&'static str, Bound<'py, PyArray1<f64>>)>);

/// A history for Python.
pub fn columns<'py>(py: Python<'py>, entry: &Entry, history: &History) -> Columns<'py> {
    let names = entry.about.metrics.iter().map(|spec| spec.name);
    let columns = names.zip(history.columns()).map(|(name, column)| (name, PyArray1::from_slice(py, column)));
    (PyArray1::from_slice(py, history.units()), columns.collect())
}

/// Trains until a limit is reached, the callback ends it or Ctrl-C is pressed. Returns the reason: `goal`,
/// `units`, `schedule`, `time`, `callback` or `interrupted`. After each unit, `callback` gets a dict with its
/// metrics, and ends the training if it returns false. The first remark about a unit is a warning, as the
/// command line prints it once.
pub fn train(
    py: Python<'_>,
    run: &impl Trains,
    limits: Limits,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<&'static str> {
    let begin = Instant::now();
    let mut has_remarked = false;
    loop {
        let Progress { units, is_solved } = run.progress(py)?;
        if let Some(limit) = limits.reached(units, begin.elapsed().as_secs_f64(), is_solved) {
            return Ok(name_of_limit(limit));
        }
        let UnitEnd { is_finished, is_interrupted } = train_unit(py, run)?;
        if is_finished
            && !has_remarked
            && let Some(remark) = run.remark(py)?
        {
            has_remarked = true;
            warn(py, &format!("after unit {}: {remark}", run.progress(py)?.units))?;
        }
        if let (true, Some(callback)) = (is_finished, callback) {
            match callback.call1((row(py, run, begin)?,)) {
                Ok(answer) if is_false(&answer) => return Ok("callback"),
                Ok(_) => {}
                Err(e) if e.is_instance_of::<PyKeyboardInterrupt>(py) => return Ok("interrupted"),
                Err(e) => return Err(e),
            }
        }
        if is_interrupted {
            return Ok("interrupted");
        }
    }
}

/// Trains to the end of a unit. After Ctrl-C, the unit is finished only if that takes no more than
/// [`GRACE_SECONDS`].
fn train_unit(py: Python<'_>, run: &impl Trains) -> PyResult<UnitEnd> {
    let mut interrupted_at: Option<Instant> = None;
    loop {
        let is_finished = match run.slice(py) {
            // Ctrl-C arrived in the user's own Python code (an environment's `step`), which cannot be
            // resumed, so the unit stays unfinished.
            Err(e) if e.is_instance_of::<PyKeyboardInterrupt>(py) => {
                return Ok(UnitEnd { is_finished: false, is_interrupted: true });
            }
            other => other?,
        };
        let was_pressed = was_interrupted(py)?;
        // A second Ctrl-C ends the wait for the end of the unit.
        let is_late = |at: Instant| was_pressed || at.elapsed().as_secs_f64() >= GRACE_SECONDS;
        let stops = interrupted_at.is_some_and(is_late);
        if was_pressed {
            interrupted_at.get_or_insert_with(Instant::now);
        }
        if is_finished || stops {
            return Ok(UnitEnd { is_finished, is_interrupted: interrupted_at.is_some() });
        }
    }
}

/// What a callback gets after a unit: the fields of a line of `metrics.jsonl`, but the seconds are counted
/// from the beginning of this call, and the remark about the unit, if there is one.
fn row<'py>(py: Python<'py>, run: &impl Trains, begin: Instant) -> PyResult<Bound<'py, PyDict>> {
    let Metrics { unit, work, values } = run.metrics(py)?;
    let row = PyDict::new(py);
    row.set_item("unit", unit)?;
    row.set_item("work", work)?;
    row.set_item("seconds", begin.elapsed().as_secs_f64())?;
    values.into_iter().try_for_each(|(name, value)| row.set_item(name, value))?;
    if let Some(remark) = run.remark(py)? {
        row.set_item("remark", remark)?;
    }
    Ok(row)
}

/// Warns whoever has called `Run.train`.
fn warn(py: Python<'_>, sentence: &str) -> PyResult<()> {
    let sentence = CString::new(sentence).map_err(value_error)?;
    let caller = 2;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &sentence, caller)
}

/// Whether Ctrl-C was pressed since the last look. Errors of other signal handlers are passed on.
fn was_interrupted(py: Python<'_>) -> PyResult<bool> {
    match py.check_signals() {
        Err(e) if e.is_instance_of::<PyKeyboardInterrupt>(py) => Ok(true),
        other => other.map(|()| false),
    }
}

/// Whether a callback answered `False`, that of Python or of NumPy. Without an answer, training goes on.
fn is_false(answer: &Bound<'_, PyAny>) -> bool {
    answer.extract::<bool>().is_ok_and(|answer| !answer)
}

fn name_of_limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Goal => "goal",
        Limit::Units => "units",
        Limit::Schedule => "schedule",
        Limit::Time => "time",
    }
}
