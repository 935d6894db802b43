//! Beam search for a solution of the cube: a breadth-first search that keeps only the `width` most promising
//! states of each layer. Layer d holds states that are d turns from the start. A network tells which are
//! promising.

use learnery_worlds::cube::{SOLVED, STATES, State, Turn, turns};

use learnery_kernels::math;

use crate::small::network::{MAX_ROWS, Network, Scratch};
use crate::small::state_space::StateSpace;

/// Number of turns after which a search fails.
const MAX_DEPTH: usize = 40;

/// The work that a step of a tool does on a core, in multiply-adds: some tenths of a second.
pub const WORK_PER_STEP: u64 = 1 << 32;

/// The network that ranks the states of a search.
pub struct Guide<'a> {
    pub network: &'a Network,
    pub space: &'a StateSpace,
    /// Estimated distances of all nodes (states or classes of symmetric states), if the network predicts
    /// distances; not read otherwise.
    /// Shape: `[nodes]`.
    pub distances: &'a [f32],
    /// True if the network's scores of turns are logits. The score of a path is then the sum of the log
    /// probabilities of all its turns; otherwise it is the score of its last turn.
    pub scores_are_logits: bool,
}

impl Guide<'_> {
    /// The work of collecting the neighbours of this many states of a layer, in multiply-adds.
    fn work(&self, states: usize) -> u64 {
        /// Reading all weights once takes about as long as computing with so many states.
        const STATES_PER_CALL: u64 = 16;
        /// Looking up the neighbours of a state takes about as long as so many multiply-adds.
        const WORK_OF_LOOK_UP: u64 = 1 << 14;
        // Distances are estimated before the search.
        let parameters = if self.network.predicts_distance() { 0 } else { self.network.weights.len() as u64 };
        (states as u64 + STATES_PER_CALL) * (parameters + WORK_OF_LOOK_UP)
    }
}

/// A state that the search has reached.
#[derive(Clone, Copy)]
struct Candidate {
    state: State,
    /// The turn that led here.
    turn: Turn,
    /// The index of the state before that turn, in the layer before.
    parent: u32,
    /// Higher is more promising.
    score: f32,
}

/// The result of a search so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The search goes on.
    Searching,
    /// The search has found this solution.
    Solved(Vec<Turn>),
    /// No state of the beam leads to a new state, or the search has reached [`MAX_DEPTH`].
    Failed,
}

/// Beam search. It advances by a few states at a time. Its buffers are reused from one search to the next.
pub struct BeamSearch {
    scratch: Scratch,
    /// The states kept at each depth.
    layers: Vec<Vec<Candidate>>,
    /// How many states of the last layer have had their neighbours (the states one turn away) collected.
    expanded: usize,
    /// The states that may become the next layer.
    candidates: Vec<Candidate>,
    /// The number of the last search that reached each state; 0 for none.
    /// Shape: `[states]`.
    reached_by: Vec<u32>,
    /// Searches begun, which is the number of the current one.
    searches: u32,
    width: usize,
    outcome: Outcome,
}

impl BeamSearch {
    pub fn new(network: &Network) -> Self {
        Self {
            scratch: network.scratch(),
            layers: Vec::new(),
            expanded: 0,
            candidates: Vec::new(),
            reached_by: vec![0; STATES],
            searches: 0,
            width: 0,
            outcome: Outcome::Failed,
        }
    }

    /// Begins to search for a solution with a beam of `width` states.
    pub fn begin(&mut self, start: State, width: usize) {
        self.width = width;
        self.searches += 1;
        self.reached_by[start as usize] = self.searches;
        self.layers.clear();
        self.layers.push(vec![Candidate { state: start, turn: 0, parent: 0, score: 0.0 }]);
        self.expanded = 0;
        self.candidates.clear();
        self.outcome = if start == SOLVED { Outcome::Solved(Vec::new()) } else { Outcome::Searching };
    }

    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Goes on until the search ends or `work` (in multiply-adds, see [`WORK_PER_STEP`]) is used up.
    /// Subtracts the work that it does from `work`. However the work is divided, the outcome is the same.
    pub fn advance(&mut self, guide: &Guide, work: &mut u64) {
        while self.outcome == Outcome::Searching && *work > 0 {
            let depth = self.layers.len() - 1;
            let end = self.layers[depth].len().min(self.expanded + MAX_ROWS);
            *work = work.saturating_sub(guide.work(end - self.expanded));
            self.expand(guide, depth, end);
            if end == self.layers[depth].len() {
                self.end_layer(depth);
            }
        }
    }

    /// Searches to the end. Returns `None` if the search fails.
    #[cfg(test)]
    pub fn solve(&mut self, guide: &Guide, start: State, width: usize) -> Option<Vec<Turn>> {
        self.begin(start, width);
        let mut all_work = u64::MAX;
        self.advance(guide, &mut all_work);
        match self.outcome.clone() {
            Outcome::Solved(path) => Some(path),
            _ => None,
        }
    }

    /// Makes the next layer of the best candidates, unless the search ends with them.
    fn end_layer(&mut self, depth: usize) {
        let solved = self.candidates.iter().find(|candidate| candidate.state == SOLVED).copied();
        if let Some(end) = solved {
            self.outcome = Outcome::Solved(self.path_to(end, depth));
            return;
        }
        let Self { candidates, width, .. } = self;
        if candidates.is_empty() || depth + 1 == MAX_DEPTH {
            self.outcome = Outcome::Failed;
            return;
        }
        if candidates.len() > *width {
            // Ties are broken by the state, so that the result does not depend on the order of candidates.
            let order =
                |a: &Candidate, b: &Candidate| b.score.total_cmp(&a.score).then(a.state.cmp(&b.state));
            candidates.select_nth_unstable_by(*width - 1, order);
            candidates.truncate(*width);
        }
        self.layers.push(candidates.clone());
        candidates.clear();
        self.expanded = 0;
    }

    /// Collects candidates: the neighbours of the next states of layer `depth`, up to number `end`, without
    /// states that this search has reached before.
    fn expand(&mut self, guide: &Guide, depth: usize, end: usize) {
        let metric = guide.space.metric();
        let count = metric.turns();
        let first = self.expanded;
        let parents = &self.layers[depth][first..end];
        let outputs = if guide.network.predicts_distance() {
            &[]
        } else {
            guide.network.infer(parents.iter().map(|parent| parent.state), &mut self.scratch)
        };
        for (i, parent) in parents.iter().enumerate() {
            // The scores of the turns; empty if the network predicts distances.
            let scores = outputs.get(i * count..(i + 1) * count).unwrap_or(&[]);
            // A turn's log probability is its logit minus this logarithm.
            let offset = if guide.scores_are_logits { parent.score - log_sum_exp(scores) } else { 0.0 };
            for turn in 0..count as Turn {
                if depth > 0 && metric.is_redundant(parent.turn, turn) {
                    continue;
                }
                let state = turns().after(parent.state, turn);
                if self.reached_by[state as usize] == self.searches {
                    continue;
                }
                self.reached_by[state as usize] = self.searches;
                let score = match scores.get(usize::from(turn)) {
                    Some(score) => offset + score,
                    None => -guide.distances[guide.space.node(state) as usize],
                };
                let parent = (first + i) as u32;
                self.candidates.push(Candidate { state, turn, parent, score });
            }
        }
        self.expanded = end;
    }

    /// The turns from the start to a candidate that was expanded from layer `depth`.
    fn path_to(&self, end: Candidate, depth: usize) -> Vec<Turn> {
        let (mut path, mut candidate) = (vec![end.turn], end);
        for layer in self.layers[1..=depth].iter().rev() {
            candidate = layer[candidate.parent as usize];
            path.push(candidate.turn);
        }
        path.reverse();
        path
    }
}

/// The logarithm of the sum of the exponentials.
fn log_sum_exp(logits: &[f32]) -> f32 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    max + math::log(logits.iter().map(|logit| math::exp(logit - max)).sum())
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_worlds::cube::{Metric, distances};

    use super::*;
    use crate::config::{CubeConfig, Method, TurnMetric};

    fn is_solution(start: State, path: &[Turn]) -> bool {
        path.iter().fold(start, |state, turn| turns().after(state, *turn)) == SOLVED
    }

    #[test]
    fn beam_of_one_with_true_distances_finds_shortest_solutions() {
        let config = CubeConfig { metric: TurnMetric::Half, ..CubeConfig::default() };
        let network = Network::new(&config, Stream::new(1, 1));
        let space = StateSpace::new(Metric::Half, true);
        let known = distances(Metric::Half);
        let distances: Vec<f32> =
            (0..space.nodes() as u32).map(|n| known.of(space.state(n)) as f32).collect();
        let guide =
            Guide { network: &network, space: &space, distances: &distances, scores_are_logits: false };
        let mut search = BeamSearch::new(&network);
        for start in (0..STATES as State).step_by(50_021) {
            let path = search.solve(&guide, start, 1).expect("there is a solution");
            assert!(is_solution(start, &path) && path.len() == known.of(start));
        }
    }

    /// A beam that holds everything within reach is plain breadth-first search.
    #[test]
    fn beam_without_pruning_finds_shortest_solutions_with_any_network() {
        for learner in [Method::Dqn, Method::Davi, Method::Efficientcube] {
            let config =
                CubeConfig { learner, hidden_1: 8, hidden_2: 0, symmetry: true, ..CubeConfig::default() };
            let network = Network::new(&config, Stream::new(1, 1));
            let space = StateSpace::new(Metric::Quarter, config.uses_symmetry());
            let distances_of_nodes = vec![0.0; if network.predicts_distance() { space.nodes() } else { 0 }];
            let guide = Guide {
                network: &network,
                space: &space,
                distances: &distances_of_nodes,
                scores_are_logits: learner == Method::Efficientcube,
            };
            let mut search = BeamSearch::new(&network);
            let known = distances(Metric::Quarter);
            let near = (0..STATES as State).filter(|state| known.of(*state) <= 5).step_by(59);
            for start in near {
                let path = search.solve(&guide, start, 3000).expect("there is a solution");
                assert!(is_solution(start, &path) && path.len() == known.of(start), "{learner:?}");
                // The same again, with as little work at a time as possible.
                search.begin(start, 3000);
                while *search.outcome() == Outcome::Searching {
                    search.advance(&guide, &mut 1);
                }
                assert_eq!(*search.outcome(), Outcome::Solved(path), "{learner:?}");
            }
            assert_eq!(search.solve(&guide, SOLVED, 1), Some(Vec::new()));
        }
    }
}
