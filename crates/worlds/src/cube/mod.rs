//! The 2x2x2 cube: 3,674,160 states, every one of them known by its number.
//!
//! A cube has no centres, so it is the same cube however it is held. Here it is always held with the corner of the
//! down, back and left faces in its place: then U, R and F are all the turns there are, and what is left is a
//! permutation of seven corners and the twists of six (the last one follows). A state is the number
//! `permutation * 729 + twists`, and a turn is two look-ups in small tables.

mod distances;
mod geometry;
mod notation;
mod paths;
mod state;
mod stickers;
mod symmetry;
mod turns;

#[cfg(test)]
mod tests;

pub use distances::{Distances, distances};
pub use geometry::{Grip, SYMMETRIES};
pub use notation::{Held, parse, parse_turns, turn_name, words};
pub use paths::shortest_solution;
pub use state::{CORNERS, Corners, SOLVED, STATES, State, corners, state_of};
pub use stickers::{
    ACTIVE_CORNER_INPUTS, COLOURS, CORNER_INPUTS, STICKER_INPUTS, active_corner_inputs,
    active_sticker_inputs, from_stickers, held_from_stickers, stickers, to_text,
};
pub use symmetry::{SymmetryClasses, symmetry_classes};
pub use turns::{FACES, Metric, TURNS, Turn, Turns, face, inverse, turns};
