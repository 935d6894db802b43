//! Converts the 676 outputs of the policy head to the logits of a turn's plays.
//!
//! The outputs are a table of 26 by 26 places (off, 24 points, bar). The row of an entry is the place from
//! which a checker moves, the column the place to which it moves. The logit of a play is the sum of the
//! entries of the checkers that the play moves. These entries are found by comparing the boards before and
//! after the play: the places that lost a checker are matched, in order, with the places that gained one. So
//! all ways to reach a board are one play, doubles need no special case, and neither the order of the moves
//! nor their dice matter.
//!
//! Two plays that move the same checkers can still hit different checkers on the way. No checker moves from
//! off (place 0), so row 0 of the table is free: its entry in column `p` stands for a hit on point `p`.
//!
//! (The usual numbering of moves, by the sources of both dice, has no number for the four moves of a double
//! and several numbers for most other plays.)

use learnery_worlds::backgammon::{BAR, Board};

/// Number of entries of the table, each of which is one output of the policy head.
pub const TABLE_SIZE: usize = PLACES * PLACES;
const PLACES: usize = BAR + 1;

/// The maximum number of entries that the logit of a play is the sum of: one for each checker that moves, at
/// most four, and one for each checker that is hit, at most four.
pub const MAX_ENTRIES: usize = 8;

/// Writes the indices of the entries that the logit of a play is the sum of, and returns their number. The
/// play leads from `board`, seen from the side that plays, to `afterstate`, seen from the opponent. An index
/// can occur twice.
pub fn entries_of_play(board: &Board, afterstate: &Board, out: &mut [u16; MAX_ENTRIES]) -> usize {
    let ((own, other), (other_after, own_after)) = (board.key(), afterstate.key());
    let (mut from, mut to) = ([0; 4], [0; 4]);
    // How many places in `from` and `to` are filled. A turn moves at most four checkers; `& 3` spares a check
    // of bounds.
    let (mut sources, mut targets) = (0, 0);
    for place in differing(own, own_after) {
        let (before, after) = (checkers_on(own, place), checkers_on(own_after, place));
        for _ in after..before {
            from[sources & 3] = place;
            sources += 1;
        }
        for _ in before..after {
            to[targets & 3] = place;
            targets += 1;
        }
    }
    // First the moved checkers, then the hit ones: the opponent's points that changed, except the bar.
    let mut count = 0;
    for (from, to) in from.iter().zip(to).take(sources.min(4)) {
        out[count] = (from * PLACES + to) as u16;
        count += 1;
    }
    for place in differing(other, other_after).filter(|place| *place < BAR).take(4) {
        // Row 0. The opponent counts points from the other end.
        out[count] = (BAR - place) as u16;
        count += 1;
    }
    count
}

/// The number of checkers on a place, from the key of a side.
fn checkers_on(side: u128, place: usize) -> u32 {
    (side >> (4 * place)) as u32 & 15
}

/// The places at which the keys of a side differ, the lowest first. A key has four bits for each place.
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

/// Computes the logit of a play from the indices of its entries.
// table [TABLE_SIZE]
#[inline]
pub fn logit(table: &[f32], entries: &[u16]) -> f32 {
    entries.iter().map(|entry| table[usize::from(*entry)]).sum()
}

/// Computes the logit of every play. `board` is seen from the side that plays.
// table [TABLE_SIZE]
pub fn logits(table: &[f32], board: &Board, plays: impl Iterator<Item = Board>, out: &mut [f32]) {
    let mut entries = [0; MAX_ENTRIES];
    for (play, out) in plays.zip(out) {
        let n = entries_of_play(board, &play, &mut entries);
        *out = logit(table, &entries[..n]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::{Dice, Plays};

    use super::*;

    /// The table entries of a play, as (row, column).
    fn entries(board: &Board, afterstate: &Board) -> Vec<(u16, u16)> {
        let mut out = [0; MAX_ENTRIES];
        let n = entries_of_play(board, afterstate, &mut out);
        out[..n].iter().map(|entry| (entry / 26, entry % 26)).collect()
    }

    fn plays(board: &Board, a: u8, b: u8) -> Vec<Board> {
        let mut plays = Plays::new();
        plays.find(board, Dice::new(a, b).expect("a dice roll"));
        plays.iter().collect()
    }

    #[test]
    fn entries_of_a_play_are_its_checker_moves() {
        let all: Vec<Vec<(u16, u16)>> =
            plays(&Board::START, 3, 1).iter().map(|afterstate| entries(&Board::START, afterstate)).collect();
        // The plays 8/5 6/5, 24/20 (in either order of the dice) and 13/10 6/5.
        for play in [vec![(6, 5), (8, 5)], vec![(24, 20)], vec![(6, 5), (13, 10)]] {
            assert!(all.contains(&play), "{play:?} in {all:?}");
        }
        // Four checkers at once.
        let all: Vec<_> =
            plays(&Board::START, 1, 1).iter().map(|afterstate| entries(&Board::START, afterstate)).collect();
        assert!(all.contains(&vec![(6, 5), (6, 5), (8, 7), (8, 7)]), "{all:?}");
    }

    #[test]
    fn hits_on_the_way_have_entries() {
        // With a 3 and a 2, a checker moves from point 10 to point 5, over 8 or over 7. The opponent has a
        // blot (a single checker) on each of them: its points 17 and 18.
        let (mut own, mut other) = ([0; 26], [0; 26]);
        own[10] = 1;
        own[2] = 2;
        (other[17], other[18]) = (1, 1);
        let board = Board::new(&own, &other).expect("a good board");
        let all: Vec<_> = plays(&board, 3, 2).iter().map(|afterstate| entries(&board, afterstate)).collect();
        for play in [vec![(10, 5), (0, 8)], vec![(10, 5), (0, 7)]] {
            assert!(all.contains(&play), "{play:?} in {all:?}");
        }
    }

    #[test]
    fn plays_of_a_turn_have_distinct_entries_in_real_games() {
        let stream = Stream::new(4, 4);
        let mut max_entries = 0;
        for game in 0..60 {
            let mut board = Board::START;
            for turn in 0.. {
                let dice = Dice::for_turn(stream, game, turn);
                let plays = plays(&board, dice.high(), dice.low());
                let distinct: HashSet<_> =
                    plays.iter().map(|afterstate| entries(&board, afterstate)).collect();
                assert_eq!(distinct.len(), plays.len(), "{board:?} {dice:?}");
                max_entries = max_entries.max(distinct.iter().map(Vec::len).max().unwrap_or(0));
                // Dice use the counters from 0, choices of plays the counters from 2^32.
                board = plays[stream.below(game, turn + (1 << 32), plays.len() as u32) as usize];
                if board.other_won().is_some() {
                    break;
                }
            }
        }
        assert!((5..=MAX_ENTRIES).contains(&max_entries), "{max_entries}");
    }
}
