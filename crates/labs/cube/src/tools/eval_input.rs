//! What the tool `eval` is asked.

use learnery_lab::LabError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::input::{CountedTurns, MOST_WIDTH};
use crate::config::PuzzleName;

/// The greatest distance of a 2x2x2 from solved, in quarter turns.
const FARTHEST: u32 = 14;
/// The most random states.
pub const MOST_STATES: u32 = 4_000_000;
/// How many states of the 2x2x2, and of the 3x3x3, are searched from unless another number is asked for.
pub const DEFAULT_STATES: [u32; 2] = [10_000, 100];
/// The width of searches of the 3x3x3, unless another is asked for.
pub const DEFAULT_WIDTH: u32 = 4096;

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeEvalInput"))]
pub struct EvalInput {
    /// The width of the beam search, the states that it keeps at each depth. 0 does not search from states of
    /// the 2x2x2, and is 4096 for the 3x3x3.
    #[schemars(range(min = 0, max = MOST_WIDTH), extend("x-unit" = "states"))]
    pub beam: u32,
    /// 3x3x3: the width of the last of wider and wider beams, which look for shorter and shorter solutions. 0
    /// searches with one width only.
    #[schemars(range(min = 0, max = MOST_WIDTH), extend("x-unit" = "states"))]
    pub widest: u32,
    /// Random states to search from; 2x2x2: needs `beam`. 0 is 10000 of the 2x2x2 and 100 of the 3x3x3.
    #[schemars(range(min = 0, max = MOST_STATES), extend("x-unit" = "states"))]
    pub sample: u32,
    /// 3x3x3: the number of the first of these states among those of the seed.
    #[schemars(range(min = 0, max = MOST_STATES))]
    pub first: u32,
    /// 2x2x2: follows the greedy policy from the states that are at most so many turns from solved.
    #[schemars(range(min = 0, max = FARTHEST), extend("x-unit" = "turns"))]
    pub within: u32,
    /// What counts as one turn.
    pub metric: CountedTurns,
    /// Seed of the random states.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvalInput {
    fn default() -> Self {
        let metric = CountedTurns::Usual;
        Self { beam: 0, widest: 0, sample: 0, first: 0, within: FARTHEST, metric, seed: 0 }
    }
}

impl EvalInput {
    /// The number of random states to search from.
    pub fn states(&self, puzzle: PuzzleName) -> u32 {
        match self.sample {
            0 => DEFAULT_STATES[usize::from(puzzle == PuzzleName::Three)],
            states => states,
        }
    }

    /// The width of the first beam of a 3x3x3.
    pub fn first_width(&self) -> u32 {
        if self.beam == 0 { DEFAULT_WIDTH } else { self.beam }
    }

    /// Refuses what is for the other puzzle, and what would have no effect.
    pub(super) fn check(&self, puzzle: PuzzleName) -> Result<(), LabError> {
        let refused =
            |field: &str, other: &str| Err(LabError::input(field, format!("it is for the {other}")));
        match puzzle {
            PuzzleName::Two if self.widest > 0 => refused("widest", "3x3x3"),
            PuzzleName::Two if self.first > 0 => refused("first", "3x3x3"),
            PuzzleName::Two if self.sample > 0 && self.beam == 0 => Err(LabError::input(
                "sample",
                "it needs `beam`, because states of the 2x2x2 are searched from with a beam only",
            )),
            PuzzleName::Three if self.within < FARTHEST => refused("within", "2x2x2"),
            _ => Ok(()),
        }
    }
}
