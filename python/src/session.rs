//! `learnery._native.Session`: a run that trains, as `learnery train` drives it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use learnery_lab::{Budget, Entry, LabError, Limits, NamedText, Session as Run, Status};
use learnery_labs::{OwnData, OwnKind};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::current_pool;
use crate::training::{Columns, Metrics, Progress, SLICE_SECONDS, Trains, columns, train};

/// Values of parameters of a world, by name.
type Parameters = BTreeMap<String, f32>;

/// A run that trains.
#[pyclass(frozen, module = "learnery._native")]
pub struct Session {
    /// Locked without the GIL only, so that no thread waits for it while it holds the GIL.
    run: Mutex<Run>,
    entry: &'static Entry,
}

#[pymethods]
impl Session {
    /// Starts a run with the settings of a preset and others, which are JSON. `text` is the name and the
    /// content of a text that the language lab learns from, `world` those of the world that the control lab
    /// learns, with the values of parameters.
    #[staticmethod]
    fn start(
        py: Python<'_>,
        lab: &str,
        preset: Option<&str>,
        settings: &str,
        seed: u32,
        text: Option<(String, Vec<u8>)>,
        world: Option<(String, String, Parameters)>,
    ) -> PyResult<Self> {
        let entry = learnery_labs::find(lab).map_err(value_error)?;
        let settings = Value::Object(parse_object(settings)?);
        let text = text.map(|(name, bytes)| (OwnKind::Text, NamedText { name, bytes }, BTreeMap::new()));
        let world = world.map(|(name, text, parameters)| {
            (OwnKind::World, NamedText { name, bytes: text.into() }, parameters)
        });
        let data = text.into_iter().chain(world).collect();
        let start = || start_run(entry, preset, &settings, seed, data);
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

    /// What the user should know about the last unit, as a sentence without a full stop.
    #[getter(remark)]
    fn last_remark(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.remark(py)
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
            // The lab's own sentence, with what a user of Python can do.
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
        let (limits, has_goal) =
            self.with(py, |run| (Limits::new(run, units, seconds, until_goal), run.goal().is_some()))?;
        if until_goal && !has_goal {
            return Err(value_error("this run has no goal; give units or seconds, and not until_goal"));
        }
        train(py, self, limits, callback)
    }

    /// The metrics of all kept units.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let history = self.with(py, |run| run.history().clone())?;
        Ok(columns(py, self.entry, &history))
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
}

impl Trains for Session {
    fn slice(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |run| {
            let begin = Instant::now();
            let mut is_over = || begin.elapsed().as_secs_f64() >= SLICE_SECONDS;
            run.advance(&mut Budget::until(u64::MAX, &mut is_over)).status == Status::UnitFinished
        })
    }

    fn progress(&self, py: Python<'_>) -> PyResult<Progress> {
        self.with(py, |run| Progress { units: run.units(), is_solved: run.solved_at().is_some() })
    }

    fn metrics(&self, py: Python<'_>) -> PyResult<Metrics> {
        self.with(py, |run| Metrics {
            unit: run.units(),
            work: run.work(),
            values: run.row().measured().collect(),
        })
    }

    fn remark(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |run| run.remark())
    }
}

/// Starts a run as the command line does: with the defaults, over them the preset, over that the settings.
/// Data of the user's own imply a preset.
fn start_run(
    entry: &'static Entry,
    preset: Option<&str>,
    settings: &Value,
    seed: u32,
    data: Vec<(OwnKind, NamedText, Parameters)>,
) -> Result<Run, LabError> {
    let implied = data.iter().map(|(kind, ..)| *kind).find(|kind| kind.lab() == entry.about.id);
    let mut base = match preset.or(implied.map(OwnKind::preset)) {
        Some(name) => Some((entry.schema)().complete(None, &entry.preset(name)?)?),
        None => None,
    };
    // If there are both a text and a world, one of them is refused here, because no lab learns both.
    let data = data.into_iter().map(|(kind, content, parameters)| own_data(entry, kind, content, parameters));
    let data = data.collect::<Result<Vec<OwnData>, LabError>>()?;
    if let Some(base) = &mut base {
        data.iter().for_each(|data| data.turn_to_own(base));
    }
    let config = (entry.schema)().complete(base.as_ref(), settings)?;
    let mut run = Run::start(*entry, &Value::Object(config), seed)?;
    data.iter().try_for_each(|data| data.give_to(&mut run))?;
    Ok(run)
}

/// Checks data of the user's own, which not every lab learns.
fn own_data(
    entry: &Entry,
    kind: OwnKind,
    content: NamedText,
    parameters: Parameters,
) -> Result<OwnData, LabError> {
    let (id, lab, does) = (entry.about.id, kind.lab(), if kind == OwnKind::Text { "does" } else { "has" });
    if id != lab {
        return Err(LabError::Settings(format!("the lab `{id}` {}; `{lab}` {does}", kind.why_not())));
    }
    let name = content.name.clone();
    OwnData::new(kind, content).and_then(|data| data.with_parameters(parameters)).map_err(|e| match kind {
        OwnKind::Text => e,
        OwnKind::World => LabError::Settings(format!("{name}: {e}")),
    })
}
