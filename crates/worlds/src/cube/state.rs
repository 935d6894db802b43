//! States of the 2x2x2 cube and their indices. A state is an arrangement of corners: where each is, and how
//! it is twisted. Its index is computed from the permutation (Lehmer code) and the twists (digits in base 3),
//! and back.
//!
//! The corner of down, back and left is held fixed. `position` 0 is its place; a *facelet* is a place of a
//! sticker, numbered `3 * position + axis` (see [`super::geometry`]).

use std::sync::LazyLock;

use super::geometry::{FACELETS, Facelets, Orientation, SOLVED_FACELETS, SYMMETRIES, clockwise, turn_whole};

/// The index of a state: `permutation * 729 + twists`.
pub type State = u32;

/// Number of states: 3,674,160.
pub const STATES: usize = PERMUTATIONS * TWISTS;

/// The solved cube.
pub const SOLVED: State = 0;

/// Number of movable corners: all except the fixed corner of down, back and left.
pub const CORNERS: usize = 7;

/// Number of permutations of seven corners.
pub const PERMUTATIONS: usize = 5040;

/// Number of combinations of twists of six corners; the seventh twist follows, because twists sum to a
/// multiple of three.
pub const TWISTS: usize = 729;

/// The arrangement of the movable corners. Positions and corners are numbered from 0, without the fixed
/// corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    /// The corner at each position.
    pub corner: [u8; CORNERS],
    /// The twist of the corner at each position, in clockwise thirds of a turn.
    pub twist: [u8; CORNERS],
}

/// Decoding tables: the permutation and the twists of each rank (index).
struct Ranks {
    orders: Vec<[u8; CORNERS]>,
    twists: Vec<[u8; CORNERS]>,
}

static RANKS: LazyLock<Ranks> = LazyLock::new(|| Ranks {
    orders: (0..PERMUTATIONS).map(order_of_rank).collect(),
    twists: (0..TWISTS).map(twists_of_rank).collect(),
});

/// The permutation with this index.
fn order_of_rank(mut rank: usize) -> [u8; CORNERS] {
    let mut remaining: Vec<u8> = (0..CORNERS as u8).collect();
    let mut size = PERMUTATIONS;
    std::array::from_fn(|i| {
        size /= CORNERS - i;
        let corner = remaining.remove(rank / size);
        rank %= size;
        corner
    })
}

/// The index of a permutation.
fn rank_of_order(order: &[u8; CORNERS]) -> usize {
    // Bit set of the corners without a position yet.
    let mut remaining = (1u32 << CORNERS) - 1;
    order.iter().enumerate().fold(0, |rank, (i, corner)| {
        remaining &= !(1 << corner);
        let smaller = remaining & ((1 << corner) - 1);
        rank * (CORNERS - i) + smaller.count_ones() as usize
    })
}

/// The twists with this index.
fn twists_of_rank(rank: usize) -> [u8; CORNERS] {
    let mut twists = [0; CORNERS];
    let (mut rank, mut sum) = (rank, 0);
    for twist in twists[..CORNERS - 1].iter_mut().rev() {
        *twist = (rank % 3) as u8;
        sum += *twist;
        rank /= 3;
    }
    twists[CORNERS - 1] = (3 - sum % 3) % 3;
    twists
}

/// The index of twists.
fn rank_of_twists(twists: &[u8; CORNERS]) -> usize {
    twists[..CORNERS - 1].iter().fold(0, |rank, twist| 3 * rank + usize::from(*twist))
}

/// Returns the arrangement of a state.
pub fn corners(state: State) -> Corners {
    let (ranks, state) = (&*RANKS, state as usize);
    Corners { corner: ranks.orders[state / TWISTS], twist: ranks.twists[state % TWISTS] }
}

/// Returns the state of an arrangement, which must be a permutation with twists that sum to a multiple of
/// three.
pub fn state_of(corners: &Corners) -> State {
    (rank_of_order(&corners.corner) * TWISTS + rank_of_twists(&corners.twist)) as State
}

/// Returns the facelet at which each sticker of a state is.
pub fn facelets_of(state: State) -> Facelets {
    let Corners { corner, twist } = corners(state);
    let mut facelets = SOLVED_FACELETS;
    // Positions and corners count from 1 here, because 0 is the fixed corner.
    for position in 1..=CORNERS {
        let (home, twist) = (1 + usize::from(corner[position - 1]), usize::from(twist[position - 1]));
        let (from, to) = (clockwise(home), clockwise(position));
        for k in 0..3 {
            facelets[3 * home + from[k]] = (3 * position + to[(k + twist) % 3]) as u8;
        }
    }
    facelets
}

/// Returns the state of a cube whose fixed corner is at its home position. `at` returns the current facelet
/// of a sticker. It is called for the sticker of axis 1 of each movable corner, the first one clockwise: its
/// place among the facelets of a position, counted clockwise, is the twist.
pub fn state_through(at: impl Fn(usize) -> usize) -> State {
    let (mut order, mut twists) = ([0; CORNERS], [0; CORNERS]);
    for corner in 1..=CORNERS {
        let facelet = at(3 * corner + 1);
        let (position, axis) = (facelet / 3, facelet % 3);
        let twist = clockwise(position).iter().position(|a| *a == axis);
        order[position - 1] = (corner - 1) as u8;
        // The list has all three axes, so the twist is always found.
        twists[position - 1] = twist.map_or(0, |twist| twist as u8);
    }
    state_of(&Corners { corner: order, twist: twists })
}

/// The rotation that brings the fixed corner home, by the current facelets of two of its stickers:
/// `[facelet of the sticker of axis 1][axis of the facelet of the sticker of axis 0]`.
static ROTATIONS_HOME: LazyLock<[[Orientation; 3]; FACELETS]> = LazyLock::new(|| {
    let mut table = [[Orientation::IDENTITY; 3]; FACELETS];
    // The first half of the symmetries are the rotations.
    for orientation in &Orientation::all()[..SYMMETRIES / 2] {
        let back = orientation.inverse();
        table[back.facelet(1)][back.facelet(0) % 3] = *orientation;
    }
    table
});

/// Returns the rotation that brings the fixed corner to its home position.
pub fn rotation_home(facelets: &Facelets) -> Orientation {
    ROTATIONS_HOME[usize::from(facelets[1])][usize::from(facelets[0] % 3)]
}

/// Returns the state of a cube held in any way, and the rotation that brings its fixed corner home.
pub fn state_and_rotation(facelets: &Facelets) -> (State, Orientation) {
    let orientation = rotation_home(facelets);
    let held = turn_whole(facelets, orientation);
    (state_through(|facelet| usize::from(held[facelet])), orientation)
}
