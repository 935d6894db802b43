//! `learnery._native.Worlds`: a batch of worlds for `learnery/vector.py`. The arrays of its results are made
//! once and written by every step.

use learnery_worlds::control::{Actions, Autoreset, Kind, StepResults};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Batch;

/// A batch of worlds of one kind.
#[pyclass(module = "learnery._native")]
pub struct Worlds {
    batch: Batch,
    autoreset: Autoreset,
    // The arrays belong to NumPy, which is why no `unsafe` is needed for views of them.
    #[pyo3(get)]
    observations: Py<PyArray2<f32>>,
    #[pyo3(get)]
    rewards: Py<PyArray1<f32>>,
    #[pyo3(get)]
    terminations: Py<PyArray1<bool>>,
    #[pyo3(get)]
    truncations: Py<PyArray1<bool>>,
}

/// The states of all worlds, and the number of steps in each episode.
type States<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<u32>>);

/// The worlds whose episode ended, and the last observations of these episodes.
type EndedEpisodes<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f32>>);

#[pymethods]
impl Worlds {
    #[new]
    fn new(py: Python<'_>, id: &str, count: usize, autoreset: &str, threads: usize) -> PyResult<Self> {
        let kind = kind_of_id(id).map_err(PyValueError::new_err)?;
        let autoreset = autoreset_mode(autoreset).map_err(PyValueError::new_err)?;
        let batch =
            py.detach(|| Batch::new(kind, count, autoreset, threads)).map_err(PyValueError::new_err)?;
        Ok(Self {
            autoreset,
            observations: PyArray2::zeros(py, [count, batch.spec().observation.len()], false).unbind(),
            rewards: PyArray1::zeros(py, [count], false).unbind(),
            terminations: PyArray1::zeros(py, [count], false).unbind(),
            truncations: PyArray1::zeros(py, [count], false).unbind(),
            batch,
        })
    }

    /// Resets the worlds of `mask`, or all, and writes `observations`. World `i` starts the first episode of
    /// the seed `seeds[i]`, or its next episode without one.
    #[pyo3(signature = (seeds, mask))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Option<Vec<Option<u64>>>,
        mask: Option<Vec<bool>>,
    ) -> PyResult<()> {
        let count = self.batch.count();
        let lengths = [seeds.as_ref().map(Vec::len), mask.as_ref().map(Vec::len)];
        if lengths.iter().flatten().any(|length| *length != count) {
            return Err(PyValueError::new_err(format!(
                "seeds and mask need {count} values, one for each world"
            )));
        }
        let mut observations = self.observations.bind(py).try_readwrite()?;
        let observations = observations.as_slice_mut()?;
        let batch = &mut self.batch;
        py.detach(|| {
            for i in 0..count {
                if mask.as_ref().is_none_or(|mask| mask[i]) {
                    batch.reset(i, seeds.as_ref().and_then(|seeds| seeds[i]));
                }
            }
            batch.observe(observations);
        });
        Ok(())
    }

    /// Steps all worlds and writes the four arrays. Returns false, and does nothing, if `actions` is not an
    /// array of the type, the shape and the layout that the action space samples.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.autoreset == Autoreset::Disabled && self.batch.any_waits() {
            return Err(PyValueError::new_err(waiting_message(&self.batch.waiting())));
        }
        if !self.take_actions(actions)? {
            return Ok(false);
        }
        let mut observations = self.observations.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut terminated = self.terminations.bind(py).try_readwrite()?;
        let mut truncated = self.truncations.bind(py).try_readwrite()?;
        let results = StepResults {
            observations: observations.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
        };
        let batch = &mut self.batch;
        py.detach(|| batch.step(results));
        Ok(true)
    }

    /// The worlds whose episode ended in the last step, and the last observations of these episodes.
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<EndedEpisodes<'py>> {
        let (ended, observations) = self.batch.ended();
        let shape = [ended.len(), self.batch.spec().observation.len()];
        Ok((PyArray1::from_vec(py, ended), PyArray1::from_vec(py, observations).reshape(shape)?))
    }

    /// The states that the observations show, and the number of steps in each episode.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<States<'py>> {
        let (states, steps) = self.batch.states();
        let shape = [self.batch.count(), self.batch.spec().state_size];
        Ok((PyArray1::from_vec(py, states).reshape(shape)?, PyArray1::from_vec(py, steps)))
    }

    /// Continues each episode in this state, after this number of steps, and writes `observations`.
    fn set_states(
        &mut self,
        py: Python<'_>,
        states: &Bound<'_, PyArray2<f32>>,
        steps: &Bound<'_, PyArray1<u32>>,
    ) -> PyResult<()> {
        let shape = [self.batch.count(), self.batch.spec().state_size];
        if states.shape() != shape || steps.shape() != [shape[0]] {
            return Err(PyValueError::new_err(format!(
                "states need the shape {shape:?} and steps [{}], not {:?} and {:?}",
                shape[0],
                states.shape(),
                steps.shape()
            )));
        }
        let (states, steps) = (states.try_readonly()?, steps.try_readonly()?);
        self.batch.set_states(states.as_slice()?, steps.as_slice()?).map_err(PyValueError::new_err)?;
        let mut observations = self.observations.bind(py).try_readwrite()?;
        self.batch.observe(observations.as_slice_mut()?);
        Ok(())
    }
}

impl Worlds {
    /// Takes the actions of the next step. Returns false if they are not an array of the type, the shape and
    /// the layout that the action space samples.
    fn take_actions(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<bool> {
        let count = self.batch.count();
        let taken = match self.batch.spec().actions {
            Actions::Discrete(_) => {
                let Ok(actions) = actions.cast::<PyArray1<i64>>() else { return Ok(false) };
                if actions.shape() != [count] || !actions.is_c_contiguous() {
                    return Ok(false);
                }
                self.batch.set_discrete_actions(actions.try_readonly()?.as_slice()?)
            }
            Actions::Continuous { .. } => {
                let Ok(actions) = actions.cast::<PyArray2<f32>>() else { return Ok(false) };
                if actions.shape() != [count, 1] || !actions.is_c_contiguous() {
                    return Ok(false);
                }
                self.batch.set_continuous_actions(actions.try_readonly()?.as_slice()?)
            }
        };
        taken.map_err(PyValueError::new_err)?;
        Ok(true)
    }
}

/// The kind of world with Gymnasium's ID.
fn kind_of_id(id: &str) -> Result<Kind, String> {
    const KINDS: [Kind; 4] = [Kind::CartPole, Kind::MountainCar, Kind::Pendulum, Kind::Acrobot];
    KINDS.into_iter().find(|kind| kind.spec().id == id).ok_or_else(|| {
        format!("there is no world `{id}`; there are {}", KINDS.map(|kind| kind.spec().id).join(", "))
    })
}

/// The mode with Gymnasium's name.
fn autoreset_mode(name: &str) -> Result<Autoreset, String> {
    match name {
        "NextStep" => Ok(Autoreset::NextStep),
        "SameStep" => Ok(Autoreset::SameStep),
        "Disabled" => Ok(Autoreset::Disabled),
        _ => Err(format!("there is no autoreset mode `{name}`; there are NextStep, SameStep, Disabled")),
    }
}

/// A message that names the worlds that must be reset, or the first few if there are many.
fn waiting_message(worlds: &[usize]) -> String {
    const MAX_NAMED: usize = 5;
    let named: Vec<String> = worlds.iter().take(MAX_NAMED).map(usize::to_string).collect();
    let rest = if worlds.len() > MAX_NAMED {
        format!(" and {} more", worlds.len() - MAX_NAMED)
    } else {
        String::new()
    };
    format!(
        "the episodes of these worlds have ended: {}{rest}; reset them with options={{\"reset_mask\": mask}}",
        named.join(", ")
    )
}
