//! What a player's decisions and rolls come to, in short: for the page and for comments in files.

use serde::Serialize;

use super::ratings::Rating;

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
