//! States that differ only in how the cube is held, in a mirror, or in the direction in which it is undone.
//!
//! Hold a cube in another way while its colours are renamed to match, and each solution becomes another of the same
//! length; so it is in a mirror. And the inverse of a state (which scrambles as that one is solved) is as far away. That
//! makes up to 96 states that are alike, and some forty thousand classes of such states.

use std::sync::OnceLock;

use super::geometry::{Grip, PLACES, SIDES, SYMMETRIES, Sides};
use super::state::{STATES, State, hold, sides_of, state_through};

/// Which states are alike.
pub struct SymmetryClasses {
    /// The class of each state.
    of: Vec<u32>,
    /// The least state of each class.
    least: Vec<State>,
    /// How many states each has.
    sizes: Vec<u32>,
}

impl SymmetryClasses {
    fn find() -> Self {
        const NONE: u32 = u32::MAX;
        let frames = Frames::new();
        let (mut of, mut least, mut sizes) = (vec![NONE; STATES], Vec::new(), Vec::new());
        for state in 0..STATES as State {
            if of[state as usize] != NONE {
                continue;
            }
            let class = least.len() as u32;
            let mut size = 0;
            frames.alike(state, |alike| {
                let place = &mut of[alike as usize];
                size += u32::from(*place == NONE);
                *place = class;
            });
            least.push(state);
            sizes.push(size);
        }
        Self { of, least, sizes }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.least.len()
    }

    /// The class of a state.
    pub fn of(&self, state: State) -> u32 {
        self.of[state as usize]
    }

    /// The state that stands for a class: its least.
    pub fn representative(&self, class: u32) -> State {
        self.least[class as usize]
    }

    /// How many states are in each class.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}

/// The ways to hold a cube, there and back, sticker by sticker.
struct Frames {
    to: [Sides; SYMMETRIES],
    from: [Sides; SYMMETRIES],
}

impl Frames {
    fn new() -> Self {
        let table = |grip: &Grip| -> Sides { std::array::from_fn(|side| grip.side(side) as u8) };
        let all = Grip::all();
        Self { to: all.each_ref().map(table), from: all.map(|grip| table(&grip.inverse())) }
    }

    /// Every state that is like this one, some of them more than once.
    fn alike(&self, state: State, mut found: impl FnMut(State)) {
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
                let grip = hold(&held);
                found(state_through(|side| grip.side(usize::from(held[side]))));
            }
        }
    }
}

/// The classes, found when first asked for.
pub fn symmetry_classes() -> &'static SymmetryClasses {
    static CLASSES: OnceLock<SymmetryClasses> = OnceLock::new();
    CLASSES.get_or_init(SymmetryClasses::find)
}
