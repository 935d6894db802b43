//! The tool `eval`: follows the greedy policy from all states of the 2x2x2 and searches from random ones, or
//! searches for solutions of random states of the 3x3x3.

use std::collections::BTreeMap;

use learnery_lab::{AskAgain, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use serde::Serialize;

use super::eval_input::EvalInput;
use super::evaluating::{Large, Small};
use crate::Cube;
use crate::config::PuzzleName;

/// What is reported on the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeEvalEvent"))]
pub enum EvalEvent {
    /// The greedy policy of the 2x2x2 is evaluated; searches may follow.
    Greedy {
        /// The fraction of the states that it solves.
        solved: f64,
        /// Turns beyond the shortest solution, on average.
        excess: f64,
    },
    /// The search from a state of the 3x3x3 has ended.
    Searched(SearchedState),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeEvalOutput"))]
pub enum EvalOutput {
    Small(SmallEvaluation),
    Large(LargeEvaluation),
}

/// The evaluation of a network of the 2x2x2. A mean over no states is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSmallEvaluation"))]
pub struct SmallEvaluation {
    /// Parameters of the network.
    pub parameters: u64,
    /// States from which the greedy policy was followed.
    pub states: u64,
    /// The fraction that it solved.
    pub solved: f64,
    /// Turns beyond the shortest solution, on average over the solved states.
    pub excess: f64,
    /// The same for each distance from solved that states have.
    pub distances: Vec<AtDistance>,
    /// The searches, if there were any.
    pub beam: Option<SampleEvaluation>,
}

/// The greedy policy from all states at a distance from solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeAtDistance"))]
pub struct AtDistance {
    /// Turns of a shortest solution.
    pub distance: u32,
    pub states: u64,
    pub solved: f64,
    pub excess: f64,
}

/// Searches from random states of the 2x2x2.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSampleEvaluation"))]
pub struct SampleEvaluation {
    pub width: u32,
    /// The number of states.
    pub sample: u64,
    pub seed: u32,
    pub solved: f64,
    pub excess: f64,
}

/// The evaluation of a network of the 3x3x3.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeLargeEvaluation"))]
pub struct LargeEvaluation {
    /// Parameters of the network.
    pub parameters: u64,
    /// The width of the first beam of each state.
    pub width: u32,
    pub seed: u32,
    #[serde(flatten)]
    pub summary: Summary,
    pub searched: Vec<SearchedState>,
    /// In a partial answer the state whose search has not ended, with what was found by then. It does not
    /// count above.
    pub under_way: Option<SearchedState>,
}

/// What a search from a state found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSearchedState"))]
pub struct SearchedState {
    /// The number of the state among those of the seed.
    pub state: u32,
    /// The state as stickers, face by face in the order U R F D L B, so that other programs can check the
    /// solution.
    pub stickers: String,
    pub solution: Option<String>,
    /// The quarter turns of the solution; null if none was found.
    pub turns: Option<u32>,
    /// Its turns where half turns count as one.
    pub half_turns: Option<u32>,
    /// States whose neighbours were scored.
    pub expanded: u64,
}

/// The searches from many states together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSearchSummary"))]
pub struct Summary {
    pub states: u64,
    /// The fraction that was solved; NaN (null in JSON) before the first search has ended.
    pub solved: f64,
    /// Quarter turns of the solutions.
    pub turns: Estimate,
    pub half_turns: Estimate,
    /// For each length, the number of solutions of that length: in quarter turns, and where half turns count
    /// as one.
    pub lengths: BTreeMap<u32, [u64; 2]>,
    /// States whose neighbours were scored, on average; NaN like `solved`.
    pub expanded: f64,
}

impl Summary {
    pub fn of(searched: &[SearchedState]) -> Self {
        let of_solved = |turns: fn(&SearchedState) -> Option<u32>| {
            let turns: Vec<f64> = searched.iter().filter_map(turns).map(f64::from).collect();
            (Estimate::of(&turns), turns.len())
        };
        let ((turns, solved), (half_turns, _)) = (of_solved(|s| s.turns), of_solved(|s| s.half_turns));
        let mut lengths: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
        for state in searched {
            for (metric, turns) in [state.turns, state.half_turns].into_iter().enumerate() {
                if let Some(turns) = turns {
                    lengths.entry(turns).or_default()[metric] += 1;
                }
            }
        }
        let expanded: Vec<f64> = searched.iter().map(|state| state.expanded as f64).collect();
        Self {
            states: searched.len() as u64,
            solved: solved as f64 / searched.len() as f64,
            turns,
            half_turns,
            lengths,
            expanded: Estimate::of(&expanded).mean,
        }
    }
}

/// A mean with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeEstimate"))]
pub struct Estimate {
    /// NaN (null in JSON) without values.
    pub mean: f64,
    /// Half the width of the interval that contains the true mean with a probability of 95 %; NaN with fewer
    /// than two values.
    pub interval: f64,
}

impl Estimate {
    /// The mean of some values; NaN without any.
    pub fn of(values: &[f64]) -> Self {
        /// The quantile of the normal distribution for 95 %.
        const STANDARD_ERRORS: f64 = 1.96;
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { mean, interval: STANDARD_ERRORS * (squares / (n - 1.0) / n).sqrt() }
    }
}

/// A network being evaluated.
pub struct Eval(Puzzle);

/// The work on the puzzle that the network was trained on.
enum Puzzle {
    Small(Box<Small>),
    Large(Box<Large>),
}

impl Tool for Eval {
    const ABOUT: ToolAbout = ToolAbout {
        id: "eval",
        title: "Evaluate",
        help: "Follows the greedy policy from all states of the 2x2x2, or searches from random states of the 3x3x3.",
        counts: "states",
        in_tab: false,
    };
    type Lab = Cube;
    type Input = EvalInput;
    const INPUT: &'static str = include_str!("eval.json");
    type Event = EvalEvent;
    type Output = EvalOutput;

    fn begin(source: Source<Cube>, input: EvalInput, _: Option<NamedText>) -> Result<Self, LabError> {
        input.check(source.config.puzzle)?;
        Ok(Self(match source.config.puzzle {
            PuzzleName::Two => Puzzle::Small(Box::new(Small::begin(&source, input)?)),
            PuzzleName::Three => Puzzle::Large(Box::new(Large::begin(&source, input)?)),
        }))
    }

    fn step(&mut self, report: &mut dyn FnMut(EvalEvent)) -> Result<ToolStatus<EvalOutput>, LabError> {
        match &mut self.0 {
            Puzzle::Small(small) => Ok(small.step(report)),
            Puzzle::Large(large) => large.step(report),
        }
    }

    fn progress(&self) -> ToolProgress {
        match &self.0 {
            Puzzle::Small(small) => small.progress(),
            Puzzle::Large(large) => large.progress(),
        }
    }

    fn partial(&self) -> Option<EvalOutput> {
        match &self.0 {
            // Nothing before the greedy policy has been followed from all states.
            Puzzle::Small(small) => small.partial().map(EvalOutput::Small),
            Puzzle::Large(large) => Some(EvalOutput::Large(large.output())),
        }
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        match &mut self.0 {
            Puzzle::Small(_) => Err(LabError::Device("the 2x2x2 is evaluated on the CPU only".into())),
            Puzzle::Large(large) => large.use_gpu(gpu),
        }
    }
}

/// Asks about other states with the same network.
impl AskAgain for Eval {
    fn ask_again(&mut self, input: EvalInput, _: Option<NamedText>) -> Result<(), LabError> {
        match &mut self.0 {
            Puzzle::Small(small) => {
                input.check(PuzzleName::Two)?;
                small.ask_again(input)
            }
            Puzzle::Large(large) => {
                input.check(PuzzleName::Three)?;
                large.ask_again(input);
                Ok(())
            }
        }
    }
}
