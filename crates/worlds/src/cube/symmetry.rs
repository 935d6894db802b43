//! Symmetry reduction: classes of states that have the same distance to the solved state, because a rotation,
//! a reflection or inversion turns one into the other.
//!
//! Conjugating a state by one of the 48 symmetries of the cube (holding it in another way or in a mirror, and
//! renaming the colours to match) maps its solutions to solutions of the same length. The inverse of a state
//! (which the inverse turns in reverse order lead to) is solved by the same number of turns too. So a class
//! has up to 96 states, and there are 40,296 classes.

use std::sync::OnceLock;

use super::geometry::{FACELETS, Facelets, Orientation, POSITIONS, SYMMETRIES};
use super::state::{STATES, State, facelets_of, rotation_home, state_through};

/// The partition of all states into classes of symmetric and inverse states.
pub struct SymmetryClasses {
    /// The class of each state. Classes are numbered in the order of their representatives.
    classes: Vec<u32>,
    /// The representative of each class: its state with the smallest index.
    representatives: Vec<State>,
    /// The number of states of each class.
    sizes: Vec<u32>,
}

impl SymmetryClasses {
    fn compute() -> Self {
        const NONE: u32 = u32::MAX;
        let symmetries = SymmetryTables::new();
        let (mut classes, mut representatives, mut sizes) = (vec![NONE; STATES], Vec::new(), Vec::new());
        for state in 0..STATES as State {
            if classes[state as usize] != NONE {
                continue;
            }
            let class = representatives.len() as u32;
            let mut size = 0;
            symmetries.for_each_equivalent(state, |equivalent| {
                let assigned = &mut classes[equivalent as usize];
                size += u32::from(*assigned == NONE);
                *assigned = class;
            });
            representatives.push(state);
            sizes.push(size);
        }
        Self { classes, representatives, sizes }
    }

    /// The number of classes.
    pub fn count(&self) -> usize {
        self.representatives.len()
    }

    /// The class of each state, and the representative of each class.
    pub fn tables(&self) -> (&[u32], &[State]) {
        (&self.classes, &self.representatives)
    }

    /// The class of `state`.
    pub fn of(&self, state: State) -> u32 {
        self.classes[state as usize]
    }

    /// The representative of a class: its state with the smallest index.
    pub fn representative(&self, class: u32) -> State {
        self.representatives[class as usize]
    }

    /// The number of states of each class.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}

/// All symmetries of the cube and their inverses, as permutations of facelets.
struct SymmetryTables {
    /// The facelet to which each symmetry moves a facelet.
    to: [Facelets; SYMMETRIES],
    /// The facelet that each symmetry moves to a facelet.
    from: [Facelets; SYMMETRIES],
}

impl SymmetryTables {
    fn new() -> Self {
        let table = |orientation: &Orientation| -> Facelets {
            std::array::from_fn(|facelet| orientation.facelet(facelet) as u8)
        };
        let all = Orientation::all();
        Self { to: all.each_ref().map(table), from: all.map(|orientation| table(&orientation.inverse())) }
    }

    /// Calls `found` with every state equivalent to `state`; states may repeat.
    fn for_each_equivalent(&self, state: State, mut found: impl FnMut(State)) {
        let facelets = facelets_of(state);
        let mut inverse = [0; FACELETS];
        for (facelet, at) in facelets.iter().enumerate() {
            inverse[usize::from(*at)] = facelet as u8;
        }
        for facelets in [facelets, inverse] {
            for (to, from) in self.to.iter().zip(&self.from) {
                let image = |facelet: usize| to[usize::from(facelets[usize::from(from[facelet])])];
                // Only the facelets that `rotation_home` and `state_through` read are computed.
                let mut held = [0; FACELETS];
                for position in 0..POSITIONS {
                    held[3 * position + 1] = image(3 * position + 1);
                }
                held[0] = image(0);
                let orientation = rotation_home(&held);
                found(state_through(|facelet| orientation.facelet(usize::from(held[facelet]))));
            }
        }
    }
}

/// Returns the classes. The first call computes them.
pub fn symmetry_classes() -> &'static SymmetryClasses {
    static CLASSES: OnceLock<SymmetryClasses> = OnceLock::new();
    CLASSES.get_or_init(SymmetryClasses::compute)
}
