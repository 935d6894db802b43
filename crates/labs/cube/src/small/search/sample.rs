//! Beam searches from a random sample of states, some in each step.

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::{STATES, State, distances};
use rayon::prelude::*;

use super::beam::BeamSearch;
use super::solver::Solver;
use crate::purpose;

/// Searches that each thread runs in a step.
const SEARCHES_PER_STEP: u64 = 16;

/// Statistics of beam search on a random sample of states.
#[derive(Clone, Copy, Debug, Default)]
pub struct BeamEvaluation {
    /// Number of states in the sample.
    pub states: u64,
    /// Number of states that were solved.
    pub solved: u64,
    /// The sum over the solved states of the turns beyond the shortest solution.
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

/// The searches from a sample. The solver must have estimated all distances.
pub struct BeamSample {
    /// The width of the beam.
    width: usize,
    /// The number of states.
    states: u64,
    stream: Stream,
    /// Buffers of a search for each thread.
    searches: Vec<BeamSearch>,
    evaluation: BeamEvaluation,
}

impl BeamSample {
    pub fn new(solver: &Solver, width: usize, states: u64, seed: u32) -> Self {
        let network = solver.guide().network;
        // No more buffers than there are states.
        let threads = (rayon::current_num_threads() as u64).min(states.div_ceil(SEARCHES_PER_STEP));
        Self {
            width,
            states,
            stream: Stream::new(seed, purpose::EVALUATION),
            searches: (0..threads).map(|_| BeamSearch::new(network)).collect(),
            evaluation: BeamEvaluation::default(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.evaluation.states == self.states
    }

    /// The states so far.
    pub fn evaluation(&self) -> BeamEvaluation {
        self.evaluation
    }

    /// Searches from the next states.
    pub fn step(&mut self, solver: &Solver) {
        let (guide, known) = (solver.guide(), distances(solver.metric()));
        let Self { width, states, stream, .. } = *self;
        let first = self.evaluation.states;
        let of_thread = |(thread, search): (usize, &mut BeamSearch)| {
            let from = states.min(first + thread as u64 * SEARCHES_PER_STEP);
            let to = states.min(from + SEARCHES_PER_STEP);
            let mut evaluation = BeamEvaluation { states: to - from, ..BeamEvaluation::default() };
            for index in from..to {
                let state: State = stream.below(index, 0, STATES as u32);
                if let Some(path) = search.solve(&guide, state, width) {
                    evaluation.solved += 1;
                    evaluation.excess += (path.len() - known.of(state)) as u64;
                }
            }
            evaluation
        };
        let searched = self.searches.par_iter_mut().enumerate().map(of_thread);
        let searched = searched.reduce(BeamEvaluation::default, sum);
        self.evaluation = sum(self.evaluation, searched);
    }
}

/// Both samples together.
fn sum(a: BeamEvaluation, b: BeamEvaluation) -> BeamEvaluation {
    BeamEvaluation { states: a.states + b.states, solved: a.solved + b.solved, excess: a.excess + b.excess }
}
