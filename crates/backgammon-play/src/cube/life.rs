//! The life of the cube in a class of positions: how much of a live cube's advantage over a dead one is left
//! when chances jump from turn to turn. The README says from which positions the constants were chosen.

use learnery_worlds::backgammon::{BearOff, Board};

/// The life of the cube in positions with contact.
const CONTACT_CUBE_LIFE: f64 = 0.74;
/// The life of the cube in races in which a side still has checkers outside its home board.
const RACE_CUBE_LIFE: f64 = 0.65;
/// The life of the cube in bear-offs with all checkers at home, apart from their last turns.
const BEAR_OFF_CUBE_LIFE: f64 = 0.6;

/// The life of the cube in a position: 0 for a dead cube, 1 for a live one.
pub fn cube_life(board: &Board) -> f64 {
    if !board.is_race() {
        return CONTACT_CUBE_LIFE;
    }
    let table = BearOff::table();
    match table.all_off(&board.other_places()).zip(table.all_off(&board.own_places())) {
        // Nobody can turn the cube again if the other side bears off all its checkers at its next turn. The
        // life falls with the probability of that.
        Some((other, _)) => BEAR_OFF_CUBE_LIFE * (1.0 - f64::from(other.probability(1))),
        None => RACE_CUBE_LIFE,
    }
}
