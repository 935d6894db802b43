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
    grip: Grip,
}

/// The faces along each axis, at its positive and its negative end.
const ENDS: [[char; 2]; 3] = [['R', 'L'], ['U', 'D'], ['F', 'B']];
/// Turns of the whole cube, about each axis.
const WHOLE: [char; 3] = ['x', 'y', 'z'];

/// What turns that somebody writes do to a solved cube.
pub fn parse(text: &str) -> Result<Held, String> {
    let mut sides = AT_HOME;
    let mut rest = text.chars().peekable();
    let mut count = 0;
    while let Some(letter) = rest.next() {
        if letter.is_whitespace() {
            continue;
        }
        let mut times = 1;
        if rest.peek() == Some(&'2') {
            rest.next();
            times = 2;
        }
        if matches!(rest.peek(), Some('\'' | '’')) {
            rest.next();
            times = 4 - times;
        }
        let of = |names: &[char]| names.iter().position(|name| *name == letter);
        let layer = ENDS.iter().enumerate().find_map(|(axis, ends)| of(ends).map(|end| (axis, end == 0)));
        for _ in 0..times {
            sides = match (layer, of(&WHOLE)) {
                (Some((axis, positive)), _) => turn_layer(&sides, axis, positive),
                (_, Some(axis)) => turn_whole(&sides, Grip::quarter(axis)),
                _ => {
                    return Err(format!(
                        "`{letter}` is no turn; they are U R F D L B, each alone, with ' or 2"
                    ));
                }
            };
        }
        count += 1;
        if count > MOST {
            return Err(format!("more than {MOST} turns"));
        }
    }
    let (state, grip) = state_held(&sides);
    Ok(Held { state, grip })
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
