//! Corners, stickers and orientations of the cube, as signed permutations of three axes.
//!
//! All tables of the cube are derived from this file. Axis 0 goes from left to right, 1 from down to up, 2 from back to
//! front. The place of a corner is three bits, one for each axis, set for right, up and front. A *side* is a place of a
//! sticker: `3 * place + axis` is the side of the corner at `place` that faces along `axis`.

/// Corners of the cube.
pub const PLACES: usize = 8;

/// Stickers of the cube.
pub const SIDES: usize = 24;

/// Symmetries of the cube: 24 rotations and 24 reflections.
pub const SYMMETRIES: usize = 48;

/// A symmetry of the cube as a signed permutation of axes: axis `i` becomes axis `to[i]`, reversed if `flip[i]`. The 24
/// rotations are the ways to hold a cube.
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
        const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let mut all = [Self::IDENTITY; SYMMETRIES];
        let (mut rotations, mut reflections) = (0, SYMMETRIES / 2);
        for to in ORDERS {
            for bits in 0..8u8 {
                let orientation = Self { to, flip: std::array::from_fn(|axis| bits >> axis & 1 == 1) };
                let place = if orientation.is_mirrored() { &mut reflections } else { &mut rotations };
                all[*place] = orientation;
                *place += 1;
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

    /// The place that the corner at `place` moves to.
    pub fn place(self, place: usize) -> usize {
        (0..3).map(|axis| ((place >> axis & 1) ^ usize::from(self.flip[axis])) << self.to[axis]).sum()
    }

    /// The side that the sticker at `side` moves to.
    pub fn side(self, side: usize) -> usize {
        3 * self.place(side / 3) + usize::from(self.to[side % 3])
    }

    pub fn inverse(self) -> Self {
        let mut back = Self::IDENTITY;
        for axis in 0..3 {
            let to = usize::from(self.to[axis]);
            back.to[to] = axis as u8;
            back.flip[to] = self.flip[axis];
        }
        back
    }

    /// The composition: `first`, then this.
    pub fn after(self, first: Self) -> Self {
        let mut both = Self::IDENTITY;
        for axis in 0..3 {
            let (middle, flip) = first.axis(axis);
            let (to, again) = self.axis(middle);
            both.to[axis] = to as u8;
            both.flip[axis] = flip ^ again;
        }
        both
    }
}

/// For each sticker, by its side on the solved cube: the side on which it is now.
pub type Sides = [u8; SIDES];

/// The solved cube.
pub const SOLVED_SIDES: Sides = {
    let mut sides = [0; SIDES];
    let mut i = 0;
    while i < SIDES {
        sides[i] = i as u8;
        i += 1;
    }
    sides
};

/// The axes of the three sides of a corner, clockwise as seen from outside, starting with axis 1.
pub fn clockwise(place: usize) -> [usize; 3] {
    // At the corner of up, right and front (three bits set) the order is up, right, front. Every reflection reverses
    // it.
    if place.count_ones() % 2 == 1 { [1, 0, 2] } else { [1, 2, 0] }
}

/// The cube after a quarter turn, clockwise as seen from outside, of the layer at the positive or negative end of
/// `axis`.
pub fn turn_layer(sides: &Sides, axis: usize, positive: bool) -> Sides {
    let quarter = Orientation::quarter(axis);
    let quarter = if positive { quarter } else { quarter.inverse() };
    sides.map(|side| {
        let in_layer = (side / 3) >> axis & 1 == u8::from(positive);
        if in_layer { quarter.side(usize::from(side)) as u8 } else { side }
    })
}

/// The cube after a rotation or reflection as a whole.
pub fn turn_whole(sides: &Sides, orientation: Orientation) -> Sides {
    sides.map(|side| orientation.side(usize::from(side)) as u8)
}
