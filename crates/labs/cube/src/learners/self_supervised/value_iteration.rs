//! The target values of deep approximate value iteration (DAVI; Agostinelli, McAleer, Shmakov and Baldi, "Solving the
//! Rubik's cube with deep reinforcement learning and search", 2019).
//!
//! DAVI learns a state's distance as one more than the least distance that a frozen copy of the network estimates for
//! its neighbours. Here the frozen copy is not kept; its estimates of all nodes are. A target then costs a few
//! look-ups instead of a network pass for each neighbour, and Bellman residuals are known everywhere
//! ([`ResidualSampler`]).

use super::residual_sampler::ResidualSampler;
use crate::config::CubeConfig;
use crate::network::{Network, ROWS, Scratch};
use crate::state_space::StateSpace;

/// Nodes that one step of a refresh handles.
const NODES_PER_STEP: usize = 8192;

/// How fast the moving average of the loss follows.
const LOSS_EMA_RATE: f64 = 0.05;

pub struct TargetValues {
    scratches: Vec<Scratch>,
    /// The estimates that targets are made from. // [nodes]
    values: Vec<f32>,
    /// The estimates that replace them once a refresh is complete. // [nodes]
    next_values: Vec<f32>,
    /// Present if some samples are drawn by residual.
    sampler: Option<ResidualSampler>,
    /// The progress of a refresh that is under way, in nodes: the first `nodes` count new estimates, the next `nodes`
    /// their residuals.
    refreshing: Option<usize>,
    /// The update at which the values were last refreshed.
    refreshed_at: u64,
}

impl TargetValues {
    pub fn new(config: &CubeConfig, network: &Network, space: &StateSpace) -> Self {
        let nodes = space.nodes();
        let mut target = Self {
            scratches: (0..NODES_PER_STEP / ROWS).map(|_| network.scratch()).collect(),
            values: vec![0.0; nodes],
            next_values: vec![0.0; nodes],
            sampler: (config.residual_fraction > 0.0).then(|| ResidualSampler::new(nodes)),
            refreshing: None,
            refreshed_at: 0,
        };
        target.update_residuals(space);
        target
    }

    fn update_residuals(&mut self, space: &StateSpace) {
        if let Some(sampler) = &mut self.sampler {
            sampler.update(space, &self.values, 0, space.nodes());
        }
    }

    /// The distance to learn for a node other than the solved cube.
    pub fn target(&self, space: &StateSpace, node: u32) -> f32 {
        1.0 + space.min_over_neighbours(node, &self.values)
    }

    /// See [`ResidualSampler::sample_at`]; `None` also if no samples are drawn by residual.
    pub fn sample_at(&self, quantile: f64) -> Option<u32> {
        self.sampler.as_ref()?.sample_at(quantile)
    }

    /// Whether a refresh must continue or begin before the update numbered `updates`: when the network fits the values
    /// well, or when they are old.
    pub fn needs_refresh(&self, config: &CubeConfig, updates: u64, loss_ema: f64) -> bool {
        let age = updates - self.refreshed_at;
        let max_age = u64::from(config.refresh_every);
        let fits = loss_ema < config.refresh_below && age >= max_age / 8;
        self.refreshing.is_some() || (age > 0 && (fits || age >= max_age))
    }

    /// One step of a refresh: estimates the distances of some nodes, or computes their residuals. True if it was the
    /// last one.
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

    /// Continues with values and the update they are from.
    pub fn restore(&mut self, space: &StateSpace, values: Vec<f32>, refreshed_at: u64) {
        (self.values, self.refreshed_at) = (values, refreshed_at);
        self.update_residuals(space);
    }
}

/// The exponential moving average of the loss since the last refresh. It begins high, so that the first few losses
/// alone cannot call for a refresh.
pub fn update_loss_ema(ema: f64, loss: f64) -> f64 {
    if ema.is_nan() { 4.0 * loss + 0.1 } else { ema + LOSS_EMA_RATE * (loss - ema) }
}
