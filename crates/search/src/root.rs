//! Exploration at the root of a search tree: Dirichlet noise, or Gumbel search (Danihelka et al., "Policy
//! improvement by planning with Gumbel", 2022; "the paper" below). The root is node 0, and its edges are the
//! plays. A Gumbel search adds Gumbel noise to the logits, and divides the simulations by sequential halving:
//! all considered plays get equally many visits, the worse half is eliminated, and so on until two plays
//! remain.

use learnery_kernels::activation::softmax;
use learnery_kernels::math;
use learnery_kernels::rng::Stream;

use crate::Game;
use crate::options::Options;
use crate::tree::Tree;

/// `c_visit` of the paper: before they are added to logits, values are multiplied by `c_scale * (c_visit +
/// visits of the most visited play)`.
const C_VISIT: f32 = 50.0;
/// `c_scale` of the paper; see [`C_VISIT`].
const C_SCALE: f32 = 0.1;

/// Sequential halving over the plays of the root. The arrays have an entry for each play, unless stated
/// otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct SequentialHalving {
    /// The logit (logarithm of the prior) plus a random number with the Gumbel distribution.
    gumbel_logits: Vec<f32>,
    /// `sigma(completedQ)` of the paper, as it was before the latest simulation; see [`compute_value_terms`].
    value_terms: Vec<f32>,
    /// The visits of the play before this search, if the tree is reused.
    visits_before: Vec<u32>,
    /// For each simulation (not for each play), the number of visits in this search that a play must have to
    /// be selected; see [`halving_schedule`].
    required_visits: Vec<u32>,
    /// The index of the next simulation.
    next_simulation: usize,
}

impl SequentialHalving {
    /// Allocates for searches of `simulations` simulations.
    pub fn new(simulations: u32) -> Self {
        Self { required_visits: Vec::with_capacity(simulations as usize), ..Self::default() }
    }

    /// Starts a search of `simulations` simulations. The priors of the root's plays must be known. At most
    /// `considered` plays enter sequential halving. `index` is the index in the stream of the Gumbel random
    /// numbers.
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
        self.gumbel_logits.resize(plays, 0.0);
        options.stream.fill_gumbel(index, &mut self.gumbel_logits);
        for (logit, prior) in self.gumbel_logits.iter_mut().zip(&tree.edges.prior[range.clone()]) {
            *logit += logit_of_prior(*prior);
        }
        self.value_terms.resize(plays, 0.0);
        self.visits_before.clear();
        self.visits_before.extend_from_slice(&tree.edges.visits[range]);
        halving_schedule(&mut self.required_visits, plays.min(considered as usize), simulations as usize);
        self.prepare_simulation(tree, 0);
    }

    /// Sets the index of the next simulation, and computes the value terms from the tree.
    pub fn prepare_simulation<G: Game>(&mut self, tree: &Tree<G>, simulation: u32) {
        self.next_simulation = simulation as usize;
        compute_value_terms(tree, &mut self.value_terms);
    }

    /// Returns the edge that the next simulation follows.
    pub fn select<G: Game>(&self, tree: &Tree<G>) -> usize {
        let required = self.required_visits[self.next_simulation];
        // The visits in this search, simulations in flight included.
        let visits = |edge: usize, play: usize| {
            tree.edges.visits[edge] + tree.edges.in_flight[edge] - self.visits_before[play]
        };
        self.best(tree, |edge, play| visits(edge, play) == required)
    }

    /// Returns the edge that the finished search selects: of the plays with the most visits in this search,
    /// the one with the highest score. The scores are those by which the last simulation was selected, so
    /// they lack its result.
    pub fn selected_edge<G: Game>(&self, tree: &Tree<G>) -> usize {
        let visits = |edge: usize, play: usize| tree.edges.visits[edge] - self.visits_before[play];
        let max_visits = tree.edges_of(0).enumerate().map(|(play, edge)| visits(edge, play)).max();
        self.best(tree, |edge, play| Some(visits(edge, play)) == max_visits)
    }

    /// Returns the eligible edge with the highest score, or the best of all edges if none is eligible.
    /// `is_eligible` takes the index of the edge in the tree and its index among the edges of the root.
    fn best<G: Game>(&self, tree: &Tree<G>, is_eligible: impl Fn(usize, usize) -> bool) -> usize {
        let range = tree.edges_of(0);
        let mut best_edge = range.start;
        // Pairs are ordered by their first part, so an eligible edge comes before all others.
        let mut best_rank = (false, f32::NEG_INFINITY);
        for (play, edge) in range.enumerate() {
            let score = self.gumbel_logits[play] + self.value_terms[play];
            let rank = (is_eligible(edge, play), score);
            if rank > best_rank {
                (best_edge, best_rank) = (edge, rank);
            }
        }
        best_edge
    }
}

/// The logarithm of a prior is a logit. The lower bound keeps it finite for a prior of 0.
fn logit_of_prior(prior: f32) -> f32 {
    math::log(prior.max(f32::MIN_POSITIVE))
}

/// Computes the schedule of sequential halving over `play_count` plays: in each round all remaining plays get
/// equally many visits, then the worse half is eliminated. Simulation `i` must select a play with exactly
/// `schedule[i]` visits in this search. The schedule ends after `simulations` entries, if need be within a
/// round.
fn halving_schedule(schedule: &mut Vec<u32>, play_count: usize, simulations: usize) {
    schedule.clear();
    // The base-2 logarithm of the number of plays, rounded up, and at least 1.
    let rounds = play_count.max(2).next_power_of_two().trailing_zeros() as usize;
    let (mut remaining, mut visits_so_far) = (play_count.max(1), 0);
    while schedule.len() < simulations {
        let visits_in_round = (simulations / (rounds * remaining)).max(1);
        for _ in 0..visits_in_round {
            let room = simulations - schedule.len();
            schedule.extend(std::iter::repeat_n(visits_so_far, remaining.min(room)));
            visits_so_far += 1;
        }
        // Two plays remain to the end, since one alone would leave nothing to compare.
        remaining = if play_count > 1 { (remaining / 2).max(2) } else { 1 };
    }
}

/// Computes `sigma(completedQ)` of the paper for each play of the root, in three steps. A play without visits
/// gets the mixed value: the average of the evaluator's value of the root (weight 1) and the prior-weighted
/// mean of the values of visited plays (weight: their visits). All values are then rescaled to [0, 1], and
/// multiplied by a factor that grows with the visits of the most visited play.
fn compute_value_terms<G: Game>(tree: &Tree<G>, terms: &mut [f32]) {
    let range = tree.edges_of(0);
    let edges = &tree.edges;
    let (mut prior_sum, mut weighted_sum, mut total_visits, mut max_visits) = (0.0, 0.0, 0, 0);
    let root_value = tree.nodes.evaluator_value[0];
    for edge in range.clone().filter(|edge| edges.visits[*edge] > 0) {
        prior_sum += edges.prior[edge];
        weighted_sum += edges.prior[edge] * edges.value_sum[edge] / edges.visits[edge] as f32;
        total_visits += edges.visits[edge];
        max_visits = max_visits.max(edges.visits[edge]);
    }
    let visited_value = if prior_sum > 0.0 { weighted_sum / prior_sum } else { root_value };
    let mixed_value = (root_value + total_visits as f32 * visited_value) / (1 + total_visits) as f32;
    let value = |edge: usize| match edges.visits[edge] {
        0 => mixed_value,
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

/// The improved policy of the paper: the softmax of logits plus `sigma(completedQ)`.
// out [plays of the root]
pub(crate) fn improved_policy<G: Game>(tree: &Tree<G>, out: &mut [f32]) {
    compute_value_terms(tree, out);
    for (logit, prior) in out.iter_mut().zip(&tree.edges.prior[tree.edges_of(0)]) {
        *logit += logit_of_prior(*prior);
    }
    let play_count = out.len();
    softmax(out, play_count);
}

/// Mixes Dirichlet noise into the priors of the root: a fraction of the new priors is noise of concentration
/// `alpha`, from the random numbers of the stream at `index`. `noise` is scratch memory.
pub(crate) fn add_dirichlet_noise<G: Game>(
    tree: &mut Tree<G>,
    (alpha, fraction): (f32, f32),
    stream: Stream,
    index: u64,
    noise: &mut Vec<f32>,
) {
    let range = tree.edges_of(0);
    noise.resize(range.len(), 0.0);
    stream.fill_dirichlet(index, alpha, noise);
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
