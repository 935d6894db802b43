//! A play in the words of players: `8/5 6/5*`, `bar/22(2)`, `6/off`.
//!
//! A play is known by the position it leads to; the moves are found again by trying. Of several ways, a checker that
//! goes all its way in one is preferred, as players write it.

use super::board::{BAR, Board, count};
use super::dice::Dice;

/// One checker's way in a turn, in the numbering of the side that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Where it started; 25 is the bar.
    pub from: u8,
    /// Where it ended; 0 is off.
    pub to: u8,
    /// Whether it hit somebody there.
    pub hit: bool,
}

/// The moves that lead from `board` with `dice` to `after` (seen from the other side, as plays are), one die each, in an
/// order in which they can be played. `None` where no play leads there.
pub fn moves(board: &Board, dice: Dice, after: &Board) -> Option<Vec<Move>> {
    let orders = [[dice.high(), dice.low()], [dice.low(), dice.high()]];
    let (longest, orders) = if dice.is_double() { (4, &orders[..1]) } else { (2, &orders[..]) };
    let goal = after.flipped();
    // The list of plays holds the rules about how much must be played; here any way to one of them is right.
    let mut plays = super::Plays::new();
    plays.find(board, dice);
    if !plays.iter().any(|play| play == *after) {
        return None;
    }
    for order in orders {
        let dice: Vec<u8> = order.iter().copied().cycle().take(longest).collect();
        let mut way = Vec::new();
        if search(board, &goal, &dice, &mut way) {
            return Some(way);
        }
    }
    None
}

/// Depth first over single moves.
fn search(board: &Board, goal: &Board, dice: &[u8], way: &mut Vec<Move>) -> bool {
    if board == goal {
        return true;
    }
    let Some((die, rest)) = dice.split_first() else { return false };
    // A larger throw may not be playable while the smaller one is, and then it is alone.
    for from in (1..=BAR).rev().filter(|from| board.own(*from) > 0) {
        if let Some((next, hit)) = moved(board, from, *die) {
            let to = (from as u8).saturating_sub(*die);
            way.push(Move { from: from as u8, to, hit });
            if search(&next, goal, rest, way) {
                return true;
            }
            way.pop();
        }
    }
    false
}

/// The board after a single move, still seen from the side that moves, and whether it hit.
pub(super) fn moved(board: &Board, from: usize, die: u8) -> Option<(Board, bool)> {
    let (die, highest) = (usize::from(die), (1..=BAR).rev().find(|p| board.own(*p) > 0)?);
    if highest == BAR && from != BAR {
        return None;
    }
    let to = from.saturating_sub(die);
    if to == 0 && (highest > 6 || from < die && from < highest) {
        return None;
    }
    let mut next = *board;
    let met = if to == 0 { 0 } else { count(board.other, BAR - to) };
    match met {
        0 => {}
        1 => next.other = next.other - (1 << (4 * (BAR - to))) + (1 << (4 * BAR)),
        _ => return None,
    }
    next.own = next.own - (1 << (4 * from)) + (1 << (4 * to));
    Some((next, met == 1))
}

/// The moves in standard notation; a pass is `(no play)`.
pub fn notation(moves: &[Move]) -> String {
    if moves.is_empty() {
        return "(no play)".into();
    }
    let mut rest = moves.to_vec();
    rest.sort_by(|a, b| b.cmp(a));
    // A checker's way: every move that goes on where it has come to. Where it hit nobody it need not be said.
    let mut ways: Vec<Vec<Move>> = Vec::new();
    while !rest.is_empty() {
        let mut way = vec![rest.remove(0)];
        while let Some(next) = rest.iter().position(|m| way.last().is_some_and(|last| last.to == m.from)) {
            way.push(rest.remove(next));
        }
        ways.push(way);
    }
    let ends = |way: &[Move]| (way[0].from, way[way.len() - 1].to);
    let mut text = String::new();
    let mut at = 0;
    while at < ways.len() {
        // The first of several may have hit; those that follow it cannot, and are not told apart.
        let way = &ways[at];
        let same = ways[at..].iter().take_while(|other| ends(other) == ends(way)).count();
        if at > 0 {
            text.push(' ');
        }
        put_place(&mut text, way[0].from);
        for (i, step) in way.iter().enumerate() {
            if step.hit || i + 1 == way.len() {
                text.push('/');
                put_place(&mut text, step.to);
            }
            if step.hit {
                text.push('*');
            }
        }
        if same > 1 {
            text.push_str(["(2)", "(3)", "(4)"][same - 2]);
        }
        at += same;
    }
    text
}

fn put_place(text: &mut String, place: u8) {
    match place {
        0 => text.push_str("off"),
        25 => text.push_str("bar"),
        point => text.push_str(&point.to_string()),
    }
}
