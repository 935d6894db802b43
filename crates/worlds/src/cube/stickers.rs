//! The stickers of a state: as colours, as text, and as the inputs of a network.
//!
//! Stickers are listed face by face in the order U R F D L B, each face row by row in its standard view.
//! Colours are named after the faces of the solved cube. There are two encodings for networks, both sparse
//! and binary: the colour of each sticker, one-hot (24 ones of 144 inputs), and the corner and twist at each
//! position, one-hot (7 ones of 147 inputs).

use std::sync::LazyLock;

use super::geometry::{FACELETS, POSITIONS, SOLVED_FACELETS, clockwise};
use super::notation::HeldCube;
use super::state::{CORNERS, State, corners, facelets_of, state_and_rotation};

/// Inputs of the encoding by stickers; exactly [`FACELETS`] of them are one.
pub const STICKER_INPUTS: usize = FACELETS * COLOURS;

/// Number of colours.
pub const COLOURS: usize = 6;

/// Inputs of the encoding by corners.
pub const CORNER_INPUTS: usize = CORNERS * CORNERS * 3;

/// How many inputs of the encoding by corners are one.
pub const ACTIVE_CORNER_INPUTS: usize = CORNERS;

/// Names of the faces and of their colours.
const FACE_NAMES: [char; COLOURS] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// For each face: the positions of its four corners in the order of the list, and its axis.
const FACE_LAYOUT: [([usize; 4], usize); COLOURS] = [
    // A position is three bits: 1 for right, 2 for up, 4 for front. Axis 0 is left to right, 1 down to up, 2
    // back to front.
    ([2, 3, 6, 7], 1),
    ([7, 3, 5, 1], 0),
    ([6, 7, 4, 5], 2),
    ([4, 5, 0, 1], 1),
    ([2, 6, 0, 4], 0),
    ([3, 2, 1, 0], 2),
];

/// The facelet (place of a sticker, `3 * position + axis`) of sticker `i` of the list.
fn facelet_of_listed(i: usize) -> usize {
    let (places, axis) = FACE_LAYOUT[i / 4];
    3 * places[i % 4] + axis
}

/// The face to which a facelet belongs: its index in [`FACE_NAMES`].
fn face_of(facelet: usize) -> u8 {
    // The bit of a position for an axis is set at the positive end of the axis.
    let (position, axis) = (facelet / 3, facelet % 3);
    let is_positive = (position >> axis) & 1 == 1;
    match (axis, is_positive) {
        (1, true) => 0,
        (0, true) => 1,
        (2, true) => 2,
        (1, false) => 3,
        (0, false) => 4,
        _ => 5,
    }
}

/// The colours of the stickers as listed: indices of the faces U R F D L B.
pub fn stickers(state: State) -> [u8; FACELETS] {
    let mut colours = [0; FACELETS];
    for (home, at) in facelets_of(state).into_iter().enumerate() {
        colours[usize::from(at)] = face_of(home);
    }
    std::array::from_fn(|i| colours[facelet_of_listed(i)])
}

/// The stickers as text, such as `UUUURRRRFFFFDDDDLLLLBBBB`.
pub fn to_text(state: State) -> String {
    stickers(state).iter().map(|colour| FACE_NAMES[usize::from(*colour)]).collect()
}

/// Look-up tables of the encoding by stickers.
struct StickerTables {
    /// For each position: the indices in the list of its three stickers.
    listed: [[u8; 3]; CORNERS],
    /// For each position and each corner and twist there (`3 * corner + twist`): the active inputs of the
    /// three stickers.
    active: [[[u16; 3]; 3 * CORNERS]; CORNERS],
    /// The active inputs of the solved cube. The inputs of the fixed corner are the same in all states.
    solved: [u16; FACELETS],
}

static TABLES: LazyLock<StickerTables> = LazyLock::new(|| {
    let mut tables = StickerTables {
        listed: [[0; 3]; CORNERS],
        active: [[[0; 3]; 3 * CORNERS]; CORNERS],
        solved: std::array::from_fn(|i| input(i, face_of(facelet_of_listed(i)))),
    };
    for position in 1..=CORNERS {
        let at = clockwise(position)
            .map(|axis| (0..FACELETS).position(|i| facelet_of_listed(i) == 3 * position + axis));
        // The list has every facelet, so all three are found.
        let at = at.map(|i| i.unwrap_or(0));
        tables.listed[position - 1] = at.map(|i| i as u8);
        for home in 1..=CORNERS {
            let colours = clockwise(home).map(|axis| face_of(3 * home + axis));
            for twist in 0..3 {
                let there = std::array::from_fn(|k| input(at[k], colours[(k + 3 - twist) % 3]));
                tables.active[position - 1][3 * (home - 1) + twist] = there;
            }
        }
    }
    tables
});

/// The input that is one if sticker `i` of the list has this colour.
fn input(i: usize, colour: u8) -> u16 {
    (COLOURS * i) as u16 + u16::from(colour)
}

/// Writes the indices of the inputs that are one in the encoding by stickers, ascending.
///
/// Shapes: `out [FACELETS]`.
pub fn active_sticker_inputs(state: State, out: &mut [u16]) {
    let (tables, found) = (&*TABLES, corners(state));
    out[..FACELETS].copy_from_slice(&tables.solved);
    for position in 0..CORNERS {
        let there = 3 * usize::from(found.corner[position]) + usize::from(found.twist[position]);
        for (at, input) in tables.listed[position].into_iter().zip(tables.active[position][there]) {
            out[usize::from(at)] = input;
        }
    }
}

/// Writes the indices of the inputs that are one in the encoding by corners, ascending: `21 * position + 3 *
/// corner + twist`.
///
/// Shapes: `out [ACTIVE_CORNER_INPUTS]`.
pub fn active_corner_inputs(state: State, out: &mut [u16]) {
    let found = corners(state);
    for (position, out) in out.iter_mut().enumerate().take(CORNERS) {
        let (corner, twist) = (u16::from(found.corner[position]), u16::from(found.twist[position]));
        *out = (3 * CORNERS * position) as u16 + 3 * corner + twist;
    }
}

/// Parses stickers; white space is ignored. Stickers that no sequence of turns can reach are an error, with
/// the reason.
pub fn from_stickers(text: &str) -> Result<State, String> {
    held_from_stickers(text).map(|held| held.state)
}

/// Like [`from_stickers`], but also returns how the cube is held.
pub fn held_from_stickers(text: &str) -> Result<HeldCube, String> {
    let mut colours = [0u8; FACELETS];
    let mut counts = [0; COLOURS];
    let mut length = 0;
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        let found = FACE_NAMES.iter().position(|name| *name == letter.to_ascii_uppercase());
        let colour = found.ok_or_else(|| format!("`{letter}` is not a colour; colours are U R F D L B"))?;
        // Letters beyond the 24th are only counted, for the error below.
        if let Some(sticker) = colours.get_mut(length) {
            *sticker = colour as u8;
        }
        counts[colour] += 1;
        length += 1;
    }
    if length != FACELETS {
        return Err(format!("{length} stickers; a cube has 24, listed face by face: U R F D L B"));
    }
    if let Some(colour) = counts.iter().position(|count| *count != 4) {
        return Err(format!("{} stickers of {}; each colour has 4", counts[colour], FACE_NAMES[colour]));
    }

    let mut colour_at = [0; FACELETS];
    for (i, colour) in colours.iter().enumerate() {
        colour_at[facelet_of_listed(i)] = *colour;
    }
    // The facelet at which each sticker is, the position at which each corner was found, and the sum of
    // twists.
    let (mut facelets, mut seen, mut twist) = (SOLVED_FACELETS, [None; POSITIONS], 0);
    for position in 0..POSITIONS {
        let axes = clockwise(position);
        let there = axes.map(|axis| colour_at[3 * position + axis]);
        let (home, corner_twist) = corner_with(there).ok_or_else(|| {
            format!(
                "the corner {} shows {}, but no corner has these colours in this order",
                name(position),
                letters(there)
            )
        })?;
        if let Some(other) = seen[home].replace(position) {
            return Err(format!("the corners {} and {} are the same", name(other), name(position)));
        }
        for (i, axis) in clockwise(home).into_iter().enumerate() {
            facelets[3 * home + axis] = (3 * position + axes[(i + corner_twist) % 3]) as u8;
        }
        twist += corner_twist;
    }
    if twist % 3 != 0 {
        let direction = if twist % 3 == 1 { "clockwise" } else { "anticlockwise" };
        return Err(format!("one corner is twisted {direction} on its own, which no turns can do"));
    }
    let (state, orientation) = state_and_rotation(&facelets);
    Ok(HeldCube { state, orientation })
}

/// Returns the corner that has these colours in clockwise order, and its twist.
fn corner_with(shown: [u8; 3]) -> Option<(usize, usize)> {
    let all = (0..POSITIONS).flat_map(|home| (0..3).map(move |twist| (home, twist)));
    all.into_iter().find(|(home, twist)| {
        let axes = clockwise(*home);
        (0..3).all(|i| shown[(i + twist) % 3] == face_of(3 * home + axes[i]))
    })
}

/// The name of a corner position: its three faces.
fn name(position: usize) -> String {
    letters(clockwise(position).map(|axis| face_of(3 * position + axis)))
}

/// The letters of three colours.
fn letters(colours: [u8; 3]) -> String {
    colours.iter().map(|colour| FACE_NAMES[usize::from(*colour)]).collect()
}
