//! Symmetries of a puzzle: rotations and reflections of the whole puzzle, with the colours renamed to match.
//!
//! A symmetry maps a state to another that is solved by as many turns: the same turns, mapped too.

use super::moves::{MAX_PLACES, Puzzle, State, Turn};
use super::table::permutation;

/// A symmetry as it acts on states and turns.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// For each place: the place to which it is mapped, and the value there for each value.
    places: Vec<(u8, Vec<u8>)>,
    /// The turn to which each turn is mapped.
    turns: Vec<Turn>,
}

impl Symmetry {
    /// All symmetries that can be composed of those in the puzzle's table, the identity first.
    pub(super) fn all(puzzle: &Puzzle) -> Result<Vec<Self>, String> {
        let facelets = puzzle.table.solved.len();
        let generators = puzzle.table.symmetries.iter().map(|cycles| permutation(cycles, facelets));
        let generators = generators.collect::<Result<Vec<_>, _>>()?;
        let identity: Vec<u8> = (0..facelets as u8).collect();
        let mut maps = vec![identity];
        let mut next = 0;
        while next < maps.len() {
            for generator in &generators {
                let map: Vec<u8> = maps[next].iter().map(|at| generator[usize::from(*at)]).collect();
                if !maps.contains(&map) {
                    maps.push(map);
                }
            }
            next += 1;
        }
        // A rotation that moves a piece which no turn moves, as of the 2x2x2, cannot be seen in states.
        let is_seen = |map: &Vec<u8>| {
            (0..facelets as u8)
                .all(|at| puzzle.place_of(at).is_some() == puzzle.place_of(map[usize::from(at)]).is_some())
        };
        maps.retain(is_seen);
        maps.iter().map(|map| Self::new(puzzle, map)).collect()
    }

    fn new(puzzle: &Puzzle, map: &[u8]) -> Result<Self, String> {
        let places = (0..puzzle.places()).map(|place| {
            let (to, values) = puzzle.values_after(place, map, Some(map))?;
            let count = puzzle.orbit_of(place).values();
            Ok((to as u8, values[..count].to_vec()))
        });
        let mut symmetry = Self { places: places.collect::<Result<_, String>>()?, turns: Vec::new() };
        for turn in 0..puzzle.turns() as Turn {
            let image = symmetry.apply(&puzzle.after(&puzzle.solved(), turn));
            let mut turns = 0..puzzle.turns() as Turn;
            let mapped = turns.find(|other| puzzle.after(&puzzle.solved(), *other) == image);
            symmetry.turns.push(mapped.ok_or("a symmetry maps a turn to none")?);
        }
        Ok(symmetry)
    }

    /// The state to which a state is mapped.
    pub fn apply(&self, state: &State) -> State {
        let mut mapped = [0; MAX_PLACES];
        for (value, (to, values)) in state.iter().zip(&self.places) {
            mapped[usize::from(*to)] = values[usize::from(*value)];
        }
        mapped
    }

    /// The turn to which a turn is mapped.
    pub fn turn(&self, turn: Turn) -> Turn {
        self.turns[usize::from(turn)]
    }
}
