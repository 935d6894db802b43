//! A slow reference generator of plays that follows the wording of the rules: try every order of single
//! moves, keep the longest sequences, and prefer the larger die. Tests compare the fast generator with this
//! one.

use std::collections::BTreeSet;

use super::board::{BAR, Board};
use super::dice::Dice;

/// Checkers by place: 0 is off, 1 to 24 are the points, `BAR` is the bar.
type Places = [u8; 26];

/// The side that plays and the other side, each in its own numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sides(Places, Places);

/// Returns the boards after all plays of `dice`, seen from the side that rolls next.
pub fn plays(board: &Board, dice: Dice) -> BTreeSet<Board> {
    let start = Sides(board.own_places(), board.other_places());
    let (high, low) = (dice.high(), dice.low());
    let orders: &[&[u8]] =
        if dice.is_double() { &[&[high, high, high, high]] } else { &[&[high, low], &[low, high]] };
    // (number of moves, whether the larger die was used, resulting position)
    let mut sequences = BTreeSet::new();
    for order in orders {
        extend(start, order, 0, false, high, &mut sequences);
    }
    let longest = sequences.iter().map(|(made, ..)| *made).max().unwrap_or(0);
    // If either die can be played, but not both, it must be the larger one.
    let larger_is_playable = sequences.iter().any(|(made, used_larger, _)| *made == longest && *used_larger);
    let is_legal = |(made, used_larger, _): &(u32, bool, Sides)| {
        *made == longest && (*used_larger || !larger_is_playable)
    };
    let legal = sequences.into_iter().filter(is_legal);
    legal.map(|(.., Sides(own, other))| Board::new(&other, &own).expect("a play leads to a board")).collect()
}

/// Adds `sides` and everything that the remaining `dice` lead to, after `made` moves, to `sequences`.
fn extend(
    sides: Sides,
    dice: &[u8],
    made: u32,
    used_larger: bool,
    high: u8,
    sequences: &mut BTreeSet<(u32, bool, Sides)>,
) {
    sequences.insert((made, used_larger, sides));
    let Some((die, rest)) = dice.split_first() else { return };
    for from in 1..=BAR {
        if let Some(next) = single_move(sides, from, *die) {
            extend(next, rest, made + 1, used_larger || *die == high, high, sequences);
        }
    }
}

/// The sides after one checker moved by one die, or `None` if the move is illegal.
fn single_move(Sides(mut own, mut other): Sides, from: usize, die: u8) -> Option<Sides> {
    let on_bar = own[BAR] > 0;
    if own[from] == 0 || (on_bar && from != BAR) {
        return None;
    }
    let to = from as i32 - i32::from(die);
    if to <= 0 {
        let all_home = own[7..].iter().all(|n| *n == 0);
        let none_behind = own[from + 1..].iter().all(|n| *n == 0);
        if !all_home || (to < 0 && !none_behind) {
            return None;
        }
        own[from] -= 1;
        own[0] += 1;
        return Some(Sides(own, other));
    }
    let opponents_point = BAR - to as usize;
    if other[opponents_point] > 1 {
        return None;
    }
    if other[opponents_point] == 1 {
        other[opponents_point] = 0;
        other[BAR] += 1;
    }
    own[from] -= 1;
    own[to as usize] += 1;
    Some(Sides(own, other))
}
