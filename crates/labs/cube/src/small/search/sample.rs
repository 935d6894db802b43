//! Beam searches from a random sample of states. A step advances them by some work, so that it is short
//! however wide the beam is.

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::{STATES, State, distances};
use rayon::prelude::*;

use super::beam::{BeamSearch, Outcome, WORK_PER_STEP};
use super::solver::Solver;
use crate::purpose;

/// There is a thread for each 16 states or part of them, as far as there are threads. More would need more
/// memory than they are worth: the buffers of a thread have an entry for each of the 3,674,160 states.
const STATES_PER_THREAD: u64 = 16;

/// Statistics of beam search on a random sample of states.
#[derive(Clone, Copy, Debug, Default)]
pub struct BeamEvaluation {
    /// Number of states whose searches have ended.
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

    /// Turns beyond the shortest solution, on average over the solved states; NaN if none is solved.
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
    threads: Vec<ThreadSearches>,
    evaluation: BeamEvaluation,
}

/// The searches of a thread, which has every n-th state of the sample if there are n threads.
struct ThreadSearches {
    /// The search under way, or its buffers.
    search: BeamSearch,
    /// The state that is searched from; `None` between two searches.
    current: Option<State>,
    /// The index of the next state in the sample.
    next: u64,
}

impl BeamSample {
    pub fn new(solver: &Solver, width: usize, states: u64, seed: u32) -> Self {
        let network = solver.guide().network;
        let threads = (rayon::current_num_threads() as u64).min(states.div_ceil(STATES_PER_THREAD));
        let searches = |next| ThreadSearches { search: BeamSearch::new(network), current: None, next };
        Self {
            width,
            states,
            stream: Stream::new(seed, purpose::EVALUATION),
            threads: (0..threads).map(searches).collect(),
            evaluation: BeamEvaluation::default(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.evaluation.states == self.states
    }

    /// The statistics of the states whose searches have ended.
    pub fn evaluation(&self) -> BeamEvaluation {
        self.evaluation
    }

    /// Does up to `WORK_PER_STEP` multiply-adds on each thread: goes on with its search, and begins the next
    /// when one ends.
    pub fn step(&mut self, solver: &Solver) {
        self.do_work(solver, WORK_PER_STEP);
    }

    fn do_work(&mut self, solver: &Solver, work: u64) {
        let (guide, known) = (solver.guide(), distances(solver.metric()));
        let Self { width, states, stream, ref mut threads, .. } = *self;
        let stride = threads.len() as u64;
        let advance_thread = |ThreadSearches { search, current, next }: &mut ThreadSearches| {
            let (mut evaluation, mut work) = (BeamEvaluation::default(), work);
            while work > 0 {
                if current.is_none() && *next >= states {
                    break;
                }
                let start = *current.get_or_insert_with(|| {
                    // A state depends on its index alone, so threads change no state.
                    let start: State = stream.below(*next, 0, STATES as u32);
                    search.begin(start, width);
                    *next += stride;
                    start
                });
                search.advance(&guide, &mut work);
                match search.outcome() {
                    Outcome::Searching => break,
                    Outcome::Solved(path) => {
                        evaluation.solved += 1;
                        evaluation.excess += (path.len() - known.of(start)) as u64;
                    }
                    Outcome::Failed => {}
                }
                evaluation.states += 1;
                *current = None;
            }
            evaluation
        };
        let searched = threads.par_iter_mut().map(advance_thread).reduce(BeamEvaluation::default, sum);
        self.evaluation = sum(self.evaluation, searched);
    }
}

/// Both samples together.
fn sum(a: BeamEvaluation, b: BeamEvaluation) -> BeamEvaluation {
    BeamEvaluation { states: a.states + b.states, solved: a.solved + b.solved, excess: a.excess + b.excess }
}

#[cfg(test)]
mod tests {
    use learnery_lab::Checkpoint;

    use super::*;

    /// The outcomes depend neither on the number of threads nor on where a step ends: within a layer, or
    /// after several searches.
    #[test]
    fn division_of_work_changes_no_outcome() {
        let model = include_bytes!("../../../../../../models/cube.safetensors");
        let model = Checkpoint::from_bytes(model).expect("the network that comes with the program");
        let mut solver = Solver::open(&model, None).expect("a network of the 2x2x2");
        solver.begin_estimates();
        while !solver.step_estimates() {}
        let (width, states) = (600, 40);
        let evaluate = |threads: usize, work: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let (mut sample, mut steps) = (BeamSample::new(&solver, width, states, 5), 0);
                while !sample.is_done() {
                    sample.do_work(&solver, work);
                    steps += 1;
                }
                let BeamEvaluation { states, solved, excess } = sample.evaluation();
                ([states, solved, excess], steps)
            })
        };
        let (wanted, steps) = evaluate(1, u64::MAX);
        // All states are solved, in one step.
        assert_eq!((&wanted[..2], steps), (&[states, states][..], 1));
        // Threads, work in a step, and how many steps it takes at least. With a work of 1, a step of a thread
        // expands at most 256 states of a layer, which has up to 600. So a search takes several steps for
        // most of its layers: 15 in all, or more. Of three threads each has 13 searches or 14. In the last
        // case a step expands many parts of a layer, and the sample still needs more than a few steps.
        for (threads, work, least_steps) in [(1, 1, 40 * 15), (3, 1, 13 * 15), (1, 1 << 25, 10)] {
            let (searched, steps) = evaluate(threads, work);
            assert_eq!(searched, wanted, "{threads} threads, {work} multiply-adds a step");
            assert!(steps >= least_steps, "{threads} threads, {work} multiply-adds a step: {steps} steps");
        }
    }
}
