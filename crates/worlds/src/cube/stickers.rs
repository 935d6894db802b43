//! What the cube looks like: its stickers as colours, as text, and as the inputs of a network.
//!
//! Stickers are listed face by face in the order U R F D L B, each row by row as one looks at the face with its usual
//! side up, and colours are named after those faces. As inputs there are two encodings, both of ones among zeros: the
//! stickers' colours (24 ones among 144), and, more compact, which corner is where with which twist (7 ones among 147).

use std::sync::LazyLock;

use super::geometry::{AT_HOME, SIDES, clockwise};
use super::notation::Held;
use super::state::{CORNERS, State, corners, sides_of, state_held};

/// Inputs of the encoding by colours, of which [`SIDES`] are one.
pub const STICKER_INPUTS: usize = SIDES * COLOURS;

/// Colours of a cube.
pub const COLOURS: usize = 6;

/// Inputs of the compact encoding.
pub const CORNER_INPUTS: usize = CORNERS * CORNERS * 3;

/// How many of them are one.
pub const ACTIVE_CORNER_INPUTS: usize = CORNERS;

/// Names of the faces, and so of the colours.
const NAMES: [char; COLOURS] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// The places of each face's corners, and the axis along which it looks. Places are bits: 1 right, 2 up, 4 front.
const LAYOUT: [([usize; 4], usize); COLOURS] = [
    ([2, 3, 6, 7], 1),
    ([7, 3, 5, 1], 0),
    ([6, 7, 4, 5], 2),
    ([4, 5, 0, 1], 1),
    ([2, 6, 0, 4], 0),
    ([3, 2, 1, 0], 2),
];

/// The side that sticker `i` of the list is on.
fn listed(i: usize) -> usize {
    let (places, axis) = LAYOUT[i / 4];
    3 * places[i % 4] + axis
}

/// The face on which a side is.
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

/// The colours of the stickers, numbered as the faces U R F D L B that they are on when the cube is solved.
pub fn stickers(state: State) -> [u8; SIDES] {
    let mut shows = [0; SIDES];
    for (home, at) in sides_of(state).into_iter().enumerate() {
        shows[usize::from(at)] = face_of(home);
    }
    std::array::from_fn(|i| shows[listed(i)])
}

/// The stickers as text, such as `UUUURRRRFFFFDDDDLLLLBBBB`.
pub fn to_text(state: State) -> String {
    stickers(state).iter().map(|colour| NAMES[usize::from(*colour)]).collect()
}

/// What each corner shows in each place: where its three stickers are in the list, and their inputs that are one, for
/// each corner and twist there.
struct Shown {
    listed: [[u8; 3]; CORNERS],
    ones: [[[u16; 3]; 3 * CORNERS]; CORNERS],
    /// Every sticker of a solved cube; those of the fixed corner are the same in all states.
    solved: [u16; SIDES],
}

static SHOWN: LazyLock<Shown> = LazyLock::new(|| {
    let mut shown = Shown {
        listed: [[0; 3]; CORNERS],
        ones: [[[0; 3]; 3 * CORNERS]; CORNERS],
        solved: std::array::from_fn(|i| one(i, face_of(listed(i)))),
    };
    for place in 1..=CORNERS {
        let at = clockwise(place).map(|axis| (0..SIDES).position(|i| listed(i) == 3 * place + axis));
        let at = at.map(|i| i.unwrap_or(0));
        shown.listed[place - 1] = at.map(|i| i as u8);
        for home in 1..=CORNERS {
            let colours = clockwise(home).map(|axis| face_of(3 * home + axis));
            for twist in 0..3 {
                let there = std::array::from_fn(|k| one(at[k], colours[(k + 3 - twist) % 3]));
                shown.ones[place - 1][3 * (home - 1) + twist] = there;
            }
        }
    }
    shown
});

/// The input that is one where sticker `i` of the list has this colour.
fn one(i: usize, colour: u8) -> u16 {
    (COLOURS * i) as u16 + u16::from(colour)
}

/// Which inputs are one in the encoding by colours, ascending.
pub fn active_sticker_inputs(state: State, out: &mut [u16]) {
    let (shown, found) = (&*SHOWN, corners(state));
    out[..SIDES].copy_from_slice(&shown.solved);
    for place in 0..CORNERS {
        let there = 3 * usize::from(found.corner[place]) + usize::from(found.twist[place]);
        for (at, one) in shown.listed[place].into_iter().zip(shown.ones[place][there]) {
            out[usize::from(at)] = one;
        }
    }
}

/// Which inputs are one in the compact encoding, ascending: `21 * place + 3 * corner + twist`.
pub fn active_corner_inputs(state: State, out: &mut [u16]) {
    let found = corners(state);
    for (place, out) in out.iter_mut().enumerate().take(CORNERS) {
        let (corner, twist) = (u16::from(found.corner[place]), u16::from(found.twist[place]));
        *out = (3 * CORNERS * place) as u16 + 3 * corner + twist;
    }
}

/// The state that looks like this; blanks are passed over. A cube that cannot be turned into this is refused, with the
/// reason.
pub fn from_stickers(text: &str) -> Result<State, String> {
    held_from_stickers(text).map(|held| held.state)
}

/// The same as somebody holds it.
pub fn held_from_stickers(text: &str) -> Result<Held, String> {
    let mut colours = [0u8; SIDES];
    let mut counts = [0; COLOURS];
    let mut length = 0;
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        let found = NAMES.iter().position(|name| *name == letter.to_ascii_uppercase());
        let colour = found.ok_or_else(|| format!("`{letter}` is no colour; they are U R F D L B"))?;
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
        return Err(format!("{} stickers of {}; there are 4 of each colour", counts[colour], NAMES[colour]));
    }

    let mut shows = [0; SIDES];
    for (i, colour) in colours.iter().enumerate() {
        shows[listed(i)] = *colour;
    }
    let (mut sides, mut seen, mut twist) = (AT_HOME, [None; 8], 0);
    for place in 0..8 {
        let axes = clockwise(place);
        let there = axes.map(|axis| shows[3 * place + axis]);
        let (home, k) = corner_with(there).ok_or_else(|| {
            format!("the corner {} shows {}, which no corner does", name(place), letters(there))
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
        return Err(format!("one corner is twisted {thirds} by itself, which turns cannot do"));
    }
    let (state, grip) = state_held(&sides);
    Ok(Held { state, grip })
}

/// The corner that shows these colours, clockwise, and how far it is twisted then.
fn corner_with(shown: [u8; 3]) -> Option<(usize, usize)> {
    let all = (0..8).flat_map(|home| (0..3).map(move |k| (home, k)));
    all.into_iter().find(|(home, k)| {
        let axes = clockwise(*home);
        (0..3).all(|i| shown[(i + k) % 3] == face_of(3 * home + axes[i]))
    })
}

/// A corner by the faces it belongs to.
fn name(place: usize) -> String {
    letters(clockwise(place).map(|axis| face_of(3 * place + axis)))
}

fn letters(colours: [u8; 3]) -> String {
    colours.iter().map(|colour| NAMES[usize::from(*colour)]).collect()
}
