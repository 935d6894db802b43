//! The description of a puzzle as data: its stickers, pieces and turns. `cube_table.rs` makes the tables of
//! cubes; [`super::Puzzle`] derives everything else from a table. A facelet (a place of a sticker) is a
//! number from 0 on.

/// A table that describes a puzzle.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: &'static str,
    /// The letter of each colour.
    pub colours: Vec<char>,
    /// The colour of each facelet when the puzzle is solved, in the order in which stickers are written as
    /// text.
    pub solved: Vec<u8>,
    /// The kinds of pieces.
    pub kinds: Vec<Kind>,
    /// A name for each basic turn, and where it moves stickers: each to the next facelet of its cycle.
    pub turns: Vec<(&'static str, Cycles)>,
    /// Rotations and reflections of the whole puzzle from which all others can be composed. Each turns the
    /// set of turns into itself.
    pub symmetries: Vec<Cycles>,
}

/// A permutation of facelets: lists in which each facelet's sticker moves to the facelet after it, and the
/// last one's to the first. The others keep theirs.
pub type Cycles = Vec<Vec<u8>>;

/// A kind of pieces.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name of the kind, such as "corner".
    pub name: &'static str,
    /// The facelets of each piece, in a sense of rotation that turns keep.
    pub pieces: Vec<Vec<u8>>,
}

/// The facelet to which each sticker moves.
pub(super) fn permutation(cycles: &Cycles, facelets: usize) -> Result<Vec<u8>, String> {
    let mut to: Vec<u8> = (0..facelets as u8).collect();
    for cycle in cycles {
        for (i, facelet) in cycle.iter().enumerate() {
            let place =
                to.get_mut(usize::from(*facelet)).ok_or("a cycle names a facelet that does not exist")?;
            if *place != *facelet {
                return Err(format!("facelet {facelet} is in two cycles"));
            }
            *place = cycle[(i + 1) % cycle.len()];
        }
    }
    Ok(to)
}
