//! The tables of cubes, from their geometry.

use super::table::{Cycles, Kind, Table};

/// The faces, in the order in which their stickers are written (Kociemba's): the axis that each is
/// perpendicular to, and whether it is at its positive end. Axis 0 goes from left to right, 1 from down to
/// up, 2 from back to front.
const FACES: [(&str, usize, bool); 6] =
    [("U", 1, true), ("R", 0, true), ("F", 2, true), ("D", 1, false), ("L", 0, false), ("B", 2, false)];

/// A place on the surface: coordinates of the piece's centre and of the facelet's normal. The layers of a
/// cube have the coordinates `-(size - 1), .., size - 3, size - 1`, in steps of two, so that the centre is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    piece: [i32; 3],
    normal: [i32; 3],
}

impl Spot {
    fn map(self, f: impl Fn([i32; 3]) -> [i32; 3]) -> Self {
        Self { piece: f(self.piece), normal: f(self.normal) }
    }
}

/// A clockwise quarter turn about an axis, seen from its positive end.
fn quarter(axis: usize, [x, y, z]: [i32; 3]) -> [i32; 3] {
    match axis {
        // Right: front goes up, up goes to the back.
        0 => [x, z, -y],
        // Up: right goes to the front, front goes to the left.
        1 => [-z, y, x],
        // Front: up goes to the right, right goes down.
        _ => [y, -x, z],
    }
}

impl Table {
    /// The cube with this number of pieces along an edge, 2 or 3. The 2x2x2 is turned on three faces only, so
    /// that one corner keeps its place.
    ///
    /// # Panics
    /// If the size is another.
    pub fn cube(size: usize) -> Self {
        assert!((2..=3).contains(&size), "cubes of size 2 and 3 are supported");
        let spots = all_spots(size);
        let index = |spot: Spot| spots.iter().position(|other| *other == spot).expect("a facelet") as u8;
        let cycles = |moves: &dyn Fn(Spot) -> Spot| {
            cycles_of_permutation(spots.iter().map(|spot| index(moves(*spot))).collect())
        };
        let edge = size as i32 - 1;
        let turned: &[_] = if size == 2 { &FACES[..3] } else { &FACES };
        let turns = turned.iter().map(|(name, axis, positive)| {
            let turn = |spot: Spot| {
                let is_in_layer = spot.piece[*axis] == if *positive { edge } else { -edge };
                // Seen from its own end, a layer turns clockwise. Seen from the positive end, a layer at the
                // negative end turns anticlockwise, which is three clockwise quarter turns.
                let quarters = if *positive { 1 } else { 3 };
                if is_in_layer {
                    (0..quarters).fold(spot, |spot, _| spot.map(|at| quarter(*axis, at)))
                } else {
                    spot
                }
            };
            (*name, cycles(&turn))
        });
        let mirror = |spot: Spot| spot.map(|[x, y, z]| [-x, y, z]);
        let rotation = |axis: usize| move |spot: Spot| spot.map(|at| quarter(axis, at));
        Self {
            name: if size == 2 { "2x2x2" } else { "3x3x3" },
            colours: FACES.iter().map(|(name, ..)| name.chars().next().expect("a letter")).collect(),
            solved: (0..spots.len()).map(|facelet| (facelet / (size * size)) as u8).collect(),
            kinds: kinds_of_pieces(&spots),
            turns: turns.collect(),
            // They generate all 48 symmetries of a cube.
            symmetries: vec![cycles(&rotation(0)), cycles(&rotation(1)), cycles(&mirror)],
        }
    }
}

/// All facelets: face by face, each row by row in its standard view.
fn all_spots(size: usize) -> Vec<Spot> {
    let edge = size as i32 - 1;
    let mut spots = Vec::new();
    for (name, axis, positive) in FACES {
        let sign = if positive { 1 } else { -1 };
        let mut normal = [0; 3];
        normal[axis] = sign;
        for row in 0..size as i32 {
            for col in 0..size as i32 {
                // From -edge to edge.
                let (down, right) = (2 * row - edge, 2 * col - edge);
                let piece = match name {
                    "U" => [right, edge, down],
                    "D" => [right, -edge, -down],
                    "F" => [right, -down, edge],
                    "B" => [-right, -down, -edge],
                    "R" => [edge, -down, -right],
                    _ => [-edge, -down, right],
                };
                spots.push(Spot { piece, normal });
            }
        }
    }
    spots
}

/// The pieces with more than one facelet. A centre has one, and no turn moves it.
fn kinds_of_pieces(spots: &[Spot]) -> Vec<Kind> {
    let mut kinds =
        vec![Kind { name: "corner", pieces: Vec::new() }, Kind { name: "edge", pieces: Vec::new() }];
    for (i, spot) in spots.iter().enumerate() {
        let mut facelets: Vec<usize> = (0..spots.len()).filter(|j| spots[*j].piece == spot.piece).collect();
        // A piece is added once, at its first facelet.
        if facelets[0] < i || facelets.len() < 2 {
            continue;
        }
        // Clockwise as seen from outside: then the normals form a left-handed system.
        if let [a, b, c] = facelets[..]
            && determinant([a, b, c].map(|i| spots[i].normal)) > 0
        {
            facelets = vec![a, c, b];
        }
        // A corner has three facelets and is kind 0; an edge has two and is kind 1.
        let kind = usize::from(facelets.len() == 2);
        kinds[kind].pieces.push(facelets.iter().map(|facelet| *facelet as u8).collect());
    }
    kinds.retain(|kind| !kind.pieces.is_empty());
    kinds
}

fn determinant([[a, b, c], [d, e, f], [g, h, i]]: [[i32; 3]; 3]) -> i32 {
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/// The cycles of a permutation, which moves the sticker of each facelet to the facelet in `to`.
fn cycles_of_permutation(to: Vec<u8>) -> Cycles {
    let mut seen = vec![false; to.len()];
    let mut cycles = Vec::new();
    for first in 0..to.len() {
        let mut cycle = Vec::new();
        let mut at = first;
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at as u8);
            at = usize::from(to[at]);
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}
