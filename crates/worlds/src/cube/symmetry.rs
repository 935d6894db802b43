//! Symmetry reduction of the 2x2x2 cube: its 3,674,160 states form 40,296 classes. All states of a class have
//! the same distance to the solved state, because a symmetry of the cube or inversion maps one to the other.
//!
//! The *conjugate* of a state by a symmetry (one of 24 rotations and 24 reflections) is the state seen in
//! another orientation or in a mirror, with the colours renamed so that the solved cube stays solved. Turns
//! that solve the state become turns that solve its conjugate. The *inverse* of a state is what its turns,
//! each inverted and in reverse order, make of the solved cube; it is solved by as many turns. So a class has
//! up to 48 * 2 = 96 states.

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
        // A state as a permutation: the index is a sticker (by its facelet on the solved cube), the value the
        // facelet at which it is.
        let facelets = facelets_of(state);
        let mut inverse = [0; FACELETS];
        for (sticker, at) in facelets.iter().enumerate() {
            inverse[usize::from(*at)] = sticker as u8;
        }
        for facelets in [facelets, inverse] {
            for (to, from) in self.to.iter().zip(&self.from) {
                // The conjugate: the symmetry's inverse, then the state, then the symmetry.
                let conjugate = |sticker: usize| to[usize::from(facelets[usize::from(from[sticker])])];
                // Only the stickers that are read are computed: that of axis 1 of each corner, by which
                // `state_through` finds corners and twists, and both of the fixed corner (0 and 1) by which
                // `rotation_home` finds how the cube is held.
                let mut held = [0; FACELETS];
                for position in 0..POSITIONS {
                    held[3 * position + 1] = conjugate(3 * position + 1);
                }
                held[0] = conjugate(0);
                // The symmetry may bring another corner to the place of the fixed one. States are numbered
                // with the fixed corner at home, so the whole cube is turned back.
                let orientation = rotation_home(&held);
                found(state_through(|sticker| orientation.facelet(usize::from(held[sticker]))));
            }
        }
    }
}

/// Returns the classes. The first call computes them.
pub fn symmetry_classes() -> &'static SymmetryClasses {
    static CLASSES: OnceLock<SymmetryClasses> = OnceLock::new();
    CLASSES.get_or_init(SymmetryClasses::compute)
}
