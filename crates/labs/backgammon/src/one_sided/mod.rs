//! Races from the turns that each side needs alone.
//!
//! In a race the sides do not hinder each other. So its chances follow from the distributions of how many
//! turns each side needs: until all checkers are off, until the first is off (then no gammon is lost), until
//! none is left in the opponent's home board (then no backgammon is lost). With all checkers at home, the
//! bear-off table has the first two, and the third has already happened. Elsewhere a [`Network`] estimates
//! them, for one side at a time. So to value all plays of a roll, it is needed once for each side that
//! results, and once for the opponent's side, which is the same for all.
//!
//! Like the table, it has each side play for the fewest turns, whatever the other side's chances are.

mod network;
mod turns;
mod values;

pub use network::{Network, Scratch, Tape};
pub use turns::{BINS, HEADS, Known, Turns, known};
pub use values::{RaceScratch, Races};

/// The checkers of one side on each place, in its own numbering: off (0), points 1 to 24, bar (25).
pub type Side = [u8; 26];

/// The last point of the home board.
pub const LAST_HOME: usize = 6;
/// The first point of the opponent's home board, where a backgammon is lost.
pub const FIRST_FAR: usize = 19;

/// The pips to move all checkers to `place` or below.
pub fn pips_beyond(side: &Side, place: usize) -> u32 {
    (place + 1..=25).map(|p| (p - place) as u32 * u32::from(side[p])).sum()
}

/// The highest occupied place; 0 if all checkers are off.
pub fn highest(side: &Side) -> usize {
    (1..=25).rev().find(|place| side[*place] > 0).unwrap_or(0)
}

/// A side with the listed (place, checkers); the rest of its fifteen checkers are off.
#[cfg(test)]
fn side(list: &[(usize, u8)]) -> Side {
    let mut places = [0; 26];
    list.iter().for_each(|(place, n)| places[*place] = *n);
    places[0] = 15 - places.iter().sum::<u8>();
    places
}
