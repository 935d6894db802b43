//! What the evaluator sees of a board: for either side and each of its places, off and bar among them, whether there are
//! one, two, three, four checkers or more, and half of those beyond four (Tesauro, "TD-Gammon", 1995, in unary).
//!
//! A checker more or less on a place is then one input more or less, so a board is a handful of inputs away from the one
//! it came from, whatever else stands on it.

use learnery_kernels::weighted_rows::WeightedRow;
use learnery_worlds::backgammon::Board;

/// Inputs for a place.
const STEPS: usize = 5;
const PLACES: usize = 26;

/// Inputs for a board.
pub const FEATURES: usize = 2 * PLACES * STEPS;

/// What the `n`-th checker on a place adds, and to which of its inputs.
#[inline]
fn step(n: u8) -> (usize, f32) {
    if usize::from(n) < STEPS { (usize::from(n) - 1, 1.0) } else { (STEPS - 1, 0.5) }
}

/// Writes all inputs of a board.
pub fn encode(board: &Board, out: &mut [f32]) {
    assert_eq!(out.len(), FEATURES, "not the inputs of a board");
    out.fill(0.0);
    let sides = [board.own_places(), board.other_places()];
    for (place, n) in sides.iter().flatten().enumerate() {
        for k in 1..=*n {
            let (input, weight) = step(k);
            out[place * STEPS + input] += weight;
        }
    }
}

/// Adds the inputs that come and go between two boards. // inputs of `to` - inputs of `from`
#[inline]
pub fn difference(from: &Board, to: &Board, picks: &mut Vec<WeightedRow>) {
    let (from, to) = (from.key(), to.key());
    side(0, from.0, to.0, picks);
    side(1, from.1, to.1, picks);
}

/// Adds all inputs of a board that are not zero.
pub fn all(board: &Board, picks: &mut Vec<WeightedRow>) {
    let (own, other) = board.key();
    side(0, 0, own, picks);
    side(1, 0, other, picks);
}

/// The same for one side, whose places take four bits each.
#[inline]
fn side(side: usize, from: u128, to: u128, picks: &mut Vec<WeightedRow>) {
    let mut changed = from ^ to;
    while changed != 0 {
        let place = changed.trailing_zeros() as usize / 4;
        changed &= !(15 << (4 * place));
        let count = |bits: u128| (bits >> (4 * place)) as u8 & 15;
        let (before, after) = (count(from), count(to));
        let first = ((side * PLACES + place) * STEPS) as u32;
        for n in before + 1..=after {
            let (input, weight) = step(n);
            picks.push(WeightedRow { row: first + input as u32, weight });
        }
        for n in after + 1..=before {
            let (input, weight) = step(n);
            picks.push(WeightedRow { row: first + input as u32, weight: -weight });
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::{Dice, Plays};

    use super::*;

    #[test]
    fn a_difference_leads_from_one_board_to_the_other() {
        let stream = Stream::new(1, 0);
        let (mut board, mut plays) = (Board::START, Plays::new());
        let mut picks = Vec::new();
        for turn in 0..60 {
            let (mut begin, mut end) = ([0.0; FEATURES], [0.0; FEATURES]);
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            let next = plays.get(plays.len() / 2);
            if next.other_won().is_some() {
                break;
            }
            encode(&board.flipped(), &mut begin);
            encode(&next, &mut end);
            picks.clear();
            difference(&board.flipped(), &next, &mut picks);
            picks.iter().for_each(|pick| begin[pick.row as usize] += pick.weight);
            assert!(begin == end && picks.len() <= 20, "{board:?} {next:?}");
            let mut from_nothing = [0.0; FEATURES];
            picks.clear();
            all(&next, &mut picks);
            picks.iter().for_each(|pick| from_nothing[pick.row as usize] += pick.weight);
            assert_eq!(from_nothing, end);
            board = next;
        }
    }

    /// The board alone is seen, not who plays which colour: the side on roll comes first.
    #[test]
    fn the_side_on_roll_comes_first() {
        let mut own = [0; 26];
        (own[6], own[25]) = (7, 1);
        let board =
            Board::new(&own, &[0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let board = board.expect("a good board");
        let mut seen = [0.0; FEATURES];
        encode(&board, &mut seen);
        assert_eq!(seen[6 * STEPS..7 * STEPS], [1.0, 1.0, 1.0, 1.0, 1.5]);
        assert_eq!(seen[25 * STEPS..26 * STEPS], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(seen[27 * STEPS..28 * STEPS], [1.0, 1.0, 0.0, 0.0, 0.0]);
        let mut flipped = [0.0; FEATURES];
        encode(&board.flipped(), &mut flipped);
        assert!(
            flipped[..FEATURES / 2] == seen[FEATURES / 2..]
                && flipped[FEATURES / 2..] == seen[..FEATURES / 2]
        );
    }
}
