//! The standard notation of turns: U R F D L B are quarter turns of a face, clockwise for someone who looks
//! at that face. x, y and z rotate the whole cube like R, U and F. `'` makes a quarter turn anticlockwise,
//! `2` makes it a half turn.
//!
//! In this crate the corner of down, back and left never moves. Turns of L, D and B would move it. Each is
//! the same as a turn of the opposite face (R, U, F) followed by a rotation of the whole cube; [`HeldCube`]
//! stores this rotation (the orientation).

use super::geometry::{Orientation, SOLVED_FACELETS, turn_layer, turn_whole};
use super::state::{State, state_and_rotation};
use super::turns::{AXES, FACES, Turn, face, quarters};

/// The maximum length of a sequence.
const MAX_TURNS: usize = 10_000;

/// A state and the orientation in which a person holds the cube.
#[derive(Clone, Copy, Debug)]
pub struct HeldCube {
    pub state: State,
    /// The rotation that brings the fixed corner to its home position.
    pub(super) orientation: Orientation,
}

/// The faces along each axis, at its positive and its negative end.
const FACES_OF_AXES: [[char; 2]; 3] = [['R', 'L'], ['U', 'D'], ['F', 'B']];
/// Rotations of the whole cube about each axis.
const ROTATION_NAMES: [char; 3] = ['x', 'y', 'z'];

/// One symbol of the notation.
#[derive(Clone, Copy)]
struct Symbol {
    axis: usize,
    /// The end of the axis whose layer is turned; `None` for a rotation of the whole cube.
    positive: Option<bool>,
    /// Clockwise quarter turns, 1 to 3. A layer is seen from its own end of the axis, the whole cube from the
    /// positive end.
    quarters: u8,
}

/// Parses symbols and calls `each` with them in order.
fn parse_symbols(text: &str, mut each: impl FnMut(Symbol)) -> Result<(), String> {
    let mut rest = text.chars().peekable();
    let mut count = 0;
    while let Some(letter) = rest.next() {
        if letter.is_whitespace() {
            continue;
        }
        let is_half = rest.next_if_eq(&'2').is_some();
        let is_anticlockwise = rest.next_if(|c| matches!(c, '\'' | '’')).is_some();
        let quarters = match (is_half, is_anticlockwise) {
            // A half turn is the same in both directions.
            (true, _) => 2,
            (false, true) => 3,
            (false, false) => 1,
        };
        let layer = |end: usize| {
            FACES_OF_AXES.iter().position(|ends| ends[end] == letter).map(|axis| (axis, Some(end == 0)))
        };
        let whole = || ROTATION_NAMES.iter().position(|name| *name == letter).map(|axis| (axis, None));
        let (axis, positive) = layer(0).or_else(|| layer(1)).or_else(whole).ok_or_else(|| {
            format!("`{letter}` is not a turn; turns are U R F D L B, alone or followed by ' or 2")
        })?;
        count += 1;
        if count > MAX_TURNS {
            return Err(format!("more than {MAX_TURNS} turns"));
        }
        each(Symbol { axis, positive, quarters });
    }
    Ok(())
}

/// Parses a sequence and applies it to the solved cube.
pub fn parse(text: &str) -> Result<HeldCube, String> {
    let mut facelets = SOLVED_FACELETS;
    parse_symbols(text, |Symbol { axis, positive, quarters }| {
        for _ in 0..quarters {
            facelets = match positive {
                Some(positive) => turn_layer(&facelets, axis, positive),
                None => turn_whole(&facelets, Orientation::quarter(axis)),
            };
        }
    })?;
    let (state, orientation) = state_and_rotation(&facelets);
    Ok(HeldCube { state, orientation })
}

/// Parses a sequence of turns of a cube that is rotated back after each turn, so that its fixed corner stays
/// at home. Then L, D and B are equal to R, U and F, and rotations of the whole cube are ignored.
pub fn parse_turns(text: &str) -> Result<Vec<Turn>, String> {
    let mut turns = Vec::new();
    parse_symbols(text, |Symbol { axis, positive, quarters }| {
        // Every axis is that of one of the faces, so the position is always found.
        let face = AXES.iter().position(|a| *a == axis).unwrap_or(0) as Turn;
        if positive.is_some() {
            // Turns 0 to 5 are U U' R R' F F', 6 to 8 are U2 R2 F2.
            turns.push(match quarters {
                1 => 2 * face,
                2 => 6 + face,
                _ => 2 * face + 1,
            });
        }
    })?;
    Ok(turns)
}

impl HeldCube {
    /// The notation of `turn` for a person who holds the cube in this orientation.
    pub fn name(&self, turn: Turn) -> String {
        let back = self.orientation.inverse();
        let (axis, flip) = back.axis(AXES[usize::from(face(turn))]);
        with_suffix(FACES_OF_AXES[axis][usize::from(flip)], turn)
    }
}

/// The notation of a turn.
pub fn turn_name(turn: Turn) -> String {
    // The remainder only matters for a number that is no turn: it gets a wrong name instead of a panic.
    with_suffix(['U', 'R', 'F'][usize::from(face(turn)) % FACES], turn)
}

/// The letter of a face with the suffix of a turn.
fn with_suffix(face: char, turn: Turn) -> String {
    let suffix = match quarters(turn) {
        1 => "",
        2 => "2",
        _ => "'",
    };
    format!("{face}{suffix}")
}

/// A sequence of turns in standard notation.
pub fn format_turns(turns: &[Turn]) -> String {
    turns.iter().map(|turn| turn_name(*turn)).collect::<Vec<_>>().join(" ")
}
