//! How the tool `eval` works on each of the two puzzles.

use learnery_lab::{LabError, Source, ToolProgress, ToolStatus};
use learnery_worlds::puzzle::State;

use super::eval::{
    AtDistance, EvalEvent, EvalOutput, LargeEvaluation, SampleEvaluation, SearchedState, SmallEvaluation,
    Summary,
};
use super::eval_input::EvalInput;
use crate::Cube;
use crate::config::{PuzzleName, TurnMetric};
use crate::large::{self, Network, NetworkGuide, SearchPlan, Solving, checked_network, count};
use crate::small::{BeamSample, DISTANCES, Solver};

/// A 2x2x2: the greedy policy from all states, then searches from some.
pub(super) struct Small {
    solver: Solver,
    input: EvalInput,
    /// Whether the greedy policy has been followed from all states.
    is_greedy_done: bool,
    /// The searches, once the greedy policy is evaluated; `None` if none are asked for.
    beam: Option<BeamSample>,
}

impl Small {
    pub fn begin(source: &Source<Cube>, input: EvalInput) -> Result<Self, LabError> {
        let solver = Solver::new(&source.config, &source.network, input.metric.metric())?;
        let mut small = Self { solver, input, is_greedy_done: false, beam: None };
        small.begin_greedy();
        Ok(small)
    }

    fn begin_greedy(&mut self) {
        self.solver.begin_greedy(self.input.within as usize);
        self.is_greedy_done = false;
        self.beam = None;
    }

    /// Begins anew with the same network. The metric must be the same, because the solver's tables belong to
    /// it.
    pub fn ask_again(&mut self, input: EvalInput) -> Result<(), LabError> {
        if input.metric != self.input.metric {
            return Err(LabError::input("metric", "it cannot change from one question to the next"));
        }
        self.input = input;
        self.begin_greedy();
        Ok(())
    }

    pub fn step(&mut self, report: &mut dyn FnMut(EvalEvent)) -> ToolStatus<EvalOutput> {
        if !self.is_greedy_done {
            if !self.solver.step_greedy() {
                return ToolStatus::Ready;
            }
            self.is_greedy_done = true;
            let greedy = self.solver.greedy();
            report(EvalEvent::Greedy { solved: greedy.solved_fraction(), excess: greedy.mean_excess() });
            let EvalInput { beam, seed, .. } = self.input;
            let states = self.input.states(PuzzleName::Two).into();
            self.beam = (beam > 0).then(|| BeamSample::new(&self.solver, beam as usize, states, seed));
        } else if let Some(beam) = &mut self.beam {
            beam.step(&self.solver);
        }
        match self.partial() {
            Some(evaluation) if self.beam.as_ref().is_none_or(BeamSample::is_done) => {
                ToolStatus::Done(EvalOutput::Small(evaluation))
            }
            _ => ToolStatus::Ready,
        }
    }

    /// What is known; `None` while the greedy policy is evaluated.
    pub fn partial(&self) -> Option<SmallEvaluation> {
        if !self.is_greedy_done {
            return None;
        }
        let greedy = self.solver.greedy();
        let at = |d: usize| AtDistance {
            distance: d as u32,
            states: greedy.states[d],
            solved: greedy.solved_fraction_at(d),
            excess: greedy.mean_excess_at(d),
        };
        let beam = self.beam.as_ref().map(BeamSample::evaluation).filter(|beam| beam.states > 0);
        Some(SmallEvaluation {
            parameters: self.solver.parameters() as u64,
            states: greedy.states.iter().sum(),
            solved: greedy.solved_fraction(),
            excess: greedy.mean_excess(),
            // With half turns no state is as far away as with quarter turns.
            distances: (0..DISTANCES).filter(|d| greedy.states[*d] > 0).map(at).collect(),
            beam: beam.map(|beam| SampleEvaluation {
                width: self.input.beam,
                sample: beam.states,
                seed: self.input.seed,
                solved: beam.solved_fraction(),
                excess: beam.mean_excess(),
            }),
        })
    }

    pub fn progress(&self) -> ToolProgress {
        let greedy = if self.is_greedy_done { 1.0 } else { f64::from(self.solver.progress()).min(1.0) };
        let searched = self.beam.as_ref().map_or(0, |beam| beam.evaluation().states);
        let searches = searched as f64 / f64::from(self.input.states(PuzzleName::Two));
        let share = if self.input.beam == 0 { greedy } else { 0.5 * (greedy + searches) };
        ToolProgress { share, count: self.solver.greedy().states.iter().sum::<u64>() + searched }
    }
}

/// A 3x3x3: one state after the other.
pub(super) struct Large {
    network: Network,
    input: EvalInput,
    plan: SearchPlan,
    /// The state whose search is under way; `None` between two searches.
    current: Option<(State, Solving)>,
    /// The states whose searches have ended.
    searched: Vec<SearchedState>,
    /// The network on a GPU; `None` on the CPU.
    guide: Option<Box<dyn NetworkGuide>>,
}

impl Large {
    pub fn begin(source: &Source<Cube>, input: EvalInput) -> Result<Self, LabError> {
        let network = checked_network(&source.config, &source.network)?;
        Ok(Self {
            plan: plan(&network, &input),
            network,
            input,
            current: None,
            searched: Vec::new(),
            guide: None,
        })
    }

    pub fn ask_again(&mut self, input: EvalInput) {
        self.plan = plan(&self.network, &input);
        self.input = input;
        self.current = None;
        self.searched.clear();
    }

    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        self.guide = Some(large::DeviceGuide::maker(gpu)(&self.network)?);
        Ok(())
    }

    pub fn step(&mut self, report: &mut dyn FnMut(EvalEvent)) -> Result<ToolStatus<EvalOutput>, LabError> {
        let number = self.input.first + self.searched.len() as u32;
        let (start, mut solving) = self.current.take().unwrap_or_else(|| self.begin_search(number));
        if !solving.is_done() && !self.step_search(&mut solving)? {
            self.current = Some((start, solving));
            return Ok(ToolStatus::Waiting);
        }
        if solving.is_done() {
            let searched = self.outcome(number, &start, &solving);
            report(EvalEvent::Searched(searched.clone()));
            self.searched.push(searched);
        } else {
            self.current = Some((start, solving));
        }
        let has_ended = self.searched.len() == self.input.states(PuzzleName::Three) as usize;
        Ok(if has_ended { ToolStatus::Done(EvalOutput::Large(self.output())) } else { ToolStatus::Ready })
    }

    fn begin_search(&self, number: u32) -> (State, Solving) {
        // Scrambles of no length stand for uniformly random states.
        let scramble = 0;
        let source = large::source(self.input.seed, scramble);
        let start = source.state(self.network.puzzle(), self.network.turns(), number.into());
        (start, Solving::begin(&self.network, self.plan.clone(), &start))
    }

    /// Does a step of a search. Returns false if the GPU is busy.
    fn step_search(&mut self, solving: &mut Solving) -> Result<bool, LabError> {
        if let Some(guide) = &mut self.guide {
            return Ok(solving.step_remotely(&self.network, &mut **guide)?.is_some());
        }
        solving.step(&self.network);
        Ok(true)
    }

    /// What the search from a state has found so far.
    fn outcome(&self, number: u32, start: &State, solving: &Solving) -> SearchedState {
        let puzzle = self.network.puzzle();
        let turns = |metric| solving.best().map(|best| count(puzzle, best, metric) as u32);
        SearchedState {
            state: number,
            stickers: puzzle.to_text(start),
            solution: solving.best().map(|best| puzzle.format(best)),
            turns: turns(TurnMetric::Quarter),
            half_turns: turns(TurnMetric::Half),
            expanded: solving.search().expanded(),
        }
    }

    pub fn output(&self) -> LargeEvaluation {
        let number = self.input.first + self.searched.len() as u32;
        let under_way = self.current.as_ref();
        LargeEvaluation {
            parameters: self.network.weights.len() as u64,
            width: self.plan.widths[0] as u32,
            seed: self.input.seed,
            summary: Summary::of(&self.searched),
            searched: self.searched.clone(),
            under_way: under_way.map(|(start, solving)| self.outcome(number, start, solving)),
        }
    }

    pub fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.searched.len() as u64, self.input.states(PuzzleName::Three).into())
    }
}

/// The searches that the input asks for.
fn plan(network: &Network, input: &EvalInput) -> SearchPlan {
    let width = input.first_width() as usize;
    let metric = input.metric.metric().unwrap_or(TurnMetric::Quarter);
    match input.widest as usize {
        0 => SearchPlan::fixed(network, width, metric),
        widest => SearchPlan::widening(network, [width, widest.max(width)], metric),
    }
}
