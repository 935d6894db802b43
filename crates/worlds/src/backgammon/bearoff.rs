//! A one-sided bear-off database. A position is one of the 54,264 ways to place up to fifteen checkers in the
//! home board. The database has the probability distribution of the number of turns until all checkers are
//! off, and of the number of turns until the first of fifteen is off (which saves the gammon).
//!
//! Each side is treated alone and minimises its expected number of turns. Once the sides cannot meet and all
//! checkers are at home, the two distributions give the outcome probabilities of the game. These are those of
//! slightly suboptimal play: the best play against a known opponent sometimes differs from the play with the
//! fewest expected turns.
//!
//! Every turn lowers the pip count, so one pass over the positions ordered by pips fills the table.

use std::sync::OnceLock;

use super::board::{Board, CHECKERS};
use super::dice::Dice;
use super::plays::Plays;

/// Points of the home board.
pub(super) const HOME: usize = 6;
/// Positions of up to fifteen checkers on six points: 21 choose 6.
pub(super) const POSITIONS: usize = 54_264;
/// Distributions end below this number of turns. A position has at most ninety pips, and a roll other than 2
/// and 1 plays at least four of them, or bears two checkers off. So only a long series of rolls of 2 and 1
/// could take longer. Its probability is negligible and is left out.
const MAX_TURNS: usize = 32;

/// The distributions of all positions. Computing them takes half a second; [`BearOff::table`] does it once.
#[derive(Debug)]
pub struct BearOff {
    /// The number of turns until all checkers are off.
    all: Distributions,
    /// The number of turns until the first checker is off; empty for positions with fewer than fifteen
    /// checkers.
    first: Distributions,
}

/// One distribution for each position, by [`home_index`], stored without leading and trailing zeros.
#[derive(Debug)]
struct Distributions {
    /// The probabilities of all positions, concatenated.
    probabilities: Vec<f32>,
    /// For each position: its offset in `probabilities`, and the number of turns of its first entry.
    starts: Vec<(u32, u8)>,
    /// For each position: its number of entries.
    lengths: Vec<u8>,
    /// For each position: the expected number of turns.
    means: Vec<f32>,
}

/// The distribution of a number of turns: entry `i` is the probability of exactly `first + i` turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnDistribution<'a> {
    pub first: usize,
    /// The probabilities sum to one.
    pub probabilities: &'a [f32],
}

impl BearOff {
    /// The shared table, computed at the first call.
    pub fn table() -> &'static Self {
        static TABLE: OnceLock<BearOff> = OnceLock::new();
        TABLE.get_or_init(Self::compute)
    }

    /// Turns until all checkers are off; `None` if a checker is outside the home board.
    pub fn all_off(&self, places: &[u8; 26]) -> Option<TurnDistribution<'_>> {
        Some(self.all.turns(side_index(places)?))
    }

    /// The expected number of turns until all checkers are off; `None` if a checker is outside the home
    /// board.
    pub fn mean(&self, places: &[u8; 26]) -> Option<f32> {
        Some(self.all.means[side_index(places)?])
    }

    /// Turns until the first checker is off; `None` if a checker is outside the home board or one is off
    /// already.
    pub fn first_off(&self, places: &[u8; 26]) -> Option<TurnDistribution<'_>> {
        if places[0] > 0 { None } else { Some(self.first.turns(side_index(places)?)) }
    }

    /// The probabilities that the side on roll wins, wins a gammon, wins a backgammon, loses a gammon and
    /// loses a backgammon; `None` unless all checkers are at home and the sides cannot meet. Gammons are
    /// included in the wins.
    pub fn outcomes(&self, board: &Board) -> Option<[f32; 5]> {
        if !board.is_race() {
            return None;
        }
        let (own, other) = (board.own_places(), board.other_places());
        let (own_all, other_all) = (self.all_off(&own)?, self.all_off(&other)?);
        // The side on roll moves first: with equal numbers of turns it wins. A backgammon cannot happen,
        // because all checkers of the loser are in its own home board.
        let win = own_all.is_before(other_all, 0);
        let gammon = self.first_off(&other).map_or(0.0, |first| own_all.is_before(first, 0));
        let lost_gammon = self.first_off(&own).map_or(0.0, |first| other_all.is_before(first, 1));
        Some([win, gammon, 0.0, lost_gammon, 0.0])
    }

    /// Fills the table in the order of pip counts, so that the positions after a turn are always known.
    fn compute() -> Self {
        let mut positions: Vec<[u8; HOME]> = Vec::with_capacity(POSITIONS);
        enumerate_positions(&mut [0; HOME], 0, CHECKERS, &mut positions);
        let pips = |p: &[u8; HOME]| p.iter().zip(1..).map(|(n, point)| u32::from(*n) * point).sum::<u32>();
        positions.sort_by_key(pips);

        let mut table = Self { all: Distributions::new(), first: Distributions::new() };
        let mut plays = Plays::new();
        for position in &positions {
            let mut places = [0; 26];
            places[1..=HOME].copy_from_slice(position);
            let board = Board::alone(&places);
            let (mut all, mut first) = ([0.0; MAX_TURNS], [0.0; MAX_TURNS]);
            let has_none_off = board.own(0) == 0;
            // Nothing is rolled once all checkers are off.
            for dice in if board.own(0) == CHECKERS { &[][..] } else { &Dice::ALL } {
                plays.find(&board, *dice);
                let probability = f64::from(dice.ways()) / 36.0;
                // The board after a play is seen from the opponent, so the side that played is the other.
                let sides = || plays.iter().map(|after| after.other_places());
                table.all.best(sides()).add_shifted(&mut all, probability);
                if has_none_off {
                    // If any play bears off a checker, the first checker is off after this turn.
                    match sides().any(|side| side[0] > 0) {
                        true => first[1] += probability,
                        false => table.first.best(sides()).add_shifted(&mut first, probability),
                    }
                }
            }
            if board.own(0) == CHECKERS {
                all[0] = 1.0;
            }
            let index = home_index(position);
            table.all.put(index, &all);
            if has_none_off {
                table.first.put(index, &first);
            }
        }
        table
    }
}

impl Distributions {
    fn new() -> Self {
        Self {
            probabilities: Vec::new(),
            starts: vec![(0, 0); POSITIONS],
            lengths: vec![0; POSITIONS],
            means: vec![0.0; POSITIONS],
        }
    }

    /// The distribution of a position.
    fn turns(&self, index: usize) -> TurnDistribution<'_> {
        let (begin, first) = self.starts[index];
        let probabilities = &self.probabilities[begin as usize..][..usize::from(self.lengths[index])];
        TurnDistribution { first: usize::from(first), probabilities }
    }

    /// Of the given positions, the distribution of the one with the fewest expected turns. There is at least
    /// one, because every roll has a play, and all are at home, so no index is missing.
    fn best(&self, sides: impl Iterator<Item = [u8; 26]>) -> TurnDistribution<'_> {
        let indices = sides.filter_map(|side| side_index(&side));
        let best = indices.min_by(|a, b| self.means[*a].total_cmp(&self.means[*b]));
        self.turns(best.unwrap_or(0))
    }

    /// Stores the distribution of a position; entry `i` of `probabilities` is the probability of `i` turns.
    fn put(&mut self, index: usize, probabilities: &[f64; MAX_TURNS]) {
        let first = probabilities.iter().position(|p| *p > 0.0).unwrap_or(0);
        let last = probabilities.iter().rposition(|p| *p > 0.0).unwrap_or(0);
        self.starts[index] = (self.probabilities.len() as u32, first as u8);
        self.lengths[index] = (last + 1 - first) as u8;
        self.probabilities.extend(probabilities[first..=last].iter().map(|p| *p as f32));
        self.means[index] =
            probabilities.iter().zip(0..).map(|(p, turns)| p * f64::from(turns)).sum::<f64>() as f32;
    }
}

impl TurnDistribution<'_> {
    /// The probability of exactly `turns` turns.
    pub fn probability(&self, turns: usize) -> f32 {
        turns.checked_sub(self.first).and_then(|i| self.probabilities.get(i)).copied().unwrap_or(0.0)
    }

    /// Adds this distribution, delayed by one turn and times `weight`, to `sums`.
    fn add_shifted(self, sums: &mut [f64; MAX_TURNS], weight: f64) {
        for (sum, probability) in sums[self.first + 1..].iter_mut().zip(self.probabilities) {
            *sum += weight * f64::from(*probability);
        }
    }

    /// The probability that this side is done before the other, for independent numbers of turns: that `self`
    /// plus `lag` is at most `other`. `lag` is 1 if `other` moves first, so that this side needs fewer turns,
    /// and 0 if this side does.
    fn is_before(self, other: Self, lag: usize) -> f32 {
        // `remaining` is the probability that `other` is at least `counted` turns.
        let (mut remaining, mut counted, mut sum) = (1.0f32, 0, 0.0);
        for (turns, probability) in (self.first..).zip(self.probabilities) {
            while counted < turns + lag {
                remaining -= other.probability(counted);
                counted += 1;
            }
            sum += probability * remaining.max(0.0);
        }
        sum.min(1.0)
    }
}

/// Appends all ways to place up to `remaining` checkers on the points from `point` on.
pub(super) fn enumerate_positions(
    position: &mut [u8; HOME],
    point: usize,
    remaining: u8,
    all: &mut Vec<[u8; HOME]>,
) {
    if point == HOME {
        all.push(*position);
        return;
    }
    for n in 0..=remaining {
        position[point] = n;
        enumerate_positions(position, point + 1, remaining - n, all);
    }
    position[point] = 0;
}

/// The index of a side's position; `None` if a checker is outside the home board.
pub(super) fn side_index(places: &[u8; 26]) -> Option<usize> {
    if places[HOME + 1..].iter().any(|n| *n > 0) {
        return None;
    }
    Some(home_index(&places[1..=HOME]))
}

/// The index of a position by stars and bars: fifteen checkers and six separators form a row of 21, and the
/// set of the separators' positions is ranked in the combinatorial number system.
pub(super) fn home_index(position: &[u8]) -> usize {
    /// `CHOOSE[k][n]` is the binomial coefficient "n choose k + 1".
    const CHOOSE: [[u16; 21]; HOME] = {
        let mut table = [[0u16; 21]; HOME];
        let mut n = 1;
        while n < 21 {
            table[0][n] = n as u16;
            let mut k = 1;
            while k < HOME {
                table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
                k += 1;
            }
            n += 1;
        }
        table
    };
    let mut separator = 0;
    let mut index = 0;
    for (k, n) in position.iter().enumerate() {
        separator += usize::from(*n);
        index += usize::from(CHOOSE[k][separator]);
        separator += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::super::board::Win;
    use super::*;

    /// A side with the listed (place, checkers); the rest of its fifteen checkers are off.
    fn side(list: &[(usize, u8)]) -> [u8; 26] {
        let mut places = [0; 26];
        list.iter().for_each(|(place, n)| places[*place] = *n);
        places[0] = CHECKERS - places.iter().sum::<u8>();
        places
    }

    #[test]
    fn home_index_is_a_bijection() {
        let mut positions = Vec::new();
        enumerate_positions(&mut [0; HOME], 0, CHECKERS, &mut positions);
        let mut seen = vec![false; POSITIONS];
        for position in positions {
            assert!(!std::mem::replace(&mut seen[home_index(&position)], true), "{position:?}");
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    /// Well-known probabilities of bearing off all checkers in one turn, in thirty-sixths. A position is a
    /// list of points, each with its number of checkers.
    #[test]
    fn all_off_gives_well_known_probabilities() {
        let table = BearOff::table();
        for (checkers, ways) in [
            (vec![(6, 1)], 27),
            (vec![(5, 1)], 31),
            (vec![(4, 1)], 34),
            (vec![(3, 1)], 36),
            (vec![(6, 2)], 4),
            (vec![(6, 1), (5, 1)], 6),
            (vec![(5, 1), (2, 1)], 19),
            (vec![(1, 2)], 36),
            (vec![(1, 3)], 6),
        ] {
            let probability = table.all_off(&side(&checkers)).expect("at home").probability(1);
            assert!((probability - ways as f32 / 36.0).abs() < 1e-6, "{checkers:?}: {probability}");
        }
        let none = table.all_off(&side(&[])).expect("at home");
        assert_eq!((none.first, none.probabilities), (0, &[1.0][..]));
        assert_eq!(table.all_off(&side(&[(7, 1)])), None);
        // With all checkers on the ace point, a turn bears off two of them, a double four.
        let mut means = [0.0f32; 16];
        for n in 1..=15usize {
            means[n] = 1.0 + means[n.saturating_sub(2)] * 5.0 / 6.0 + means[n.saturating_sub(4)] / 6.0;
            let mean = table.mean(&side(&[(1, n as u8)])).expect("at home");
            assert!((mean - means[n]).abs() < 1e-5, "{n}: {mean}");
        }
    }

    #[test]
    fn distributions_sum_to_one_and_have_the_stored_mean() {
        let table = BearOff::table();
        for distributions in [&table.all, &table.first] {
            for index in (0..POSITIONS).filter(|i| distributions.lengths[*i] > 0) {
                let turns = distributions.turns(index);
                let sum: f32 = turns.probabilities.iter().sum();
                let mean: f32 = (turns.first..).zip(turns.probabilities).map(|(t, p)| t as f32 * p).sum();
                assert!((sum - 1.0).abs() < 1e-5 && (mean - distributions.means[index]).abs() < 1e-4);
            }
        }
    }

    /// Games in which both sides play by the table have the outcome frequencies that `outcomes` predicts.
    #[test]
    fn outcomes_agree_with_simulated_games() {
        let table = BearOff::table();
        let mut plays = Plays::new();
        for (case, (own, other)) in [
            (side(&[(6, 3), (4, 2), (1, 4)]), side(&[(5, 4), (2, 4)])),
            (side(&[(1, 3), (2, 2)]), side(&[(6, 15)])),
            (side(&[(6, 7), (5, 8)]), side(&[(1, 6)])),
        ]
        .into_iter()
        .enumerate()
        {
            let start = Board::new(&own, &other).expect("a legal board");
            let expected = table.outcomes(&start).expect("all at home");
            let stream = Stream::new(1, case as u32);
            let games = 4000u64;
            let mut frequencies = [0.0f32; 5];
            for game in 0..games {
                let (mut board, mut turn) = (start, 0);
                while board.other_won().is_none() {
                    plays.find(&board, Dice::from_random_word(stream.block(game, turn)[0]));
                    // As in the table, a side with no checker off plays for its first one, and afterwards for
                    // all.
                    let expected_turns = |b: &Board| {
                        let side = b.other_places();
                        let all = table.mean(&side).expect("at home");
                        // `means` has no entry for a side with a checker off. `saved` puts such a side first.
                        let saved = f32::from(u8::from(side[0] > 0));
                        if board.own(0) == 0 {
                            table.first.means[side_index(&side).unwrap_or(0)] - saved
                        } else {
                            all
                        }
                    };
                    board = plays
                        .iter()
                        .min_by(|a, b| expected_turns(a).total_cmp(&expected_turns(b)))
                        .expect("a play");
                    turn += 1;
                }
                // The side that played last has won: the first side after an odd number of turns.
                let points = board.other_won().map_or(0, Win::points) * if turn % 2 == 1 { 1 } else { -1 };
                for (frequency, occurred) in
                    frequencies.iter_mut().zip([points > 0, points > 1, points > 2, points < -1, points < -2])
                {
                    *frequency += f32::from(u8::from(occurred)) / games as f32;
                }
            }
            // Four standard errors of a frequency near one half.
            for (frequency, expected) in frequencies.iter().zip(expected) {
                assert!(
                    (frequency - expected).abs() < 0.032,
                    "case {case}: {frequencies:?}, not {expected:?}"
                );
            }
        }
    }
}
