//! The stickers of a state: as colours, as text, and as the inputs of a network.
//!
//! Stickers are listed face by face in the order U R F D L B, each face row by row in its standard view. Colours are
//! named after the faces of the solved cube. There are two encodings for networks, both sparse and binary: the colour
//! of each sticker, one-hot (24 ones of 144 inputs), and the corner and twist at each place, one-hot (7 ones of 147
//! inputs).

use std::sync::LazyLock;

use super::geometry::{SIDES, SOLVED_SIDES, clockwise};
use super::notation::HeldCube;
use super::state::{CORNERS, State, corners, sides_of, state_and_rotation};

/// Inputs of the encoding by stickers, of which [`SIDES`] are one.
pub const STICKER_INPUTS: usize = SIDES * COLOURS;

pub const COLOURS: usize = 6;

/// Inputs of the encoding by corners.
pub const CORNER_INPUTS: usize = CORNERS * CORNERS * 3;

/// How many inputs of the encoding by corners are one.
pub const ACTIVE_CORNER_INPUTS: usize = CORNERS;

/// Names of the faces and of their colours.
const NAMES: [char; COLOURS] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// For each face: the places of its four corners in the order of the list, and its axis.
const LAYOUT: [([usize; 4], usize); COLOURS] = [
    ([2, 3, 6, 7], 1),
    ([7, 3, 5, 1], 0),
    ([6, 7, 4, 5], 2),
    ([4, 5, 0, 1], 1),
    ([2, 6, 0, 4], 0),
    ([3, 2, 1, 0], 2),
];

/// The side of sticker `i` of the list.
fn side_of_listed(i: usize) -> usize {
    let (places, axis) = LAYOUT[i / 4];
    3 * places[i % 4] + axis
}

/// The face that a side belongs to.
fn face_of(side: usize) -> u8 {
    let positive = ((side / 3) >> (side % 3)) & 1 == 1;
    match (side % 3, positive) {
        (1, true) => 0,
        (0, true) => 1,
        (2, true) => 2,
        (1, false) => 3,
        (0, false) => 4,
        _ => 5,
    }
}

/// The colours of the stickers as listed: indices of the faces U R F D L B.
pub fn stickers(state: State) -> [u8; SIDES] {
    let mut shows = [0; SIDES];
    for (home, at) in sides_of(state).into_iter().enumerate() {
        shows[usize::from(at)] = face_of(home);
    }
    std::array::from_fn(|i| shows[side_of_listed(i)])
}

/// The stickers as text, such as `UUUURRRRFFFFDDDDLLLLBBBB`.
pub fn to_text(state: State) -> String {
    stickers(state).iter().map(|colour| NAMES[usize::from(*colour)]).collect()
}

/// Look-up tables of the encoding by stickers.
struct StickerTables {
    /// For each place: the indices in the list of its three stickers.
    listed: [[u8; 3]; CORNERS],
    /// For each place, and each corner and twist there (`3 * corner + twist`): the active inputs of its three stickers.
    active: [[[u16; 3]; 3 * CORNERS]; CORNERS],
    /// The active inputs of the solved cube; those of the fixed corner are the same in all states.
    solved: [u16; SIDES],
}

static TABLES: LazyLock<StickerTables> = LazyLock::new(|| {
    let mut tables = StickerTables {
        listed: [[0; 3]; CORNERS],
        active: [[[0; 3]; 3 * CORNERS]; CORNERS],
        solved: std::array::from_fn(|i| input(i, face_of(side_of_listed(i)))),
    };
    for place in 1..=CORNERS {
        let at = clockwise(place).map(|axis| (0..SIDES).position(|i| side_of_listed(i) == 3 * place + axis));
        let at = at.map(|i| i.unwrap_or(0));
        tables.listed[place - 1] = at.map(|i| i as u8);
        for home in 1..=CORNERS {
            let colours = clockwise(home).map(|axis| face_of(3 * home + axis));
            for twist in 0..3 {
                let there = std::array::from_fn(|k| input(at[k], colours[(k + 3 - twist) % 3]));
                tables.active[place - 1][3 * (home - 1) + twist] = there;
            }
        }
    }
    tables
});

/// The input for sticker `i` of the list having this colour.
fn input(i: usize, colour: u8) -> u16 {
    (COLOURS * i) as u16 + u16::from(colour)
}

/// Writes the indices of the inputs that are one in the encoding by stickers, ascending. // out [SIDES]
pub fn active_sticker_inputs(state: State, out: &mut [u16]) {
    let (tables, found) = (&*TABLES, corners(state));
    out[..SIDES].copy_from_slice(&tables.solved);
    for place in 0..CORNERS {
        let there = 3 * usize::from(found.corner[place]) + usize::from(found.twist[place]);
        for (at, input) in tables.listed[place].into_iter().zip(tables.active[place][there]) {
            out[usize::from(at)] = input;
        }
    }
}

/// Writes the indices of the inputs that are one in the encoding by corners, ascending: `21 * place + 3 * corner +
/// twist`.
/// // out [ACTIVE_CORNER_INPUTS]
pub fn active_corner_inputs(state: State, out: &mut [u16]) {
    let found = corners(state);
    for (place, out) in out.iter_mut().enumerate().take(CORNERS) {
        let (corner, twist) = (u16::from(found.corner[place]), u16::from(found.twist[place]));
        *out = (3 * CORNERS * place) as u16 + 3 * corner + twist;
    }
}

/// The state with these stickers; white space is ignored. Refuses stickers that no sequence of turns leads to, with the
/// reason.
pub fn from_stickers(text: &str) -> Result<State, String> {
    held_from_stickers(text).map(|held| held.state)
}

/// Like [`from_stickers`], but also returns how the cube is held.
pub fn held_from_stickers(text: &str) -> Result<HeldCube, String> {
    let mut colours = [0u8; SIDES];
    let mut counts = [0; COLOURS];
    let mut length = 0;
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        let found = NAMES.iter().position(|name| *name == letter.to_ascii_uppercase());
        let colour = found.ok_or_else(|| format!("`{letter}` is not a colour; colours are U R F D L B"))?;
        if let Some(place) = colours.get_mut(length) {
            *place = colour as u8;
        }
        counts[colour] += 1;
        length += 1;
    }
    if length != SIDES {
        return Err(format!("{length} stickers; a cube has 24, listed face by face: U R F D L B"));
    }
    if let Some(colour) = counts.iter().position(|count| *count != 4) {
        return Err(format!("{} stickers of {}; each colour has 4", counts[colour], NAMES[colour]));
    }

    let mut shows = [0; SIDES];
    for (i, colour) in colours.iter().enumerate() {
        shows[side_of_listed(i)] = *colour;
    }
    let (mut sides, mut seen, mut twist) = (SOLVED_SIDES, [None; 8], 0);
    for place in 0..8 {
        let axes = clockwise(place);
        let there = axes.map(|axis| shows[3 * place + axis]);
        let (home, k) = corner_with(there).ok_or_else(|| {
            format!(
                "the corner {} shows {}, but no corner has these colours in this order",
                name(place),
                letters(there)
            )
        })?;
        if let Some(other) = seen[home].replace(place) {
            return Err(format!("the corners {} and {} are the same", name(other), name(place)));
        }
        for (i, axis) in clockwise(home).into_iter().enumerate() {
            sides[3 * home + axis] = (3 * place + axes[(i + k) % 3]) as u8;
        }
        twist += k;
    }
    if twist % 3 != 0 {
        let thirds = if twist % 3 == 1 { "clockwise" } else { "anticlockwise" };
        return Err(format!("one corner is twisted {thirds} on its own, which no turns can do"));
    }
    let (state, orientation) = state_and_rotation(&sides);
    Ok(HeldCube { state, orientation })
}

/// The corner that shows these colours clockwise, and its twist.
fn corner_with(shown: [u8; 3]) -> Option<(usize, usize)> {
    let all = (0..8).flat_map(|home| (0..3).map(move |k| (home, k)));
    all.into_iter().find(|(home, k)| {
        let axes = clockwise(*home);
        (0..3).all(|i| shown[(i + k) % 3] == face_of(3 * home + axes[i]))
    })
}

/// The name of a corner: the three faces it belongs to.
fn name(place: usize) -> String {
    letters(clockwise(place).map(|axis| face_of(3 * place + axis)))
}

fn letters(colours: [u8; 3]) -> String {
    colours.iter().map(|colour| NAMES[usize::from(*colour)]).collect()
}
