//! The number of a state, and the corners it stands for.

use std::sync::LazyLock;

use super::geometry::{AT_HOME, Grip, SIDES, SYMMETRIES, Sides, clockwise, turn_whole};

/// A state of the cube: `permutation * 729 + twists`.
pub type State = u32;

/// How many there are.
pub const STATES: usize = PERMUTATIONS * TWISTS;

/// The solved cube.
pub const SOLVED: State = 0;

/// Corners that can move.
pub const CORNERS: usize = 7;

/// Orders of seven corners.
pub const PERMUTATIONS: usize = 5040;

/// Twists of six corners; that of the seventh follows.
pub const TWISTS: usize = 729;

/// Which corner is in each place and how it is twisted. Places and corners are numbered from 0, the fixed one left out;
/// a twist counts the thirds of a turn, clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    /// The corner in each place.
    pub corner: [u8; CORNERS],
    /// Its twist.
    pub twist: [u8; CORNERS],
}

/// All orders of the corners and all twists, by their numbers.
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
    // The corners that are still to come, as a set of bits.
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

/// The corners of a state.
pub fn corners(state: State) -> Corners {
    let (ranks, state) = (&*RANKS, state as usize);
    Corners { corner: ranks.orders[state / TWISTS], twist: ranks.twists[state % TWISTS] }
}

/// The state of these corners, which must be a permutation with twists that sum to whole turns.
pub fn state_of(corners: &Corners) -> State {
    (rank_of_order(&corners.corner) * TWISTS + rank_of_twists(&corners.twist)) as State
}

/// Where each sticker is.
pub fn sides_of(state: State) -> Sides {
    let Corners { corner, twist } = corners(state);
    let mut sides = AT_HOME;
    for place in 1..=CORNERS {
        let (home, twist) = (1 + usize::from(corner[place - 1]), usize::from(twist[place - 1]));
        let (from, to) = (clockwise(home), clockwise(place));
        for k in 0..3 {
            sides[3 * home + from[k]] = (3 * place + to[(k + twist) % 3]) as u8;
        }
    }
    sides
}

/// The state of a cube whose fixed corner is in its place, seen through `at`: where each corner's sticker of axis 1 is.
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

/// How a cube must be turned as a whole so that its fixed corner is in its place, for each place of two of that corner's
/// stickers: `[side of the sticker of axis 1][axis where that of axis 0 looks]`.
static HOLD: LazyLock<[[Grip; 3]; SIDES]> = LazyLock::new(|| {
    let mut hold = [[Grip::IDENTITY; 3]; SIDES];
    for grip in &Grip::all()[..SYMMETRIES / 2] {
        let back = grip.inverse();
        hold[back.side(1)][back.side(0) % 3] = *grip;
    }
    hold
});

/// How a cube must be turned as a whole so that its fixed corner is in its place.
pub fn hold(sides: &Sides) -> Grip {
    HOLD[usize::from(sides[1])][usize::from(sides[0] % 3)]
}

/// The state of a cube held in any way, and how it must be turned to be held as we do.
pub fn state_held(sides: &Sides) -> (State, Grip) {
    let grip = hold(sides);
    let held = turn_whole(sides, grip);
    (state_through(|side| usize::from(held[side])), grip)
}
