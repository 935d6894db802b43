//! The value of a position: five outcome probabilities, each of which includes the next (a gammon is also a win).
//!
//! They belong to the side on roll, between two turns. Whoever has just played reads them through [`Outcomes::flipped`].

use learnery_worlds::backgammon::{BearOff, Board, Win};

pub const OUTCOMES: usize = 5;

/// Probabilities of the side on roll: to win at all, to win a gammon or more, to win a backgammon, to lose a gammon or
/// more, to lose a backgammon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcomes(pub [f32; OUTCOMES]);

impl Outcomes {
    /// Cubeless equity: the expected points of the game.
    #[inline]
    pub fn equity(&self) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        2.0 * win - 1.0 + gammon - lost_gammon + backgammon - lost_backgammon
    }

    /// The same for the other side.
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

    /// The side on roll has lost.
    pub fn lost(win: Win) -> Self {
        let points = win.points();
        let has = |n| if points >= n { 1.0 } else { 0.0 };
        Self([0.0, 0.0, 0.0, has(2), has(3)])
    }

    /// A game won by so many points, or lost if they are negative.
    pub fn of_points(points: i8) -> Self {
        let reached = [points > 0, points > 1, points > 2, points < -1, points < -2];
        Self(reached.map(|yes| if yes { 1.0 } else { 0.0 }))
    }

    /// The exact value where it is known: at the end of a game, and in the bear-off table.
    #[inline]
    pub fn exact(board: &Board) -> Option<Self> {
        match board.other_won() {
            Some(win) => Some(Self::lost(win)),
            None if board.is_race() => BearOff::table().outcomes(board).map(Self),
            None => None,
        }
    }

    /// The nearest probabilities that are possible on `board`: each at most as large as the one that includes it, and no
    /// gammon lost by a side that has borne a checker off.
    #[inline]
    #[must_use]
    pub fn clamped_to_possible(&self, board: &Board) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        let gammon = if board.other(0) > 0 { 0.0 } else { gammon.min(win) };
        let lost_gammon = if board.own(0) > 0 { 0.0 } else { lost_gammon.min(1.0 - win) };
        Self([win, gammon, backgammon.min(gammon), lost_gammon, lost_backgammon.min(lost_gammon)])
    }
}

/// The best of some plays, given what each leaves the side that rolls next: its index and that value. It is the play with
/// the lowest equity, the first of equal ones.
pub fn best_play(values: &[Outcomes]) -> (usize, Outcomes) {
    let mut best = (f32::INFINITY, 0);
    for (i, value) in values.iter().enumerate() {
        let equity = value.equity();
        if equity < best.0 {
            best = (equity, i);
        }
    }
    (best.1, values.get(best.1).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equity_changes_sign_with_the_side() {
        let outcomes = Outcomes([0.6, 0.3, 0.1, 0.15, 0.05]);
        assert!((outcomes.equity() - 0.4).abs() < 1e-6);
        assert!((outcomes.flipped().equity() + 0.4).abs() < 1e-6);
        assert_eq!(outcomes.flipped().flipped().0[1..], outcomes.0[1..]);
        for win in [Win::Single, Win::Gammon, Win::Backgammon] {
            assert_eq!(Outcomes::lost(win).equity(), -win.points() as f32);
        }
        for points in [-3, -2, -1, 1, 2, 3] {
            assert_eq!(Outcomes::of_points(points).equity(), f32::from(points));
        }
        assert_eq!(outcomes.mixed(1.0, &Outcomes::default()), outcomes);
    }

    #[test]
    fn impossible_probabilities_are_clamped() {
        let wild = Outcomes([0.5, 0.7, 0.8, 0.6, 0.9]);
        assert_eq!(wild.clamped_to_possible(&Board::START), Outcomes([0.5; 5]));
        let mut places = [0; 26];
        (places[2], places[8]) = (5, 9);
        let off = Board::new(&places, &places).expect("a good board");
        assert_eq!(wild.clamped_to_possible(&off), Outcomes([0.5, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(Outcomes::exact(&off), None);
        places[8] = 0;
        let race = Board::new(&places, &places).expect("a good board");
        assert!(Outcomes::exact(&race).is_some_and(|o| o.equity() > 0.0));
    }
}
