//! The settings of a rollout, and their limits.

use crate::Worth;
use crate::players::MAX_PLIES;

/// The largest number of games of a rollout.
const MAX_GAMES: u64 = 100_000_000;
/// A longer game is valued by the network after this many rolls, because some games might never end.
pub(super) const MAX_ROLLS: u32 = 4096;

/// How to roll out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutOptions {
    /// Games from each candidate, unless the rollout ends earlier.
    pub games: u64,
    /// Rolls after which the network values the position; `None` plays every game to its end.
    pub truncate: Option<u32>,
    /// Plies of lookahead of both sides' plays, and of the value after the last roll.
    pub plies: u8,
    /// Selects the dice.
    pub seed: u32,
    /// Whether luck is subtracted from the results.
    pub variance_reduction: bool,
    /// Whether a race in the bear-off database ends with its value.
    pub bear_off: bool,
    /// Ends once the standard error of every equity is below this limit.
    pub until_error: Option<f64>,
    /// Ends once the best play is ahead of every other one by this many standard errors of the difference;
    /// ignored if only one play is rolled out.
    pub until_difference: Option<f64>,
    /// What gammons count for the side that asks: both sides choose plays by it, and equities are in its
    /// unit.
    pub worth: Worth,
}

impl Default for RolloutOptions {
    fn default() -> Self {
        Self {
            games: 1296,
            truncate: None,
            plies: 0,
            seed: 1,
            variance_reduction: true,
            bear_off: true,
            until_error: None,
            until_difference: None,
            worth: Worth::MONEY,
        }
    }
}

impl RolloutOptions {
    /// Checks the limits. The error is a sentence.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { games, truncate, plies, until_error, until_difference, worth, .. } = *self;
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(format!("{games} games; expected 1 to {MAX_GAMES}"));
        }
        if let Some(rolls) = truncate.filter(|rolls| !(1..=MAX_ROLLS).contains(rolls)) {
            return Err(format!("truncation after {rolls} rolls; expected 1 to {MAX_ROLLS}"));
        }
        if plies > MAX_PLIES {
            return Err(format!("{plies} plies; expected 0 to {MAX_PLIES}"));
        }
        if plies > 0 && worth != Worth::MONEY {
            return Err("a rollout that does not count gammons as for money looks 0 plies ahead".into());
        }
        for (limit, what) in
            [(until_error, "standard error"), (until_difference, "number of standard errors")]
        {
            if let Some(limit) = limit.filter(|limit| !(limit.is_finite() && *limit > 0.0)) {
                return Err(format!("a {what} of {limit}; expected a number above 0"));
            }
        }
        Ok(())
    }
}
