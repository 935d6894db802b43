//! The report of a match on the stage, as the page shows it. Sides: 0 is south, the user, and 1 north.

use learnery_backgammon_play::analysis::PlayerReport;
use serde::Serialize;

use crate::match_view::CubeReview;

/// How both sides played and how lucky they were.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonReport"))]
pub struct MatchReport {
    /// South, then north.
    pub players: [PlayerReport; 2],
    /// The user's worst decisions, the worst first; at most three.
    pub worst: Vec<JudgedDecision>,
    /// The match as a file in the text format of Jellyfish (`.mat`), with the error rates in comments.
    pub file: String,
}

/// A decision, compared with the best one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonDecision"))]
pub struct JudgedDecision {
    /// The side that decided.
    pub player: u8,
    /// The number of the game, and of the turn in it, from 0.
    pub game: u32,
    pub turn: u32,
    /// The score when the game began.
    pub score: [u32; 2],
    /// The position, as in `BackgammonStage.board`, and the cube with its owner.
    pub board: Vec<i8>,
    pub cube: u32,
    pub owner: Option<u8>,
    /// The error: equity lost beside the best decision.
    pub cost: f32,
    /// The roll that was played; zeros for a cube decision.
    pub dice: [u8; 2],
    /// Of a play: in standard notation, what was played and what is best.
    pub notations: [String; 2],
    /// Their moves, as those of a candidate.
    pub moves: [Vec<u8>; 2],
    /// Of a cube decision: what was chosen and what is best.
    pub cube_review: Option<CubeReview>,
    /// The probabilities of the side that decided after the play and after the best one, as in the outlook;
    /// for a cube decision both are those before it.
    pub outcomes: [[f32; 5]; 2],
}
