//! The turns, as two small tables: what a turn does to the order of the corners and what to their twists.

use std::sync::LazyLock;

use super::geometry::turn_layer;
use super::state::{PERMUTATIONS, State, TWISTS, sides_of, state_through};

/// A turn: 0 to 5 are U U' R R' F F', 6 to 8 are U2 R2 F2.
pub type Turn = u8;

/// How many turns there are.
pub const TURNS: usize = 9;

/// Faces that are turned: U, R, F.
pub const FACES: usize = 3;

/// The axis of each face.
pub const AXES: [usize; FACES] = [1, 0, 2];

/// What counts as one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// A quarter turn; a half turn counts two.
    Quarter,
    /// A quarter or a half turn.
    Half,
}

impl Metric {
    /// How many turns there are to choose from: the first so many.
    pub const fn turns(self) -> usize {
        match self {
            Self::Quarter => 6,
            Self::Half => TURNS,
        }
    }

    /// The most turns that any state needs.
    pub const fn diameter(self) -> usize {
        match self {
            Self::Quarter => 14,
            Self::Half => 11,
        }
    }

    /// Whether `next` right after `last` leads nowhere new: what undoes it and, where half turns are turns too, any other
    /// turn of the same face.
    pub const fn is_redundant(self, last: Turn, next: Turn) -> bool {
        match self {
            Self::Quarter => next == inverse(last),
            Self::Half => face(next) == face(last),
        }
    }
}

/// The turn that undoes one.
pub const fn inverse(turn: Turn) -> Turn {
    if turn < 6 { turn ^ 1 } else { turn }
}

/// The face that a turn turns.
pub const fn face(turn: Turn) -> u8 {
    if turn < 6 { turn / 2 } else { turn - 6 }
}

/// What every turn does.
pub struct Turns {
    orders: Vec<[u16; TURNS]>,
    twists: Vec<[u16; TURNS]>,
}

impl Turns {
    /// The state after a turn.
    pub fn after(&self, state: State, turn: Turn) -> State {
        let (order, twists) = (state as usize / TWISTS, state as usize % TWISTS);
        let order = self.orders[order][usize::from(turn)];
        u32::from(order) * TWISTS as u32 + u32::from(self.twists[twists][usize::from(turn)])
    }

    /// The states after each of the first `N` turns.
    pub fn neighbours<const N: usize>(&self, state: State) -> [State; N] {
        let (order, twists) = (state as usize / TWISTS, state as usize % TWISTS);
        let (order, twists) = (&self.orders[order], &self.twists[twists]);
        std::array::from_fn(|turn| u32::from(order[turn]) * TWISTS as u32 + u32::from(twists[turn]))
    }
}

static TABLES: LazyLock<Turns> = LazyLock::new(|| {
    // What a turn does to the order does not depend on the twists, nor the other way about.
    let after = |state: usize| -> [State; TURNS] {
        let sides = sides_of(state as State);
        std::array::from_fn(|turn| {
            let (axis, quarters) = (AXES[usize::from(face(turn as Turn))], quarters(turn as Turn));
            let turned = (0..quarters).fold(sides, |sides, _| turn_layer(&sides, axis, true));
            state_through(|side| usize::from(turned[side]))
        })
    };
    Turns {
        orders: (0..PERMUTATIONS).map(|p| after(p * TWISTS).map(|s| (s as usize / TWISTS) as u16)).collect(),
        twists: (0..TWISTS).map(|t| after(t).map(|s| (s as usize % TWISTS) as u16)).collect(),
    }
});

/// Quarter turns clockwise that make up a turn.
pub const fn quarters(turn: Turn) -> u8 {
    match turn {
        0 | 2 | 4 => 1,
        1 | 3 | 5 => 3,
        _ => 2,
    }
}

/// The tables, made when first asked for.
pub fn turns() -> &'static Turns {
    &TABLES
}
