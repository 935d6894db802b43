//! A two-sided bear-off database: positions in which each side has at most six checkers left, all at home. It
//! has the exact chance to win, and the exact equity for money with the doubling cube. Gammons are
//! impossible, because each side has borne off nine checkers at least.
//!
//! Both sides play and double perfectly, without beavers. Unlike in the one-sided database, the best play
//! depends on the other side's position and on the cube.

use std::sync::OnceLock;

use super::bearoff::{HOME, POSITIONS, enumerate_positions, home_index, side_index};
use super::board::Board;
use super::dice::Dice;
use super::plays::Plays;

/// The largest number of checkers of a side.
pub const MAX_CHECKERS: u8 = 6;
/// Ways to place up to six checkers on six points: 12 choose 6.
const SIDE_POSITIONS: usize = 924;
/// Marks positions of a side that are not in the database.
const NONE: u16 = u16::MAX;

/// The chance to win and the equities of every position, 14 MB. Computing them takes half a second and twice
/// the memory; [`TwoSidedBearOff::table`] does it once.
#[derive(Debug)]
pub struct TwoSidedBearOff {
    /// The number of a side's position by [`home_index`], in the order of pip counts.
    numbers: Vec<u16>,
    /// By the number of the side on roll times [`SIDE_POSITIONS`], plus the number of the other side.
    equities: Vec<BearOffEquities>,
}

/// Values of a position for the side on roll, which rolls without doubling. Equities are in points at a cube
/// of 1; they are proportional to the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BearOffEquities {
    /// The chance to win without a cube.
    pub win: f32,
    /// Equity with the cube in the middle, owned by the side on roll, and owned by the other side.
    pub centred: f32,
    pub own: f32,
    pub other: f32,
}

impl BearOffEquities {
    /// The value of a play that bears off the last checker.
    const WON: Self = Self { win: 1.0, centred: 1.0, own: 1.0, other: 1.0 };

    /// The equities once the side on roll has chosen whether to double, and the other side whether to take.
    fn decided(self) -> Self {
        // After a take the other side owns a cube of 2.
        let double = (2.0 * self.other).min(1.0);
        Self { centred: self.centred.max(double), own: self.own.max(double), ..self }
    }

    /// The same values seen from the other side. A cube owned by one side is then owned by the other.
    fn flipped(self) -> Self {
        Self { win: 1.0 - self.win, centred: -self.centred, own: -self.other, other: -self.own }
    }

    /// The higher of each pair of values.
    fn max(self, other: Self) -> Self {
        Self {
            win: self.win.max(other.win),
            centred: self.centred.max(other.centred),
            own: self.own.max(other.own),
            other: self.other.max(other.other),
        }
    }

    fn to_array(self) -> [f32; 4] {
        [self.win, self.centred, self.own, self.other]
    }
}

impl TwoSidedBearOff {
    /// The shared table, computed at the first call.
    pub fn table() -> &'static Self {
        static TABLE: OnceLock<TwoSidedBearOff> = OnceLock::new();
        TABLE.get_or_init(Self::compute)
    }

    /// Whether the table has a position: each side has one to six checkers left, all at home.
    pub fn covers(board: &Board) -> bool {
        let fits = |places: [u8; 26]| {
            let left: u8 = places[1..=HOME].iter().sum();
            (1..=MAX_CHECKERS).contains(&left) && places[HOME + 1..].iter().all(|n| *n == 0)
        };
        fits(board.own_places()) && fits(board.other_places())
    }

    /// The values of a position; `None` if the table does not have it.
    pub fn equities(&self, board: &Board) -> Option<BearOffEquities> {
        if !Self::covers(board) {
            return None;
        }
        let number = |places: &[u8; 26]| Some(usize::from(self.numbers[side_index(places)?]));
        let (own, other) = (number(&board.own_places())?, number(&board.other_places())?);
        Some(self.equities[own * SIDE_POSITIONS + other])
    }

    fn compute() -> Self {
        let mut sides: Vec<[u8; HOME]> = Vec::with_capacity(SIDE_POSITIONS);
        enumerate_positions(&mut [0; HOME], 0, MAX_CHECKERS, &mut sides);
        sides.sort_by_key(|side| side.iter().zip(1..).map(|(n, point)| u32::from(*n) * point).sum::<u32>());
        let mut numbers = vec![NONE; POSITIONS];
        for (number, side) in (0..).zip(&sides) {
            numbers[home_index(side)] = number;
        }
        let plays = after_rolls(&sides, &numbers);
        let mut table =
            Self { numbers, equities: vec![BearOffEquities::default(); SIDE_POSITIONS * SIDE_POSITIONS] };
        // The values before the roll with the best cube action, of the positions that are computed.
        let mut decided = table.equities.clone();
        let mut compute_values = |own: usize, other: usize| {
            // Rounded only once, so that a sure win is exactly 1.
            let mut sums = [0.0f64; 4];
            for (dice, plays) in Dice::ALL.iter().zip(&plays[own]) {
                // After a play the other side is on roll. Number 0 has no checkers left.
                let after = |play: &u16| match *play {
                    0 => BearOffEquities::WON,
                    play => decided[other * SIDE_POSITIONS + usize::from(play)].flipped(),
                };
                let best = plays.iter().map(after).reduce(BearOffEquities::max);
                let weight = f64::from(dice.ways()) / 36.0;
                let best = best.unwrap_or_default().to_array();
                sums.iter_mut().zip(best).for_each(|(sum, value)| *sum += weight * f64::from(value));
            }
            let [win, centred, own_cube, other_cube] = sums.map(|sum| sum as f32);
            let sum = BearOffEquities { win, centred, own: own_cube, other: other_cube };
            table.equities[own * SIDE_POSITIONS + other] = sum;
            decided[own * SIDE_POSITIONS + other] = sum.decided();
        };
        // Every play leads to a lower number. So the values of (`highest`, n) need those of (n, m) with m <
        // `highest`, and the values of (n, `highest`) need those of (`highest`, m) with m < n.
        for highest in 1..SIDE_POSITIONS {
            (1..highest).for_each(|other| compute_values(highest, other));
            (1..=highest).for_each(|own| compute_values(own, highest));
        }
        table
    }
}

/// For each side, the numbers of the positions to which the plays of each roll of [`Dice::ALL`] lead.
fn after_rolls(sides: &[[u8; HOME]], numbers: &[u16]) -> Vec<Vec<Vec<u16>>> {
    let mut plays = Plays::new();
    let mut plays_of_side = |side: &[u8; HOME]| {
        let mut places = [0; 26];
        places[1..=HOME].copy_from_slice(side);
        let board = Board::alone(&places);
        let mut plays_of_roll = |dice: &Dice| {
            plays.find(&board, *dice);
            // The board after a play is seen from the opponent, so the side that played is the other.
            let after = plays.iter().filter_map(|after| Some(numbers[side_index(&after.other_places())?]));
            after.collect::<Vec<u16>>()
        };
        // Nothing is rolled once all checkers are off.
        if side == &[0; HOME] { Vec::new() } else { Dice::ALL.iter().map(&mut plays_of_roll).collect() }
    };
    sides.iter().map(&mut plays_of_side).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::bearoff::BearOff;
    use super::super::board::CHECKERS;
    use super::*;

    /// A side with the listed (place, checkers); the rest of its fifteen checkers are off.
    fn side(list: &[(usize, u8)]) -> [u8; 26] {
        let mut places = [0; 26];
        list.iter().for_each(|(place, n)| places[*place] = *n);
        places[0] = CHECKERS - places.iter().sum::<u8>();
        places
    }

    fn board_with(own: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
        Board::new(&side(own), &side(other)).expect("a legal board")
    }

    fn equities(own: &[(usize, u8)], other: &[(usize, u8)]) -> BearOffEquities {
        TwoSidedBearOff::table().equities(&board_with(own, other)).expect("it is in the table")
    }

    fn assert_close(found: f32, expected: f64, what: &str) {
        assert!((f64::from(found) - expected).abs() < 1e-6, "{what}: {found}, not {expected}");
    }

    /// The other side bears off at its next roll, so the game is decided by this roll.
    #[test]
    fn last_roll_has_the_chances_of_the_dice() {
        for (own, ways) in
            [(vec![(6, 1)], 27.0), (vec![(5, 1), (2, 1)], 19.0), (vec![(6, 2)], 4.0), (vec![(1, 2)], 36.0)]
        {
            let win = ways / 36.0;
            let values = equities(&own, &[(1, 1)]);
            assert_close(values.win, win, "win");
            // The game ends before either side can double.
            for equity in [values.centred, values.own, values.other] {
                assert_close(equity, 2.0 * win - 1.0, "equity");
            }
        }
    }

    /// Both sides have a checker on the 6-point. 27 of 36 rolls bear it off, and after any other roll the
    /// next one does.
    #[test]
    fn cube_changes_the_equity_as_by_hand() {
        let values = equities(&[(6, 1)], &[(6, 1)]);
        let miss = 0.25;
        assert_close(values.win, 1.0 - miss + miss * miss, "win");
        // After a miss the other side wins with 0.75, doubles, and a take and a pass are worth the same.
        assert_close(values.centred, 0.75 - miss, "centred");
        assert_close(values.other, 0.75 - miss, "other");
        // Without the cube the other side is worth 2 * 0.75 - 1 there.
        assert_close(values.own, 0.75 - miss * 0.5, "own");
    }

    /// The values by plain recursion over boards, as in the definition.
    #[derive(Default)]
    struct Slow {
        known: HashMap<(u128, u128), [f64; 4]>,
    }

    impl Slow {
        /// Chance to win, and equities with the cube in the middle, own and the other side's, rolling without
        /// doubling.
        fn values(&mut self, board: &Board) -> [f64; 4] {
            if let Some(known) = self.known.get(&board.key()) {
                return *known;
            }
            let mut sums = [0.0; 4];
            for dice in Dice::ALL {
                let mut plays = Plays::new();
                plays.find(board, dice);
                let mut best = [f64::NEG_INFINITY; 4];
                for after in plays.iter() {
                    let values = if after.other_won().is_some() {
                        [1.0; 4]
                    } else {
                        let [win, centred, own, other] = self.values(&after);
                        // The other side doubles if that is better for it, and this side passes if taking is
                        // worse.
                        let double = if 2.0 * other > 1.0 { 1.0 } else { 2.0 * other };
                        let (centred, own) = (centred.max(double), own.max(double));
                        [1.0 - win, -centred, -other, -own]
                    };
                    best.iter_mut().zip(values).for_each(|(best, value)| *best = best.max(value));
                }
                sums.iter_mut()
                    .zip(best)
                    .for_each(|(sum, best)| *sum += f64::from(dice.ways()) / 36.0 * best);
            }
            self.known.insert(board.key(), sums);
            sums
        }
    }

    #[test]
    fn values_are_those_of_the_slow_recursion() {
        let mut slow = Slow::default();
        for (own, other) in [
            (vec![(6, 2), (3, 1)], vec![(5, 1), (4, 1), (1, 2)]),
            (vec![(2, 3), (5, 1)], vec![(6, 1), (1, 3)]),
            (vec![(4, 2), (1, 2)], vec![(4, 2), (1, 2)]),
            (vec![(1, 6)], vec![(3, 2), (2, 1)]),
        ] {
            let expected = slow.values(&board_with(&own, &other));
            let found = equities(&own, &other);
            for (found, expected) in
                [found.win, found.centred, found.own, found.other].into_iter().zip(expected)
            {
                assert_close(found, expected, &format!("{own:?} {other:?}"));
            }
        }
        // All positions that the recursion has met.
        assert!(slow.known.len() > 1000);
        for (key, expected) in &slow.known {
            let board = Board::from_key(*key).expect("a legal board");
            let found = TwoSidedBearOff::table().equities(&board).expect("it is in the table");
            for (found, expected) in found.to_array().into_iter().zip(expected) {
                assert_close(found, *expected, "a position of the recursion");
            }
        }
    }

    /// In the one-sided database each side minimises its own turns, which is nearly the best play.
    #[test]
    fn chances_are_close_to_those_of_the_one_sided_database() {
        let (one, two) = (BearOff::table(), TwoSidedBearOff::table());
        let (mut number, mut largest, mut sum) = (0u32, 0.0f32, 0.0);
        let mut sides: Vec<[u8; HOME]> = Vec::new();
        enumerate_positions(&mut [0; HOME], 0, MAX_CHECKERS, &mut sides);
        for own in sides.iter().skip(1).step_by(7) {
            for other in sides.iter().skip(1).step_by(11) {
                let places = |home: &[u8; HOME]| {
                    let mut places = [0; 26];
                    places[1..=HOME].copy_from_slice(home);
                    places[0] = CHECKERS - home.iter().sum::<u8>();
                    places
                };
                let board = Board::new(&places(own), &places(other)).expect("a legal board");
                let exact = two.equities(&board).expect("it is in the table").win;
                let approximate = one.outcomes(&board).expect("all at home")[0];
                largest = largest.max((exact - approximate).abs());
                sum += (exact - approximate).abs();
                number += 1;
            }
        }
        assert!(largest < 0.02 && sum / (number as f32) < 1e-3, "{largest} {}", sum / number as f32);
    }

    #[test]
    fn other_positions_are_not_in_the_table() {
        let table = TwoSidedBearOff::table();
        for (own, other) in [
            (vec![(6, 7)], vec![(1, 1)]),
            (vec![(1, 1)], vec![(6, 7)]),
            (vec![(7, 1)], vec![(1, 1)]),
            (vec![(1, 1)], vec![(23, 1)]),
        ] {
            let board = board_with(&own, &other);
            assert!(!TwoSidedBearOff::covers(&board) && table.equities(&board).is_none());
        }
        assert!(!TwoSidedBearOff::covers(&Board::START));
    }
}
