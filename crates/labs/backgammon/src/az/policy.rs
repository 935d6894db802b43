//! What the policy head's 676 numbers mean for the plays of a turn.
//!
//! They are a table of 26 by 26: what speaks for a checker going from one place to another. A play's logit is the sum over
//! the checkers that it moves, told from the boards before and after it alone: whatever left a place is matched with
//! whatever came to one, in order. So plays that lead to the same board are one, doubles need no turns of their own, and
//! neither the order of moves nor which die made them matters. Two plays that move the same checkers can still differ in
//! what was hit on the way; no checker goes from off, so row 0 says what speaks for a hit on each point.
//!
//! (One number for each pair of first and second source, the usual way to number moves, has no name for four moves of a
//! double, and several for most other plays.)

use learnery_worlds::backgammon::{BAR, Board};

/// Numbers in the table.
pub const TABLE: usize = PLACES * PLACES;
const PLACES: usize = BAR + 1;

/// Most numbers that a play's logit is the sum of: four checkers moved and four hit.
pub const TERMS: usize = 8;

/// Where in the table the numbers of a play are, from `board`, seen from the side that plays, to `left`, seen from the
/// other. Returns how many there are.
pub fn terms(board: &Board, left: &Board, out: &mut [u16; TERMS]) -> usize {
    let ((own, other), (other_after, own_after)) = (board.key(), left.key());
    let (mut from, mut to) = ([0; 4], [0; 4]);
    let (mut sources, mut targets) = (0, 0);
    for place in differing(own, own_after) {
        let (before, after) = (nibble(own, place), nibble(own_after, place));
        for _ in after..before {
            from[sources & 3] = place;
            sources += 1;
        }
        for _ in before..after {
            to[targets & 3] = place;
            targets += 1;
        }
    }
    let mut terms = 0;
    for (from, to) in from.iter().zip(to).take(sources.min(4)) {
        out[terms] = (from * PLACES + to) as u16;
        terms += 1;
    }
    for place in differing(other, other_after).filter(|place| *place < BAR).take(4) {
        out[terms] = (BAR - place) as u16;
        terms += 1;
    }
    terms
}

fn nibble(side: u128, place: usize) -> u32 {
    (side >> (4 * place)) as u32 & 15
}

/// The places on which two sides differ, the lowest first.
fn differing(a: u128, b: u128) -> impl Iterator<Item = usize> {
    let mut bits = a ^ b;
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let place = bits.trailing_zeros() as usize / 4;
            bits &= !(15 << (4 * place));
            place
        })
    })
}

/// The logit of every play. // table [TABLE]
pub fn logits(table: &[f32], board: &Board, plays: impl Iterator<Item = Board>, out: &mut [f32]) {
    let mut places = [0; TERMS];
    for (play, out) in plays.zip(out) {
        let n = terms(board, &play, &mut places);
        *out = places[..n].iter().map(|place| table[usize::from(*place)]).sum();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::{Dice, Plays};

    use super::*;

    fn named(board: &Board, left: &Board) -> Vec<(u16, u16)> {
        let mut out = [0; TERMS];
        let n = terms(board, left, &mut out);
        out[..n].iter().map(|place| (place / 26, place % 26)).collect()
    }

    fn plays(board: &Board, a: u8, b: u8) -> Vec<Board> {
        let mut plays = Plays::new();
        plays.find(board, Dice::new(a, b).expect("a throw"));
        plays.iter().collect()
    }

    #[test]
    fn plays_are_named_by_the_checkers_that_they_move() {
        let all: Vec<Vec<(u16, u16)>> =
            plays(&Board::START, 3, 1).iter().map(|left| named(&Board::START, left)).collect();
        // 8/5 6/5, 24/20 whichever die is first, and 13/10 6/5.
        for play in [vec![(6, 5), (8, 5)], vec![(24, 20)], vec![(6, 5), (13, 10)]] {
            assert!(all.contains(&play), "{play:?} in {all:?}");
        }
        // Four checkers at once.
        let all: Vec<_> = plays(&Board::START, 1, 1).iter().map(|left| named(&Board::START, left)).collect();
        assert!(all.contains(&vec![(6, 5), (6, 5), (8, 7), (8, 7)]), "{all:?}");
    }

    #[test]
    fn what_was_hit_on_the_way_has_a_name() {
        // One checker on 10; blots of the other side on 8 (its 17) and on 7 (its 18); it goes to 5 by either way.
        let (mut own, mut other) = ([0; 26], [0; 26]);
        own[10] = 1;
        own[2] = 2;
        (other[17], other[18]) = (1, 1);
        let board = Board::new(&own, &other).expect("a good board");
        let all: Vec<_> = plays(&board, 3, 2).iter().map(|left| named(&board, left)).collect();
        for play in [vec![(10, 5), (0, 8)], vec![(10, 5), (0, 7)]] {
            assert!(all.contains(&play), "{play:?} in {all:?}");
        }
    }

    #[test]
    fn no_two_plays_of_a_turn_have_the_same_name_in_real_games() {
        let stream = Stream::new(4, 4);
        let mut most = 0;
        for game in 0..60 {
            let mut board = Board::START;
            for turn in 0.. {
                let dice = Dice::for_turn(stream, game, turn);
                let plays = plays(&board, dice.high(), dice.low());
                let names: HashSet<_> = plays.iter().map(|left| named(&board, left)).collect();
                assert_eq!(names.len(), plays.len(), "{board:?} {dice:?}");
                most = most.max(names.iter().map(Vec::len).max().unwrap_or(0));
                board = plays[stream.below(game, turn + (1 << 32), plays.len() as u32) as usize];
                if board.other_won().is_some() {
                    break;
                }
            }
        }
        assert!((5..=TERMS).contains(&most), "{most}");
    }
}
