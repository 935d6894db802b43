//! The figures of a unit: what the device reports of it.

use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::ReadBack;

use super::plans::{Buffers, UNIT_WORDS, UPDATE_FIGURES, group_figures};
use super::unit::MAX_INPUTS;

/// The figures of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitFigures {
    /// Of each update that was made, in order.
    pub updates: Vec<UpdateFigures>,
    /// Of each group of worlds, in order.
    pub worlds: Vec<WorldFigures>,
}

/// The terms of the loss, summed over the samples of a minibatch, and the gradient's norm before clipping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateFigures {
    pub policy_loss: f32,
    pub value_loss: f32,
    pub entropy: f32,
    pub kl: f32,
    pub clipped: f32,
    pub gradient_norm: f32,
}

/// The figures of a group of worlds over the steps of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldFigures {
    pub worlds: f32,
    /// The mean of the returns that the critic learns, and the sum of the squared deviations from it.
    pub return_mean: f32,
    pub return_squares: f32,
    /// The same of the returns less the critic's values.
    pub error_mean: f32,
    pub error_squares: f32,
    /// Episodes that ended, and the sum of their returns.
    pub episodes: f32,
    pub episode_returns: f32,
    /// Sums of each component of the observations before normalisation, and of their squares.
    pub observations: [f32; MAX_INPUTS],
    pub observation_squares: [f32; MAX_INPUTS],
}

/// A pending read-back of the figures of a unit.
#[derive(Debug)]
pub struct UnitReadBack {
    updates: ReadBack,
    state: ReadBack,
    worlds: ReadBack,
    inputs: usize,
}

impl UnitReadBack {
    pub(super) fn new(gpu: &Gpu, buffers: &Buffers, inputs: usize, updates: usize) -> Self {
        let Buffers { update_figures, state, world_figures, .. } = buffers;
        Self {
            updates: gpu.read_back(update_figures, 0, UPDATE_FIGURES * updates),
            state: gpu.read_back(state, 0, UNIT_WORDS),
            worlds: gpu.read_back(world_figures, 0, world_figures.words()),
            inputs,
        }
    }

    /// The figures once they have arrived.
    pub fn poll(&self) -> Result<Option<UnitFigures>, GpuError> {
        let (Some(updates), Some(state), Some(worlds)) = (
            self.updates.poll::<[f32; UPDATE_FIGURES]>()?,
            self.state.poll::<u32>()?,
            self.worlds.poll::<f32>()?,
        ) else {
            return Ok(None);
        };
        // Updates that the KL limit left out come last.
        let made = state[0] as usize;
        Ok(Some(UnitFigures {
            updates: updates.into_iter().take(made).map(UpdateFigures::new).collect(),
            worlds: worlds
                .chunks_exact(group_figures(self.inputs))
                .map(|row| WorldFigures::new(row, self.inputs))
                .collect(),
        }))
    }
}

impl UpdateFigures {
    /// The figures as `wgsl/ppo_update.wgsl` writes them.
    fn new(
        [policy_loss, value_loss, entropy, kl, clipped, gradient_norm, ..]: [f32; UPDATE_FIGURES],
    ) -> Self {
        Self { policy_loss, value_loss, entropy, kl, clipped, gradient_norm }
    }
}

impl WorldFigures {
    /// The figures as `wgsl/advantages.wgsl` writes them.
    fn new(row: &[f32], inputs: usize) -> Self {
        let (figures, observed) = row.split_at(row.len() - 2 * inputs);
        let component = |i: usize| if i < inputs { observed[i] } else { 0.0 };
        let square = |i: usize| if i < inputs { observed[inputs + i] } else { 0.0 };
        Self {
            worlds: figures[0],
            return_mean: figures[1],
            return_squares: figures[2],
            error_mean: figures[3],
            error_squares: figures[4],
            episodes: figures[5],
            episode_returns: figures[6],
            observations: std::array::from_fn(component),
            observation_squares: std::array::from_fn(square),
        }
    }
}
