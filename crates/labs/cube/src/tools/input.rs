//! What the tool `solve` is asked, and the choice of a metric, which the tool `eval` has too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::TurnMetric;

/// The widest beam.
pub const MOST_WIDTH: u32 = 1 << 20;

/// What counts as one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeCountedTurns"))]
pub enum CountedTurns {
    /// As in training for the 2x2x2, quarter turns for the 3x3x3.
    #[default]
    Usual,
    Quarter,
    Half,
}

impl CountedTurns {
    /// The metric; `None` for the usual one.
    pub fn metric(self) -> Option<TurnMetric> {
        match self {
            Self::Usual => None,
            Self::Quarter => Some(TurnMetric::Quarter),
            Self::Half => Some(TurnMetric::Half),
        }
    }
}

impl From<Option<TurnMetric>> for CountedTurns {
    fn from(metric: Option<TurnMetric>) -> Self {
        match metric {
            None => Self::Usual,
            Some(TurnMetric::Quarter) => Self::Quarter,
            Some(TurnMetric::Half) => Self::Half,
        }
    }
}

/// By what a cube is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeGivenBy"))]
pub enum GivenBy {
    #[default]
    Scramble,
    Stickers,
}

/// Which cube to solve, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSolveInput"))]
pub struct SolveInput {
    /// The cube: the turns that scramble a solved one, such as `R U' F2`, or its stickers, 24 or 54 letters,
    /// face by face in the order U R F D L B.
    #[schemars(length(max = 1000))]
    pub cube: String,
    /// By what it is given.
    pub given_by: GivenBy,
    /// The width of the beam. 0 solves a 2x2x2 greedily, and begins with 1024 for a 3x3x3.
    #[schemars(range(min = 0, max = MOST_WIDTH), extend("x-unit" = "states"))]
    pub beam: u32,
    /// 3x3x3: the width of the last of wider and wider beams, which look for shorter and shorter solutions. 0
    /// searches with one width only.
    #[schemars(range(min = 0, max = MOST_WIDTH), extend("x-unit" = "states"))]
    pub widest: u32,
    /// What counts as one turn.
    pub metric: CountedTurns,
}
