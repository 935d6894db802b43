//! What a learner keeps between two units, beside its parameters: worlds and Adam, and their read-backs.

use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::ReadBack;

use super::plans::{Buffers, STEPS_WORD};

/// The state of the worlds between two units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worlds {
    /// The state of each world: padded with zeros to four floats, or in a world of the user's own followed by
    /// what the agent sees of it.
    // [worlds, floats]
    pub states: Vec<f32>,
    /// Steps of the current episode, or [`BROKEN`], and completed episodes.
    pub steps: Vec<u32>,
    pub episodes: Vec<u32>,
    /// The return of the current episode so far.
    pub returns: Vec<f32>,
    /// The discounted return so far, in a world of the user's own.
    pub discounted: Vec<f32>,
}

/// The steps of a world whose episode began with an error of the rules: its first step fails.
pub const BROKEN: u32 = u32::MAX;

/// The state of Adam.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adam {
    pub first_moments: Vec<f32>,
    pub second_moments: Vec<f32>,
    pub steps: u32,
}

/// A pending read-back of worlds.
#[derive(Debug)]
pub struct WorldsReadBack {
    states: ReadBack,
    counters: ReadBack,
    totals: ReadBack,
    totals_of_world: usize,
    discounted_place: Option<usize>,
}

impl WorldsReadBack {
    /// Begins to read the first `count` worlds.
    pub(super) fn new(gpu: &Gpu, buffers: &Buffers, count: usize) -> Self {
        let Buffers { states, counters, totals, totals_of_world, discounted_place, .. } = buffers;
        Self {
            states: gpu.read_back(states, 0, buffers.state_floats * count),
            counters: gpu.read_back(counters, 0, 4 * count),
            totals: gpu.read_back(totals, 0, totals_of_world * count),
            totals_of_world: *totals_of_world,
            discounted_place: *discounted_place,
        }
    }

    /// The worlds once they have arrived.
    pub fn poll(&self) -> Result<Option<Worlds>, GpuError> {
        let (Some(states), Some(counters), Some(totals)) =
            (self.states.poll::<f32>()?, self.counters.poll::<[u32; 4]>()?, self.totals.poll::<f32>()?)
        else {
            return Ok(None);
        };
        Ok(Some(Worlds {
            states,
            // The first two counters of a world; the others count within a unit, see `wgsl/rollout.wgsl`.
            steps: counters.iter().map(|counter| counter[0]).collect(),
            episodes: counters.iter().map(|counter| counter[1]).collect(),
            returns: totals.iter().step_by(self.totals_of_world).copied().collect(),
            discounted: self.discounted_place.map_or_else(Vec::new, |place| {
                totals.iter().skip(place).step_by(self.totals_of_world).copied().collect()
            }),
        }))
    }
}

/// A pending read-back of the state of Adam.
#[derive(Debug)]
pub struct AdamReadBack {
    moments: ReadBack,
    steps: ReadBack,
}

impl AdamReadBack {
    pub(super) fn new(gpu: &Gpu, buffers: &Buffers) -> Self {
        let Buffers { moments, state, .. } = buffers;
        Self {
            moments: gpu.read_back(moments, 0, moments.words()),
            steps: gpu.read_back(state, STEPS_WORD, 1),
        }
    }

    /// The state once it has arrived.
    pub fn poll(&self) -> Result<Option<Adam>, GpuError> {
        let (Some(moments), Some(steps)) = (self.moments.poll::<[f32; 2]>()?, self.steps.poll::<u32>()?)
        else {
            return Ok(None);
        };
        let (first_moments, second_moments) = moments.into_iter().map(|[m, v]| (m, v)).unzip();
        Ok(Some(Adam { first_moments, second_moments, steps: steps[0] }))
    }
}
