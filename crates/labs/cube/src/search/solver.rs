//! A trained network that solves cubes and can be evaluated.

use std::collections::BTreeSet;

use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Header, LabError, Schema};
use learnery_nn::Tensors;
use learnery_worlds::cube::{Metric, SOLVED, STATES, State, Turn, distances, turns};
use rayon::prelude::*;
use serde_json::Value;

use super::beam::{BeamSearch, Guide};
use crate::about::ABOUT;
use crate::config::{CubeConfig, Method, TurnMetric};
use crate::evaluation::{Evaluator, GreedyEvaluation};
use crate::network::Network;
use crate::policy::{GreedyPolicy, greedy_turn};
use crate::purpose;
use crate::state_space::StateSpace;

/// States that share the buffers of one search.
const SEARCHES_PER_CHUNK: usize = 256;

pub struct Solver {
    network: Network,
    space: StateSpace,
    evaluator: Evaluator,
    scores_are_logits: bool,
}

/// How beam search does on a random sample of states.
#[derive(Clone, Copy, Debug, Default)]
pub struct BeamEvaluation {
    /// States searched from.
    pub states: u64,
    /// States from which a solution was found.
    pub solved: u64,
    /// The sum of the turns beyond the shortest solutions, over the solved states.
    pub excess: u64,
}

impl BeamEvaluation {
    pub fn solved_fraction(&self) -> f64 {
        self.solved as f64 / self.states as f64
    }

    /// Turns beyond the shortest solution, on average over the solved states.
    pub fn mean_excess(&self) -> f64 {
        self.excess as f64 / self.solved as f64
    }
}

impl Solver {
    /// The network of a checkpoint; see [`Solver::new`].
    pub fn open(checkpoint: &Checkpoint, metric: Option<TurnMetric>) -> Result<Self, LabError> {
        let Header { lab, config, .. } = &checkpoint.header;
        if lab != ABOUT.id {
            return Err(LabError::Checkpoint(format!("it belongs to the lab `{lab}`, not to `cube`")));
        }
        let config = Schema::of::<CubeConfig>().complete(None, &Value::Object(config.clone()))?;
        let config = serde_json::from_value(Value::Object(config));
        let config = config.map_err(|e| LabError::Settings(e.to_string()))?;
        Self::new(&config, &checkpoint.network(), metric)
    }

    /// A solver that counts turns by `metric`, or as in training if `None`. Only a network that predicts distances can
    /// be used with another metric than in training: one that scores turns has an output for each turn it was trained
    /// with.
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

    /// What counts as one turn.
    pub fn metric(&self) -> Metric {
        self.space.metric()
    }

    /// The number of parameters of the network.
    pub fn parameters(&self) -> usize {
        self.network.weights.len()
    }

    /// Follows the greedy policy from all states.
    pub fn evaluate_greedy(&mut self) -> &GreedyEvaluation {
        self.run_evaluator(self.space.metric().diameter());
        self.evaluator.evaluation()
    }

    fn run_evaluator(&mut self, within: usize) {
        self.evaluator.begin(&self.network, within);
        while !self.evaluator.step(&self.network, &self.space) {}
    }

    /// Estimates the distances of all nodes, which guide both kinds of search.
    fn estimate_distances(&mut self) {
        self.run_evaluator(0);
    }

    fn guide(&self) -> Guide<'_> {
        Guide {
            network: &self.network,
            space: &self.space,
            distances: self.evaluator.estimated_distances(),
            scores_are_logits: self.scores_are_logits,
        }
    }

    /// Searches with a beam of `width` from `sample` random states.
    pub fn evaluate_beam(&mut self, width: usize, sample: u64, seed: u32) -> BeamEvaluation {
        self.estimate_distances();
        let (guide, known) = (self.guide(), distances(self.space.metric()));
        let stream = Stream::new(seed, purpose::EVALUATION);
        let states: Vec<State> = (0..sample).map(|i| stream.below(i, 0, STATES as u32)).collect();
        let evaluations = states.par_chunks(SEARCHES_PER_CHUNK).map_init(
            || BeamSearch::new(&self.network),
            |search, states| {
                let mut evaluation =
                    BeamEvaluation { states: states.len() as u64, ..BeamEvaluation::default() };
                for state in states {
                    if let Some(path) = search.solve(&guide, *state, width) {
                        evaluation.solved += 1;
                        evaluation.excess += (path.len() - known.of(*state)) as u64;
                    }
                }
                evaluation
            },
        );
        evaluations.reduce(BeamEvaluation::default, |a, b| BeamEvaluation {
            states: a.states + b.states,
            solved: a.solved + b.solved,
            excess: a.excess + b.excess,
        })
    }

    /// A solution of one state, by beam search if `width` is given and greedily otherwise; `None` if none is found.
    pub fn solve(&mut self, start: State, width: Option<usize>) -> Option<Vec<Turn>> {
        self.estimate_distances();
        match width {
            Some(width) => BeamSearch::new(&self.network).solve(&self.guide(), start, width),
            None => self.solve_greedily(start),
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
