//! A cube decision as text and as JSON.

// Writing to a `String` cannot fail, so the results of `write!` are ignored here.
use std::fmt::Write;

use learnery_worlds::backgammon::matches::{CubeOwner, Scoring};
use serde_json::{Value, json};

use super::analysis::{Action, Analysis, Response};

/// A smaller difference of equities is not shown: with three decimals it would be 0.
const MIN_SHOWN_DIFFERENCE: f64 = 0.0005;

impl Analysis {
    /// The utilities of the actions with their names, for the side on roll.
    fn actions(&self) -> Vec<(String, f64)> {
        let decision = &self.decision;
        let (double, doubled) = self.double_words();
        let mut actions = vec![(format!("No {double}"), decision.no_double)];
        if let Some(taken) = decision.double_take {
            actions.push((format!("{doubled}, take"), taken));
            actions.extend(decision.double_beaver.map(|utility| (format!("{doubled}, beaver"), utility)));
            actions.push((format!("{doubled}, pass"), decision.double_pass));
        }
        actions
    }

    /// The score and the cube in words, seen from the side on roll.
    fn stakes_in_words(&self) -> String {
        let owner = match self.stakes.owner {
            CubeOwner::Centred => "in the middle",
            CubeOwner::Own => "of the side on roll",
            CubeOwner::Other => "of the other side",
        };
        let score = match self.stakes.scoring {
            Scoring::Money { jacoby, beavers } => format!(
                "money{}{}",
                if jacoby { ", Jacoby rule" } else { "" },
                if beavers { ", beavers" } else { "" }
            ),
            Scoring::Match { own_away, other_away, crawford } => format!(
                "{own_away} away, {other_away} away{}",
                match (crawford, own_away.min(other_away)) {
                    (true, _) => ", Crawford game",
                    (false, 1) => ", after the Crawford game",
                    _ => "",
                }
            ),
        };
        format!("{score}; cube of {} {owner}", self.stakes.cube())
    }

    /// The report in several lines.
    pub fn text(&self) -> String {
        let in_match = matches!(self.stakes.scoring, Scoring::Match { .. });
        let mut text = format!("{}\n{}\n\n", self.verdict(), self.stakes_in_words());
        let best = self.decision.utility();
        for (name, utility) in self.actions() {
            let equity = self.equity(utility);
            let _ = write!(text, "{name:<18}{equity:>+8.3}");
            if in_match {
                let _ = write!(text, "  {:>7.3} % match", 100.0 * utility);
            }
            let difference = equity - self.equity(best);
            if difference.abs() > MIN_SHOWN_DIFFERENCE {
                let _ = write!(text, "  ({difference:+.3})");
            }
            text.push('\n');
        }
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
            self.outcomes.0.map(|p| 100.0 * f64::from(p));
        let cubeless = self.cubeless();
        let _ = write!(
            text,
            "\nCubeless          {:>+8.3}{}\nWin  {win:6.2} %  gammon {gammon:6.2} %  backgammon {backgammon:6.2} %\n\
             Lose {:6.2} %  gammon {lost_gammon:6.2} %  backgammon {lost_backgammon:6.2} %\n",
            self.equity(cubeless),
            if in_match { format!("  {:>7.3} % match", 100.0 * cubeless) } else { String::new() },
            100.0 - win,
        );
        text
    }

    /// The report as JSON. Equities count a single game at the present cube as 1.
    pub fn json(&self) -> Value {
        let equity = |utility: Option<f64>| utility.map(|utility| self.equity(utility));
        let decision = &self.decision;
        let doubles = decision.double_take.is_some();
        let (score, crawford) = match self.stakes.scoring {
            Scoring::Money { .. } => (Value::Null, false),
            Scoring::Match { own_away, other_away, crawford } => (json!([own_away, other_away]), crawford),
        };
        let chance = |utility: Option<f64>| match self.stakes.scoring {
            Scoring::Money { .. } => None,
            Scoring::Match { .. } => utility,
        };
        let best = decision.best();
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.outcomes.0;
        json!({
            "verdict": self.verdict(),
            "action": best.map(|(action, _)| match action {
                Action::Double => "double",
                Action::NoDouble => "no double",
                Action::TooGood => "too good",
            }),
            "response": best.map(|(_, response)| match response {
                Response::Take => "take",
                Response::Pass => "pass",
                Response::Beaver => "beaver",
            }),
            "no_double": equity(Some(decision.no_double)),
            "double_take": equity(decision.double_take),
            "double_beaver": equity(decision.double_beaver),
            "double_pass": equity(Some(decision.double_pass).filter(|_| doubles)),
            "match_chances": {
                "no_double": chance(Some(decision.no_double)),
                "double_take": chance(decision.double_take),
                "double_pass": chance(Some(decision.double_pass).filter(|_| doubles)),
            },
            "cubeless": {
                "equity": self.equity(self.cubeless()),
                "win": win, "gammon": gammon, "backgammon": backgammon,
                "lost_gammon": lost_gammon, "lost_backgammon": lost_backgammon,
            },
            "away": score,
            "crawford": crawford,
            "cube": self.stakes.cube(),
        })
    }
}
