//! The evaluation: beam searches from states that depend on the seed alone. The true distances of the states
//! are not known, so solutions are not compared with shortest ones.

use learnery_kernels::rng::Stream;
use learnery_worlds::puzzle::{Puzzle, State};

use super::network::{Network, Scratch};
use super::search::MAX_DEPTH;
use crate::beam::{Beam, Limits, Outcome, RemoteGuide};

/// Where the states of an evaluation come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub stream: Stream,
    /// Turns of a scramble; 0 for uniformly random states.
    pub scramble: usize,
}

impl Source {
    /// State number `index`. A scramble chooses from the first `turns` turns of the puzzle.
    pub fn state(&self, puzzle: &Puzzle, turns: usize, index: u64) -> State {
        if self.scramble == 0 {
            return puzzle.random_state(self.stream, index);
        }
        let mut last = puzzle.solved();
        puzzle.walk(turns, self.stream, index, self.scramble, |_, state| last = *state);
        last
    }
}

/// The results of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchEvaluation {
    /// The length of the solution of each state that was solved.
    pub lengths: Vec<u32>,
    /// The states whose searches have ended, solved or not.
    pub states: u64,
}

impl SearchEvaluation {
    pub fn solved_fraction(&self) -> f64 {
        self.lengths.len() as f64 / self.states as f64
    }

    /// The mean length of the solutions; NaN if there is none.
    pub fn mean_length(&self) -> f64 {
        self.lengths.iter().map(|length| f64::from(*length)).sum::<f64>() / self.lengths.len() as f64
    }
}

/// Evaluates step by step.
pub struct Evaluator {
    source: Source,
    /// How many states are searched from.
    states: u64,
    /// The width of the beam: how many states it keeps at each depth.
    width: usize,
    /// The number of the state that is searched from, or is the next one.
    next: u64,
    /// The search in progress; `None` between two searches.
    beam: Option<Beam<'static, Scratch>>,
    result: SearchEvaluation,
}

impl Evaluator {
    /// Begins an evaluation of this many states with beams of this width.
    pub fn new(source: Source, states: u64, width: usize) -> Self {
        Self { source, states, width, next: 0, beam: None, result: SearchEvaluation::default() }
    }

    /// The fraction that is done.
    pub fn progress(&self) -> f32 {
        self.next as f32 / self.states.max(1) as f32
    }

    pub fn result(&self) -> &SearchEvaluation {
        &self.result
    }

    /// The search of the next state.
    fn beam(&mut self, network: &Network) -> &mut Beam<'static, Scratch> {
        self.beam.get_or_insert_with(|| {
            let (puzzle, turns) = (network.puzzle(), network.turns());
            let start = self.source.state(puzzle, turns, self.next);
            Beam::new(puzzle, &start, Limits { turns, width: self.width, max_depth: MAX_DEPTH })
        })
    }

    /// Counts the outcome of the search, if it has ended. Returns whether the evaluation is complete.
    fn end_search(&mut self) -> bool {
        match self.beam.as_ref().map(Beam::outcome) {
            None | Some(Outcome::Searching) => return false,
            Some(Outcome::Solved(turns)) => self.result.lengths.push(turns.len() as u32),
            // A state that was not solved only counts among the states.
            Some(Outcome::Failed) => {}
        }
        self.result.states += 1;
        self.next += 1;
        self.beam = None;
        self.next == self.states
    }

    /// Runs one step. Returns whether the evaluation is complete.
    pub fn step(&mut self, network: &Network) -> bool {
        if self.next == self.states {
            return true;
        }
        self.beam(network).step(network);
        self.end_search()
    }

    /// Runs one step with a guide that answers later. Returns whether the evaluation is complete, or `None`
    /// while the guide is busy.
    pub fn step_remotely<G: RemoteGuide + ?Sized>(
        &mut self,
        network: &Network,
        guide: &mut G,
    ) -> Result<Option<bool>, G::Error> {
        if self.next == self.states {
            return Ok(Some(true));
        }
        Ok(self.beam(network).step_remotely(guide)?.then(|| self.end_search()))
    }
}
