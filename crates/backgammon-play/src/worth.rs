//! What gammons and backgammons are worth beside a single game: for money, and at three scores of a match at
//! which the cube does not matter. These are double match point, and the Crawford game (in which nobody may
//! double) if the other side needs two points.
//!
//! The unit is half the difference between winning and losing a single game, so that a single game counts one
//! point as for money. A gammon of a side that needs two points while the other one needs one then counts
//! three.

use crate::outcomes::{OUTCOMES, Outcomes};

/// What a gammon and a backgammon add to a single game, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// For a gammon of the side on roll, and what a backgammon adds to that.
    pub won: [f32; 2],
    /// The same for the other side.
    pub lost: [f32; 2],
}

impl Worth {
    /// Games for money: each step counts a point.
    pub const MONEY: Self = Self { won: [1.0, 1.0], lost: [1.0, 1.0] };
    /// Both sides need one point, so a gammon counts nothing.
    pub const DOUBLE_MATCH_POINT: Self = Self { won: [0.0; 2], lost: [0.0; 2] };
    /// The side on roll needs two points and the other side needs one, in the Crawford game. A gammon wins
    /// the match, a single game makes it even.
    pub const GAMMON_GO: Self = Self { won: [2.0, 0.0], lost: [0.0; 2] };
    /// The side on roll needs one point and the other two.
    pub const GAMMON_SAVE: Self = Self::GAMMON_GO.flipped();

    /// The same for the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { won: self.lost, lost: self.won }
    }

    /// The equity of these outcomes.
    #[inline]
    pub fn equity(&self, outcomes: &Outcomes) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = outcomes.0;
        let ([g, b], [lost_g, lost_b]) = (self.won, self.lost);
        2.0 * win - 1.0 + g * gammon - lost_g * lost_gammon + b * backgammon - lost_b * lost_backgammon
    }

    /// The equity of means of outcomes.
    pub fn equity_of_chances(&self, chances: &[f64; OUTCOMES]) -> f64 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = chances;
        let ([g, b], [lost_g, lost_b]) = (self.won.map(f64::from), self.lost.map(f64::from));
        2.0 * win - 1.0 + g * gammon - lost_g * lost_gammon + b * backgammon - lost_b * lost_backgammon
    }

    /// The index of the best play and its value. `values` are those after the plays for the opponent, who
    /// rolls next, and `self` is of the side that plays.
    pub fn best_play(&self, values: &[Outcomes]) -> (usize, Outcomes) {
        let of_opponent = self.flipped();
        let (mut lowest, mut best) = (f32::INFINITY, 0);
        for (i, value) in values.iter().enumerate() {
            let equity = of_opponent.equity(value);
            if equity < lowest {
                (lowest, best) = (equity, i);
            }
        }
        (best, values.get(best).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcomes::best_play;

    const OUTCOMES_OF_TEST: Outcomes = Outcomes([0.6, 0.3, 0.1, 0.15, 0.05]);

    #[test]
    fn money_is_the_equity_of_outcomes() {
        let (money, o) = (Worth::MONEY, OUTCOMES_OF_TEST);
        assert_eq!(money.equity(&o).to_bits(), o.equity().to_bits());
        let values = [o, o.flipped(), Outcomes([0.5; 5])];
        assert_eq!(money.best_play(&values), best_play(&values));
    }

    /// By hand: the chance to win the match, with an even match at one point each, scaled so that a single
    /// game counts one point.
    #[test]
    fn scores_are_chances_to_win_the_match() {
        let [win, gammon, _, lost_gammon, _] = OUTCOMES_OF_TEST.0;
        let go = (win - gammon) * 0.5 + gammon;
        let save = win + (1.0 - win - lost_gammon) * 0.5;
        for (worth, chance, [lost, won]) in [
            (Worth::DOUBLE_MATCH_POINT, win, [0.0, 1.0]),
            (Worth::GAMMON_GO, go, [0.0, 0.5]),
            (Worth::GAMMON_SAVE, save, [0.5, 1.0]),
        ] {
            let equity = 2.0 * (chance - lost) / (won - lost) - 1.0;
            assert!((worth.equity(&OUTCOMES_OF_TEST) - equity).abs() < 1e-6, "{worth:?}");
            assert!(
                (worth.equity_of_chances(&OUTCOMES_OF_TEST.0.map(f64::from)) - f64::from(equity)).abs()
                    < 1e-6
            );
            assert!((worth.flipped().equity(&OUTCOMES_OF_TEST.flipped()) + equity).abs() < 1e-6, "{worth:?}");
        }
    }
}
