//! A match from a file, analysed on the stage, as the page shows it. Sides: 0 is south, the file's first
//! player, and 1 north.

use learnery_backgammon_play::analysis::PlayerReport;
use serde::Serialize;

use crate::match_report::JudgedDecision;

/// A file of a match that is being analysed.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonOpenedMatch"))]
pub struct OpenedMatch {
    /// Decisions that are judged.
    pub judged: u32,
    /// All decisions of the match.
    pub decisions: u32,
    /// The analysis, once every decision is judged.
    pub analysed: Option<AnalysedMatch>,
}

/// A match and what every decision in it cost.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedMatch"))]
pub struct AnalysedMatch {
    /// The names of both players.
    pub players: [String; 2],
    /// Points that win the match; 0 for a money session.
    pub length: u8,
    pub games: Vec<AnalysedGame>,
    /// All plays, and the cube decisions that were actual, close or wrong, in the order of the match.
    pub decisions: Vec<AnalysedDecision>,
    pub reports: [PlayerReport; 2],
    /// The match as a `.mat` file, annotated.
    pub file: String,
}

/// A game of a match.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedGame"))]
pub struct AnalysedGame {
    /// The score when the game began.
    pub score: [u32; 2],
    /// Whether this is the Crawford game, in which nobody may double.
    pub crawford: bool,
    /// The side that won; none if the record stops before the end of the game.
    pub winner: Option<u8>,
    /// Points that it won.
    pub points: u32,
}

/// A decision of a match from a file.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonAnalysedDecision"))]
pub struct AnalysedDecision {
    #[serde(flatten)]
    #[cfg_attr(feature = "bindings", ts(flatten))]
    pub decision: JudgedDecision,
    /// Whether the file has the roll but no play of it, because its player resigned or the record ends.
    pub unplayed: bool,
    /// The equity of the play and of the best one; zeros unless the decision is a play.
    pub equities: [f32; 2],
    /// Number of legal plays; 0 for a cube decision.
    pub plays: u32,
    /// The luck of the roll: its value minus the mean of all possible rolls; none for a cube decision.
    pub luck: Option<f32>,
    /// The equities of a cube decision.
    pub cube_equities: Option<CubeEquities>,
}

/// The equities of the actions of a cube decision for the side on roll, where 1 is a single game at the cube
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonCubeEquities"))]
pub struct CubeEquities {
    pub no_double: f32,
    pub double_take: f32,
    pub double_pass: f32,
}
