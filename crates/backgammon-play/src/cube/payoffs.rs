//! What the end of a game is worth: the utilities of its results at a given cube.

use learnery_worlds::backgammon::Win;
use learnery_worlds::backgammon::matches::{Scoring, Stakes};

use super::match_equity::MatchEquityTable;
use crate::outcomes::Outcomes;

const WINS: [Win; 3] = [Win::Single, Win::Gammon, Win::Backgammon];

/// Utilities of the results of a game, for the side on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoffs {
    /// The utility of a single game, a gammon and a backgammon that is won.
    pub won: [f64; 3],
    /// The utility of a single game, a gammon and a backgammon that is lost.
    pub lost: [f64; 3],
    /// If the other side passes a double: a single game is won at the present cube.
    pub cash: f64,
    /// If the side on roll passes a double of the other side: a single game is lost at the present cube.
    pub dropped: f64,
}

/// The mean utility of a win and of a loss, for given shares of gammons and backgammons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    pub won: f64,
    pub lost: f64,
}

impl Payoffs {
    pub fn new(table: &MatchEquityTable, stakes: &Stakes) -> Self {
        let utility = |points, won| utility(table, stakes, points, won);
        Self {
            won: WINS.map(|win| utility(stakes.points(win), true)),
            lost: WINS.map(|win| utility(stakes.points(win), false)),
            cash: utility(stakes.cube(), true),
            dropped: utility(stakes.cube(), false),
        }
    }

    /// The mean utilities of wins and losses with these outcome probabilities.
    pub fn ends(&self, outcomes: &Outcomes) -> Ends {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = outcomes.0.map(f64::from);
        let mean = |utilities: [f64; 3], all: f64, gammon: f64, backgammon: f64| {
            let share = |p: f64| if all > 0.0 { (p / all).clamp(0.0, 1.0) } else { 0.0 };
            let (gammon, backgammon) = (share(gammon), share(backgammon).min(share(gammon)));
            utilities[0] * (1.0 - gammon) + utilities[1] * (gammon - backgammon) + utilities[2] * backgammon
        };
        Ends {
            won: mean(self.won, win, gammon, backgammon),
            lost: mean(self.lost, 1.0 - win, lost_gammon, lost_backgammon),
        }
    }

    /// The utility with a cube that nobody turns any more.
    pub fn cubeless(&self, outcomes: &Outcomes) -> f64 {
        let ends = self.ends(outcomes);
        let win = f64::from(outcomes.0[0]);
        win * ends.won + (1.0 - win) * ends.lost
    }

    /// The equity of a utility: 1 is a single game won at this cube, -1 one lost. For money these are points
    /// over the value of the cube; in a match, an equivalent money game.
    pub fn equity(&self, utility: f64) -> f64 {
        (2.0 * utility - self.cash - self.dropped) / (self.cash - self.dropped)
    }
}

/// The utility of `points` points, won or lost.
fn utility(table: &MatchEquityTable, stakes: &Stakes, points: u32, won: bool) -> f64 {
    match stakes.after(points, won) {
        None if won => f64::from(points),
        None => -f64::from(points),
        Some(next) => table.chance(next),
    }
}

/// The utility of the other side, if `utility` is that of the side on roll.
pub fn opposite(stakes: &Stakes, utility: f64) -> f64 {
    match stakes.scoring {
        Scoring::Money { .. } => -utility,
        Scoring::Match { .. } => 1.0 - utility,
    }
}
