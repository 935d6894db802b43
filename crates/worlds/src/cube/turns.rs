//! Turns of the 2x2x2 cube, as two small transition tables: one for the permutation of the corners and one
//! for their twists. The corner of down, back and left never moves, so only the faces up (U), right (R) and
//! front (F) are turned.

use std::sync::LazyLock;

use super::geometry::turn_layer;
use super::state::{PERMUTATIONS, State, TWISTS, facelets_of, state_through};

/// The index of a turn: 0 to 5 are U U' R R' F F', 6 to 8 are U2 R2 F2.
pub type Turn = u8;

/// Number of turns.
pub const TURNS: usize = 9;

/// The first half turn. The quarter turns come before it.
const FIRST_HALF_TURN: Turn = 6;

/// Faces that are turned: U, R and F.
pub const FACES: usize = 3;

/// The axis of each face: 0 is left to right, 1 down to up, 2 back to front.
pub const AXES: [usize; FACES] = [1, 0, 2];

/// The metric: what counts as one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// A quarter turn; a half turn counts as two.
    Quarter,
    /// A quarter or a half turn.
    Half,
}

impl Metric {
    /// The number of turns in this metric. They have the indices below it.
    pub const fn turns(self) -> usize {
        match self {
            Self::Quarter => 6,
            Self::Half => TURNS,
        }
    }

    /// God's number: the maximum distance of a state from the solved state.
    pub const fn diameter(self) -> usize {
        match self {
            Self::Quarter => 14,
            Self::Half => 11,
        }
    }

    /// Whether a shortest sequence never has `next` right after `last`: it undoes `last` or, in the half-turn
    /// metric, turns the same face again.
    pub const fn is_redundant(self, last: Turn, next: Turn) -> bool {
        match self {
            Self::Quarter => next == inverse(last),
            Self::Half => face(next) == face(last),
        }
    }
}

/// The turn that undoes a turn.
pub const fn inverse(turn: Turn) -> Turn {
    // A quarter turn and its inverse differ in the lowest bit; a half turn undoes itself.
    if turn < FIRST_HALF_TURN { turn ^ 1 } else { turn }
}

/// The face that a turn moves: 0 to 2 for U, R, F.
pub const fn face(turn: Turn) -> u8 {
    if turn < FIRST_HALF_TURN { turn / 2 } else { turn - FIRST_HALF_TURN }
}

/// The transition tables: the indices of the permutation and of the twists after each turn. A state's index
/// is `permutation * 729 + twists`.
pub struct Turns {
    /// Shape: `[permutations][turns]`.
    orders: Vec<[u16; TURNS]>,
    /// Shape: `[twists][turns]`.
    twists: Vec<[u16; TURNS]>,
}

impl Turns {
    /// Returns the state after a turn.
    pub fn after(&self, state: State, turn: Turn) -> State {
        let (order, twists) = (state as usize / TWISTS, state as usize % TWISTS);
        let order = self.orders[order][usize::from(turn)];
        u32::from(order) * TWISTS as u32 + u32::from(self.twists[twists][usize::from(turn)])
    }

    /// Returns the states after each of the turns with an index below `N`.
    pub fn neighbours<const N: usize>(&self, state: State) -> [State; N] {
        let (order, twists) = (state as usize / TWISTS, state as usize % TWISTS);
        let (order, twists) = (&self.orders[order], &self.twists[twists]);
        std::array::from_fn(|turn| u32::from(order[turn]) * TWISTS as u32 + u32::from(twists[turn]))
    }
}

static TABLES: LazyLock<Turns> = LazyLock::new(|| {
    // The effect of a turn on the permutation does not depend on the twists, and vice versa.
    let after = |state: usize| -> [State; TURNS] {
        let facelets = facelets_of(state as State);
        std::array::from_fn(|turn| {
            let axis = AXES[usize::from(face(turn as Turn))];
            let turned =
                (0..quarters(turn as Turn)).fold(facelets, |facelets, _| turn_layer(&facelets, axis, true));
            state_through(|facelet| usize::from(turned[facelet]))
        })
    };
    Turns {
        orders: (0..PERMUTATIONS).map(|p| after(p * TWISTS).map(|s| (s as usize / TWISTS) as u16)).collect(),
        twists: (0..TWISTS).map(|t| after(t).map(|s| (s as usize % TWISTS) as u16)).collect(),
    }
});

/// The number of clockwise quarter turns that make up a turn.
pub const fn quarters(turn: Turn) -> u8 {
    match turn {
        0 | 2 | 4 => 1,
        1 | 3 | 5 => 3,
        _ => 2,
    }
}

/// Returns the tables. The first call computes them.
pub fn turns() -> &'static Turns {
    &TABLES
}
