//! The life of the cube in a class of positions: how much of a live cube's advantage over a dead one is left when
//! chances jump from turn to turn. The README says from which positions the constants were fitted.

use learnery_worlds::backgammon::{BearOff, Board};

/// Positions with contact.
const CONTACT: f64 = 0.68;
/// Races: the life of one without pips, what each pip of the side on roll adds, and the highest.
const RACE: f64 = 0.55;
const RACE_PER_PIP: f64 = 0.00125;
const RACE_HIGHEST: f64 = 0.7;
/// Bear-offs with all checkers at home, apart from their last turns.
const BEAR_OFF: f64 = 0.6;

/// The life of the cube in a position: 0 for a dead cube, 1 for a live one.
pub fn cube_life(board: &Board) -> f64 {
    if !board.is_race() {
        return CONTACT;
    }
    match BearOff::table().all_off(&board.other_places()).zip(BearOff::table().all_off(&board.own_places())) {
        // If the other side bears off all its checkers at its next turn, nobody can turn the cube again.
        Some((other, _)) => BEAR_OFF * (1.0 - f64::from(other.probability(1))),
        None => (RACE + RACE_PER_PIP * f64::from(board.own_pips())).min(RACE_HIGHEST),
    }
}
