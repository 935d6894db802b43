//! `learnery._native.Worlds`: a batch of worlds for `learnery/vector.py`. The arrays of its results are made
//! once and written by every step.

use learnery_worlds::control::{Autoreset, SavedWorld, StepResults};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::value_error;
use crate::gallery::Gallery;
use crate::rules::{ActionShape, Variant};
use crate::world::World;

/// A batch of worlds with the same rules.
#[pyclass(module = "learnery._native")]
pub struct Worlds {
    batch: Batch,
    gallery: Gallery,
    // The results of a step, `[worlds, observation]` and `[worlds]`. The arrays belong to NumPy, which is why
    // no `unsafe` is needed for views of them.
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

/// What continues the worlds: seeds, numbers of episodes, steps in them, whether the world waits for its
/// reset, states.
type Saved<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<f32>>,
);

/// The worlds whose episode ended, and the last observations of these episodes.
type EndedEpisodes<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f32>>);

/// For each world, whether its episode ended and whether that was a success; the faults of the rules, each
/// with its world.
type Verdicts<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>, Vec<(usize, String)>);

#[pymethods]
impl Worlds {
    /// Worlds with these rules. `constants` has a value for each parameter of the rules.
    #[new]
    #[pyo3(signature = (world, count, autoreset, threads, constants, max_steps))]
    fn new(
        py: Python<'_>,
        world: &World,
        count: usize,
        autoreset: &str,
        threads: usize,
        constants: Vec<f32>,
        max_steps: Option<u32>,
    ) -> PyResult<Self> {
        let autoreset = autoreset_mode(autoreset).map_err(value_error)?;
        let rules = world.rules.clone();
        let make = || Batch::new(Variant::new(rules, constants, max_steps)?, count, autoreset, threads);
        let batch = py.detach(make).map_err(value_error)?;
        let width = batch.variant().rules.observation_size();
        Ok(Self {
            observations: PyArray2::zeros(py, [count, width], false).unbind(),
            rewards: PyArray1::zeros(py, [count], false).unbind(),
            terminations: PyArray1::zeros(py, [count], false).unbind(),
            truncations: PyArray1::zeros(py, [count], false).unbind(),
            batch,
            gallery: Gallery::default(),
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
        if self.batch.autoreset() == Autoreset::Disabled && self.batch.any_waits() {
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
        let shape = [ended.len(), self.batch.variant().rules.observation_size()];
        Ok((PyArray1::from_vec(py, ended), PyArray1::from_vec(py, observations).reshape(shape)?))
    }

    /// What the rules say about the episodes that ended in the last step: which worlds they were in, which of
    /// them were successes, and of each fault the world and the sentence that names its line.
    fn verdicts<'py>(&self, py: Python<'py>) -> Verdicts<'py> {
        let verdicts = py.detach(|| self.batch.verdicts());
        let (mut ended, mut successes) = (vec![false; self.batch.count()], vec![false; self.batch.count()]);
        let mut faults = Vec::new();
        for (i, verdict) in verdicts {
            (ended[i], successes[i]) = (true, verdict.is_success == Some(true));
            faults.extend(verdict.fault.map(|fault| (i, fault)));
        }
        (PyArray1::from_vec(py, ended), PyArray1::from_vec(py, successes), faults)
    }

    /// Whether the episode that world `i` finished in the last step was a success, and what went wrong in its
    /// rules; nothing where the rules say nothing.
    fn verdict(&self, i: usize) -> PyResult<(Option<bool>, Option<String>)> {
        self.check_index(i)?;
        let verdict = self.batch.verdict(i).unwrap_or_default();
        Ok((verdict.is_success, verdict.fault))
    }

    /// The states that the observations show, and the number of steps in each episode.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<States<'py>> {
        let (states, steps) = self.batch.states();
        let shape = [self.batch.count(), self.batch.variant().rules.state_size()];
        Ok((PyArray1::from_vec(py, states).reshape(shape)?, PyArray1::from_vec(py, steps)))
    }

    /// Continues each episode in this state, after this number of steps, and writes `observations`.
    fn set_states(
        &mut self,
        py: Python<'_>,
        states: &Bound<'_, PyArray2<f32>>,
        steps: &Bound<'_, PyArray1<u32>>,
    ) -> PyResult<()> {
        let shape = [self.batch.count(), self.batch.variant().rules.state_size()];
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

    /// Goes on with other values of the parameters, from the next step on.
    fn set_constants(&mut self, py: Python<'_>, constants: Vec<f32>) -> PyResult<()> {
        let batch = &mut self.batch;
        let set = || batch.set_variant(batch.variant().with_constants(constants)?);
        py.detach(set).map_err(value_error)
    }

    /// What continues the worlds with the same bits.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Saved<'py>> {
        let saved = py.detach(|| self.batch.save());
        let shape = [saved.len(), self.batch.variant().rules.state_size()];
        let states: Vec<f32> = saved.iter().flat_map(|world| world.state.iter().copied()).collect();
        Ok((
            PyArray1::from_iter(py, saved.iter().map(|world| world.index)),
            PyArray1::from_iter(py, saved.iter().map(|world| world.episode)),
            PyArray1::from_iter(py, saved.iter().map(|world| world.steps)),
            PyArray1::from_iter(py, saved.iter().map(|world| world.waits)),
            PyArray1::from_vec(py, states).reshape(shape)?,
        ))
    }

    /// Continues from what `save` returned.
    fn restore(&mut self, py: Python<'_>, saved: Saved<'_>) -> PyResult<()> {
        let (indices, episodes, steps, waits, states) = saved;
        let (count, size) = (self.batch.count(), self.batch.variant().rules.state_size());
        let lengths = [indices.len(), episodes.len(), steps.len(), waits.len()];
        if lengths != [count; 4] || states.shape() != [count, size] {
            return Err(value_error(format!("what was saved is not of {count} such worlds")));
        }
        let (indices, episodes) = (indices.try_readonly()?, episodes.try_readonly()?);
        let (steps, waits, states) = (steps.try_readonly()?, waits.try_readonly()?, states.try_readonly()?);
        let states = states.as_slice()?.chunks_exact(size);
        let columns = indices.as_slice()?.iter().zip(episodes.as_slice()?).zip(steps.as_slice()?);
        let worlds = columns.zip(waits.as_slice()?).zip(states);
        let saved: Vec<SavedWorld> = worlds
            .map(|((((index, episode), steps), waits), state)| SavedWorld {
                index: *index,
                episode: *episode,
                steps: *steps,
                waits: *waits,
                state: state.to_vec(),
            })
            .collect();
        let batch = &mut self.batch;
        py.detach(|| batch.restore(&saved)).map_err(value_error)
    }

    /// The picture of world `i` after `action`.
    /// Shape: `[height, width, 3]`.
    fn paint<'py>(
        &mut self,
        py: Python<'py>,
        i: usize,
        action: Vec<f32>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        self.check_index(i)?;
        let Self { batch, gallery, .. } = self;
        let pixels = py.detach(|| {
            let variant = batch.variant();
            gallery.paint(
                i,
                &variant.rules.world,
                &variant.constants,
                &batch.save_world(i),
                &action,
                [width, height],
            )
        });
        PyArray1::from_vec(py, pixels).reshape([height, width, 3])
    }
}

impl Worlds {
    fn check_index(&self, i: usize) -> PyResult<()> {
        if i >= self.batch.count() {
            return Err(PyIndexError::new_err(format!("there is no world {i}")));
        }
        Ok(())
    }

    /// Takes the actions of the next step. Returns false if they are not an array of the type, the shape and
    /// the layout that the action space samples.
    fn take_actions(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<bool> {
        let count = self.batch.count();
        let taken = match self.batch.variant().rules.actions() {
            ActionShape::Choice(_) => {
                let Ok(actions) = actions.cast::<PyArray1<i64>>() else { return Ok(false) };
                if actions.shape() != [count] || !actions.is_c_contiguous() {
                    return Ok(false);
                }
                self.batch.set_discrete_actions(actions.try_readonly()?.as_slice()?)
            }
            ActionShape::Numbers(numbers) => {
                let Ok(actions) = actions.cast::<PyArray2<f32>>() else { return Ok(false) };
                if actions.shape() != [count, numbers] || !actions.is_c_contiguous() {
                    return Ok(false);
                }
                self.batch.set_continuous_actions(actions.try_readonly()?.as_slice()?)
            }
        };
        taken.map_err(PyValueError::new_err)?;
        Ok(true)
    }
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
