//! Twisty puzzles, each described by a table of its stickers, pieces and turns ([`Table`]): everything else
//! follows from the table ([`Puzzle`]). [`Table::cube`] makes the tables of the 2x2x2 and the 3x3x3 cube from
//! their geometry.
//!
//! A *facelet* is a place of a sticker; stickers move, facelets do not. A *place* is where a piece can be,
//! named by the piece that is there when the puzzle is solved. Places that turns can exchange form an
//! *orbit*, such as the corners. The whole puzzle is never rotated: pieces that no turn moves, such as the
//! centres of the 3x3x3, are left out.

mod cube_table;
mod moves;
mod notation;
mod random;
mod stickers;
mod symmetry;
mod table;

#[cfg(test)]
mod tests;

pub use moves::{MAX_PLACES, MAX_VALUES, Orbit, Puzzle, State, Turn};
pub use notation::MAX_SEQUENCE;
pub use symmetry::Symmetry;
pub use table::Table;
