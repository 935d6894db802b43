//! The target values of deep approximate value iteration (DAVI; Agostinelli, McAleer, Shmakov and Baldi,
//! "Solving the Rubik's cube with deep reinforcement learning and search", 2019).
//!
//! DAVI learns a state's distance as one more than the smallest distance that a frozen copy of the network
//! (the target network) estimates for the state's neighbours. Here that copy is not stored. Instead, its
//! estimates of all nodes of the state space (states, or classes of symmetric states) are written to a table
//! now and then, which is called a refresh. A target then costs a few look-ups instead of a network pass for
//! each neighbour. The table also gives the Bellman residuals of all nodes: how far an estimate is from its
//! target ([`ResidualSampler`]).

use super::residual_sampler::ResidualSampler;
use crate::config::CubeConfig;
use crate::small::network::{MAX_ROWS, Network, Scratch};
use crate::small::state_space::StateSpace;

/// Nodes that one step of a refresh handles.
const NODES_PER_STEP: usize = 8192;

/// The weight of an update in the exponential moving average of the loss.
const LOSS_EMA_RATE: f64 = 0.05;

pub struct TargetValues {
    scratches: Vec<Scratch>,
    /// The tabulated estimates of the target network.
    /// Shape: `[nodes]`.
    pub(super) values: Vec<f32>,
    /// The estimates that replace `values` at the end of a refresh.
    /// Shape: `[nodes]`.
    next_values: Vec<f32>,
    /// `None` if no samples are drawn by residual.
    sampler: Option<ResidualSampler>,
    /// The progress of the current refresh: a pass over all nodes for estimates and, with a sampler, a second
    /// one for residuals. Counts the nodes of both. `None` if there is no refresh.
    refreshing: Option<usize>,
    /// The update at which the values were last refreshed.
    pub(super) refreshed_at: u64,
}

impl TargetValues {
    pub fn new(config: &CubeConfig, network: &Network, space: &StateSpace) -> Self {
        let nodes = space.nodes();
        let mut target = Self {
            scratches: (0..NODES_PER_STEP / MAX_ROWS).map(|_| network.scratch()).collect(),
            values: vec![0.0; nodes],
            next_values: vec![0.0; nodes],
            sampler: (config.residual_fraction > 0.0).then(|| ResidualSampler::new(nodes)),
            refreshing: None,
            refreshed_at: 0,
        };
        target.update_residuals(space);
        target
    }

    /// Computes the residuals of all nodes.
    fn update_residuals(&mut self, space: &StateSpace) {
        if let Some(sampler) = &mut self.sampler {
            sampler.update(space, &self.values, 0, space.nodes());
        }
    }

    /// The target distance of a node other than the solved cube.
    pub fn target(&self, space: &StateSpace, node: u32) -> f32 {
        1.0 + space.min_over_neighbours(node, &self.values)
    }

    /// See [`ResidualSampler::sample_at`]; `None` also if no samples are drawn by residual.
    pub fn sample_at(&self, quantile: f64) -> Option<u32> {
        self.sampler.as_ref()?.sample_at(quantile)
    }

    /// Whether a refresh must begin or continue before update number `updates`. One begins if the network
    /// fits the targets well (its loss is small), or if the values are too old.
    pub fn needs_refresh(&self, config: &CubeConfig, updates: u64, loss_ema: f64) -> bool {
        let age = updates - self.refreshed_at;
        let max_age = u64::from(config.refresh_every);
        // The condition on the age leaves the network a minimal time to learn from each table.
        let fits = loss_ema < config.refresh_below && age >= u64::from(config.earliest_refresh());
        self.refreshing.is_some() || (age > 0 && (fits || age >= max_age))
    }

    /// Runs one step of a refresh: estimates the distances of up to [`NODES_PER_STEP`] nodes, or computes
    /// their residuals. Returns whether the refresh is finished.
    pub fn refresh_step(&mut self, network: &Network, space: &StateSpace, updates: u64) -> bool {
        let nodes = space.nodes();
        let done = self.refreshing.unwrap_or(0);
        let end = if done < nodes {
            let end = nodes.min(done + NODES_PER_STEP);
            let values = &mut self.next_values[done..end];
            network.estimate_node_distances(space, &mut self.scratches, done, values);
            end
        } else {
            let end = (2 * nodes).min(done + NODES_PER_STEP);
            if let Some(sampler) = &mut self.sampler {
                sampler.update(space, &self.next_values, done - nodes, end - nodes);
            }
            end
        };
        let is_complete = end == if self.sampler.is_some() { 2 * nodes } else { nodes };
        if is_complete {
            std::mem::swap(&mut self.values, &mut self.next_values);
            (self.refreshing, self.refreshed_at) = (None, updates);
        } else {
            self.refreshing = Some(end);
        }
        is_complete
    }

    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub fn refreshed_at(&self) -> u64 {
        self.refreshed_at
    }

    /// Continues from a checkpoint: the values, and the update at which they were refreshed.
    pub fn restore(&mut self, space: &StateSpace, values: Vec<f32>, refreshed_at: u64) {
        (self.values, self.refreshed_at) = (values, refreshed_at);
        self.update_residuals(space);
    }
}

/// Returns the updated exponential moving average of the loss since the last refresh. NaN means that there
/// was no loss yet. The average then starts at four times the loss plus 0.1, so that a few small losses do
/// not cause a refresh.
pub fn update_loss_ema(ema: f64, loss: f64) -> f64 {
    if ema.is_nan() { 4.0 * loss + 0.1 } else { ema + LOSS_EMA_RATE * (loss - ema) }
}
