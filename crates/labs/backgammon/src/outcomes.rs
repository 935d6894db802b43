//! What a position is worth: five chances, each of which counts among those before it.
//!
//! They are always those of the side on roll, at the boundary of a turn. Whoever has just played reads them through
//! [`Outcomes::flipped`].

use learnery_worlds::backgammon::{BearOff, Board, Win};

/// Chances in a value.
pub const OUTCOMES: usize = 5;

/// The chances of the side on roll: to win at all, to win a gammon or more, a backgammon; to lose a gammon or more, a
/// backgammon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcomes(pub [f32; OUTCOMES]);

impl Outcomes {
    /// Points a game in the mean, without the cube.
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

    /// A part of this and the rest of another.
    #[must_use]
    pub fn mixed(&self, share: f32, other: &Self) -> Self {
        Self(std::array::from_fn(|i| share * self.0[i] + (1.0 - share) * other.0[i]))
    }

    /// The side on roll has lost.
    pub fn lost(win: Win) -> Self {
        let points = win.points();
        let has = |n| if points >= n { 1.0 } else { 0.0 };
        Self([0.0, 0.0, 0.0, has(2), has(3)])
    }

    /// What need not be guessed: the end of a game, and both sides bearing off.
    #[inline]
    pub fn exact(board: &Board) -> Option<Self> {
        match board.other_won() {
            Some(win) => Some(Self::lost(win)),
            None if board.is_race() => BearOff::table().outcomes(board).map(Self),
            None => None,
        }
    }

    /// The nearest chances that are possible on `board`: none grows from one to the next, and nobody loses a gammon who
    /// has borne off.
    #[inline]
    #[must_use]
    pub fn possible(&self, board: &Board) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        let gammon = if board.other(0) > 0 { 0.0 } else { gammon.min(win) };
        let lost_gammon = if board.own(0) > 0 { 0.0 } else { lost_gammon.min(1.0 - win) };
        Self([win, gammon, backgammon.min(gammon), lost_gammon, lost_backgammon.min(lost_gammon)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_has_the_other_value() {
        let outcomes = Outcomes([0.6, 0.3, 0.1, 0.15, 0.05]);
        assert!((outcomes.equity() - 0.4).abs() < 1e-6);
        assert!((outcomes.flipped().equity() + 0.4).abs() < 1e-6);
        assert_eq!(outcomes.flipped().flipped().0[1..], outcomes.0[1..]);
        for win in [Win::Single, Win::Gammon, Win::Backgammon] {
            assert_eq!(Outcomes::lost(win).equity(), -win.points() as f32);
        }
        assert_eq!(outcomes.mixed(1.0, &Outcomes::default()), outcomes);
    }

    #[test]
    fn impossible_chances_are_mended() {
        let wild = Outcomes([0.5, 0.7, 0.8, 0.6, 0.9]);
        assert_eq!(wild.possible(&Board::START), Outcomes([0.5; 5]));
        let mut places = [0; 26];
        (places[2], places[8]) = (5, 9);
        let off = Board::new(&places, &places).expect("a good board");
        assert_eq!(wild.possible(&off), Outcomes([0.5, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(Outcomes::exact(&off), None);
        places[8] = 0;
        let race = Board::new(&places, &places).expect("a good board");
        assert!(Outcomes::exact(&race).is_some_and(|o| o.equity() > 0.0));
    }
}
