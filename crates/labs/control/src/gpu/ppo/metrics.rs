//! The metrics of a unit (training iteration), which the device computes and reports.

use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::ReadBack;

use super::OwnSizes;
use super::layout::Layout;
use super::plans::{Buffers, RESET_STATE_WORDS, REWARD_STATISTICS, UPDATE_METRICS, group_metrics};
use super::unit::MAX_INPUTS;

/// The metrics of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitMetrics {
    /// One entry for each update that was made, in order.
    pub updates: Vec<UpdateMetrics>,
    /// One entry for each group of worlds, in order.
    pub worlds: Vec<WorldMetrics>,
    /// Mean of the discounted returns of all steps, and the sum of squared deviations from it, in a world of
    /// the user's own.
    pub discounted: Option<[f32; 2]>,
    /// `None` if no fault of the rules ended an episode.
    pub faults: Option<Faults>,
}

/// The episodes of a unit that a fault of the rules of a world of the user's own ended, and what the CPU needs
/// to find the line of the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults {
    pub episodes: u32,
    /// The world and its episode, and the step of the episode that failed; 0 if its beginning did.
    pub world: u32,
    pub episode: u32,
    pub step: u32,
    /// The state before the step, and the action in the units of the text.
    pub state: Vec<f32>,
    pub action: Vec<f32>,
}

/// The terms of the loss, summed over the samples of a minibatch, and the gradient's norm before clipping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateMetrics {
    pub policy_loss: f32,
    pub value_loss: f32,
    pub entropy: f32,
    pub kl: f32,
    pub clipped: f32,
    pub gradient_norm: f32,
}

/// The metrics of a group of worlds over the steps of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldMetrics {
    pub worlds: f32,
    /// The mean of the returns that the critic learns.
    pub return_mean: f32,
    /// The sum of the squared deviations of these returns from their mean.
    pub return_squares: f32,
    /// The mean of the critic's errors: the returns less the critic's values.
    pub error_mean: f32,
    /// The sum of the squared deviations of the errors from their mean.
    pub error_squares: f32,
    /// Episodes that ended.
    pub episodes: f32,
    /// The sum of the returns of these episodes.
    pub episode_returns: f32,
    /// The sum of each component of the observations, before normalisation.
    pub observations: [f32; MAX_INPUTS],
    /// The sum of the squares of each component.
    pub observation_squares: [f32; MAX_INPUTS],
}

/// A pending read-back of the metrics of a unit.
#[derive(Debug)]
pub struct UnitReadBack {
    updates: ReadBack,
    state: ReadBack,
    worlds: ReadBack,
    reward_statistics: Option<ReadBack>,
    faults: Option<(ReadBack, OwnSizes)>,
    inputs: usize,
}

impl UnitReadBack {
    pub(super) fn new(gpu: &Gpu, buffers: &Buffers, layout: &Layout, updates: usize) -> Self {
        let Buffers { update_metrics, state, world_metrics, faults, .. } = buffers;
        Self {
            updates: gpu.read_back(update_metrics, 0, UPDATE_METRICS * updates),
            state: gpu.read_back(state, 0, RESET_STATE_WORDS),
            worlds: gpu.read_back(world_metrics, 0, world_metrics.words()),
            reward_statistics: buffers
                .discounted_place
                .map(|_| gpu.read_back(&buffers.reward_statistics, 0, REWARD_STATISTICS)),
            faults: layout.own.map(|own| (gpu.read_back(faults, 0, faults.words()), own)),
            inputs: layout.inputs,
        }
    }

    /// The metrics once they have arrived.
    pub fn poll(&self) -> Result<Option<UnitMetrics>, GpuError> {
        let (Some(updates), Some(state), Some(worlds)) = (
            self.updates.poll::<[f32; UPDATE_METRICS]>()?,
            self.state.poll::<u32>()?,
            self.worlds.poll::<f32>()?,
        ) else {
            return Ok(None);
        };
        let mut discounted = None;
        if let Some(reading) = &self.reward_statistics {
            let Some(statistics) = reading.poll::<[f32; REWARD_STATISTICS]>()? else { return Ok(None) };
            discounted = statistics.first().map(|[_, mean, squares]| [*mean, *squares]);
        }
        let mut faults = None;
        if let Some((reading, own)) = &self.faults {
            let Some(words) = reading.poll::<u32>()? else { return Ok(None) };
            faults = Faults::new(&words, *own);
        }
        // The first word of the state counts the updates that were made. The limit of the KL divergence can
        // only leave out the last ones.
        let updates_made = state[0] as usize;
        Ok(Some(UnitMetrics {
            updates: updates.into_iter().take(updates_made).map(UpdateMetrics::new).collect(),
            worlds: worlds
                .chunks_exact(group_metrics(self.inputs))
                .map(|row| WorldMetrics::new(row, self.inputs))
                .collect(),
            discounted,
            faults,
        }))
    }
}

impl Faults {
    /// The faults as `wgsl/own_faults.wgsl` writes them; `None` if there are none.
    fn new(words: &[u32], own: OwnSizes) -> Option<Self> {
        let &[episodes, world, _, episode, step, ref numbers @ ..] = words else { return None };
        if episodes == 0 {
            return None;
        }
        let floats = |from: &[u32]| from.iter().map(|bits| f32::from_bits(*bits)).collect();
        let (state, rest) = numbers.split_at(own.state);
        Some(Self {
            episodes,
            world,
            episode,
            step,
            state: floats(state),
            action: floats(&rest[..own.action()]),
        })
    }
}

impl UpdateMetrics {
    /// The metrics as `wgsl/ppo_update.wgsl` writes them.
    fn new(
        [policy_loss, value_loss, entropy, kl, clipped, gradient_norm, ..]: [f32; UPDATE_METRICS],
    ) -> Self {
        Self { policy_loss, value_loss, entropy, kl, clipped, gradient_norm }
    }
}

impl WorldMetrics {
    /// The metrics as `wgsl/advantages.wgsl` writes them.
    fn new(row: &[f32], inputs: usize) -> Self {
        let (metrics, observed) = row.split_at(row.len() - 2 * inputs);
        let component = |i: usize| if i < inputs { observed[i] } else { 0.0 };
        let square = |i: usize| if i < inputs { observed[inputs + i] } else { 0.0 };
        Self {
            worlds: metrics[0],
            return_mean: metrics[1],
            return_squares: metrics[2],
            error_mean: metrics[3],
            error_squares: metrics[4],
            episodes: metrics[5],
            episode_returns: metrics[6],
            observations: std::array::from_fn(component),
            observation_squares: std::array::from_fn(square),
        }
    }
}
