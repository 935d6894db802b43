//! The bijection between indices of states and arrangements of corners (Lehmer code for the permutation, base 3 for
//! twists).

use std::sync::LazyLock;

use super::geometry::{Orientation, SIDES, SOLVED_SIDES, SYMMETRIES, Sides, clockwise, turn_whole};

/// The index of a state: `permutation * 729 + twists`.
pub type State = u32;

pub const STATES: usize = PERMUTATIONS * TWISTS;

pub const SOLVED: State = 0;

/// Movable corners: all but the fixed one.
pub const CORNERS: usize = 7;

/// Permutations of seven corners.
pub const PERMUTATIONS: usize = 5040;

/// Twists of six corners; the seventh follows, because twists sum to a multiple of three.
pub const TWISTS: usize = 729;

/// The arrangement of the movable corners. Places and corners are numbered from 0 without the fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    /// The corner in each place.
    pub corner: [u8; CORNERS],
    /// The twist of the corner in each place, in clockwise thirds of a turn.
    pub twist: [u8; CORNERS],
}

/// Permutations and twists of all ranks.
struct Ranks {
    orders: Vec<[u8; CORNERS]>,
    twists: Vec<[u8; CORNERS]>,
}

static RANKS: LazyLock<Ranks> = LazyLock::new(|| Ranks {
    orders: (0..PERMUTATIONS).map(order_of_rank).collect(),
    twists: (0..TWISTS).map(twists_of_rank).collect(),
});

fn order_of_rank(mut rank: usize) -> [u8; CORNERS] {
    let mut left: Vec<u8> = (0..CORNERS as u8).collect();
    let mut size = PERMUTATIONS;
    std::array::from_fn(|i| {
        size /= CORNERS - i;
        let corner = left.remove(rank / size);
        rank %= size;
        corner
    })
}

fn rank_of_order(order: &[u8; CORNERS]) -> usize {
    // Bit set of the corners not placed yet.
    let mut left = (1u32 << CORNERS) - 1;
    order.iter().enumerate().fold(0, |rank, (i, corner)| {
        left &= !(1 << corner);
        let smaller = left & ((1 << corner) - 1);
        rank * (CORNERS - i) + smaller.count_ones() as usize
    })
}

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

fn rank_of_twists(twists: &[u8; CORNERS]) -> usize {
    twists[..CORNERS - 1].iter().fold(0, |rank, twist| 3 * rank + usize::from(*twist))
}

/// The arrangement of a state.
pub fn corners(state: State) -> Corners {
    let (ranks, state) = (&*RANKS, state as usize);
    Corners { corner: ranks.orders[state / TWISTS], twist: ranks.twists[state % TWISTS] }
}

/// The state of an arrangement, which must be a permutation with twists that sum to a multiple of three.
pub fn state_of(corners: &Corners) -> State {
    (rank_of_order(&corners.corner) * TWISTS + rank_of_twists(&corners.twist)) as State
}

/// The sides on which the stickers of a state are.
pub fn sides_of(state: State) -> Sides {
    let Corners { corner, twist } = corners(state);
    let mut sides = SOLVED_SIDES;
    for place in 1..=CORNERS {
        let (home, twist) = (1 + usize::from(corner[place - 1]), usize::from(twist[place - 1]));
        let (from, to) = (clockwise(home), clockwise(place));
        for k in 0..3 {
            sides[3 * home + from[k]] = (3 * place + to[(k + twist) % 3]) as u8;
        }
    }
    sides
}

/// The state of a cube whose fixed corner is in its place. `at` maps the sticker of axis 1 of each corner to its side.
pub fn state_through(at: impl Fn(usize) -> usize) -> State {
    let (mut order, mut twists) = ([0; CORNERS], [0; CORNERS]);
    for corner in 1..=CORNERS {
        let side = at(3 * corner + 1);
        let (place, axis) = (side / 3, side % 3);
        let twist = clockwise(place).iter().position(|a| *a == axis);
        order[place - 1] = (corner - 1) as u8;
        twists[place - 1] = twist.map_or(0, |twist| twist as u8);
    }
    state_of(&Corners { corner: order, twist: twists })
}

/// The rotation that brings the fixed corner to its place, by where two of its stickers are:
/// `[side of the sticker of axis 1][axis of the side of the sticker of axis 0]`.
static ROTATIONS_HOME: LazyLock<[[Orientation; 3]; SIDES]> = LazyLock::new(|| {
    let mut table = [[Orientation::IDENTITY; 3]; SIDES];
    for orientation in &Orientation::all()[..SYMMETRIES / 2] {
        let back = orientation.inverse();
        table[back.side(1)][back.side(0) % 3] = *orientation;
    }
    table
});

/// The rotation that brings the fixed corner to its place.
pub fn rotation_home(sides: &Sides) -> Orientation {
    ROTATIONS_HOME[usize::from(sides[1])][usize::from(sides[0] % 3)]
}

/// The state of a cube held in any way, and the rotation that brings its fixed corner to its place.
pub fn state_and_rotation(sides: &Sides) -> (State, Orientation) {
    let orientation = rotation_home(sides);
    let held = turn_whole(sides, orientation);
    (state_through(|side| usize::from(held[side])), orientation)
}
