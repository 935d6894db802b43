//! Turns as people write them: U R F D L B with `'` for anticlockwise and `2` for half turns, and x y z for the whole cube.
//!
//! All six faces can be turned; a turn of L, D or B moves the corner that we hold on to, and so the cube is held in
//! another way after it. [`Held`] knows in which.

use super::geometry::{AT_HOME, Grip, turn_layer, turn_whole};
use super::state::{State, state_held};
use super::turns::{AXES, FACES, Turn, face, quarters};

/// The most turns that are read at a time: nobody types more, and a file may.
const MOST: usize = 10_000;

/// A state as somebody holds it after the turns that led there.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The state.
    pub state: State,
    /// How the cube must be turned as a whole to be held as we do.
    pub(super) grip: Grip,
}

/// The faces along each axis, at its positive and its negative end.
const ENDS: [[char; 2]; 3] = [['R', 'L'], ['U', 'D'], ['F', 'B']];
/// Turns of the whole cube, about each axis.
const WHOLE: [char; 3] = ['x', 'y', 'z'];

/// Something that somebody wrote.
#[derive(Clone, Copy)]
struct Written {
    axis: usize,
    /// Which end of the axis is turned; both, and all between, where it is the whole cube.
    positive: Option<bool>,
    /// Quarter turns clockwise: 1 to 3.
    quarters: u8,
}

/// Reads turns one after the other.
fn read(text: &str, mut each: impl FnMut(Written)) -> Result<(), String> {
    let mut rest = text.chars().peekable();
    let mut count = 0;
    while let Some(letter) = rest.next() {
        if letter.is_whitespace() {
            continue;
        }
        let half = rest.next_if_eq(&'2').is_some();
        let back = rest.next_if(|c| matches!(c, '\'' | '’')).is_some();
        let quarters = match (half, back) {
            (true, _) => 2,
            (false, true) => 3,
            (false, false) => 1,
        };
        let layer =
            |end: usize| ENDS.iter().position(|ends| ends[end] == letter).map(|axis| (axis, Some(end == 0)));
        let whole = || WHOLE.iter().position(|name| *name == letter).map(|axis| (axis, None));
        let (axis, positive) = layer(0)
            .or_else(|| layer(1))
            .or_else(whole)
            .ok_or_else(|| format!("`{letter}` is no turn; they are U R F D L B, each alone, with ' or 2"))?;
        count += 1;
        if count > MOST {
            return Err(format!("more than {MOST} turns"));
        }
        each(Written { axis, positive, quarters });
    }
    Ok(())
}

/// What turns that somebody writes do to a solved cube.
pub fn parse(text: &str) -> Result<Held, String> {
    let mut sides = AT_HOME;
    read(text, |Written { axis, positive, quarters }| {
        for _ in 0..quarters {
            sides = match positive {
                Some(positive) => turn_layer(&sides, axis, positive),
                None => turn_whole(&sides, Grip::quarter(axis)),
            };
        }
    })?;
    let (state, grip) = state_held(&sides);
    Ok(Held { state, grip })
}

/// The turns that somebody writes, for a cube that is put back after each so that its fixed corner is in its place: a turn
/// of L, D or B is then one of R, U or F, and turns of the whole cube are none.
pub fn parse_turns(text: &str) -> Result<Vec<Turn>, String> {
    let mut turns = Vec::new();
    read(text, |Written { axis, positive, quarters }| {
        let face = AXES.iter().position(|a| *a == axis).unwrap_or(0) as Turn;
        if positive.is_some() {
            turns.push(match quarters {
                1 => 2 * face,
                2 => 6 + face,
                _ => 2 * face + 1,
            });
        }
    })?;
    Ok(turns)
}

impl Held {
    /// The name of one of our turns for whoever holds the cube like this.
    pub fn name(&self, turn: Turn) -> String {
        let back = self.grip.inverse();
        let (axis, flip) = back.axis(AXES[usize::from(face(turn))]);
        // Seen from outside, a quarter turn is clockwise at either end of an axis.
        named(ENDS[axis][usize::from(flip)], turn)
    }
}

/// The name of a turn.
pub fn turn_name(turn: Turn) -> String {
    named(['U', 'R', 'F'][usize::from(face(turn)) % FACES], turn)
}

fn named(face: char, turn: Turn) -> String {
    let end = match quarters(turn) {
        1 => "",
        2 => "2",
        _ => "'",
    };
    format!("{face}{end}")
}

/// Turns one after the other, as people write them.
pub fn words(turns: &[Turn]) -> String {
    turns.iter().map(|turn| turn_name(*turn)).collect::<Vec<_>>().join(" ")
}
