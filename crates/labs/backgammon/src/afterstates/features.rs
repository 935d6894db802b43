//! The inputs of the afterstate network: a unary (thermometer) code of the checkers on each place, after
//! Tesauro, "TD-Gammon", 1995. For either side and each of its 26 places (24 points, bar, off), four inputs
//! are 1 where there are at least one, two, three, four checkers, and 0 otherwise; the fifth is half the
//! number of checkers beyond four.
//!
//! One checker more or less changes one input, so the board after a play differs from the board before it in
//! a handful of inputs. So the first layer of the network is cheap to update: it adds the weight rows of the
//! changed inputs ([`push_difference`]).

use learnery_kernels::weighted_rows::WeightedRow;
use learnery_worlds::backgammon::Board;

/// Inputs of one place.
const INPUTS_PER_PLACE: usize = 5;
/// Places of one side: off (0), 24 points, bar (25).
const PLACES: usize = 26;

/// Inputs of a board: first those of the side on roll, then those of the other side.
pub const RAW_INPUTS: usize = 2 * PLACES * INPUTS_PER_PLACE;
/// Index of the side on roll.
const OWN: usize = 0;
/// Index of the other side.
const OTHER: usize = 1;

/// Returns which of the five inputs of a place the `n`-th checker on the place adds to (checkers count from
/// 1), and how much it adds.
#[inline]
fn checker_input(n: u8) -> (usize, f32) {
    if usize::from(n) < INPUTS_PER_PLACE { (usize::from(n) - 1, 1.0) } else { (INPUTS_PER_PLACE - 1, 0.5) }
}

/// Writes all inputs of a board.
pub fn encode(board: &Board, out: &mut [f32]) {
    assert_eq!(out.len(), RAW_INPUTS, "not the inputs of a board");
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
    let ((from_own, from_other), (to_own, to_other)) = (from.key(), to.key());
    push_side(OWN, from_own, to_own, rows);
    push_side(OTHER, from_other, to_other, rows);
}

/// Pushes all non-zero inputs of a board: the difference from a board without checkers.
pub fn push_all(board: &Board, rows: &mut Vec<WeightedRow>) {
    const EMPTY: u128 = 0;
    let (own, other) = board.key();
    push_side(OWN, EMPTY, own, rows);
    push_side(OTHER, EMPTY, other, rows);
}

/// [`push_difference`] for one side. `from` and `to` are the keys of this side: four bits for each place,
/// which hold the number of its checkers.
#[inline]
fn push_side(side: usize, from: u128, to: u128, rows: &mut Vec<WeightedRow>) {
    let mut changed = from ^ to;
    while changed != 0 {
        let place = changed.trailing_zeros() as usize / 4;
        changed &= !(15 << (4 * place));
        let count = |key: u128| (key >> (4 * place)) as u8 & 15;
        let (before, after) = (count(from), count(to));
        // Checkers are added or removed one by one; one of the two loops is empty.
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
            let (mut before, mut after) = ([0.0; RAW_INPUTS], [0.0; RAW_INPUTS]);
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            // Any play will do.
            let next = plays.get(plays.len() / 2);
            if next.other_won().is_some() {
                break;
            }
            encode(&board.flipped(), &mut before);
            encode(&next, &mut after);
            rows.clear();
            push_difference(&board.flipped(), &next, &mut rows);
            rows.iter().for_each(|row| before[row.row as usize] += row.weight);
            // A turn moves at most four checkers and hits at most four. Each of them leaves a place and
            // reaches another.
            assert!(before == after && rows.len() <= 16, "{board:?} {next:?}");
            let mut from_nothing = [0.0; RAW_INPUTS];
            rows.clear();
            push_all(&next, &mut rows);
            rows.iter().for_each(|row| from_nothing[row.row as usize] += row.weight);
            assert_eq!(from_nothing, after);
            board = next;
        }
    }

    #[test]
    fn inputs_of_the_side_on_roll_come_first() {
        // Seven own checkers on point 6 and one on the bar; two of the other side on its point 1.
        let (mut own, mut other) = ([0; PLACES], [0; PLACES]);
        (own[6], own[25], other[1]) = (7, 1, 2);
        let board = Board::new(&own, &other).expect("a good board");
        let mut inputs = [0.0; RAW_INPUTS];
        encode(&board, &mut inputs);
        let inputs_of = |place: usize| &inputs[place * INPUTS_PER_PLACE..][..INPUTS_PER_PLACE];
        assert_eq!(inputs_of(6), [1.0, 1.0, 1.0, 1.0, 1.5]);
        assert_eq!(inputs_of(25), [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(inputs_of(PLACES + 1), [1.0, 1.0, 0.0, 0.0, 0.0]);
        let mut flipped = [0.0; RAW_INPUTS];
        encode(&board.flipped(), &mut flipped);
        assert!(
            flipped[..RAW_INPUTS / 2] == inputs[RAW_INPUTS / 2..]
                && flipped[RAW_INPUTS / 2..] == inputs[..RAW_INPUTS / 2]
        );
    }
}
