//! A trained network outside of a run: solves given cubes, greedily or by beam search, and evaluates the
//! greedy policy.

use std::collections::BTreeSet;

use learnery_lab::{Checkpoint, LabError};
use learnery_nn::Tensors;
use learnery_worlds::cube::{Metric, SOLVED, State, Turn, turns};

use super::beam::{BeamSearch, Guide, Outcome, WORK_PER_STEP};
use crate::config::{CubeConfig, Method, TurnMetric};
use crate::settings_of;
use crate::small::evaluation::{Evaluator, GreedyEvaluation};
use crate::small::network::Network;
use crate::small::policy::{GreedyPolicy, greedy_turn};
use crate::small::state_space::StateSpace;

/// A trained network with its state space. See [`Solver::open`] and [`Solver::new`].
pub struct Solver {
    network: Network,
    space: StateSpace,
    evaluator: Evaluator,
    scores_are_logits: bool,
}

/// A state being solved.
pub struct SmallSolving {
    start: State,
    /// The beam search; `None` for the greedy policy.
    search: Option<Box<BeamSearch>>,
}

impl Solver {
    /// Loads the network of a checkpoint. For `metric` see [`Solver::new`].
    pub fn open(checkpoint: &Checkpoint, metric: Option<TurnMetric>) -> Result<Self, LabError> {
        Self::new(&settings_of(checkpoint)?, &checkpoint.network(), metric)
    }

    /// Creates a solver that counts turns by `metric`; `None` means the metric of training. Only a network
    /// that predicts distances can be used with another metric than in training: a network that scores turns
    /// has one output for each turn of its own metric.
    pub fn new(config: &CubeConfig, network: &Tensors, metric: Option<TurnMetric>) -> Result<Self, LabError> {
        let metric = metric.unwrap_or(config.metric);
        if metric != config.metric && !config.learner.predicts_distance() {
            let turns = match config.metric {
                TurnMetric::Quarter => "quarter turns only",
                TurnMetric::Half => "quarter and half turns",
            };
            return Err(LabError::Evaluation(format!(
                "this network scores turns and was trained with {turns}; only a network that predicts distances can be \
                 evaluated with another turn metric"
            )));
        }
        let network = Network::from_tensors(config, network)?;
        let space = StateSpace::new(metric.to_rules(), config.uses_symmetry());
        let evaluator = Evaluator::new(&network, &space);
        Ok(Self { network, space, evaluator, scores_are_logits: config.learner == Method::Efficientcube })
    }

    #[cfg(not(target_family = "wasm"))]
    pub fn network(&self) -> &Network {
        &self.network
    }

    #[cfg(not(target_family = "wasm"))]
    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    /// What counts as one turn.
    pub fn metric(&self) -> Metric {
        self.space.metric()
    }

    /// The number of parameters of the network.
    pub fn parameters(&self) -> usize {
        self.network.weights.len()
    }

    /// Begins to evaluate the greedy policy from the states at most `within` turns from solved.
    pub fn begin_greedy(&mut self, within: usize) {
        self.evaluator.begin(&self.network, within);
    }

    /// Does a step of this evaluation. Returns whether it is complete. Then the distances of all nodes are
    /// estimated too.
    pub fn step_greedy(&mut self) -> bool {
        self.evaluator.step(&self.network, &self.space)
    }

    /// What the evaluation has counted.
    pub fn greedy(&self) -> &GreedyEvaluation {
        self.evaluator.evaluation()
    }

    /// Estimates the fraction of the evaluation that is done.
    pub fn progress(&self) -> f32 {
        self.evaluator.progress()
    }

    /// Estimates the distances of all nodes (states, or classes of symmetric states), which guide the greedy
    /// policy and beam search.
    fn estimate_distances(&mut self) {
        self.begin_estimates();
        while !self.step_estimates() {}
    }

    pub(super) fn guide(&self) -> Guide<'_> {
        Guide {
            network: &self.network,
            space: &self.space,
            distances: self.evaluator.estimated_distances(),
            scores_are_logits: self.scores_are_logits,
        }
    }

    /// Solves one state: by beam search if there is a `width`, otherwise greedily. Returns `None` if no
    /// solution is found.
    pub fn solve(&mut self, start: State, width: Option<usize>) -> Option<Vec<Turn>> {
        self.estimate_distances();
        let mut solving = self.begin_solving(start, width);
        loop {
            if let Some(found) = self.step_solving(&mut solving) {
                return found;
            }
        }
    }

    /// Begins to estimate the distances of all nodes. A network that scores turns needs none and has none.
    pub fn begin_estimates(&mut self) {
        // With a network that predicts distances, every evaluation begins by estimating all of them. With the
        // solved cube (distance 0) as the only starting state, it does hardly anything else.
        self.begin_greedy(0);
    }

    /// Estimates some of these distances. Returns whether all are known.
    pub fn step_estimates(&mut self) -> bool {
        self.step_greedy()
    }

    /// Begins to solve a state as [`Solver::solve`] does. All distances must have been estimated.
    pub fn begin_solving(&self, start: State, width: Option<usize>) -> SmallSolving {
        let search = width.map(|width| {
            let mut search = Box::new(BeamSearch::new(&self.network));
            search.begin(start, width);
            search
        });
        SmallSolving { start, search }
    }

    /// Does a step. Returns `None` while the search goes on, `Some(None)` if it has failed, and otherwise the
    /// solution.
    pub fn step_solving(&self, solving: &mut SmallSolving) -> Option<Option<Vec<Turn>>> {
        let Some(search) = &mut solving.search else { return Some(self.solve_greedily(solving.start)) };
        let mut work = WORK_PER_STEP;
        search.advance(&self.guide(), &mut work);
        match search.outcome() {
            Outcome::Searching => None,
            Outcome::Solved(path) => Some(Some(path.clone())),
            Outcome::Failed => Some(None),
        }
    }

    fn solve_greedily(&self, start: State) -> Option<Vec<Turn>> {
        let metric = self.space.metric();
        let distances = self.evaluator.estimated_distances();
        let policy = GreedyPolicy { network: &self.network, space: &self.space, distances };
        let mut scratch = self.network.scratch();
        let mut scores = vec![0.0; metric.turns()];
        let (mut state, mut path): (State, Vec<Turn>) = (start, Vec::new());
        let mut visited = BTreeSet::new();
        while state != SOLVED {
            let last = path.last().copied();
            // A repeated state with the same last turn means that the policy goes in circles.
            if !visited.insert((state, last)) {
                return None;
            }
            policy.score(state, &mut scratch, &mut scores);
            let turn = greedy_turn(&scores, last, metric);
            path.push(turn);
            state = turns().after(state, turn);
        }
        Some(path)
    }
}
