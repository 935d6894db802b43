//! Exploration at the root of a search tree: Dirichlet noise, or Gumbel sampling with sequential halving (Danihelka et
//! al., "Policy improvement by planning with Gumbel", 2022; "the paper" below). The root is node 0, and its edges are
//! the plays. Sequential halving gives all candidate plays some visits, drops the worse half, and so on.

use std::ops::Range;

use learnery_kernels::activation::softmax;
use learnery_kernels::math;

use crate::Game;
use crate::options::{Noise, Options};
use crate::tree::Tree;

/// The paper's `c_visit` and `c_scale`: the weight of values against logits is `c_scale * (c_visit + most visits of a
/// play)`.
const C_VISIT: f32 = 50.0;
const C_SCALE: f32 = 0.1;

/// Added to the scores of eliminated plays, so that none of them is selected.
const ELIMINATED: f32 = -1e9;

/// Sequential halving over the plays of the root. The arrays have an entry for each play, unless stated otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct SequentialHalving {
    /// The logarithm of the prior plus a Gumbel variable.
    scores: Vec<f32>,
    /// The transformed completed values, the paper's `sigma(completedQ)`.
    value_terms: Vec<f32>,
    /// Visits that a reused tree had before this search.
    visits_before: Vec<u32>,
    /// One entry for each simulation, not for each play: the simulation selects among the plays that have exactly this
    /// many visits in this search.
    schedule: Vec<u32>,
    /// The index of the next simulation.
    simulation: usize,
}

impl SequentialHalving {
    /// Allocates for searches of `simulations` simulations.
    pub fn new(simulations: u32) -> Self {
        Self { schedule: Vec::with_capacity(2 * simulations as usize), ..Self::default() }
    }

    /// Starts a search of `simulations` simulations whose root's plays have their priors. `considered` plays take part.
    /// `index` selects the random numbers.
    pub fn begin<G: Game>(
        &mut self,
        tree: &Tree<G>,
        options: &Options,
        simulations: u32,
        considered: u32,
        index: u64,
    ) {
        let range = tree.edges_of(0);
        let plays = range.len();
        self.scores.resize(plays, 0.0);
        options.stream.fill_gumbel(index, &mut self.scores);
        for (score, prior) in self.scores.iter_mut().zip(&tree.edges.prior[range.clone()]) {
            *score += math::log(prior.max(f32::MIN_POSITIVE));
        }
        self.value_terms.resize(plays, 0.0);
        self.visits_before.clear();
        self.visits_before.extend_from_slice(&tree.edges.visits[range]);
        halving_schedule(&mut self.schedule, plays.min(considered as usize), simulations as usize);
        self.set_simulation(tree, 0);
    }

    /// Sets the index of the next simulation and updates the values.
    pub fn set_simulation<G: Game>(&mut self, tree: &Tree<G>, simulation: u32) {
        self.simulation = simulation as usize;
        value_terms(tree, &mut self.value_terms);
    }

    /// Returns the edge that the next simulation follows.
    pub fn select<G: Game>(&self, tree: &Tree<G>) -> usize {
        let scheduled = self.schedule.get(self.simulation).copied().unwrap_or(0);
        // The visits in this search, simulations in flight included.
        let visits = |edge: usize, k: usize| {
            tree.edges.visits[edge] + tree.edges.in_flight[edge] - self.visits_before[k]
        };
        self.best(tree, |edge, k| visits(edge, k) == scheduled)
    }

    /// Returns the edge that the finished search selects: of the most visited plays, the one with the highest score.
    pub fn winner<G: Game>(&self, tree: &Tree<G>) -> usize {
        let visits = |edge: usize, k: usize| tree.edges.visits[edge] - self.visits_before[k];
        let max_visits = tree.edges_of(0).enumerate().map(|(k, edge)| visits(edge, k)).max();
        self.best(tree, |edge, k| Some(visits(edge, k)) == max_visits)
    }

    /// Returns the candidate edge with the highest score, or the best of all edges if there is no candidate.
    /// `is_candidate` takes the index of the edge in the tree and its index among the edges of the root.
    fn best<G: Game>(&self, tree: &Tree<G>, is_candidate: impl Fn(usize, usize) -> bool) -> usize {
        let range = tree.edges_of(0);
        let (mut best, mut highest) = (range.start, f32::NEG_INFINITY);
        for (k, edge) in range.enumerate() {
            let penalty = if is_candidate(edge, k) { 0.0 } else { ELIMINATED };
            let score = penalty + self.scores[k] + self.value_terms[k];
            if score > highest {
                (best, highest) = (edge, score);
            }
        }
        best
    }
}

/// Computes the schedule of sequential halving over `plays` plays: in each round all remaining plays get equally many
/// visits, then the worse half is eliminated. Simulation `i` must select a play with exactly `schedule[i]` visits.
fn halving_schedule(schedule: &mut Vec<u32>, plays: usize, simulations: usize) {
    schedule.clear();
    // The base-2 logarithm of the number of plays, rounded up, and at least 1.
    let rounds = plays.max(2).next_power_of_two().trailing_zeros() as usize;
    let (mut remaining, mut visits) = (plays.max(1), 0);
    while schedule.len() < simulations {
        let visits_per_play = (simulations / (rounds * remaining)).max(1);
        for _ in 0..visits_per_play {
            schedule.extend(std::iter::repeat_n(visits, remaining));
            visits += 1;
        }
        // Two plays remain to the end, since one alone would leave nothing to compare.
        remaining = if plays > 1 { (remaining / 2).max(2) } else { 1 };
    }
    schedule.truncate(simulations);
}

/// Computes the paper's `sigma(completedQ)` for each play of the root, in three steps. A play without visits gets the
/// mixed value of the root (its evaluation averaged with the prior-weighted values of visited plays). All values are
/// then rescaled to [0, 1], and multiplied by a factor that grows with the visits.
fn value_terms<G: Game>(tree: &Tree<G>, terms: &mut [f32]) {
    let range = tree.edges_of(0);
    let edges = &tree.edges;
    let (mut prior_sum, mut weighted_sum, mut visits, mut max_visits) = (0.0, 0.0, 0, 0);
    let root_value = tree.nodes.evaluator_value[0];
    for edge in range.clone().filter(|edge| edges.visits[*edge] > 0) {
        prior_sum += edges.prior[edge];
        weighted_sum += edges.prior[edge] * edges.value_sum[edge] / edges.visits[edge] as f32;
        visits += edges.visits[edge];
        max_visits = max_visits.max(edges.visits[edge]);
    }
    let visited_value = if prior_sum > 0.0 { weighted_sum / prior_sum } else { root_value };
    let mixed = (root_value + visits as f32 * visited_value) / (1 + visits) as f32;
    let value = |edge: usize| match edges.visits[edge] {
        0 => mixed,
        visits => edges.value_sum[edge] / visits as f32,
    };
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for edge in range.clone() {
        (low, high) = (low.min(value(edge)), high.max(value(edge)));
    }
    /// Avoids a division by zero if all values are equal.
    const MIN_RANGE: f32 = 1e-8;
    let scale = C_SCALE * (C_VISIT + max_visits as f32) / (high - low).max(MIN_RANGE);
    for (term, edge) in terms.iter_mut().zip(range) {
        *term = scale * (value(edge) - low);
    }
}

/// The improved policy of the paper: the softmax of logits plus `sigma(completedQ)`. It improves on the prior even with
/// few simulations.
// out [plays of the root]
pub(crate) fn improved_policy<G: Game>(tree: &Tree<G>, out: &mut [f32]) {
    value_terms(tree, out);
    for (out, prior) in out.iter_mut().zip(&tree.edges.prior[tree.edges_of(0)]) {
        // The logarithm of a prior is a logit. The bound keeps a prior of 0 from becoming minus infinity.
        *out += math::log(prior.max(f32::MIN_POSITIVE));
    }
    let plays = out.len();
    softmax(out, plays);
}

/// Mixes Dirichlet noise into the priors of the root. `noise` is scratch memory.
pub(crate) fn add_dirichlet_noise<G: Game>(
    tree: &mut Tree<G>,
    options: &Options,
    index: u64,
    noise: &mut Vec<f32>,
) {
    let Noise::Dirichlet { alpha, fraction } = options.noise else { return };
    let range: Range<usize> = tree.edges_of(0);
    noise.resize(range.len(), 0.0);
    options.stream.fill_dirichlet(index, alpha, noise);
    for (prior, noise) in tree.edges.prior[range].iter_mut().zip(&*noise) {
        *prior += fraction * (noise - *prior);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected schedules were computed by hand from the paper's definition.
    #[test]
    fn halving_schedule_agrees_with_the_paper() {
        let visits = |plays, simulations| {
            let mut visits = Vec::new();
            halving_schedule(&mut visits, plays, simulations);
            visits
        };
        // Two visits for each of four plays, then four for each of the best two.
        assert_eq!(visits(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(visits(1, 4), [0, 1, 2, 3]);
        assert_eq!(visits(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(visits(16, 5), [0; 5]);
        assert_eq!(visits(3, 12), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
