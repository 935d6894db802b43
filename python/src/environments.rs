//! `learnery._native.EnvironmentRun`: PPO on environments that Python steps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Instant;

use learnery_lab::{Entry, Limits};
use learnery_labs::control::{Control, Environments, ExternalActions, ExternalRun, ExternalSpaces, Results};
use learnery_worlds::control::Outcome;
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::current_pool;
use crate::training::{Columns, Metrics, Progress, SLICE_SECONDS, Trains, columns, train};

/// A run that trains on environments of the user's.
#[pyclass(frozen, module = "learnery._native")]
pub struct EnvironmentRun {
    /// Locked without the GIL only, so that no thread waits for it while it holds the GIL.
    run: Mutex<ExternalRun>,
    /// The lab whose network learns.
    entry: &'static Entry,
    calls: Arc<Calls>,
}

/// What is known of the calls to the environments.
#[derive(Default)]
struct Calls {
    /// The error of the last one. Nothing is called after it.
    failure: Mutex<Option<PyErr>>,
    /// The thread of the call that is under way. The run is locked meanwhile, so an environment that uses the
    /// run that steps it would wait for itself; it gets an error instead.
    thread: Mutex<Option<ThreadId>>,
}

/// An object of Python with the methods `start()` and `step(actions)`, which return arrays: the class of the
/// same name in `learnery/_environments.py`.
struct Stepper {
    object: Py<PyAny>,
    /// Numbers of an action.
    numbers: usize,
    calls: Arc<Calls>,
}

/// What `step` returns: observations, rewards, outcomes (0 running, 1 terminated, 2 truncated), last
/// observations, and which environments only began an episode.
type Step<'py> = (
    PyReadonlyArray2<'py, f32>,
    PyReadonlyArray1<'py, f32>,
    PyReadonlyArray1<'py, u8>,
    PyReadonlyArray2<'py, f32>,
    PyReadonlyArray1<'py, bool>,
);

impl Stepper {
    /// Calls `call`, unless an earlier call has failed.
    fn attempt(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) {
        Python::attach(|py| {
            if locked(&self.calls.failure).is_some() {
                return;
            }
            locked(&self.calls.thread).replace(thread::current().id());
            let result = call(self.object.bind(py));
            locked(&self.calls.thread).take();
            if let Err(error) = result {
                locked(&self.calls.failure).replace(error);
            }
        });
    }
}

impl Environments for Stepper {
    fn start(&mut self, observations: &mut [f32]) {
        self.attempt(|object| {
            let started: PyReadonlyArray2<'_, f32> = object.call_method0("start")?.extract()?;
            copy(started.as_slice()?, observations)
        });
    }

    fn step(&mut self, actions: &[f32], results: &mut Results) {
        self.attempt(|object| {
            let actions = PyArray2::from_vec2(
                object.py(),
                &actions.chunks_exact(self.numbers).map(<[f32]>::to_vec).collect::<Vec<_>>(),
            )
            .map_err(value_error)?;
            let step: Step<'_> = object.call_method1("step", (actions,))?.extract()?;
            copy(step.0.as_slice()?, &mut results.observations)?;
            copy(step.1.as_slice()?, &mut results.rewards)?;
            for (outcome, number) in results.outcomes.iter_mut().zip(step.2.as_slice()?) {
                *outcome = match number {
                    0 => Outcome::Running,
                    1 => Outcome::Terminated,
                    _ => Outcome::Truncated,
                };
            }
            copy(step.3.as_slice()?, &mut results.last_observations)?;
            copy(step.4.as_slice()?, &mut results.only_began)
        });
    }
}

#[pymethods]
impl EnvironmentRun {
    /// Starts a run in `count` environments of this name and these spaces, which `object` steps. `settings`
    /// is JSON. `from` is a saved run whose network and optimiser this one goes on with.
    #[staticmethod]
    #[pyo3(signature = (object, name, count, inputs, choices, bounds, settings, seed, from_))]
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a part of what Gymnasium says of its environments"
    )]
    fn start(
        py: Python<'_>,
        object: Py<PyAny>,
        name: String,
        count: usize,
        inputs: usize,
        choices: Option<usize>,
        bounds: (Vec<f32>, Vec<f32>),
        settings: &str,
        seed: u32,
        from_: Option<&Checkpoint>,
    ) -> PyResult<Self> {
        let actions = match choices {
            Some(choices) => ExternalActions::Choice(choices),
            None => ExternalActions::Numbers { low: bounds.0, high: bounds.1 },
        };
        let numbers = match &actions {
            ExternalActions::Choice(_) => 1,
            // At least 1, because `chunks_exact` takes no 0. `ExternalRun::new` refuses actions without
            // numbers.
            ExternalActions::Numbers { low, .. } => low.len().max(1),
        };
        let calls = Arc::new(Calls::default());
        let stepper = Box::new(Stepper { object, numbers, calls: calls.clone() });
        let spaces = ExternalSpaces { name, inputs, actions };
        let (settings, pool) = (parse_object(settings)?, current_pool()?);
        let from = from_.map(|from| from.saved.clone());
        let started = py.detach(|| {
            pool.install(|| ExternalRun::new(spaces, stepper, count, &settings, seed, from.as_deref()))
        });
        let entry = learnery_labs::find(Entry::of::<Control>().about.id).map_err(value_error)?;
        let run = Self { run: Mutex::new(started.map_err(value_error)?), entry, calls };
        run.check(py)?;
        Ok(run)
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

    /// Such a run has no goal.
    #[getter]
    fn solved_at(&self) -> Option<u64> {
        None
    }

    /// Environments of the user's tell what is wrong with them in infos, which are the user's own.
    #[getter(remark)]
    fn last_remark(&self) -> Option<String> {
        None
    }

    /// All settings, as JSON.
    #[getter]
    fn settings(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |run| serde_json::to_string(run.settings()))?.map_err(value_error)
    }

    /// The units that [`EnvironmentRun::train`] makes at most, if that is known.
    #[pyo3(signature = (units, seconds, until_goal))]
    #[expect(unused_variables, reason = "a `Session` has the same method, and names are its interface")]
    fn planned(&self, units: Option<u64>, seconds: Option<f64>, until_goal: bool) -> Option<u64> {
        units
    }

    /// Changes settings, which are JSON, from the next unit on.
    fn configure(&self, py: Python<'_>, settings: &str) -> PyResult<()> {
        let settings = Value::Object(parse_object(settings)?);
        self.with(py, |run| run.configure(&settings))?.map_err(value_error)
    }

    /// Trains until a limit is reached; see [`train`].
    #[pyo3(signature = (units, seconds, until_goal, callback))]
    fn train(
        &self,
        py: Python<'_>,
        units: Option<u64>,
        seconds: Option<f64>,
        until_goal: bool,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let first = self.units(py)?;
        let last_unit = units.map(|units| first.saturating_add(units));
        train(py, self, Limits { seconds, last_unit, goal: until_goal, schedule: None }, callback)
    }

    /// The metrics of all kept units.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let history = self.with(py, |run| run.history().clone())?;
        Ok(columns(py, self.entry, &history))
    }

    /// Network and optimiser. A unit in progress is finished first, which Ctrl-C interrupts. After an error
    /// of an environment there is none.
    fn save(&self, py: Python<'_>) -> PyResult<Checkpoint> {
        while locked(&self.calls.failure).is_none() && self.with(py, |run| run.is_mid_unit())? {
            self.slice(py)?;
            py.check_signals()?;
        }
        Ok(Checkpoint::new(self.entry, self.with(py, |run| run.save())?, "the run"))
    }
}

impl EnvironmentRun {
    /// Calls `work` with the run, on the pool and without the GIL.
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut ExternalRun) -> R + Send) -> PyResult<R> {
        py.detach(|| {
            let pool = current_pool()?;
            let mut locked = self.locked()?;
            let run: &mut ExternalRun = &mut locked;
            Ok(pool.install(|| work(run)))
        })
    }

    fn locked(&self) -> PyResult<MutexGuard<'_, ExternalRun>> {
        if *locked(&self.calls.thread) == Some(thread::current().id()) {
            return Err(PyRuntimeError::new_err("an environment cannot use the run that steps it"));
        }
        self.run.lock().map_err(|_| PyRuntimeError::new_err("the run has failed and cannot be used any more"))
    }

    /// Raises the error of an environment. The unit in which it failed is dropped. After Ctrl-C, which an
    /// environment may notice first, the run can go on in new episodes.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let mut failure = locked(&self.calls.failure);
        let Some(error) = failure.as_ref().map(|error| error.clone_ref(py)) else { return Ok(()) };
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            *failure = None;
        }
        drop(failure);
        self.with(py, ExternalRun::drop_unit)?;
        Err(error)
    }
}

impl Trains for EnvironmentRun {
    fn slice(&self, py: Python<'_>) -> PyResult<bool> {
        self.check(py)?;
        let failure = &self.calls.failure;
        let is_finished = self.with(py, |run| {
            let begin = Instant::now();
            loop {
                let is_finished = run.step();
                if is_finished || locked(failure).is_some() || begin.elapsed().as_secs_f64() >= SLICE_SECONDS
                {
                    return is_finished;
                }
            }
        })?;
        self.check(py)?;
        Ok(is_finished)
    }

    fn progress(&self, py: Python<'_>) -> PyResult<Progress> {
        self.with(py, |run| Progress { units: run.units(), is_solved: false })
    }

    fn metrics(&self, py: Python<'_>) -> PyResult<Metrics> {
        self.with(py, |run| Metrics {
            unit: run.units(),
            work: run.work(),
            values: run.row().measured().collect(),
        })
    }

    fn remark(&self, _: Python<'_>) -> PyResult<Option<String>> {
        Ok(None)
    }
}

/// Locks a mutex, also after a panic in another thread: what it holds is replaced as a whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Copies an array that must have the right size.
fn copy<T: Copy>(from: &[T], to: &mut [T]) -> PyResult<()> {
    if from.len() != to.len() {
        return Err(value_error(format!("the environments gave {} numbers, not {}", from.len(), to.len())));
    }
    to.copy_from_slice(from);
    Ok(())
}
