//! The data that the page draws of the cube lab, and the commands that the page sends. The stage is the cube
//! on the page that the user turns and the agent solves.

use learnery_lab::Floats;
use serde::{Deserialize, Serialize};

use crate::config::{Method, TurnMetric};
use crate::phase::Phase;

/// A command of the page's user to the stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum CubeCommand {
    /// Turn the cube. Turns are written in the usual notation, such as `R U' F2`. On the 2x2x2, turns of L, D
    /// and B, and of the whole cube, become the equivalent turns of R, U and F, because the corner down, back
    /// and left never moves.
    Turn { turns: String },
    /// Scramble the cube with this many random turns, 1 to 100.
    Scramble { turns: u32 },
    /// Put the 2x2x2 in a random state whose shortest solution has this many turns. Refused for the 3x3x3,
    /// whose distances are not known.
    Away { turns: u32 },
    /// Put the cube in the state with these stickers: 24 or 54 letters, face by face U R F D L B.
    Place { stickers: String },
    /// Let the agent solve the cube: greedily, turn by turn; the 3x3x3 by beam searches, wider and wider.
    Solve,
    /// Stop solving or searching.
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
#[serde(tag = "puzzle")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum CubeView {
    #[serde(rename = "2x2x2")]
    Small(SmallView),
    #[serde(rename = "3x3x3")]
    Large(LargeView),
}

/// What is drawn of a run with the 3x3x3.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeLargeView"))]
pub struct LargeView {
    pub learner: Method,
    pub metric: TurnMetric,
    pub phase: Phase,
    /// The fraction of the phase that is done.
    pub phase_fraction: f32,
    /// Whether the network now learns the distances after every turn from its own guesses (distillation).
    pub distils: bool,
    /// The network's mean guess after scrambles of 1 turn, 2 turns and so on; empty if it guesses no
    /// distances.
    pub guess_by_scramble: Floats,
    /// The fraction solved of the states that were evaluated last; NaN before the first evaluation.
    pub solved: f32,
    /// The mean length of their solutions.
    pub length: f32,
    pub stage: LargeStageView,
}

/// The 3x3x3 on the stage, which the user turns or enters and the agent solves. It does not influence
/// training.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeLargeStage"))]
pub struct LargeStageView {
    /// The colours of the stickers, as letters: face by face U R F D L B, each row by row.
    pub stickers: String,
    pub searching: bool,
    /// Whether the state is solved.
    pub is_solved: bool,
    /// The beam of the search in progress, or of the last one: states kept at each depth, the best guess
    /// among them, and the worst.
    pub beam_states: Floats,
    pub beam_best: Floats,
    pub beam_worst: Floats,
    /// The most states that are kept at each depth.
    pub width: u32,
    /// Searches that have ended, and those of them that found a shorter solution than all before.
    pub searches: u32,
    pub improvements: u32,
    /// The shortest solution so far, as turns from the state in which the search began.
    pub solution: Vec<String>,
    /// How many turns of the solution have been made.
    pub solution_made: u32,
    /// Counts all turns ever made, so that the page can tell which ones are new.
    pub count: u32,
    /// The last turns made, the newest last.
    pub made: Vec<String>,
}

/// What is drawn of a run with the 2x2x2.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "CubeSmallView"))]
pub struct SmallView {
    pub learner: Method,
    pub metric: TurnMetric,
    pub phase: Phase,
    /// The fraction of the phase that is done.
    pub phase_fraction: f32,
    /// The fraction of states solved at each distance from 0 on, as last evaluated; NaN where nothing was
    /// evaluated.
    pub solved_by_distance: Floats,
    /// Mean turns beyond the shortest solution at each distance, over the solved states; NaN where there is
    /// none.
    pub excess_by_distance: Floats,
    /// How many states there are at each distance.
    pub states_by_distance: Floats,
    /// The fraction solved of all evaluated states; NaN before the first evaluation.
    pub solved: f32,
    /// The length of the longest scrambles in training now. With deep Q-learning it is the level of the
    /// curriculum.
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
    /// The agent's score of each turn in `turns`; higher is better. With dqn it is the expected discounted
    /// return, with efficientcube a logit, with davi and cayleypy minus the estimated distance after the
    /// turn.
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
