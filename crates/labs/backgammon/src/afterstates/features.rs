//! The inputs of the afterstate network: a unary (thermometer) code of the checkers on each place, after Tesauro, "TD-Gammon",
//! 1995. For either side and each of its 26 places (24 points, bar, off), four inputs are 1 where there are at least
//! one, two, three, four checkers, and 0 otherwise; the fifth is half the number of checkers beyond four.
//!
//! One checker more or less changes one input, so a play differs from the board before it in a handful of inputs. This
//! is what makes the first layer cheap to update ([`push_difference`]).

use learnery_kernels::weighted_rows::WeightedRow;
use learnery_worlds::backgammon::Board;

/// Inputs of one place.
const INPUTS_PER_PLACE: usize = 5;
/// Places of one side: off (0), 24 points, bar (25).
const PLACES: usize = 26;

/// Inputs of a board: first those of the side on roll, then those of the other side.
pub const FEATURES: usize = 2 * PLACES * INPUTS_PER_PLACE;

/// Returns the input (of the five of a place) to which the place's `n`-th checker adds, counted from 1, and the amount.
#[inline]
fn checker_input(n: u8) -> (usize, f32) {
    if usize::from(n) < INPUTS_PER_PLACE { (usize::from(n) - 1, 1.0) } else { (INPUTS_PER_PLACE - 1, 0.5) }
}

/// Writes all inputs of a board.
pub fn encode(board: &Board, out: &mut [f32]) {
    assert_eq!(out.len(), FEATURES, "not the inputs of a board");
    out.fill(0.0);
    let sides = [board.own_places(), board.other_places()];
    for (place, n) in sides.iter().flatten().enumerate() {
        for k in 1..=*n {
            let (input, weight) = checker_input(k);
            out[place * INPUTS_PER_PLACE + input] += weight;
        }
    }
}

/// Pushes the difference of the inputs of two boards, `to` minus `from`, as pairs of input and weight.
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

/// [`push_difference`] for one side. `from` and `to` are the keys of this side: four bits for each place, which hold the number
/// of its checkers.
#[inline]
fn push_side(side: usize, from: u128, to: u128, rows: &mut Vec<WeightedRow>) {
    let mut changed = from ^ to;
    while changed != 0 {
        let place = changed.trailing_zeros() as usize / 4;
        changed &= !(15 << (4 * place));
        let count = |bits: u128| (bits >> (4 * place)) as u8 & 15;
        let (before, after) = (count(from), count(to));
        let first = ((side * PLACES + place) * INPUTS_PER_PLACE) as u32;
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
            let (mut before, mut after) = ([0.0; FEATURES], [0.0; FEATURES]);
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            let next = plays.get(plays.len() / 2);
            if next.other_won().is_some() {
                break;
            }
            encode(&board.flipped(), &mut before);
            encode(&next, &mut after);
            rows.clear();
            push_difference(&board.flipped(), &next, &mut rows);
            rows.iter().for_each(|row| before[row.row as usize] += row.weight);
            assert!(before == after && rows.len() <= 20, "{board:?} {next:?}");
            let mut from_nothing = [0.0; FEATURES];
            rows.clear();
            push_all(&next, &mut rows);
            rows.iter().for_each(|row| from_nothing[row.row as usize] += row.weight);
            assert_eq!(from_nothing, after);
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
        assert_eq!(inputs[6 * INPUTS_PER_PLACE..7 * INPUTS_PER_PLACE], [1.0, 1.0, 1.0, 1.0, 1.5]);
        assert_eq!(inputs[25 * INPUTS_PER_PLACE..26 * INPUTS_PER_PLACE], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(inputs[27 * INPUTS_PER_PLACE..28 * INPUTS_PER_PLACE], [1.0, 1.0, 0.0, 0.0, 0.0]);
        let mut flipped = [0.0; FEATURES];
        encode(&board.flipped(), &mut flipped);
        assert!(
            flipped[..FEATURES / 2] == inputs[FEATURES / 2..]
                && flipped[FEATURES / 2..] == inputs[..FEATURES / 2]
        );
    }
}
