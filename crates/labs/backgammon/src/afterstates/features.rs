//! The inputs of the afterstate network: a unary (thermometer) code of the checkers on each place, after Tesauro, "TD-Gammon",
//! 1995. For either side and each of its 26 places (24 points, bar, off), four inputs say whether there are at least one,
//! two, three, four checkers; the fifth is half the number of checkers beyond four.
//!
//! One checker more or less changes one input, so a play differs from the board before it in a handful of inputs. This
//! is what makes the first layer cheap to update ([`push_difference`]).

use learnery_kernels::weighted_rows::WeightedRow;
use learnery_worlds::backgammon::Board;

/// Inputs of a place.
const STEPS: usize = 5;
const PLACES: usize = 26;

/// Inputs of a board.
pub const FEATURES: usize = 2 * PLACES * STEPS;

/// The input of a place that its `n`-th checker adds to, and how much.
#[inline]
fn checker_input(n: u8) -> (usize, f32) {
    if usize::from(n) < STEPS { (usize::from(n) - 1, 1.0) } else { (STEPS - 1, 0.5) }
}

/// Writes all inputs of a board.
pub fn encode(board: &Board, out: &mut [f32]) {
    assert_eq!(out.len(), FEATURES, "not the inputs of a board");
    out.fill(0.0);
    let sides = [board.own_places(), board.other_places()];
    for (place, n) in sides.iter().flatten().enumerate() {
        for k in 1..=*n {
            let (input, weight) = checker_input(k);
            out[place * STEPS + input] += weight;
        }
    }
}

/// Pushes what must be added to the inputs of `from` to get those of `to`.
#[inline]
pub fn push_difference(from: &Board, to: &Board, rows: &mut Vec<WeightedRow>) {
    let (from, to) = (from.key(), to.key());
    push_side(0, from.0, to.0, rows);
    push_side(1, from.1, to.1, rows);
}

/// Pushes all non-zero inputs of a board.
pub fn push_all(board: &Board, rows: &mut Vec<WeightedRow>) {
    let (own, other) = board.key();
    push_side(0, 0, own, rows);
    push_side(1, 0, other, rows);
}

/// [`push_difference`] for one side. `from` and `to` are keys: four bits a place, the number of its checkers.
#[inline]
fn push_side(side: usize, from: u128, to: u128, rows: &mut Vec<WeightedRow>) {
    let mut changed = from ^ to;
    while changed != 0 {
        let place = changed.trailing_zeros() as usize / 4;
        changed &= !(15 << (4 * place));
        let count = |bits: u128| (bits >> (4 * place)) as u8 & 15;
        let (before, after) = (count(from), count(to));
        let first = ((side * PLACES + place) * STEPS) as u32;
        for n in before + 1..=after {
            let (input, weight) = checker_input(n);
            rows.push(WeightedRow { row: first + input as u32, weight });
        }
        for n in after + 1..=before {
            let (input, weight) = checker_input(n);
            rows.push(WeightedRow { row: first + input as u32, weight: -weight });
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::{Dice, Plays};

    use super::*;

    #[test]
    fn difference_turns_the_inputs_of_one_board_into_those_of_the_next() {
        let stream = Stream::new(1, 0);
        let (mut board, mut plays) = (Board::START, Plays::new());
        let mut rows = Vec::new();
        for turn in 0..60 {
            let (mut begin, mut end) = ([0.0; FEATURES], [0.0; FEATURES]);
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            let next = plays.get(plays.len() / 2);
            if next.other_won().is_some() {
                break;
            }
            encode(&board.flipped(), &mut begin);
            encode(&next, &mut end);
            rows.clear();
            push_difference(&board.flipped(), &next, &mut rows);
            rows.iter().for_each(|row| begin[row.row as usize] += row.weight);
            assert!(begin == end && rows.len() <= 20, "{board:?} {next:?}");
            let mut from_nothing = [0.0; FEATURES];
            rows.clear();
            push_all(&next, &mut rows);
            rows.iter().for_each(|row| from_nothing[row.row as usize] += row.weight);
            assert_eq!(from_nothing, end);
            board = next;
        }
    }

    #[test]
    fn inputs_of_the_side_on_roll_come_first() {
        let mut own = [0; 26];
        (own[6], own[25]) = (7, 1);
        let board =
            Board::new(&own, &[0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let board = board.expect("a good board");
        let mut inputs = [0.0; FEATURES];
        encode(&board, &mut inputs);
        assert_eq!(inputs[6 * STEPS..7 * STEPS], [1.0, 1.0, 1.0, 1.0, 1.5]);
        assert_eq!(inputs[25 * STEPS..26 * STEPS], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(inputs[27 * STEPS..28 * STEPS], [1.0, 1.0, 0.0, 0.0, 0.0]);
        let mut flipped = [0.0; FEATURES];
        encode(&board.flipped(), &mut flipped);
        assert!(
            flipped[..FEATURES / 2] == inputs[FEATURES / 2..]
                && flipped[FEATURES / 2..] == inputs[..FEATURES / 2]
        );
    }
}
