//! The report of a match on the stage, as the page shows it. Sides: 0 is south, the user, and 1 north.

use serde::Serialize;

use crate::analysis::Rating;
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

/// The decisions and the luck of a side. Equities are those of a single game at the cube of the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "BackgammonPlayerReport"))]
pub struct PlayerReport {
    /// Plays with a choice, and cube decisions that were close or actual doubles and answers.
    pub decisions: u32,
    /// Equity given away in all of them.
    pub cost: f32,
    /// The sum of the luck of all rolls: what each was worth more than the mean of all possible ones.
    pub luck: f32,
    /// Equity given away per decision in thousandths, rounded to a tenth; none without a decision.
    pub error_rate: Option<f64>,
    /// GNU Backgammon's name for the equity given away per decision; none without a decision.
    pub rating: Option<&'static str>,
}

impl PlayerReport {
    /// The report with its error rate and rating.
    pub fn new(decisions: u32, cost: f64, luck: f64) -> Self {
        let rate = (decisions > 0).then(|| cost.max(0.0) / f64::from(decisions));
        Self {
            decisions,
            cost: cost as f32,
            luck: luck as f32,
            error_rate: rate.map(|rate| (10_000.0 * rate).round() / 10.0),
            rating: rate.map(|rate| Rating::of(rate).words()),
        }
    }

    /// The error rate and the luck as a line of comment in a `.mat` file; empty without a decision.
    pub fn comment(&self, name: &str) -> String {
        match (self.error_rate, self.rating) {
            (Some(rate), Some(rating)) => {
                format!("; {name}: error rate {rate:.1} ({rating}), luck {:+.3}\n", self.luck)
            }
            _ => String::new(),
        }
    }
}

/// A decision, compared with the best one.
#[derive(Clone, Debug, Serialize)]
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
