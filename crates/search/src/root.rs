//! What happens at the root alone: noise, and the tournament that replaces it.
//!
//! The tournament is sequential halving over plays drawn without replacement by the Gumbel trick: Danihelka et al.,
//! "Policy improvement by planning with Gumbel", 2022.

use std::ops::Range;

use learnery_kernels::activation::softmax;

use crate::Game;
use crate::options::{Noise, Options};
use crate::tree::Tree;

/// How much values weigh beside the policy: these many visits more than the most visited play has, a tenth each.
const VISITS: f32 = 50.0;
const SCALE: f32 = 0.1;

/// Far below every score.
const OUT: f32 = -1e9;

/// A tournament of plays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tournament {
    /// The Gumbel number of each play, and with it the logarithm of its prior.
    scores: Vec<f32>,
    /// What values add to them.
    values: Vec<f32>,
    /// Visits that the plays had before.
    before: Vec<u32>,
    /// How many visits the plays have had that each simulation may choose among.
    visits: Vec<u32>,
    /// The simulation to come.
    round: usize,
}

impl Tournament {
    /// With room for searches of so many simulations.
    pub fn new(simulations: u32) -> Self {
        Self { visits: Vec::with_capacity(2 * simulations as usize), ..Self::default() }
    }

    /// Begins among the plays of the root, which have their priors.
    pub fn begin<G: Game>(&mut self, tree: &Tree<G>, options: &Options, considered: u32, index: u64) {
        let range = tree.edges_of(0);
        let plays = range.len();
        self.scores.resize(plays, 0.0);
        options.stream.fill_gumbel(index, &mut self.scores);
        for (score, prior) in self.scores.iter_mut().zip(&tree.edges.prior[range.clone()]) {
            *score += prior.max(f32::MIN_POSITIVE).ln();
        }
        self.values.resize(plays, 0.0);
        self.before.clear();
        self.before.extend_from_slice(&tree.edges.visits[range]);
        schedule(&mut self.visits, plays.min(considered as usize), options.simulations as usize);
        self.go_on(tree, 0);
    }

    /// Which simulation comes next, and what values say by now.
    pub fn go_on<G: Game>(&mut self, tree: &Tree<G>, round: u32) {
        self.round = round as usize;
        value_terms(tree, &mut self.values);
    }

    /// The play that the next simulation tries.
    pub fn select<G: Game>(&self, tree: &Tree<G>) -> usize {
        let wanted = self.visits.get(self.round).copied().unwrap_or(0);
        let had = |edge: usize, k: usize| tree.edges.visits[edge] + tree.edges.flying[edge] - self.before[k];
        self.best(tree, |edge, k| had(edge, k) == wanted)
    }

    /// The winner: the best of those that were tried most.
    pub fn winner<G: Game>(&self, tree: &Tree<G>) -> usize {
        let had = |edge: usize, k: usize| tree.edges.visits[edge] - self.before[k];
        let most = tree.edges_of(0).enumerate().map(|(k, edge)| had(edge, k)).max();
        self.best(tree, |edge, k| Some(had(edge, k)) == most)
    }

    fn best<G: Game>(&self, tree: &Tree<G>, in_it: impl Fn(usize, usize) -> bool) -> usize {
        let range = tree.edges_of(0);
        let (mut best, mut highest) = (range.start, f32::NEG_INFINITY);
        for (k, edge) in range.enumerate() {
            let out = if in_it(edge, k) { 0.0 } else { OUT };
            let score = out + self.scores[k] + self.values[k];
            if score > highest {
                (best, highest) = (edge, score);
            }
        }
        best
    }
}

/// For each of `simulations` simulations how many visits the plays have had that it may choose among, when `plays` plays
/// are halved again and again and all that are left get as many visits as one another.
fn schedule(visits: &mut Vec<u32>, plays: usize, simulations: usize) {
    visits.clear();
    let rounds = plays.max(2).next_power_of_two().trailing_zeros() as usize;
    let (mut left, mut had) = (plays.max(1), 0);
    while visits.len() < simulations {
        let each = (simulations / (rounds * left)).max(1);
        for _ in 0..each {
            visits.extend(std::iter::repeat_n(had, left));
            had += 1;
        }
        left = if plays > 1 { (left / 2).max(2) } else { 1 };
    }
    visits.truncate(simulations);
}

/// What values add to the score of each play of the root: they are completed (a play that was never tried is worth what
/// the policy makes of the others), stretched to [0, 1], and weighed the more the more was tried.
fn value_terms<G: Game>(tree: &Tree<G>, terms: &mut [f32]) {
    let range = tree.edges_of(0);
    let edges = &tree.edges;
    let (mut weight, mut weighed, mut visits, mut most) = (0.0, 0.0, 0, 0);
    let own = tree.nodes.judged[0];
    for edge in range.clone().filter(|edge| edges.visits[*edge] > 0) {
        weight += edges.prior[edge];
        weighed += edges.prior[edge] * edges.sum[edge] / edges.visits[edge] as f32;
        visits += edges.visits[edge];
        most = most.max(edges.visits[edge]);
    }
    let found = if weight > 0.0 { weighed / weight } else { own };
    let mixed = (own + visits as f32 * found) / (1 + visits) as f32;
    let value = |edge: usize| match edges.visits[edge] {
        0 => mixed,
        visits => edges.sum[edge] / visits as f32,
    };
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for edge in range.clone() {
        (low, high) = (low.min(value(edge)), high.max(value(edge)));
    }
    let stretch = SCALE * (VISITS + most as f32) / (high - low).max(1e-8);
    for (term, edge) in terms.iter_mut().zip(range) {
        *term = stretch * (value(edge) - low);
    }
}

/// The policy that the search makes of its own: what the prior and completed values say together. It is better than the
/// prior even where hardly anything was tried. `out` has a place for each play of the root.
pub(crate) fn improved_policy<G: Game>(tree: &Tree<G>, out: &mut [f32]) {
    value_terms(tree, out);
    for (out, prior) in out.iter_mut().zip(&tree.edges.prior[tree.edges_of(0)]) {
        *out += prior.max(f32::MIN_POSITIVE).ln();
    }
    let plays = out.len();
    softmax(out, plays);
}

/// Mixes noise into the priors of the root. `spare` is room to work in.
pub(crate) fn disturb<G: Game>(tree: &mut Tree<G>, options: &Options, index: u64, spare: &mut Vec<f32>) {
    let Noise::Dirichlet { alpha, fraction } = options.noise else { return };
    let range: Range<usize> = tree.edges_of(0);
    spare.resize(range.len(), 0.0);
    options.stream.fill_dirichlet(index, alpha, spare);
    for (prior, noise) in tree.edges.prior[range].iter_mut().zip(&*spare) {
        *prior += fraction * (noise - *prior);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, after the paper.
    #[test]
    fn tournaments_halve_and_share_evenly() {
        let visits = |plays, simulations| {
            let mut visits = Vec::new();
            schedule(&mut visits, plays, simulations);
            visits
        };
        assert_eq!(visits(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(visits(1, 4), [0, 1, 2, 3]);
        assert_eq!(visits(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(visits(16, 5), [0; 5]);
        assert_eq!(visits(3, 12), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
