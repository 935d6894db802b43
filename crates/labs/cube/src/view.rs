//! The data that the page draws of the cube lab, and the commands that the page sends. The stage is the cube on the
//! page that the user turns and the agent solves.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use crate::config::{Method, TurnMetric};
use crate::phase::Phase;

/// A command of the page's user to the stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum CubeCommand {
    /// Turn the cube. Turns are written in the usual notation, such as `R U' F2`. Turns of L, D and B, and of the whole
    /// cube, become the equivalent turns of R, U and F, because the corner down, back and left never moves.
    Turn { turns: String },
    /// Scramble the cube with so many random turns, 1 to 100.
    Scramble { turns: u32 },
    /// Put the cube in a random state whose shortest solution has so many turns.
    Away { turns: u32 },
    /// Put the cube in the state with these stickers: 24 letters, face by face U R F D L B.
    Place { stickers: String },
    /// Let the agent solve the cube greedily, turn by turn.
    Solve,
    /// Stop solving.
    Stop,
}

/// The state of the agent's attempt to solve the cube on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeAttempt"))]
pub enum Attempt {
    /// There is no attempt.
    Idle,
    Solving,
    Solved,
    /// The agent came back to an earlier state by the same turn, so it would repeat itself for ever.
    Stuck,
}

/// Everything that the page draws.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct CubeView {
    pub learner: Method,
    pub metric: TurnMetric,
    pub phase: Phase,
    /// The fraction of the phase that is done.
    pub phase_fraction: f32,
    /// The fraction of states solved at each distance from 0 on, as last evaluated; NaN where nothing was evaluated.
    pub solved_by_distance: Floats,
    /// Mean turns beyond the shortest solution at each distance, over the solved states; NaN where there is none.
    pub excess_by_distance: Floats,
    /// How many states there are at each distance.
    pub states_by_distance: Floats,
    /// The fraction solved of all evaluated states; NaN before the first evaluation.
    pub solved: f32,
    /// The length of the longest scrambles in training now. With deep Q-learning it is the level of the curriculum.
    pub level: u32,
    /// The final level of the curriculum.
    pub level_to: u32,
    pub stage: StageView,
}

/// The cube on the stage, which the user turns and the agent solves. It does not influence training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeStage"))]
pub struct StageView {
    /// The colours of the stickers, as letters `U` to `B`: face by face U R F D L B, each row by row.
    pub stickers: String,
    /// The length of the shortest solution.
    pub distance: u32,
    /// The agent's score of each turn in `turns`; higher is better. With dqn it is the expected discounted return, with
    /// efficientcube a logit, with davi and cayleypy minus the estimated distance after the turn.
    pub scores: Floats,
    /// The names of the turns.
    pub turns: Vec<String>,
    /// The length of the shortest solution after each turn.
    pub after: Vec<u32>,
    pub attempt: Attempt,
    /// The turns since the cube was last scrambled, placed or given to the agent, whoever made them.
    pub made: Vec<String>,
    /// Counts all turns ever made, so that the page can tell which ones are new.
    pub count: u32,
}
