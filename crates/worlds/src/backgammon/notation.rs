//! Plays in standard notation: `8/5 6/5*`, `bar/22(2)`, `6/off`.
//!
//! In this crate a play (a whole turn) is represented by the board after it. To write a play, a depth-first
//! search over single moves recovers the moves.

use super::board::{BAR, Board, checkers_on};
use super::dice::Dice;

/// One checker moved by one die, in the numbering of the side that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The place that the checker leaves; 25 is the bar.
    pub from: u8,
    /// The place that the checker reaches; 0 is off.
    pub to: u8,
    /// Whether the move hits a blot.
    pub hit: bool,
}

/// Returns the moves of the play from `board` to `after` (seen from the opponent, as all plays are), in an
/// order in which they can be made. `None` if `after` is no legal play of `dice`.
pub fn moves(board: &Board, dice: Dice, after: &Board) -> Option<Vec<Move>> {
    let orders = [[dice.high(), dice.low()], [dice.low(), dice.high()]];
    // A double is played up to four times, and both orders of its dice are the same.
    let (longest, orders) = if dice.is_double() { (4, &orders[..1]) } else { (2, &orders[..]) };
    let goal = after.flipped();
    // The rules on how many dice must be played are in `Plays`. Any sequence of moves to one of its boards is
    // legal.
    let mut plays = super::Plays::new();
    plays.find(board, dice);
    if !plays.iter().any(|play| play == *after) {
        return None;
    }
    for order in orders {
        let dice: Vec<u8> = order.iter().copied().cycle().take(longest).collect();
        let mut moves = Vec::new();
        if search(board, &goal, &dice, &mut moves) {
            return Some(moves);
        }
    }
    None
}

/// Depth-first search over single moves for a sequence from `board` to `goal`. Returns whether one was found.
fn search(board: &Board, goal: &Board, dice: &[u8], moves: &mut Vec<Move>) -> bool {
    if board == goal {
        return true;
    }
    let Some((die, rest)) = dice.split_first() else { return false };
    for from in (1..=BAR).rev().filter(|from| board.own(*from) > 0) {
        if let Some((next, hit)) = moved(board, from, *die) {
            let to = (from as u8).saturating_sub(*die);
            moves.push(Move { from: from as u8, to, hit });
            if search(&next, goal, rest, moves) {
                return true;
            }
            moves.pop();
        }
    }
    false
}

/// The board after a single move, still seen from the side that moves, and whether the move hit; `None` if it
/// is illegal.
pub(super) fn moved(board: &Board, from: usize, die: u8) -> Option<(Board, bool)> {
    let (die, highest) = (usize::from(die), (1..=BAR).rev().find(|p| board.own(*p) > 0)?);
    if highest == BAR && from != BAR {
        return None;
    }
    let to = from.saturating_sub(die);
    // Bearing off needs all checkers at home, on points up to 6. A die that is too large may only bear off
    // the rearmost checker.
    if to == 0 && (highest > 6 || from < die && from < highest) {
        return None;
    }
    let mut next = *board;
    let opponents = if to == 0 { 0 } else { checkers_on(board.other, BAR - to) };
    match opponents {
        0 => {}
        // A side has four bits for each place, in its own numbering: our point `to` is the opponent's
        // `BAR - to`. The blot goes to the opponent's bar.
        1 => next.other = next.other - (1 << (4 * (BAR - to))) + (1 << (4 * BAR)),
        _ => return None,
    }
    next.own = next.own - (1 << (4 * from)) + (1 << (4 * to));
    Some((next, opponents == 1))
}

/// Writes moves in standard notation; a pass is `(no play)`. Moves of one checker are joined (`24/18/13` is
/// written `24/13`) unless the checker hits on the way. Equal moves are counted (`6/3(2)`).
pub fn notation(moves: &[Move]) -> String {
    if moves.is_empty() {
        return "(no play)".into();
    }
    let mut remaining = moves.to_vec();
    // From the highest place down; of moves between the same places the one that hits comes first.
    remaining.sort_by(|a, b| b.cmp(a));
    // Chains of moves by one checker, each starting where the one before ended.
    let mut chains: Vec<Vec<Move>> = Vec::new();
    while !remaining.is_empty() {
        let mut chain = vec![remaining.remove(0)];
        while let Some(next) =
            remaining.iter().position(|m| chain.last().is_some_and(|last| last.to == m.from))
        {
            chain.push(remaining.remove(next));
        }
        chains.push(chain);
    }
    let ends = |chain: &[Move]| (chain[0].from, chain[chain.len() - 1].to);
    let mut text = String::new();
    let mut next = 0;
    while next < chains.len() {
        // Of equal chains only the first can hit, so the text of the first one is written for all of them.
        let chain = &chains[next];
        let repeats = chains[next..].iter().take_while(|other| ends(other) == ends(chain)).count();
        if next > 0 {
            text.push(' ');
        }
        put_place(&mut text, chain[0].from);
        for (i, step) in chain.iter().enumerate() {
            if step.hit || i + 1 == chain.len() {
                text.push('/');
                put_place(&mut text, step.to);
            }
            if step.hit {
                text.push('*');
            }
        }
        if repeats > 1 {
            text.push_str(["(2)", "(3)", "(4)"][repeats - 2]);
        }
        next += repeats;
    }
    text
}

/// Writes the name of a place.
fn put_place(text: &mut String, place: u8) {
    match place {
        0 => text.push_str("off"),
        25 => text.push_str("bar"),
        point => text.push_str(&point.to_string()),
    }
}
