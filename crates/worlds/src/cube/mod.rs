//! The 2x2x2 cube (pocket cube): 3,674,160 states, each identified by its index.
//!
//! The cube has no centres, so holding it in another orientation does not change its state. The
//! representation fixes the corner of the down, back and left faces. Turns of U, R and F then reach all
//! states, and a state is a permutation of the other seven corners and the twists of six of these (the
//! seventh twist follows). Its index is `permutation * 729 + twists`; a turn is two look-ups in small tables.

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
pub use geometry::{Orientation, SYMMETRIES};
pub use notation::{HeldCube, format_turns, parse, parse_turns, turn_name};
pub use paths::shortest_solution;
pub use state::{CORNERS, Corners, SOLVED, STATES, State, corners, state_of};
pub use stickers::{
    ACTIVE_CORNER_INPUTS, COLOURS, CORNER_INPUTS, STICKER_INPUTS, active_corner_inputs,
    active_sticker_inputs, from_stickers, held_from_stickers, stickers, to_text,
};
pub use symmetry::{SymmetryClasses, symmetry_classes};
pub use turns::{FACES, Metric, TURNS, Turn, Turns, face, inverse, turns};
