//! The tool `solve`: solves one cube, a 2x2x2 greedily or by a beam search, a 3x3x3 by beam searches that can
//! become wider and wider.

use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use serde::Serialize;

use super::input::SolveInput;
use super::solving::{Large, Small};
use crate::Cube;
use crate::config::PuzzleName;

/// What is reported on the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSolveEvent"))]
pub enum SolveEvent {
    /// The searches of a 3x3x3 begin.
    Searching {
        /// The width of the first and of the last beam.
        widths: [u32; 2],
        /// The most memory that they take.
        bytes: u64,
    },
    /// A shorter solution of the 3x3x3.
    Improved {
        /// Its turns by the metric.
        turns: u32,
        /// The width of the beam that found it.
        width: u32,
    },
}

/// Turns that solve the cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSolution"))]
pub struct Solution {
    /// The turns as they were searched: with the quarter-turn metric, a half turn is two.
    pub turns: Vec<String>,
    /// In standard notation, in which two equal quarter turns are one half turn.
    pub notation: String,
    /// Their number by the metric.
    pub length: u32,
    pub quarter_turns: u32,
    pub half_turns: u32,
}

/// A shortest solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeShortest"))]
pub struct Shortest {
    /// In standard notation.
    pub notation: String,
    /// Its turns by the metric.
    pub length: u32,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSolveOutput"))]
pub struct SolveOutput {
    /// The shortest solution found; null if none was.
    pub solution: Option<Solution>,
    /// A shortest solution of a 2x2x2, from its table of all states; null for a 3x3x3, for which nobody
    /// knows.
    pub shortest: Option<Shortest>,
    /// Searches that have ended.
    pub searches: u32,
}

/// A cube being solved.
pub struct Solve(Puzzle);

/// The work on the puzzle that the network was trained on.
enum Puzzle {
    Small(Box<Small>),
    Large(Box<Large>),
}

impl Tool for Solve {
    const ABOUT: ToolAbout = ToolAbout {
        id: "solve",
        title: "Solve",
        help: "Solves one cube, given by a scramble or by its stickers.",
        counts: "states",
        in_tab: false,
    };
    type Lab = Cube;
    type Input = SolveInput;
    const INPUT: &'static str = include_str!("solve.json");
    type Event = SolveEvent;
    type Output = SolveOutput;

    fn begin(source: Source<Cube>, input: SolveInput, _: Option<NamedText>) -> Result<Self, LabError> {
        Ok(Self(match source.config.puzzle {
            PuzzleName::Two => Puzzle::Small(Box::new(Small::begin(&source, &input)?)),
            PuzzleName::Three => Puzzle::Large(Box::new(Large::begin(&source, &input)?)),
        }))
    }

    fn step(&mut self, report: &mut dyn FnMut(SolveEvent)) -> Result<ToolStatus<SolveOutput>, LabError> {
        match &mut self.0 {
            Puzzle::Small(small) => Ok(small.step()),
            Puzzle::Large(large) => large.step(report),
        }
    }

    fn progress(&self) -> ToolProgress {
        match &self.0 {
            Puzzle::Small(small) => small.progress(),
            Puzzle::Large(large) => large.progress(),
        }
    }

    fn partial(&self) -> Option<SolveOutput> {
        match &self.0 {
            // One search, which has found nothing before it ends.
            Puzzle::Small(_) => None,
            Puzzle::Large(large) => Some(large.output()),
        }
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        match &mut self.0 {
            Puzzle::Small(_) => Err(LabError::Device("the 2x2x2 is solved on the CPU only".into())),
            Puzzle::Large(large) => large.use_gpu(gpu),
        }
    }
}
