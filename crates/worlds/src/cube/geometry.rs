//! Corners, stickers and the ways to hold a cube, as signed permutations of three axes.
//!
//! Everything else is derived from here: no table is typed in by hand. Axis 0 goes from left to right, 1 from down to up,
//! 2 from back to front. A corner's place is three bits, one for each axis, set on the right, up and front. A sticker is
//! `3 * place + axis`: the side of that corner that looks along that axis.

/// Places of corners on the cube.
pub const PLACES: usize = 8;

/// Stickers on the cube.
pub const SIDES: usize = 24;

/// Ways to hold a cube, half of them in a mirror.
pub const SYMMETRIES: usize = 48;

/// A way to hold a cube: where each axis goes, and whether it is turned about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grip {
    to: [u8; 3],
    flip: [bool; 3],
}

impl Grip {
    /// As it is.
    pub const IDENTITY: Self = Self { to: [0, 1, 2], flip: [false; 3] };

    /// The whole cube turned clockwise by a quarter, seen from the positive end of `axis`.
    pub const fn quarter(axis: usize) -> Self {
        match axis {
            // Right: what is up goes to the back, what is in front goes up.
            0 => Self { to: [0, 2, 1], flip: [false, true, false] },
            // Up: what is in front goes to the left, what is on the right goes to the front.
            1 => Self { to: [2, 1, 0], flip: [false, false, true] },
            // Front: what is up goes to the right, what is on the right goes down.
            _ => Self { to: [1, 0, 2], flip: [true, false, false] },
        }
    }

    /// All of them; those that a cube in one's hands can really take come first.
    pub fn all() -> [Self; SYMMETRIES] {
        const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let mut all = [Self::IDENTITY; SYMMETRIES];
        let (mut turned, mut mirrored) = (0, SYMMETRIES / 2);
        for to in ORDERS {
            for bits in 0..8u8 {
                let grip = Self { to, flip: std::array::from_fn(|axis| bits >> axis & 1 == 1) };
                let place = if grip.is_mirrored() { &mut mirrored } else { &mut turned };
                all[*place] = grip;
                *place += 1;
            }
        }
        all
    }

    /// True where it takes a mirror.
    pub fn is_mirrored(self) -> bool {
        let [a, b, c] = self.to;
        let odd_order = (a > b) ^ (a > c) ^ (b > c);
        let odd_flips = self.flip.iter().filter(|f| **f).count() % 2 == 1;
        odd_order ^ odd_flips
    }

    /// Where an axis goes, and whether it is turned about.
    pub fn axis(self, axis: usize) -> (usize, bool) {
        (usize::from(self.to[axis]), self.flip[axis])
    }

    /// Where a corner goes.
    pub fn place(self, place: usize) -> usize {
        (0..3).map(|axis| ((place >> axis & 1) ^ usize::from(self.flip[axis])) << self.to[axis]).sum()
    }

    /// Where a sticker goes.
    pub fn side(self, side: usize) -> usize {
        3 * self.place(side / 3) + usize::from(self.to[side % 3])
    }

    /// The way back.
    pub fn inverse(self) -> Self {
        let mut back = Self::IDENTITY;
        for axis in 0..3 {
            let to = usize::from(self.to[axis]);
            back.to[to] = axis as u8;
            back.flip[to] = self.flip[axis];
        }
        back
    }

    /// This one after `first`.
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

/// Where every sticker has gone.
pub type Sides = [u8; SIDES];

/// Every sticker in its place.
pub const AT_HOME: Sides = {
    let mut sides = [0; SIDES];
    let mut i = 0;
    while i < SIDES {
        sides[i] = i as u8;
        i += 1;
    }
    sides
};

/// The axes of a corner's three stickers, clockwise as one looks at the corner, from the one along axis 1 on.
pub fn clockwise(place: usize) -> [usize; 3] {
    // In the corner of up, right and front they are up, right, front; every mirror turns that about.
    if place.count_ones() % 2 == 1 { [1, 0, 2] } else { [1, 2, 0] }
}

/// The cube after one layer is turned clockwise by a quarter, seen from outside: the layer at the positive end of `axis` or
/// at the negative one.
pub fn turn_layer(sides: &Sides, axis: usize, positive: bool) -> Sides {
    let quarter = Grip::quarter(axis);
    let quarter = if positive { quarter } else { quarter.inverse() };
    sides.map(|side| {
        let in_layer = (side / 3) >> axis & 1 == u8::from(positive);
        if in_layer { quarter.side(usize::from(side)) as u8 } else { side }
    })
}

/// The whole cube held in another way.
pub fn turn_whole(sides: &Sides, grip: Grip) -> Sides {
    sides.map(|side| grip.side(usize::from(side)) as u8)
}
