//! `learnery._native.Session`: a run that trains, as `learnery train` drives it.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use learnery_lab::{Budget, Entry, LabError, Limit, Limits, NamedText, Session as Run, Status};
use learnery_labs::language::{Language, check_source, check_text, replace_stories};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::current_pool;

/// Seconds of training between two looks at signals such as Ctrl-C.
const SLICE_SECONDS: f64 = 0.05;

/// Seconds after Ctrl-C in which the unit in progress can still be finished, as on the command line.
const GRACE_SECONDS: f64 = 0.4;

/// A run that trains.
#[pyclass(frozen, module = "learnery._native")]
pub struct Session {
    /// Locked without the GIL only, so that no thread waits for it while it holds the GIL.
    run: Mutex<Run>,
    entry: &'static Entry,
}

/// How training of a unit has ended.
struct Unit {
    is_finished: bool,
    /// Whether Ctrl-C was pressed.
    is_interrupted: bool,
}

/// The metrics of all kept units: their numbers, and a column for each metric by its name.
type Columns<'py> = (Bound<'py, PyArray1<u64>>, Vec<(&'static str, Bound<'py, PyArray1<f64>>)>);

#[pymethods]
impl Session {
    /// Starts a run with the settings of a preset and others, which are JSON. `text` is the name and the
    /// content of a text that the language lab learns from.
    #[staticmethod]
    fn start(
        py: Python<'_>,
        lab: &str,
        preset: Option<&str>,
        settings: &str,
        seed: u32,
        text: Option<(String, Vec<u8>)>,
    ) -> PyResult<Self> {
        let entry = learnery_labs::find(lab).map_err(value_error)?;
        let settings = Value::Object(parse_object(settings)?);
        let text = text.map(|(name, bytes)| NamedText { name, bytes });
        let start = || start_run(entry, preset, &settings, seed, text);
        let run = py.detach(|| current_pool()?.install(start).map_err(value_error))?;
        Ok(Self { run: Mutex::new(run), entry })
    }

    /// Continues a saved run.
    #[staticmethod]
    fn resume(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<Self> {
        let (entry, pool) = (checkpoint.entry, current_pool()?);
        let run = checkpoint.read(py, |saved| pool.install(|| Run::resume(*entry, saved)))?;
        Ok(Self { run: Mutex::new(run), entry })
    }

    #[getter]
    fn lab(&self) -> &'static str {
        self.entry.about.id
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |run| run.seed())
    }

    #[getter]
    fn units(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |run| run.units())
    }

    #[getter]
    fn work(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |run| run.work())
    }

    #[getter]
    fn solved_at(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.with(py, |run| run.solved_at())
    }

    /// All settings, as JSON.
    #[getter]
    fn settings(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |run| serde_json::to_string(run.config()))?.map_err(value_error)
    }

    /// The units that [`Session::train`] with the same arguments makes at most, if that is known.
    #[pyo3(signature = (units, seconds, until_goal))]
    fn planned(
        &self,
        py: Python<'_>,
        units: Option<u64>,
        seconds: Option<f64>,
        until_goal: bool,
    ) -> PyResult<Option<u64>> {
        self.with(py, |run| {
            let limits = Limits::new(run, units, seconds, until_goal);
            limits.last_unit.or(limits.schedule).map(|last| last.saturating_sub(run.units()))
        })
    }

    /// Changes settings, which are JSON, from the next unit on.
    fn configure(&self, py: Python<'_>, settings: &str) -> PyResult<()> {
        let settings = Value::Object(parse_object(settings)?);
        self.with(py, |run| run.configure(&settings))?.map_err(|e| match e {
            LabError::Setting { problem, field } if problem.ends_with("needs a restart") => {
                value_error(format!("setting `{field}`: {problem}; start a new run for it"))
            }
            other => value_error(other),
        })
    }

    /// Trains until a limit is reached, and returns which: `goal`, `units`, `schedule`, `time`, `callback` or
    /// `interrupted`. After each unit, `callback` gets a dict with its metrics, and ends the training if it
    /// returns false.
    #[pyo3(signature = (units, seconds, until_goal, callback))]
    fn train(
        &self,
        py: Python<'_>,
        units: Option<u64>,
        seconds: Option<f64>,
        until_goal: bool,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let begin = Instant::now();
        let limits = self.with(py, |run| Limits::new(run, units, seconds, until_goal))?;
        loop {
            let reached = self.with(py, |run| {
                let solved = run.solved_at().is_some();
                limits.reached(run.units(), begin.elapsed().as_secs_f64(), solved)
            })?;
            if let Some(limit) = reached {
                return Ok(name_of_limit(limit));
            }
            let Unit { is_finished, is_interrupted } = self.train_unit(py)?;
            if let (true, Some(callback)) = (is_finished, callback) {
                match callback.call1((self.metrics_row(py, begin)?,)) {
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

    /// The metrics of all kept units.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let (units, columns) = self.with(py, |run| {
            let history = run.history();
            (history.units().to_vec(), history.columns().to_vec())
        })?;
        let names = self.entry.about.metrics.iter().map(|spec| spec.name);
        let columns = names.zip(columns).map(|(name, column)| (name, PyArray1::from_vec(py, column)));
        Ok((PyArray1::from_vec(py, units), columns.collect()))
    }

    /// A checkpoint of the run. A unit in progress is finished first, which Ctrl-C interrupts.
    fn save(&self, py: Python<'_>) -> PyResult<Checkpoint> {
        while self.with(py, |run| run.is_mid_unit())? {
            self.slice(py)?;
            py.check_signals()?;
        }
        let saved = self.with(py, Run::try_save)?.map_err(value_error)?;
        Ok(Checkpoint::new(self.entry, saved, "the run"))
    }
}

impl Session {
    /// Calls `work` with the run, on the pool and without the GIL.
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Run) -> R + Send) -> PyResult<R> {
        py.detach(|| {
            let pool = current_pool()?;
            let mut locked = self.locked()?;
            let run: &mut Run = &mut locked;
            Ok(pool.install(|| work(run)))
        })
    }

    /// The run, locked. A panic in an earlier call has left it in an unknown state, which is an error.
    fn locked(&self) -> PyResult<MutexGuard<'_, Run>> {
        self.run.lock().map_err(|_| PyRuntimeError::new_err("the run has failed and cannot be used any more"))
    }

    /// Trains for a slice of time, or to the end of the unit. Returns whether the unit is finished.
    fn slice(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |run| {
            let begin = Instant::now();
            let mut is_over = || begin.elapsed().as_secs_f64() >= SLICE_SECONDS;
            run.advance(&mut Budget::until(u64::MAX, &mut is_over)).status == Status::UnitFinished
        })
    }

    /// Trains to the end of a unit. After Ctrl-C, the unit is finished only if that takes no more than
    /// [`GRACE_SECONDS`].
    fn train_unit(&self, py: Python<'_>) -> PyResult<Unit> {
        let mut interrupted_at: Option<Instant> = None;
        loop {
            let is_finished = self.slice(py)?;
            let was_pressed = was_interrupted(py)?;
            // A second Ctrl-C ends the wait for the end of the unit.
            let is_late = |at: Instant| was_pressed || at.elapsed().as_secs_f64() >= GRACE_SECONDS;
            let stops = interrupted_at.is_some_and(is_late);
            if was_pressed {
                interrupted_at.get_or_insert_with(Instant::now);
            }
            if is_finished || stops {
                return Ok(Unit { is_finished, is_interrupted: interrupted_at.is_some() });
            }
        }
    }

    /// What a callback gets after a unit: as a line of `metrics.jsonl`.
    fn metrics_row<'py>(&self, py: Python<'py>, begin: Instant) -> PyResult<Bound<'py, PyDict>> {
        let (unit, work, metrics) = self.with(py, |run| {
            let metrics: Vec<(&'static str, f64)> = run.row().measured().collect();
            (run.units(), run.work(), metrics)
        })?;
        let row = PyDict::new(py);
        row.set_item("unit", unit)?;
        row.set_item("work", work)?;
        row.set_item("seconds", begin.elapsed().as_secs_f64())?;
        metrics.into_iter().try_for_each(|(name, value)| row.set_item(name, value))?;
        Ok(row)
    }
}

/// Starts a run as the command line does: with the defaults, over them the preset, over that the settings.
fn start_run(
    entry: &'static Entry,
    preset: Option<&str>,
    settings: &Value,
    seed: u32,
    text: Option<NamedText>,
) -> Result<Run, LabError> {
    let mut base = match preset {
        Some(name) => Some((entry.schema)().complete(None, &entry.preset(name)?)?),
        None => None,
    };
    if let (Some(base), Some(_)) = (&mut base, &text) {
        replace_stories(base);
    }
    let config = (entry.schema)().complete(base.as_ref(), settings)?;
    if let Some(text) = &text {
        let (id, language) = (entry.about.id, Entry::of::<Language>().about.id);
        if id != language {
            return Err(LabError::Settings(format!("the lab `{id}` reads no text; `{language}` does")));
        }
        check_text(text)?;
        check_source(&config)?;
    }
    let mut run = Run::start(*entry, &Value::Object(config), seed)?;
    if let Some(NamedText { name, bytes }) = text {
        // It was checked to be UTF-8, so nothing is lost here.
        let content = String::from_utf8_lossy(&bytes);
        run.apply(json!({ "type": "text", "name": name, "text": content }))?;
    }
    Ok(run)
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
