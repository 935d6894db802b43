//! Samples nodes of the state space in proportion to their squared Bellman residual, after prioritized
//! sweeping (Moore and Atkeson, 1993). A node is a state of the cube, or a class of symmetric states.
//!
//! A true distance is one more than the smallest distance among the neighbours. The Bellman residual of an
//! estimate is its deviation from this equation. If it is below one at every node, every greedy turn leads to
//! a smaller estimate, so every greedy path reaches the solved cube. So the learner samples where the
//! residual is large.

use rayon::prelude::*;

use crate::small::state_space::{SOLVED_NODE, StateSpace};

/// Number of consecutive nodes that one thread handles.
const NODES_PER_CHUNK: usize = 256;

pub struct ResidualSampler {
    /// For each node, the sum of the squared residuals of all nodes up to and including it.
    /// Shape: `[nodes]`.
    running_sums: Vec<f64>,
}

impl ResidualSampler {
    pub fn new(nodes: usize) -> Self {
        Self { running_sums: vec![0.0; nodes] }
    }

    /// Computes the residuals of the nodes `from..to`. Those of all nodes before `from` must have been
    /// computed. `values` are the estimated distances of all nodes.
    pub fn update(&mut self, space: &StateSpace, values: &[f32], from: usize, to: usize) {
        let chunks = self.running_sums[from..to].par_chunks_mut(NODES_PER_CHUNK).enumerate();
        chunks.for_each(|(chunk, squares)| {
            let first = from + chunk * NODES_PER_CHUNK;
            for (square, node) in squares.iter_mut().zip(first..) {
                let residual = bellman_residual(space, values, node as u32);
                let squared = residual * residual;
                // A NaN or infinite value must not get into the sums.
                *square = if squared.is_finite() { f64::from(squared) } else { 0.0 };
            }
        });
        let mut sum = if from == 0 { 0.0 } else { self.running_sums[from - 1] };
        for entry in &mut self.running_sums[from..to] {
            sum += *entry;
            *entry = sum;
        }
    }

    /// Returns the node at which the running sum passes `quantile` (0 to 1) of the total; `None` if all
    /// residuals are zero. If `quantile` is a uniform random number, nodes are sampled in proportion to their
    /// squared residual.
    pub fn sample_at(&self, quantile: f64) -> Option<u32> {
        let total = *self.running_sums.last()?;
        let node = self.running_sums.partition_point(|sum| *sum <= quantile * total);
        // Rounding may carry a quantile past the last node with a residual.
        let last_with_residual = || self.running_sums.partition_point(|sum| *sum < total);
        (total > 0.0).then(|| node.min(last_with_residual()) as u32)
    }
}

/// One more than the smallest estimate among the neighbours, minus the node's own estimate.
fn bellman_residual(space: &StateSpace, values: &[f32], node: u32) -> f32 {
    // The distance of the solved cube is known.
    if node == SOLVED_NODE {
        0.0
    } else {
        1.0 + space.min_over_neighbours(node, values) - values[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use learnery_worlds::cube::{Metric, distances};

    use super::*;

    /// A sampler whose residuals are computed `stride` nodes at a time.
    fn sampler_of(space: &StateSpace, values: &[f32], stride: usize) -> ResidualSampler {
        let mut sampler = ResidualSampler::new(space.nodes());
        for from in (0..space.nodes()).step_by(stride) {
            sampler.update(space, values, from, space.nodes().min(from + stride));
        }
        sampler
    }

    /// The estimates are the true distances, which have no residual, except for one node. That node and some
    /// of its neighbours then have a residual.
    #[test]
    fn nodes_are_drawn_in_proportion_to_their_squared_residual() {
        let space = StateSpace::new(Metric::Quarter, true);
        let known = distances(Metric::Quarter);
        let mut values: Vec<f32> =
            (0..space.nodes() as u32).map(|node| known.of(space.state(node)) as f32).collect();
        assert_eq!(sampler_of(&space, &values, 1000).sample_at(0.5), None);
        let wrong = 20_000;
        values[wrong] += 3.0;
        let sampler = sampler_of(&space, &values, 1000);
        let mut counts = BTreeMap::new();
        // Evenly spaced quantiles, so each count is the node's share of them up to rounding.
        for i in 0..90_000 {
            let node = sampler.sample_at((f64::from(i) + 0.5) / 90_000.0).expect("there is a residual");
            *counts.entry(node).or_insert(0) += 1;
        }
        let squares: Vec<(u32, f32)> = (0..space.nodes() as u32)
            .map(|node| (node, bellman_residual(&space, &values, node).powi(2)))
            .filter(|(_, square)| *square > 0.0)
            .collect();
        assert!(squares.iter().any(|(node, square)| *node == wrong as u32 && *square == 9.0));
        let total: f32 = squares.iter().map(|(_, square)| square).sum();
        assert_eq!(counts.len(), squares.len());
        for (node, square) in squares {
            assert!((counts[&node] as f32 - 90_000.0 * square / total).abs() <= 1.0, "{node}");
        }
    }

    /// Also, two samplers that compute the residuals in parts of different sizes must agree.
    #[test]
    fn sampled_node_has_a_residual_for_extreme_quantiles_and_non_finite_values() {
        let space = StateSpace::new(Metric::Half, true);
        let mut values: Vec<f32> = (0..space.nodes()).map(|i| (i * 7919 % 10_007) as f32).collect();
        values[17] = f32::NAN;
        values[18] = f32::INFINITY;
        let (sampler, other) = (sampler_of(&space, &values, 8192), sampler_of(&space, &values, 777));
        for quantile in [0.0, 1e-12, 0.3, 1.0 - 1e-16, 1.0, 2.0] {
            let node = sampler.sample_at(quantile).expect("there are residuals");
            assert_eq!(other.sample_at(quantile), Some(node));
            let square = bellman_residual(&space, &values, node).powi(2);
            assert!(square > 0.0 && square.is_finite(), "{quantile}: {node}");
        }
    }
}
