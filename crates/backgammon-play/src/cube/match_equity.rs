//! The match equity table: the chance to win a match at every score before a game begins, between two equal
//! players.
//!
//! Every score is a game from the start position. Its value is the cubeful utility of an even game with the
//! cube in the middle, and the scores after it are known, because they are nearer to the end: a recursion as
//! in Zadeh ("On doubling in tournament backgammon", 1977), with Janowski's interpolation for the cube. What
//! the games look like (how many are gammons) was measured in games of our own network ([`super::rates`]).
//!
//! Two kinds of score are special. In the Crawford game the cube is dead, and only the trailing side gains by
//! gammons. After it the trailing side doubles at its first turn; the leader may pass if the first rolls went
//! against it.

use std::sync::OnceLock;

use learnery_worlds::backgammon::Board;
use learnery_worlds::backgammon::matches::{LONGEST_MATCH, NextGame, Stakes};

use super::janowski::cubeful;
use super::life::cube_life;
use super::rates::{MEASURED, MeasuredRates, Rates};
use crate::outcomes::Outcomes;

/// Rows and columns of the table: 0 to [`LONGEST_MATCH`] points that a side needs.
const TABLE_SIDE: usize = LONGEST_MATCH as usize + 1;

/// Chances to win a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchEquityTable {
    /// The chance of a side by the points that it and its opponent need: `before[own away][other away]`.
    /// Where one needs a single point, the Crawford game is next.
    before: [[f64; TABLE_SIDE]; TABLE_SIDE],
    /// After the Crawford game, by the points that a side needs while the other needs one.
    after: [f64; TABLE_SIDE],
}

impl MatchEquityTable {
    /// The table of the rates of an earlier network (`docs/results.md`).
    pub fn shared() -> &'static Self {
        static TABLE: OnceLock<MatchEquityTable> = OnceLock::new();
        TABLE.get_or_init(|| Self::new(&MEASURED))
    }

    /// Computes the table.
    pub fn new(rates: &MeasuredRates) -> Self {
        // Index 0, no points needed: the match is won, or, as the second index, lost (0 everywhere).
        let mut table = Self { before: [[0.0; TABLE_SIDE]; TABLE_SIDE], after: [0.0; TABLE_SIDE] };
        table.before[0] = [1.0; TABLE_SIDE];
        (table.after[0], table.after[1], table.before[1][1]) = (1.0, 0.5, 0.5);
        for away in 2..TABLE_SIDE {
            table.after[away] = table.post_crawford(rates, away);
        }
        for away in 2..TABLE_SIDE {
            table.put(away, 1, table.crawford(rates, away));
        }
        for away in 2..TABLE_SIDE {
            table.before[away][away] = 0.5;
            for other in 2..away {
                table.put(away, other, table.even_game(rates, away, other));
            }
        }
        table
    }

    /// Sets the chance at a score, and that of the other side.
    fn put(&mut self, own: usize, other: usize, chance: f64) {
        self.before[own][other] = chance;
        self.before[other][own] = 1.0 - chance;
    }

    /// The chance before the Crawford game has been played. The arguments are the points that each side
    /// needs; if one needs a single point, the Crawford game is next.
    pub fn before_crawford(&self, own_away: u8, other_away: u8) -> f64 {
        self.before[usize::from(own_away)][usize::from(other_away)]
    }

    /// The chance after the Crawford game of a side that needs `away` points while the other needs one.
    pub fn after_crawford(&self, away: u8) -> f64 {
        self.after[usize::from(away)]
    }

    /// The chance to win the match after a game, from what follows it.
    pub fn chance(&self, next: NextGame) -> f64 {
        match next {
            NextGame::MatchOver { won } => f64::from(u8::from(won)),
            NextGame::Score { own_away, other_away: 1, crawford: false } => self.after_crawford(own_away),
            NextGame::Score { own_away: 1, other_away, crawford: false } => {
                1.0 - self.after_crawford(other_away)
            }
            NextGame::Score { own_away, other_away, .. } => self.before_crawford(own_away, other_away),
        }
    }

    /// The chance of the trailing side, which needs `away` points, once it has won `points` of them in the
    /// Crawford game or after it.
    fn after_points(&self, away: usize, points: usize) -> f64 {
        self.after[away.saturating_sub(points)]
    }

    /// How often the trailing side wins at this cube, and its mean chance to win the match after a win.
    ///
    /// Both depend on the price of its gammons: what a gammon adds to a win, over what a win adds to a loss.
    /// Here a loss is worth 0, because it loses the match. For money the price is 1/2.
    fn trailing_win(&self, away: usize, cube: usize, rates: &MeasuredRates) -> (Rates, f64) {
        let [single, gammon, backgammon] = [1, 2, 3].map(|n| self.after_points(away, n * cube));
        let rates = rates.one_sided((gammon - single) / single);
        // The shares of gammons (which include backgammons) and of backgammons in the wins.
        let (gammon_share, backgammon_share) = (rates.gammon / rates.win, rates.backgammon / rates.win);
        let mean = single * (1.0 - gammon_share)
            + gammon * (gammon_share - backgammon_share)
            + backgammon * backgammon_share;
        (rates, mean)
    }

    /// The Crawford game, for the trailing side.
    fn crawford(&self, rates: &MeasuredRates, away: usize) -> f64 {
        let (rates, won) = self.trailing_win(away, 1, rates);
        rates.win * won
    }

    /// A game after the Crawford game, for the trailing side: it doubles at its first turn.
    fn post_crawford(&self, rates: &MeasuredRates, away: usize) -> f64 {
        let (rates_at_2, won) = self.trailing_win(away, 2, rates);
        let passed = self.after_points(away, 1);
        let taken = |swing: f64| (rates_at_2.win + swing).clamp(0.0, 1.0) * won;
        let games = rates.opening_swings.iter();
        games.map(|swing| taken(*swing).min(passed)).sum::<f64>() / rates.opening_swings.len() as f64
    }

    /// A game before the Crawford game, in which both sides need at least two points.
    fn even_game(&self, rates: &MeasuredRates, own: usize, other: usize) -> f64 {
        let Rates { gammon, backgammon, .. } = rates.money;
        let even = Outcomes([0.5, gammon, backgammon, gammon, backgammon].map(|p| p as f32));
        // Both sides need 2 to 25 points.
        match Stakes::match_play(own as u32, other as u32, false) {
            Ok(stakes) => cubeful(self, &stakes, &even, cube_life(&Board::START)),
            // Cannot happen. One half is the value of an even game.
            Err(_) => 0.5,
        }
    }
}
