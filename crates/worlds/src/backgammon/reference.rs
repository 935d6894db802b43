//! A slow reference generator of plays that follows the wording of the rules: try every order of single moves, keep the
//! longest, and prefer the larger die. Tests compare the fast generator with it.

use std::collections::BTreeSet;

use super::board::{BAR, Board};
use super::dice::Dice;

type Places = [u8; 26];

/// The side that plays and the other side, each in its own numbering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sides(Places, Places);

/// All boards that `dice` leads to, seen from the side that rolls next.
pub fn plays(board: &Board, dice: Dice) -> BTreeSet<Board> {
    let start = Sides(board.own_places(), board.other_places());
    let (high, low) = (dice.high(), dice.low());
    let orders: &[&[u8]] =
        if dice.is_double() { &[&[high, high, high, high]] } else { &[&[high, low], &[low, high]] };
    // (number of moves, whether the larger die was used, resulting position)
    let mut ends = BTreeSet::new();
    for order in orders {
        extend(start, order, 0, false, high, &mut ends);
    }
    let most = ends.iter().map(|(made, ..)| *made).max().unwrap_or(0);
    let larger = ends.iter().any(|(made, larger, _)| *made == most && *larger);
    let legal = ends.into_iter().filter(|(made, used, _)| *made == most && (*used || !larger));
    legal.map(|(.., Sides(own, other))| Board::new(&other, &own).expect("a play leads to a board")).collect()
}

fn extend(
    sides: Sides,
    dice: &[u8],
    made: u32,
    larger: bool,
    high: u8,
    ends: &mut BTreeSet<(u32, bool, Sides)>,
) {
    ends.insert((made, larger, sides));
    let Some((die, rest)) = dice.split_first() else { return };
    for from in 1..=BAR {
        if let Some(next) = single_move(sides, from, *die) {
            extend(next, rest, made + 1, larger || *die == high, high, ends);
        }
    }
}

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
    let theirs = BAR - to as usize;
    if other[theirs] > 1 {
        return None;
    }
    if other[theirs] == 1 {
        other[theirs] = 0;
        other[BAR] += 1;
    }
    own[from] -= 1;
    own[to as usize] += 1;
    Some(Sides(own, other))
}
