//! What a network is shown of a position and a throw, without anything worked out for it but how many moves can be
//! played: the minimal observation of the Julia environment BackgammonNet (version 0.4), flat, for money without a cube.
//!
//! ```text
//! 26 places of 12   one's bar, the points in the direction of play (one's own 24 first), the opponent's bar
//!      6 + 6        one's checkers and the opponent's: >= 1, >= 2, >= 3, >= 4, >= 5, and (n - 5) / 10 of six and more
//! 6, 6              the larger and the smaller number of the throw, one of six each; zeros before it
//! 4                 how many moves can be played, one of four; zeros for none
//! 2                 one's checkers off and the opponent's, over 15
//! 12                doubling, answering, playing; cube; one's own, in the middle, may double; money; 2 scores; Crawford, after
//! ```

use super::board::{BAR, Board, CHECKERS};
use super::dice::Dice;
use super::plays::playable_moves;

/// Numbers in an observation.
pub const OBSERVATION_SIZE: usize = 342;

/// Numbers for the checkers of one side on a place.
const STEPS: usize = 6;
const DICE: usize = 26 * 2 * STEPS;
const MOVES: usize = DICE + 12;
const OFF: usize = MOVES + 4;
const MATCH: usize = OFF + 2;

/// Writes what the side on roll sees, before its throw or after it.
pub fn observe(board: &Board, dice: Option<Dice>, out: &mut [f32; OBSERVATION_SIZE]) {
    out.fill(0.0);
    let (own, other) = (board.own_places(), board.other_places());
    for (i, place) in out[..DICE].chunks_exact_mut(2 * STEPS).enumerate() {
        let (mine, theirs) = place.split_at_mut(STEPS);
        // One's bar has nobody else on it, nor has theirs.
        if i < BAR {
            steps(own[BAR - i], mine);
        }
        if i > 0 {
            steps(other[i], theirs);
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
    // Playing, once there is a throw; the cube lies in the middle and stays there; it is for money.
    out[MATCH + 2] = if dice.is_some() { 1.0 } else { 0.0 };
    out[MATCH + 5] = 1.0;
    out[MATCH + 7] = 1.0;
}

fn steps(count: u8, out: &mut [f32]) {
    for (step, out) in (1..).zip(&mut out[..STEPS - 1]) {
        *out = if count >= step { 1.0 } else { 0.0 };
    }
    out[STEPS - 1] = f32::from(count.saturating_sub(5)) / 10.0;
}
