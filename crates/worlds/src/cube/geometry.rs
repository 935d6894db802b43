//! The geometry of the 2x2x2 cube: corners, stickers, and the rotations and reflections that move them. All
//! tables of the cube are derived from this file.
//!
//! Axis 0 goes from left to right, 1 from down to up, 2 from back to front. A *position* of a corner is three
//! bits, one for each axis (axis 0 is the lowest bit), set for right, up and front; position 0 is the corner
//! of down, back and left. A *facelet* is a place of a sticker: `3 * position + axis` is the facelet of the
//! corner at `position` that faces along `axis`. A rotation or reflection is a signed permutation of the
//! axes.

/// Positions of the eight corners.
pub const POSITIONS: usize = 8;

/// Facelets of the cube: positions of its 24 stickers.
pub const FACELETS: usize = 24;

/// Symmetries of the cube: 24 rotations and 24 reflections.
pub const SYMMETRIES: usize = 48;

/// A symmetry of the cube as a signed permutation of axes: axis `i` becomes axis `to[i]`, reversed if
/// `flip[i]`. 24 of the symmetries are rotations, the ways to hold a cube; the other 24 are reflections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    to: [u8; 3],
    flip: [bool; 3],
}

impl Orientation {
    pub const IDENTITY: Self = Self { to: [0, 1, 2], flip: [false; 3] };

    /// A clockwise quarter turn of the whole cube, seen from the positive end of `axis`.
    pub const fn quarter(axis: usize) -> Self {
        match axis {
            // Right: up goes to the back, front goes up.
            0 => Self { to: [0, 2, 1], flip: [false, true, false] },
            // Up: front goes to the left, right goes to the front.
            1 => Self { to: [2, 1, 0], flip: [false, false, true] },
            // Front: up goes to the right, right goes down.
            _ => Self { to: [1, 0, 2], flip: [true, false, false] },
        }
    }

    /// All symmetries: the 24 rotations, then the 24 reflections.
    pub fn all() -> [Self; SYMMETRIES] {
        // All permutations of the axes.
        const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let mut all = [Self::IDENTITY; SYMMETRIES];
        let (mut rotations, mut reflections) = (0, SYMMETRIES / 2);
        for to in ORDERS {
            for bits in 0..8u8 {
                let orientation = Self { to, flip: std::array::from_fn(|axis| bits >> axis & 1 == 1) };
                let next = if orientation.is_mirrored() { &mut reflections } else { &mut rotations };
                all[*next] = orientation;
                *next += 1;
            }
        }
        all
    }

    /// Whether this is a reflection: its determinant is -1.
    pub fn is_mirrored(self) -> bool {
        let [a, b, c] = self.to;
        let odd_order = (a > b) ^ (a > c) ^ (b > c);
        let odd_flips = self.flip.iter().filter(|f| **f).count() % 2 == 1;
        odd_order ^ odd_flips
    }

    /// The axis that `axis` becomes, and whether it is reversed.
    pub fn axis(self, axis: usize) -> (usize, bool) {
        (usize::from(self.to[axis]), self.flip[axis])
    }

    /// The position to which the corner at `position` moves.
    pub fn position(self, position: usize) -> usize {
        (0..3).map(|axis| ((position >> axis & 1) ^ usize::from(self.flip[axis])) << self.to[axis]).sum()
    }

    /// The facelet to which the sticker at `facelet` moves.
    pub fn facelet(self, facelet: usize) -> usize {
        3 * self.position(facelet / 3) + usize::from(self.to[facelet % 3])
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Self {
        let mut back = Self::IDENTITY;
        for axis in 0..3 {
            let to = usize::from(self.to[axis]);
            back.to[to] = axis as u8;
            back.flip[to] = self.flip[axis];
        }
        back
    }

    /// The composition: `first`, then `self`.
    pub fn after(self, first: Self) -> Self {
        let mut both = Self::IDENTITY;
        for axis in 0..3 {
            let (middle, first_flip) = first.axis(axis);
            let (to, second_flip) = self.axis(middle);
            both.to[axis] = to as u8;
            both.flip[axis] = first_flip ^ second_flip;
        }
        both
    }
}

/// For each sticker, by its facelet on the solved cube: the facelet at which it is now.
pub type Facelets = [u8; FACELETS];

/// The solved cube.
pub const SOLVED_FACELETS: Facelets = {
    let mut facelets = [0; FACELETS];
    let mut i = 0;
    while i < FACELETS {
        facelets[i] = i as u8;
        i += 1;
    }
    facelets
};

/// The axes of the three facelets of a corner, clockwise as seen from outside, starting with axis 1.
pub fn clockwise(position: usize) -> [usize; 3] {
    // At the corner of up, right and front (three bits set) the order is up, right, front. Each reflection,
    // which changes one bit, reverses the order.
    if position.count_ones() % 2 == 1 { [1, 0, 2] } else { [1, 2, 0] }
}

/// Turns the layer at the positive or negative end of `axis` by a quarter, clockwise as seen from outside.
pub fn turn_layer(facelets: &Facelets, axis: usize, positive: bool) -> Facelets {
    let quarter = Orientation::quarter(axis);
    let quarter = if positive { quarter } else { quarter.inverse() };
    facelets.map(|facelet| {
        let in_layer = (facelet / 3) >> axis & 1 == u8::from(positive);
        if in_layer { quarter.facelet(usize::from(facelet)) as u8 } else { facelet }
    })
}

/// Rotates or reflects the whole cube.
pub fn turn_whole(facelets: &Facelets, orientation: Orientation) -> Facelets {
    facelets.map(|facelet| orientation.facelet(usize::from(facelet)) as u8)
}
