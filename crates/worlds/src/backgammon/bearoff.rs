//! How long it takes to bear off: for every way in which up to fifteen checkers can stand at home, in how many turns they
//! are all off, and in how many the first of fifteen is, as whole distributions.
//!
//! Each side is looked at by itself and plays for the fewest turns in the mean. Two sides that cannot meet any more take
//! no notice of each other, so from both distributions follow the chances of a game in which all checkers are at home.
//! Only a player who would now and then choose otherwise because of the score of pips does a little better.
//!
//! A turn leads to fewer pips, so one pass over the positions in that order finds all 54,264.

use std::sync::OnceLock;

use super::board::{Board, CHECKERS};
use super::dice::Dice;
use super::plays::Plays;

/// Points of a home.
const HOME: usize = 6;
/// Ways in which up to fifteen checkers stand on six points.
const POSITIONS: usize = 54_264;
/// More turns than anybody needs: three pips a turn are always played, and there are at most ninety.
const MOST_TURNS: usize = 32;

/// The distributions of all positions. Half a second's work, done once: see [`BearOff::table`].
#[derive(Debug)]
pub struct BearOff {
    /// Until all are off.
    all: Distributions,
    /// Until one of fifteen is off; empty for fewer.
    first: Distributions,
}

/// For each position the chances of some turns, one after the other.
#[derive(Debug)]
struct Distributions {
    chances: Vec<f32>,
    /// Where in `chances` a position's begin, and for which number of turns the first of them is.
    places: Vec<(u32, u8)>,
    /// How many there are.
    lengths: Vec<u8>,
    means: Vec<f32>,
}

/// The chances of being done in `first`, `first + 1`, ... turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turns<'a> {
    /// The fewest turns.
    pub first: usize,
    /// The chances, which sum to one.
    pub chances: &'a [f32],
}

impl BearOff {
    /// The table, which is made when it is first asked for.
    pub fn table() -> &'static Self {
        static TABLE: OnceLock<BearOff> = OnceLock::new();
        TABLE.get_or_init(Self::make)
    }

    /// In how many turns all checkers are off; nothing where one is not at home.
    pub fn all_off(&self, places: &[u8; 26]) -> Option<Turns<'_>> {
        Some(self.all.turns(index(places)?))
    }

    /// The mean of that.
    pub fn mean(&self, places: &[u8; 26]) -> Option<f32> {
        Some(self.all.means[index(places)?])
    }

    /// In how many turns the first checker is off; nothing where one is not at home or off already.
    pub fn first_off(&self, places: &[u8; 26]) -> Option<Turns<'_>> {
        if places[0] > 0 { None } else { Some(self.first.turns(index(places)?)) }
    }

    /// The chances of the side on roll to win, win a gammon, win a backgammon, lose a gammon and lose a backgammon, where
    /// all checkers are at home and the sides cannot meet. A gammon counts among the wins.
    pub fn outcomes(&self, board: &Board) -> Option<[f32; 5]> {
        if !board.is_race() {
            return None;
        }
        let (own, other) = (board.own_places(), board.other_places());
        let (own_all, other_all) = (self.all_off(&own)?, self.all_off(&other)?);
        // The side on roll is one turn ahead.
        let win = own_all.is_before(other_all, 0);
        let gammon = self.first_off(&other).map_or(0.0, |first| own_all.is_before(first, 0));
        let lost_gammon = self.first_off(&own).map_or(0.0, |first| other_all.is_before(first, 1));
        Some([win, gammon, 0.0, lost_gammon, 0.0])
    }

    fn make() -> Self {
        let mut positions: Vec<[u8; HOME]> = Vec::with_capacity(POSITIONS);
        put_all(&mut [0; HOME], 0, CHECKERS, &mut positions);
        let pips = |p: &[u8; HOME]| p.iter().zip(1..).map(|(n, point)| u32::from(*n) * point).sum::<u32>();
        positions.sort_by_key(pips);

        let mut table = Self { all: Distributions::new(), first: Distributions::new() };
        let mut plays = Plays::new();
        for position in &positions {
            let mut places = [0; 26];
            places[1..=HOME].copy_from_slice(position);
            // Nobody is in the way, and the play does not care that the game would be over.
            let board = Board::alone(&places);
            let (mut all, mut first) = ([0.0; MOST_TURNS], [0.0; MOST_TURNS]);
            let none_off = board.own(0) == 0;
            for dice in if board.own(0) == CHECKERS { &[][..] } else { &Dice::ALL } {
                plays.find(&board, *dice);
                let share = f64::from(dice.ways()) / 36.0;
                let sides = || plays.iter().map(|after| after.other_places());
                table.all.best(sides()).add_to(&mut all, share);
                if none_off {
                    match sides().any(|side| side[0] > 0) {
                        true => first[1] += share,
                        false => table.first.best(sides()).add_to(&mut first, share),
                    }
                }
            }
            if board.own(0) == CHECKERS {
                all[0] = 1.0;
            }
            let index = home_index(position);
            table.all.put(index, &all);
            if none_off {
                table.first.put(index, &first);
            }
        }
        table
    }
}

impl Distributions {
    fn new() -> Self {
        Self {
            chances: Vec::new(),
            places: vec![(0, 0); POSITIONS],
            lengths: vec![0; POSITIONS],
            means: vec![0.0; POSITIONS],
        }
    }

    fn turns(&self, index: usize) -> Turns<'_> {
        let (begin, first) = self.places[index];
        let chances = &self.chances[begin as usize..][..usize::from(self.lengths[index])];
        Turns { first: usize::from(first), chances }
    }

    /// Of the positions that a throw leads to, the one with the fewest turns in the mean.
    fn best(&self, sides: impl Iterator<Item = [u8; 26]>) -> Turns<'_> {
        let indices = sides.filter_map(|side| index(&side));
        let best = indices.min_by(|a, b| self.means[*a].total_cmp(&self.means[*b]));
        self.turns(best.unwrap_or(0))
    }

    fn put(&mut self, index: usize, chances: &[f64; MOST_TURNS]) {
        let first = chances.iter().position(|p| *p > 0.0).unwrap_or(0);
        let last = chances.iter().rposition(|p| *p > 0.0).unwrap_or(0);
        self.places[index] = (self.chances.len() as u32, first as u8);
        self.lengths[index] = (last + 1 - first) as u8;
        self.chances.extend(chances[first..=last].iter().map(|p| *p as f32));
        self.means[index] =
            chances.iter().zip(0..).map(|(p, turns)| p * f64::from(turns)).sum::<f64>() as f32;
    }
}

impl Turns<'_> {
    /// The chance of exactly so many turns.
    pub fn chance(&self, turns: usize) -> f32 {
        turns.checked_sub(self.first).and_then(|i| self.chances.get(i)).copied().unwrap_or(0.0)
    }

    /// After one more turn.
    fn add_to(self, sums: &mut [f64; MOST_TURNS], share: f64) {
        for (sum, chance) in sums[self.first + 1..].iter_mut().zip(self.chances) {
            *sum += share * f64::from(*chance);
        }
    }

    /// The chance of being done in no more turns than another, or in `by` fewer.
    fn is_before(self, other: Self, by: usize) -> f32 {
        // What is left of the other's chances beyond the turns that were looked at.
        let (mut left, mut looked_at, mut sum) = (1.0f32, 0, 0.0);
        for (turns, chance) in (self.first..).zip(self.chances) {
            while looked_at < turns + by {
                left -= other.chance(looked_at);
                looked_at += 1;
            }
            sum += chance * left.max(0.0);
        }
        sum.min(1.0)
    }
}

/// All ways to put up to `left` checkers on the points from `point` on.
fn put_all(position: &mut [u8; HOME], point: usize, left: u8, all: &mut Vec<[u8; HOME]>) {
    if point == HOME {
        all.push(*position);
        return;
    }
    for n in 0..=left {
        position[point] = n;
        put_all(position, point + 1, left - n, all);
    }
    position[point] = 0;
}

/// The number of a side's position, if all its checkers are at home.
fn index(places: &[u8; 26]) -> Option<usize> {
    if places[HOME + 1..].iter().any(|n| *n > 0) {
        return None;
    }
    Some(home_index(&places[1..=HOME]))
}

/// The number of a position: the checkers and six bars between them stand in a row of 21, and the places of the bars
/// are numbered as combinations are.
fn home_index(position: &[u8]) -> usize {
    /// `CHOOSE[k][n]`, n choose k + 1.
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
    let mut at = 0;
    let mut number = 0;
    for (k, n) in position.iter().enumerate() {
        at += usize::from(*n);
        number += usize::from(CHOOSE[k][at]);
        at += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::super::board::Win;
    use super::*;

    fn side(list: &[(usize, u8)]) -> [u8; 26] {
        let mut places = [0; 26];
        list.iter().for_each(|(place, n)| places[*place] = *n);
        places[0] = CHECKERS - places.iter().sum::<u8>();
        places
    }

    #[test]
    fn every_position_has_a_number_of_its_own() {
        let mut positions = Vec::new();
        put_all(&mut [0; HOME], 0, CHECKERS, &mut positions);
        let mut seen = vec![false; POSITIONS];
        for position in positions {
            assert!(!std::mem::replace(&mut seen[home_index(&position)], true), "{position:?}");
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    /// Chances that every player knows, in thirty-sixths.
    #[test]
    fn well_known_chances_are_found() {
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
            let chance = table.all_off(&side(&checkers)).expect("at home").chance(1);
            assert!((chance - ways as f32 / 36.0).abs() < 1e-6, "{checkers:?}: {chance}");
        }
        let none = table.all_off(&side(&[])).expect("at home");
        assert_eq!((none.first, none.chances), (0, &[1.0][..]));
        assert_eq!(table.all_off(&side(&[(7, 1)])), None);
        // On the ace point two a turn are off, four with a double.
        let mut means = [0.0f32; 16];
        for n in 1..=15usize {
            means[n] = 1.0 + means[n.saturating_sub(2)] * 5.0 / 6.0 + means[n.saturating_sub(4)] / 6.0;
            let mean = table.mean(&side(&[(1, n as u8)])).expect("at home");
            assert!((mean - means[n]).abs() < 1e-5, "{n}: {mean}");
        }
    }

    #[test]
    fn chances_sum_to_one_and_have_their_mean() {
        let table = BearOff::table();
        for distributions in [&table.all, &table.first] {
            for index in (0..POSITIONS).filter(|i| distributions.lengths[*i] > 0) {
                let turns = distributions.turns(index);
                let sum: f32 = turns.chances.iter().sum();
                let mean: f32 = (turns.first..).zip(turns.chances).map(|(t, p)| t as f32 * p).sum();
                assert!((sum - 1.0).abs() < 1e-5 && (mean - distributions.means[index]).abs() < 1e-4);
            }
        }
    }

    /// A game played by the table ends as often for the side on roll as the table says.
    #[test]
    fn games_end_as_the_table_says() {
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
            let start = Board::new(&own, &other).expect("a good board");
            let expected = table.outcomes(&start).expect("all at home");
            let stream = Stream::new(1, case as u32);
            let games = 4000u64;
            let mut ends = [0.0f32; 5];
            for game in 0..games {
                let (mut board, mut turn) = (start, 0);
                while board.other_won().is_none() {
                    plays.find(&board, Dice::from_random_word(stream.block(game, turn)[0]));
                    // Who has nothing off has lost already and only wants one off.
                    let mean = |b: &Board| {
                        let side = b.other_places();
                        let all = table.mean(&side).expect("at home");
                        let saved = f32::from(u8::from(side[0] > 0));
                        if board.own(0) == 0 {
                            table.first.means[index(&side).unwrap_or(0)] - saved
                        } else {
                            all
                        }
                    };
                    board = plays.iter().min_by(|a, b| mean(a).total_cmp(&mean(b))).expect("a play");
                    turn += 1;
                }
                // Whoever has just played has won: the first side after an odd number of turns.
                let points = board.other_won().map_or(0, Win::points) * if turn % 2 == 1 { 1 } else { -1 };
                for (end, has) in
                    ends.iter_mut().zip([points > 0, points > 1, points > 2, points < -1, points < -2])
                {
                    *end += f32::from(u8::from(has)) / games as f32;
                }
            }
            for (end, expected) in ends.iter().zip(expected) {
                assert!((end - expected).abs() < 0.032, "case {case}: {ends:?}, not {expected:?}");
            }
        }
    }
}
