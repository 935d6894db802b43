//! The value of a position: five outcome probabilities for the side on roll (the side that rolls next),
//! between two turns. A gammon is a win worth two points, a backgammon one worth three. Wins include gammons,
//! and gammons include backgammons. [`Outcomes::flipped`] is the value for the side that has just played.

use learnery_worlds::backgammon::{BearOff, Board, Win};

/// Inverse temperature of policies that come from values: logits for each point of equity.
const LOGITS_PER_POINT: f32 = 10.0;
/// The number of outcome probabilities.
pub const OUTCOMES: usize = 5;

/// Probabilities of the side on roll: to win at all, to win a gammon or more, to win a backgammon, to lose a
/// gammon or more, to lose a backgammon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcomes(pub [f32; OUTCOMES]);

impl Outcomes {
    /// The lowest equity: a backgammon is lost for sure.
    pub const LOWEST: Self = Self([0.0, 0.0, 0.0, 1.0, 1.0]);

    /// Cubeless equity: the expected points of the game for the side on roll, from -3 to 3. A win or loss
    /// counts one point. Each probability of a gammon or a backgammon adds one, because a gammon is also
    /// counted as a win, and a backgammon as both.
    #[inline]
    pub fn equity(&self) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        2.0 * win - 1.0 + gammon - lost_gammon + backgammon - lost_backgammon
    }

    /// Where a policy comes from values: the logit of the play that leads to this position. These are
    /// outcomes for the opponent of the side that plays, so the sign changes.
    pub fn policy_logit(&self) -> f32 {
        -LOGITS_PER_POINT * self.equity()
    }

    /// The same outcomes as probabilities of the other side.
    #[inline]
    #[must_use]
    pub fn flipped(&self) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        Self([1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon])
    }

    /// `weight * self + (1 - weight) * other`.
    #[must_use]
    pub fn mixed(&self, weight: f32, other: &Self) -> Self {
        Self(std::array::from_fn(|i| weight * self.0[i] + (1.0 - weight) * other.0[i]))
    }

    /// The same probabilities of gammons and backgammons, and the probability of a win that gives `equity`,
    /// as far as the others allow it.
    #[must_use]
    pub fn with_equity(&self, equity: f32) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        // A win counts two points more than a loss. A gammon is also a win.
        let win = (win + (equity - self.equity()) / 2.0).min(1.0 - lost_gammon).max(gammon);
        Self([win, gammon, backgammon, lost_gammon, lost_backgammon])
    }

    /// The outcome of a finished game that the side on roll has lost.
    pub fn lost(win: Win) -> Self {
        let points = win.points();
        let indicator = |min_points| if points >= min_points { 1.0 } else { 0.0 };
        Self([0.0, 0.0, 0.0, indicator(2), indicator(3)])
    }

    /// The outcome of a finished game that the side on roll has won by `points` points, or lost if they are
    /// negative.
    pub fn from_points(points: i8) -> Self {
        let occurred = [points > 0, points > 1, points > 2, points < -1, points < -2];
        Self(occurred.map(|occurred| if occurred { 1.0 } else { 0.0 }))
    }

    /// The exact value where it is known, without a network: at the end of a game, and in the bear-off table.
    /// `None` elsewhere.
    #[inline]
    pub fn exact(board: &Board) -> Option<Self> {
        match board.other_won() {
            Some(win) => Some(Self::lost(win)),
            // The table has the races in which all checkers of both sides are at home; `None` for others.
            None if board.is_race() => BearOff::table().outcomes(board).map(Self),
            None => None,
        }
    }

    /// Clamps each probability to its maximum on `board`. A gammon is at most as likely as a win, and a
    /// backgammon as a gammon. A side that has already borne a checker off (place 0) cannot lose a gammon.
    #[inline]
    #[must_use]
    pub fn clamped_to_possible(&self, board: &Board) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        // Place 0 holds the checkers that are borne off.
        let gammon = if board.other(0) > 0 { 0.0 } else { gammon.min(win) };
        let lost_gammon = if board.own(0) > 0 { 0.0 } else { lost_gammon.min(1.0 - win) };
        Self([win, gammon, backgammon.min(gammon), lost_gammon, lost_backgammon.min(lost_gammon)])
    }
}

/// Returns the index of the best play, and the element of `values` at that index. `values` are the values of
/// the afterstates (the positions that the plays lead to) for the opponent, who rolls next. So the best play
/// is the one with the lowest equity; of equal plays, it is the first.
pub fn best_play(values: &[Outcomes]) -> (usize, Outcomes) {
    let (mut lowest, mut best) = (f32::INFINITY, 0);
    for (i, value) in values.iter().enumerate() {
        let equity = value.equity();
        if equity < lowest {
            (lowest, best) = (equity, i);
        }
    }
    (best, values.get(best).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equity_changes_sign_with_the_side() {
        let outcomes = Outcomes([0.6, 0.3, 0.1, 0.15, 0.05]);
        // 0.6 - 0.4 for wins, 0.3 - 0.15 for gammons, 0.1 - 0.05 for backgammons.
        assert!((outcomes.equity() - 0.4).abs() < 1e-6);
        assert!((outcomes.flipped().equity() + 0.4).abs() < 1e-6);
        assert_eq!(outcomes.flipped().flipped().0[1..], outcomes.0[1..]);
        for win in [Win::Single, Win::Gammon, Win::Backgammon] {
            assert_eq!(Outcomes::lost(win).equity(), -win.points() as f32);
        }
        for points in [-3, -2, -1, 1, 2, 3] {
            assert_eq!(Outcomes::from_points(points).equity(), f32::from(points));
        }
        assert_eq!(outcomes.mixed(1.0, &Outcomes::default()), outcomes);
    }

    #[test]
    fn given_equity_changes_the_probability_of_a_win_only() {
        let outcomes = Outcomes([0.6, 0.3, 0.1, 0.15, 0.05]);
        let other = outcomes.with_equity(0.2);
        assert!((other.equity() - 0.2).abs() < 1e-6 && other.0[1..] == outcomes.0[1..], "{other:?}");
        // At least the gammons are won, and at least those that the other side wins are lost.
        assert_eq!((outcomes.with_equity(-3.0).0[0], outcomes.with_equity(3.0).0[0]), (0.3, 0.85));
    }

    #[test]
    fn impossible_probabilities_are_clamped() {
        let inconsistent = Outcomes([0.5, 0.7, 0.8, 0.6, 0.9]);
        // All five are clamped to the probability of a win or of a loss, which are equal here.
        assert_eq!(inconsistent.clamped_to_possible(&Board::START), Outcomes([0.5; 5]));
        let mut places = [0; 26];
        // Five checkers on point 2 and nine on point 8 of each side: one of fifteen is borne off, so nobody
        // can lose a gammon.
        (places[2], places[8]) = (5, 9);
        let off = Board::new(&places, &places).expect("a good board");
        assert_eq!(inconsistent.clamped_to_possible(&off), Outcomes([0.5, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(Outcomes::exact(&off), None);
        // Five checkers of each side on point 2: a race in the bear-off table.
        places[8] = 0;
        let race = Board::new(&places, &places).expect("a good board");
        assert!(Outcomes::exact(&race).is_some_and(|o| o.equity() > 0.0));
    }
}
