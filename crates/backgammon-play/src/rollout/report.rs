//! A rollout as text and as JSON.

// Writing to a `String` cannot fail, so the results of `write!` are ignored here.
use std::fmt::Write;

use serde_json::{Value, json};

use super::statistics::{ERRORS_IN_95_PERCENT, Estimate};
use super::{Ending, Rollout};
use crate::Evaluator;

/// A variance of an equity that is rounding errors.
const ROUNDING_TOLERANCE: f64 = 1e-9;
/// [`ERRORS_IN_95_PERCENT`] where a probability and its error are shown in percent.
const ERRORS_IN_95_PERCENT_TIMES_100: f64 = 196.0;

impl<E: Evaluator> Rollout<'_, E> {
    /// The candidates, the best first; of equal ones in the order in which they were found.
    fn ranking(&self) -> Vec<usize> {
        let estimates = self.estimates();
        let mut order: Vec<usize> = (0..estimates.len()).collect();
        order.sort_by(|a, b| estimates[*b].equity.total_cmp(&estimates[*a].equity));
        order
    }

    /// How the games were played, in words.
    fn settings(&self) -> String {
        let options = &self.options;
        let length = match options.truncate {
            Some(1) => "truncated after 1 roll".into(),
            Some(rolls) => format!("truncated after {rolls} rolls"),
            None => String::from("played to the end"),
        };
        let luck = if options.variance_reduction { "luck subtracted" } else { "luck not subtracted" };
        format!("{length}, plays with {} plies, {luck}, seed {}", options.plies, options.seed)
    }

    fn ending_in_words(&self) -> &'static str {
        match self.ending() {
            Some(Ending::Games) => "all games played",
            Some(Ending::Error) => "ended at the standard error asked for",
            Some(Ending::Difference) => "ended with the best play far enough ahead",
            None => "stopped before its end",
        }
    }

    /// How many times as many games without luck subtracted would have the same error; `None` if only
    /// rounding is left.
    fn reduction(&self, candidate: usize) -> Option<f64> {
        let reduced = self.tally.reduced(candidate).variance;
        (reduced > ROUNDING_TOLERANCE).then(|| self.tally.plain(candidate).variance / reduced)
    }

    /// The report in several lines.
    pub fn text(&self) -> String {
        let each = if self.candidates.len() > 1 { " from each play" } else { "" };
        let games = self.games();
        let noun = if games == 1 { "game" } else { "games" };
        let mut text = format!("{games} {noun}{each}: {}\n{}\n", self.ending_in_words(), self.settings());
        if games == 0 {
            return text;
        }
        let ranking = self.ranking();
        for candidate in &ranking {
            let estimate = self.tally.reduced(*candidate);
            let name = self.candidates[*candidate].play.as_deref().unwrap_or("The side on roll");
            let _ = write!(text, "\n{name}\n{}", estimate_lines(&estimate));
            if *candidate != ranking[0] {
                let (difference, error) = self.tally.difference(ranking[0], *candidate);
                let margin = ERRORS_IN_95_PERCENT * error;
                let _ = writeln!(text, "  Behind the best  {difference:.4} ± {margin:.4}");
            }
            if let Some(factor) = self.reduction(*candidate).filter(|_| self.options.variance_reduction) {
                let _ = writeln!(text, "  As precise as {:.0} games with their luck", factor * games as f64);
            }
        }
        text.push_str("\n± is half a 95 % confidence interval. Equities are cubeless, in points.\n");
        text
    }

    /// The report as JSON. Errors are standard errors; candidates are ordered from the best to the worst.
    /// There are none before the first game is complete.
    pub fn json(&self) -> Value {
        let ranking = if self.games() > 0 { self.ranking() } else { Vec::new() };
        let candidate = |i: &usize| {
            let estimate = self.tally.reduced(*i);
            let (difference, error) = self.tally.difference(ranking[0], *i);
            let [win, gammon, backgammon, lost_gammon, lost_backgammon] = estimate.chances;
            json!({
                "play": self.candidates[*i].play,
                "position": self.candidates[*i].board.position_id(),
                "equity": estimate.equity,
                "error": estimate.error,
                "interval": estimate.interval(),
                "win": win, "gammon": gammon, "backgammon": backgammon,
                "lost_gammon": lost_gammon, "lost_backgammon": lost_backgammon,
                "errors": estimate.chance_errors,
                "behind": difference,
                "behind_error": error,
                "equity_with_luck": self.tally.plain(*i).equity,
                "error_with_luck": self.tally.plain(*i).error,
            })
        };
        json!({
            "games": self.games(),
            "ended": match self.ending() {
                Some(Ending::Games) => "games",
                Some(Ending::Error) => "error",
                Some(Ending::Difference) => "difference",
                None => "stopped",
            },
            "truncate": self.options.truncate,
            "plies": self.options.plies,
            "seed": self.options.seed,
            "luck_subtracted": self.options.variance_reduction,
            "candidates": ranking.iter().map(candidate).collect::<Vec<_>>(),
        })
    }
}

/// The estimate of a candidate in three lines.
fn estimate_lines(estimate: &Estimate) -> String {
    let percent = |i: usize| {
        // Rounding and subtracted luck can leave the interval from 0 to 1 by a little.
        let p = 100.0 * estimate.chances[i].clamp(0.0, 1.0);
        format!("{p:6.2} ± {:.2} %", ERRORS_IN_95_PERCENT_TIMES_100 * estimate.chance_errors[i])
    };
    let lost = 100.0 * (1.0 - estimate.chances[0]).clamp(0.0, 1.0);
    format!(
        "  Equity {:+.4} ± {:.4}\n  Win  {}  gammon {}  backgammon {}\n  Lose {lost:6.2} ± {:.2} %  gammon {}  \
         backgammon {}\n",
        estimate.equity,
        ERRORS_IN_95_PERCENT * estimate.error,
        percent(0),
        percent(1),
        percent(2),
        ERRORS_IN_95_PERCENT_TIMES_100 * estimate.chance_errors[0],
        percent(3),
        percent(4),
    )
}
