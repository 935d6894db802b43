//! The tool `evaluate`: how many states a network solves, as `learnery eval` reports it. The tool `eval`
//! (`learnery cube eval`) also reports each distance of the 2x2x2, and each state of the 3x3x3.

use learnery_lab::{LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Cube;
use crate::config::PuzzleName;
use crate::large::{self, Evaluator, Network, checked_network};
use crate::small::{BeamSample, Solver};

/// States of the 3x3x3 to search from unless another number is asked for.
const DEFAULT_STATES: u32 = 10;

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs; here a game is a random state to solve.
    /// Number of random states to solve by beam search; 0 means no search for the 2x2x2, and 10 states for
    /// the 3x3x3.
    #[schemars(range(min = 0, max = 1_000_000), extend("x-unit" = "states"))]
    pub games: u32,
    /// Beam width: the number of states that the search keeps at each depth.
    #[schemars(range(min = 1, max = 65_536), extend("x-unit" = "states"))]
    pub beam: u32,
    /// Selects the random states.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        Self { games: 0, beam: 128, seed: 0 }
    }
}

/// An evaluation under way.
pub struct Evaluate(Puzzle);

enum Puzzle {
    Small(Box<Small>),
    Large(Box<Large>),
}

/// The 2x2x2: the greedy policy from all states, then searches from a sample.
struct Small {
    solver: Solver,
    input: EvaluationInput,
    is_greedy_done: bool,
    /// The searches, once the greedy policy is evaluated; `None` if none are asked for.
    beam: Option<BeamSample>,
}

/// The 3x3x3: searches from random states.
struct Large {
    network: Network,
    evaluator: Evaluator,
    states: u32,
    width: u32,
}

impl Small {
    fn begin(source: &Source<Cube>, input: EvaluationInput) -> Result<Self, LabError> {
        // Turns are counted as in training.
        let metric = None;
        let mut solver = Solver::new(&source.config, &source.network, metric)?;
        solver.begin_greedy(solver.metric().diameter());
        Ok(Self { solver, input, is_greedy_done: false, beam: None })
    }

    /// Does a step. Returns whether it was the last.
    fn step(&mut self) -> bool {
        let EvaluationInput { games, beam: width, seed } = self.input;
        if !self.is_greedy_done {
            self.is_greedy_done = self.solver.step_greedy();
            if self.is_greedy_done && games > 0 {
                self.beam = Some(BeamSample::new(&self.solver, width as usize, games.into(), seed));
            }
        } else if let Some(beam) = &mut self.beam {
            beam.step(&self.solver);
        }
        self.is_greedy_done && self.beam.as_ref().is_none_or(BeamSample::is_done)
    }

    /// What is known; `None` while the greedy policy is evaluated: its first states are no fair sample.
    fn report(&self) -> Option<Report> {
        if !self.is_greedy_done {
            return None;
        }
        let width = self.input.beam;
        let greedy = self.solver.greedy();
        let (solved, excess) = (100.0 * greedy.solved_fraction(), greedy.mean_excess());
        let mut summary =
            format!("greedy from all states: {solved:.2}% solved, {excess:.3} turns more than needed");
        let mut figures = vec![
            ("solved", solved, "%"),
            ("excess", excess, "turns"),
            // Of the states that are at most five turns from solved.
            ("solved within 5 turns", 100.0 * greedy.solved_fraction_within(5), "%"),
            ("parameters", self.solver.parameters() as f64, ""),
        ];
        if let Some(beam) = self.beam.as_ref().map(BeamSample::evaluation).filter(|beam| beam.states > 0) {
            let samples = beam.states;
            let solved = 100.0 * beam.solved_fraction();
            summary += &format!("; a beam of {width} solves {solved:.2}% of {samples} random states");
            figures.push(("solved by beam", solved, "%"));
            figures.push(("excess by beam", beam.mean_excess(), "turns"));
        }
        Some(Report::new(summary, figures))
    }

    fn progress(&self) -> ToolProgress {
        let greedy = if self.is_greedy_done { 1.0 } else { f64::from(self.solver.progress()).min(1.0) };
        let searched = self.beam.as_ref().map_or(0, |beam| beam.evaluation().states);
        let searches = searched as f64 / f64::from(self.input.games.max(1));
        let share = if self.input.games == 0 { greedy } else { 0.5 * (greedy + searches) };
        ToolProgress { share, count: self.solver.greedy().states.iter().sum::<u64>() + searched }
    }
}

impl Large {
    fn begin(source: &Source<Cube>, input: &EvaluationInput) -> Result<Self, LabError> {
        let network = checked_network(&source.config, &source.network)?;
        let EvaluationInput { games, beam: width, seed } = *input;
        let states = if games == 0 { DEFAULT_STATES } else { games };
        // Scrambles of no length stand for uniformly random states.
        let scramble = 0;
        let evaluator = Evaluator::new(large::source(seed, scramble), states.into(), width as usize);
        Ok(Self { network, evaluator, states, width })
    }

    /// What the searches that have ended say; `None` before the first one ends.
    fn report(&self) -> Option<Report> {
        let Self { network, evaluator, width, .. } = self;
        let result = evaluator.result();
        let states = result.states;
        if states == 0 {
            return None;
        }
        let (solved, length) = (100.0 * result.solved_fraction(), result.mean_length());
        let mut summary = format!("a beam of {width} solves {solved:.2}% of {states} random states");
        // Without a solution there is no mean length: NaN.
        if length.is_finite() {
            summary += &format!(" in {length:.2} turns on average");
        }
        let figures = vec![
            ("solved", solved, "%"),
            ("length", length, "turns"),
            ("parameters", network.weights.len() as f64, ""),
        ];
        Some(Report::new(summary, figures))
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures how many states the network solves: all of the 2x2x2 greedily, random ones by beam search.",
        counts: "states",
        in_tab: false,
    };
    type Lab = Cube;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;

    fn begin(source: Source<Cube>, input: EvaluationInput, _: Option<NamedText>) -> Result<Self, LabError> {
        Ok(Self(match source.config.puzzle {
            PuzzleName::Two => Puzzle::Small(Box::new(Small::begin(&source, input)?)),
            PuzzleName::Three => Puzzle::Large(Box::new(Large::begin(&source, &input)?)),
        }))
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        let is_last = match &mut self.0 {
            Puzzle::Small(small) => small.step(),
            Puzzle::Large(large) => large.evaluator.step(&large.network),
        };
        let report = if is_last { self.partial() } else { None };
        Ok(report.map_or(ToolStatus::Ready, ToolStatus::Done))
    }

    fn progress(&self) -> ToolProgress {
        match &self.0 {
            Puzzle::Small(small) => small.progress(),
            Puzzle::Large(large) => ToolProgress::of(large.evaluator.result().states, large.states.into()),
        }
    }

    fn partial(&self) -> Option<Report> {
        match &self.0 {
            Puzzle::Small(small) => small.report(),
            Puzzle::Large(large) => large.report(),
        }
    }
}
