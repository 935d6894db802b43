//! The inputs of the AlphaZero network for a position and a roll: the "minimal" observation of the Julia
//! environment BackgammonNet (version 0.4), flattened, for money play without the cube. "Own" is the side on
//! roll. Everything is read off the position, except the number of playable moves, which is computed. The
//! columns of the table: how many numbers, and what they are.
//!
//! ```text
//! 26 places of 12   own bar, the points in the direction of play (own point 24 first), the opponent's bar.
//!                   Of a place: 6 about the number n of own checkers, then 6 about that of the opponent's:
//!                   whether n >= 1, >= 2, >= 3, >= 4, >= 5, and (n - 5) / 10 from six on
//! 6, 6              the larger and the smaller number of the roll, one-hot; zeros before the roll
//! 4                 the number of playable moves, one-hot from 1 to 4; zeros for none
//! 2                 own checkers off and the opponent's, divided by 15
//! 12                phase (doubling, answering, playing); cube value; cube owned, centred, may double;
//!                   money; 2 scores; Crawford, post-Crawford
//! ```

use super::board::{BAR, Board, CHECKERS};
use super::dice::Dice;
use super::plays::playable_moves;

/// The length of an observation.
pub const OBSERVATION_SIZE: usize = 342;

/// Features of the number of checkers of one side on a place.
const COUNT_FEATURES: usize = 6;
// Offsets of the parts in the observation: the roll, the playable moves, the checkers off, and the rest
// (phase, cube and match).
const DICE: usize = 26 * 2 * COUNT_FEATURES;
const MOVES: usize = DICE + 12;
const OFF: usize = MOVES + 4;
const MATCH: usize = OFF + 2;

/// Writes the observation of the side on roll, before its roll (`None`) or after it.
pub fn observe(board: &Board, dice: Option<Dice>, out: &mut [f32; OBSERVATION_SIZE]) {
    out.fill(0.0);
    let (own, other) = (board.own_places(), board.other_places());
    for (i, place) in out[..DICE].chunks_exact_mut(2 * COUNT_FEATURES).enumerate() {
        let (own_features, opponent_features) = place.split_at_mut(COUNT_FEATURES);
        // Each bar holds checkers of one side only.
        if i < BAR {
            encode_count(own[BAR - i], own_features);
        }
        if i > 0 {
            encode_count(other[i], opponent_features);
        }
    }
    if let Some(dice) = dice {
        out[DICE + usize::from(dice.high()) - 1] = 1.0;
        out[DICE + 6 + usize::from(dice.low()) - 1] = 1.0;
        if let Some(bin) = playable_moves(board, dice).checked_sub(1) {
            out[MOVES + bin as usize] = 1.0;
        }
    }
    out[OFF] = f32::from(own[0]) / f32::from(CHECKERS);
    out[OFF + 1] = f32::from(other[0]) / f32::from(CHECKERS);
    // The phase is "playing" once the dice are rolled.
    out[MATCH + 2] = if dice.is_some() { 1.0 } else { 0.0 };
    // The cube is centred, and never used.
    out[MATCH + 5] = 1.0;
    // Money play.
    out[MATCH + 7] = 1.0;
}

/// Writes a thermometer code of `count` up to five, then the excess over five.
fn encode_count(count: u8, out: &mut [f32]) {
    for (threshold, out) in (1..).zip(&mut out[..COUNT_FEATURES - 1]) {
        *out = if count >= threshold { 1.0 } else { 0.0 };
    }
    out[COUNT_FEATURES - 1] = f32::from(count.saturating_sub(5)) / 10.0;
}
