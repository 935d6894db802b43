//! Cube decisions: the utilities of the actions, the best action and answer, and the verdict in words.

use learnery_worlds::backgammon::Board;
use learnery_worlds::backgammon::matches::{Answer, NoDouble, Scoring, Stakes};

use super::match_equity::MatchEquityTable;
use super::payoffs::Payoffs;
use super::player::{CubePlayer, Valued, with_double};
use crate::Evaluator;
use crate::outcomes::Outcomes;

/// Utilities this close are equal: what rounding leaves.
const EQUALITY_TOLERANCE: f64 = 1e-9;

/// What the side on roll should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Double,
    NoDouble,
    /// Plays on for a gammon, although the other side would pass a double, or should.
    TooGood,
}

/// What the other side should do if it is doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    Take,
    Pass,
    Beaver,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        match response {
            Response::Take => Self::Take,
            Response::Pass => Self::Pass,
            Response::Beaver => Self::Beaver,
        }
    }
}

/// The utilities of the actions of the side on roll, for the side on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    pub no_double: f64,
    /// A double that is taken; `None` if there is no decision.
    pub double_take: Option<f64>,
    /// A double that is beavered; `None` if there is no decision, or if beavers are not allowed.
    pub double_beaver: Option<f64>,
    pub double_pass: f64,
    /// Whether a double costs nothing, because a loss at the present cube already loses the match.
    is_free: bool,
}

impl Decision {
    pub fn new(table: &MatchEquityTable, stakes: &Stakes, no_double: f64, double_take: Option<f64>) -> Self {
        let double_pass = Payoffs::new(table, stakes).cash;
        let beavers = matches!(stakes.scoring, Scoring::Money { beavers: true, .. });
        // The cube is turned twice and stays with the other side, so everything counts double.
        let double_beaver = double_take.filter(|_| beavers).map(|taken| 2.0 * taken);
        let is_free = matches!(stakes.scoring, Scoring::Match { other_away, .. } if u32::from(other_away) <= stakes.cube());
        Self { no_double, double_take, double_beaver, double_pass, is_free }
    }

    /// The best answer to a double, and its utility for the side that doubled. `None` if there is no
    /// decision.
    pub fn response(&self) -> Option<(Response, f64)> {
        let taken = self.double_take?;
        // With equal utilities, players take and do not beaver.
        let (mut response, mut utility) = (Response::Take, taken);
        if let Some(beaver) = self.double_beaver.filter(|beaver| *beaver < utility - EQUALITY_TOLERANCE) {
            (response, utility) = (Response::Beaver, beaver);
        }
        if self.double_pass < utility - EQUALITY_TOLERANCE {
            (response, utility) = (Response::Pass, self.double_pass);
        }
        Some((response, utility))
    }

    /// The best action and the answer to a double; `None` if there is no decision.
    pub fn best(&self) -> Option<(Action, Response)> {
        let (response, doubled) = self.response()?;
        let action = if doubled > self.no_double + EQUALITY_TOLERANCE
            || (self.is_free && doubled > self.no_double - EQUALITY_TOLERANCE)
        {
            Action::Double
        } else if self.no_double > self.double_pass + EQUALITY_TOLERANCE {
            Action::TooGood
        } else if response == Response::Pass && doubled > self.no_double - EQUALITY_TOLERANCE {
            // Playing on gains nothing over the cash.
            Action::Double
        } else {
            Action::NoDouble
        };
        Some((action, response))
    }

    /// The utility of the best action.
    pub fn utility(&self) -> f64 {
        self.response().map_or(self.no_double, |(_, doubled)| self.no_double.max(doubled))
    }
}

/// A cube decision with all that explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    pub stakes: Stakes,
    /// Cubeless chances of the side on roll.
    pub outcomes: Outcomes,
    pub decision: Decision,
    /// Why there is no decision.
    pub refusal: Option<NoDouble>,
    payoffs: Payoffs,
}

impl Analysis {
    pub fn new<E: Evaluator>(
        player: &mut CubePlayer<E::Scratch>,
        evaluator: &E,
        board: &Board,
        stakes: &Stakes,
    ) -> Self {
        let valued = player.value(evaluator, board, &with_double(stakes));
        Self::of(player.table(), stakes, &valued)
    }

    /// The analysis of a position that was valued without a double and, where it is possible, with one.
    pub fn of(table: &MatchEquityTable, stakes: &Stakes, valued: &Valued) -> Self {
        Self {
            stakes: *stakes,
            outcomes: valued.outcomes,
            decision: Decision::new(table, stakes, valued.utilities[0], valued.utilities.get(1).copied()),
            refusal: stakes.no_double(),
            payoffs: Payoffs::new(table, stakes),
        }
    }

    /// The equity of a utility: 1 is a single game won at the present cube.
    pub fn equity(&self, utility: f64) -> f64 {
        self.payoffs.equity(utility)
    }

    /// The utility with a cube that nobody turns any more.
    pub fn cubeless(&self) -> f64 {
        self.payoffs.cubeless(&self.outcomes)
    }

    /// What turning the cube is called.
    pub(super) fn double_words(&self) -> (&'static str, &'static str) {
        match self.stakes.cube() {
            1 => ("double", "Double"),
            _ => ("redouble", "Redouble"),
        }
    }

    /// The verdict in the words of players.
    pub fn verdict(&self) -> String {
        let (double, doubled) = self.double_words();
        let Some((action, response)) = self.decision.best() else {
            let refusal = self.refusal.map_or_else(String::new, |refusal| format!(": {refusal}"));
            return format!("No {double}{refusal}");
        };
        let response = match response {
            Response::Take => "take",
            Response::Pass => "pass",
            Response::Beaver => "beaver",
        };
        match action {
            Action::Double => format!("{doubled}, {response}"),
            Action::NoDouble => format!("No {double}, {response}"),
            Action::TooGood => format!("Too good to {double}, {response}"),
        }
    }
}
