//! Symmetry reduction: states that have the same distance to the solved state by rotation, reflection or inversion.
//!
//! Conjugating a state by one of the 48 symmetries of the cube (holding it in another way or in a mirror, and renaming
//! the colours to match) maps its solutions to solutions of the same length. The inverse of a state is solved by the
//! same number of turns too. So a class has up to 96 states, and there are 40,296 classes.

use std::sync::OnceLock;

use super::geometry::{Orientation, PLACES, SIDES, SYMMETRIES, Sides};
use super::state::{STATES, State, rotation_home, sides_of, state_through};

/// The partition of all states into classes of symmetric and inverse states.
pub struct SymmetryClasses {
    /// The class of each state, numbered by least state.
    of: Vec<u32>,
    /// The least state of each class.
    least: Vec<State>,
    /// The number of states of each class.
    sizes: Vec<u32>,
}

impl SymmetryClasses {
    fn compute() -> Self {
        const NONE: u32 = u32::MAX;
        let symmetries = SymmetryTables::new();
        let (mut of, mut least, mut sizes) = (vec![NONE; STATES], Vec::new(), Vec::new());
        for state in 0..STATES as State {
            if of[state as usize] != NONE {
                continue;
            }
            let class = least.len() as u32;
            let mut size = 0;
            symmetries.for_each_equivalent(state, |equivalent| {
                let place = &mut of[equivalent as usize];
                size += u32::from(*place == NONE);
                *place = class;
            });
            least.push(state);
            sizes.push(size);
        }
        Self { of, least, sizes }
    }

    /// The number of classes.
    pub fn count(&self) -> usize {
        self.least.len()
    }

    pub fn of(&self, state: State) -> u32 {
        self.of[state as usize]
    }

    /// The representative of a class: its least state.
    pub fn representative(&self, class: u32) -> State {
        self.least[class as usize]
    }

    /// The number of states of each class.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}

/// All symmetries of the cube and their inverses as permutations of sides.
struct SymmetryTables {
    to: [Sides; SYMMETRIES],
    from: [Sides; SYMMETRIES],
}

impl SymmetryTables {
    fn new() -> Self {
        let table =
            |orientation: &Orientation| -> Sides { std::array::from_fn(|side| orientation.side(side) as u8) };
        let all = Orientation::all();
        Self { to: all.each_ref().map(table), from: all.map(|orientation| table(&orientation.inverse())) }
    }

    /// Calls `found` with every equivalent state, some of them more than once.
    fn for_each_equivalent(&self, state: State, mut found: impl FnMut(State)) {
        let sides = sides_of(state);
        let mut inverse = [0; SIDES];
        for (side, at) in sides.iter().enumerate() {
            inverse[usize::from(*at)] = side as u8;
        }
        for sides in [sides, inverse] {
            for (to, from) in self.to.iter().zip(&self.from) {
                let image = |side: usize| to[usize::from(sides[usize::from(from[side])])];
                let mut held = [0; SIDES];
                for place in 0..PLACES {
                    held[3 * place + 1] = image(3 * place + 1);
                }
                held[0] = image(0);
                let orientation = rotation_home(&held);
                found(state_through(|side| orientation.side(usize::from(held[side]))));
            }
        }
    }
}

/// The classes, computed at the first call.
pub fn symmetry_classes() -> &'static SymmetryClasses {
    static CLASSES: OnceLock<SymmetryClasses> = OnceLock::new();
    CLASSES.get_or_init(SymmetryClasses::compute)
}
