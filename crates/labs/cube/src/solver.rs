//! A trained network put to use: judged from everywhere, and asked for solutions.

use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Header, Lab, LabError, Schema};
use learnery_nn::Tensors;
use learnery_worlds::cube::{SOLVED, STATES, State, Turn, distances, turns};
use rayon::prelude::*;
use serde_json::Value;

use super::beam::{Beam, Guide};
use super::brain::Brain;
use super::config::Metric;
use super::judge::{Chooser, Judge, Verdict, best_of};
use super::space::Space;
use super::{Cube, CubeConfig, Learner, purpose};

/// States that one thread searches from, one after the other.
const SEARCHES: usize = 256;

/// A network ready to solve cubes.
pub struct Solver {
    brain: Brain,
    space: Space,
    judge: Judge,
    sums: bool,
}

/// How a beam search fared on a sample of all states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Searched {
    /// States searched from.
    pub states: u64,
    /// Those from which a solution was found.
    pub solved: u64,
    /// Turns more than the least, in all.
    pub excess: u64,
}

impl Searched {
    /// Share solved.
    pub fn share(&self) -> f64 {
        self.solved as f64 / self.states as f64
    }

    /// Turns more than the least, on average over those that were solved.
    pub fn mean_excess(&self) -> f64 {
        self.excess as f64 / self.solved as f64
    }
}

impl Solver {
    /// The network in a checkpoint of this lab; see [`Solver::new`].
    pub fn open(checkpoint: &Checkpoint, metric: Option<Metric>) -> Result<Self, LabError> {
        let Header { lab, config, .. } = &checkpoint.header;
        if lab != Cube::ABOUT.id {
            return Err(LabError::Checkpoint(format!("it belongs to the lab `{lab}`, not to `cube`")));
        }
        let config = Schema::of::<CubeConfig>().complete(None, &Value::Object(config.clone()))?;
        let config = serde_json::from_value(Value::Object(config));
        let config = config.map_err(|e| LabError::Settings(e.to_string()))?;
        Self::new(&config, &checkpoint.network(), metric)
    }

    /// The network of a run. `metric` is what counts as a turn, if not what it was trained with; a network that judges
    /// turns knows only those.
    pub fn new(config: &CubeConfig, network: &Tensors, metric: Option<Metric>) -> Result<Self, LabError> {
        let metric = metric.unwrap_or(config.metric);
        if metric != config.metric && !config.learner.guesses_distances() {
            let turns = if config.metric == Metric::Quarter { "quarter turns" } else { "half turns too" };
            return Err(LabError::Evaluation(format!(
                "this network judges turns and was trained with {turns}; only one that guesses distances can be judged by \
                 another metric"
            )));
        }
        let brain = Brain::from_tensors(config, network)?;
        let space = Space::new(metric.rules(), config.by_class());
        let judge = Judge::new(&brain, &space);
        Ok(Self { brain, space, judge, sums: config.learner == Learner::Efficientcube })
    }

    /// What counts as a turn.
    pub fn metric(&self) -> learnery_worlds::cube::Metric {
        self.space.metric()
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.brain.weights.len()
    }

    /// Follows the greedy policy from all states.
    pub fn judge(&mut self) -> &Verdict {
        self.judge.begin(&self.brain, self.space.metric().diameter());
        while !self.judge.step(&self.brain, &self.space) {}
        self.judge.verdict()
    }

    fn guide(&self) -> Guide<'_> {
        Guide { brain: &self.brain, space: &self.space, values: self.judge.values(), sums: self.sums }
    }

    /// Makes the guesses that searches are guided by.
    fn prepare(&mut self) {
        self.judge.begin(&self.brain, 0);
        while !self.judge.step(&self.brain, &self.space) {}
    }

    /// Searches with a beam from `sample` states drawn from all.
    pub fn search(&mut self, width: usize, sample: u64, seed: u32) -> Searched {
        self.prepare();
        let (guide, known) = (self.guide(), distances(self.space.metric()));
        let stream = Stream::new(seed, purpose::EVALUATION);
        let states: Vec<State> = (0..sample).map(|i| stream.below(i, 0, STATES as u32)).collect();
        let found = states.par_chunks(SEARCHES).map_init(
            || Beam::new(&self.brain),
            |beam, states| {
                let mut found = Searched { states: states.len() as u64, ..Searched::default() };
                for state in states {
                    if let Some(way) = beam.solve(&guide, *state, width) {
                        found.solved += 1;
                        found.excess += (way.len() - known.of(*state)) as u64;
                    }
                }
                found
            },
        );
        let add = |a: Searched, b: Searched| Searched {
            states: a.states + b.states,
            solved: a.solved + b.solved,
            excess: a.excess + b.excess,
        };
        found.reduce(Searched::default, add)
    }

    /// A solution of one state: with a beam of this width, or greedily; none where it gets nowhere.
    pub fn solve(&mut self, start: State, width: Option<usize>) -> Option<Vec<Turn>> {
        self.prepare();
        match width {
            Some(width) => Beam::new(&self.brain).solve(&self.guide(), start, width),
            None => self.greedy(start),
        }
    }

    fn greedy(&self, start: State) -> Option<Vec<Turn>> {
        let metric = self.space.metric();
        let chooser = Chooser { brain: &self.brain, space: &self.space, values: self.judge.values() };
        let mut lane = self.brain.lane();
        let mut scores = vec![0.0; metric.turns()];
        let (mut state, mut way) = (start, Vec::new());
        let mut been = std::collections::BTreeSet::new();
        while state != SOLVED {
            if self.brain.guesses_distances() {
                chooser.score_by_distance(state, &mut scores);
            } else {
                scores.copy_from_slice(self.brain.say(std::iter::once(state), &mut lane));
            }
            let last = way.last().copied();
            let turn = best_of(&scores, |turn| last.is_none_or(|last| !metric.is_redundant(last, turn)));
            if !been.insert((state, last)) {
                return None;
            }
            way.push(turn);
            state = turns().after(state, turn);
        }
        Some(way)
    }
}
