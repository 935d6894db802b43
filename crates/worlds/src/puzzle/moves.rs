//! A puzzle: its states and turns, derived from its table.

use super::symmetry::Symmetry;
use super::table::{Kind, Table, permutation};

/// The most places of a puzzle.
pub const MAX_PLACES: usize = 20;

/// The most values of a place.
pub const MAX_VALUES: usize = 32;

/// The index of a turn. Those of the quarter-turn metric come first.
pub type Turn = u8;

/// A state: for each place its *value*, the piece there times the orientations of a piece, plus its
/// orientation. Pieces are numbered within their orbit. Places that the puzzle does not have are zero.
pub type State = [u8; MAX_PLACES];

/// Places that turns exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// The kind of its pieces, such as "corner".
    pub kind: &'static str,
    /// The first place of the orbit. Its places follow each other in a state.
    pub first: usize,
    /// The number of places.
    pub places: usize,
    /// Orientations of a piece.
    pub orientations: usize,
    /// The sum of all orientations, modulo `orientations`, is a multiple of this number in every state that
    /// turns reach.
    pub(super) orientation_step: usize,
}

impl Orbit {
    /// The values of each of its places.
    pub fn values(&self) -> usize {
        self.places * self.orientations
    }

    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.places
    }
}

/// A turn as it acts on states.
#[derive(Clone, Debug)]
struct TurnTable {
    name: String,
    inverse: Turn,
    /// The basic turn of which it is a power.
    face: u8,
    moves: Vec<Move>,
}

/// Where a turn moves the piece of one place.
#[derive(Clone, Debug)]
struct Move {
    from: u8,
    to: u8,
    /// The value at `to` for each value at `from`.
    values: [u8; MAX_VALUES],
}

/// A puzzle.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub(super) table: Table,
    orbits: Vec<Orbit>,
    /// The facelets of each place, in the order of the orientations.
    pub(super) facelets: Vec<Vec<u8>>,
    turns: Vec<TurnTable>,
    quarter_turns: usize,
    /// The combinations of parities that turns reach. A combination has one bit for each orbit: the parity of
    /// the permutation of its pieces.
    pub(super) parities: Vec<u32>,
    symmetries: Vec<Symmetry>,
    solved: State,
}

impl Puzzle {
    /// Derives a puzzle from its table. Says what is wrong with the table if it describes none.
    pub fn new(table: Table) -> Result<Self, String> {
        let count = table.solved.len();
        let basic = table.turns.iter().map(|(_, cycles)| permutation(cycles, count));
        let basic = basic.collect::<Result<Vec<_>, _>>()?;
        let (orbits, facelets) = find_orbits(&table, &basic)?;
        let mut puzzle = Self {
            solved: solved_state(&orbits),
            orbits,
            facelets,
            turns: Vec::new(),
            quarter_turns: 0,
            parities: Vec::new(),
            symmetries: Vec::new(),
            table,
        };
        puzzle.add_turns(&basic)?;
        puzzle.find_invariants();
        puzzle.symmetries = Symmetry::all(&puzzle)?;
        Ok(puzzle)
    }

    /// The cube of this size, see [`Table::cube`].
    pub fn cube(size: usize) -> Self {
        Self::new(Table::cube(size)).expect("the table describes a puzzle")
    }

    pub fn name(&self) -> &'static str {
        self.table.name
    }

    pub fn orbits(&self) -> &[Orbit] {
        &self.orbits
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.facelets.len()
    }

    pub fn solved(&self) -> State {
        self.solved
    }

    /// The number of all turns: all powers of the basic turns, such as the half turns of a cube.
    pub fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The turns of the quarter-turn metric: the basic turns and their inverses.
    pub fn quarter_turns(&self) -> usize {
        self.quarter_turns
    }

    pub fn turn_name(&self, turn: Turn) -> &str {
        &self.turns[usize::from(turn)].name
    }

    pub fn inverse(&self, turn: Turn) -> Turn {
        self.turns[usize::from(turn)].inverse
    }

    /// The number of the basic turn of which this one is a power: of the face, for a cube.
    pub fn face(&self, turn: Turn) -> u8 {
        self.turns[usize::from(turn)].face
    }

    /// All symmetries, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The state after a turn.
    pub fn after(&self, state: &State, turn: Turn) -> State {
        let mut after = *state;
        // The remainder changes no value of a state, and spares a bounds check.
        for Move { from, to, values } in &self.turns[usize::from(turn)].moves {
            after[usize::from(*to)] = values[usize::from(state[usize::from(*from)]) % MAX_VALUES];
        }
        after
    }

    /// The moves of a turn. A move has the place from which a piece comes, the place to which it goes, and
    /// for each value that the piece can have before the turn its value afterwards.
    pub fn moves(&self, turn: Turn) -> impl ExactSizeIterator<Item = (usize, usize, &[u8; MAX_VALUES])> {
        let moves = self.turns[usize::from(turn)].moves.iter();
        moves.map(|step| (usize::from(step.from), usize::from(step.to), &step.values))
    }

    /// The places whose pieces a turn moves.
    pub fn moved_places(&self, turn: Turn) -> impl ExactSizeIterator<Item = usize> {
        self.turns[usize::from(turn)].moves.iter().map(|step| usize::from(step.to))
    }

    /// The state that the inverse turns in reverse order lead to.
    pub fn inverted(&self, state: &State) -> State {
        let mut inverse = self.solved;
        for orbit in &self.orbits {
            for place in orbit.range() {
                let (piece, orientation) = split(orbit, state[place]);
                let back = (orbit.orientations - orientation) % orbit.orientations;
                inverse[orbit.first + piece] = join(orbit, place - orbit.first, back);
            }
        }
        inverse
    }

    /// The number of states that turns reach, for puzzles in which only parities and sums of orientations are
    /// restricted.
    pub fn states(&self) -> f64 {
        let of_orbit = |orbit: &Orbit| {
            let orders: f64 = (1..=orbit.places).map(|n| n as f64).product();
            let twists: f64 = (0..orbit.places).map(|_| orbit.orientations as f64).product();
            orders * twists / orbit.orientation_step as f64
        };
        let all: f64 = self.orbits.iter().map(of_orbit).product();
        // An order of one piece has no parity.
        let permuted = self.orbits.iter().filter(|orbit| orbit.places > 1).count();
        all * self.parities.len() as f64 / f64::from(1u32 << permuted)
    }

    /// The parities of the permutations of a state, one bit for each orbit.
    pub(super) fn parity_of(&self, state: &State) -> u32 {
        // A permutation has the parity of its number of inversions: pairs in the wrong order.
        let parity = |orbit: &Orbit| {
            let pieces: Vec<usize> = orbit.range().map(|place| split(orbit, state[place]).0).collect();
            let pairs = (0..pieces.len()).flat_map(|later| (0..later).map(move |earlier| (later, earlier)));
            pairs.filter(|(later, earlier)| pieces[*later] < pieces[*earlier]).count() as u32 % 2
        };
        self.orbits.iter().enumerate().map(|(i, orbit)| parity(orbit) << i).sum()
    }

    /// The sum of the orientations of an orbit, modulo their number.
    pub(super) fn twist_of(&self, orbit: &Orbit, state: &State) -> usize {
        orbit.range().map(|place| split(orbit, state[place]).1).sum::<usize>() % orbit.orientations
    }

    /// The orbit of a place.
    pub(super) fn orbit_of(&self, place: usize) -> &Orbit {
        self.orbits.iter().find(|orbit| orbit.range().contains(&place)).expect("every place is in an orbit")
    }

    /// The place that has a facelet, and its number there; `None` for facelets that no turn moves.
    pub(super) fn place_of(&self, facelet: u8) -> Option<(usize, usize)> {
        let mut places = self.facelets.iter().enumerate();
        places.find_map(|(place, all)| all.iter().position(|other| *other == facelet).map(|k| (place, k)))
    }

    /// The place to which the pieces at place `from` move if stickers move by `map`, and for each value at
    /// `from` the value there. Pieces are renamed too, if `rename` is given: it maps their stickers.
    pub(super) fn values_after(
        &self,
        from: usize,
        map: &[u8],
        rename: Option<&[u8]>,
    ) -> Result<(usize, [u8; MAX_VALUES]), String> {
        let orbit = self.orbit_of(from);
        let torn = || format!("a turn or symmetry tears the {} at place {from} apart", orbit.kind);
        let mut values = [0; MAX_VALUES];
        let mut target_place = None;
        for value in 0..orbit.values() {
            let (piece, orientation) = split(orbit, value as u8);
            let mut first_found = None;
            for k in 0..orbit.orientations {
                // The sticker that belongs to the piece's facelet `k` is at the facelet `k + orientation` of
                // the place.
                let at = self.facelets[from][(k + orientation) % orbit.orientations];
                let (to, target_facelet) = self.place_of(map[usize::from(at)]).ok_or_else(torn)?;
                let sticker = self.facelets[orbit.first + piece][k];
                let sticker = rename.map_or(sticker, |rename| rename[usize::from(sticker)]);
                let (home, home_facelet) = self.place_of(sticker).ok_or_else(torn)?;
                // A symmetry may exchange orbits, such as those of pieces that only turn on the spot.
                let target_orbit = self.orbit_of(to);
                if target_orbit != self.orbit_of(home) || target_orbit.values() != orbit.values() {
                    return Err(torn());
                }
                // The number of facelets may be added because orientations count modulo this number.
                let turned = (target_facelet + orbit.orientations - home_facelet) % orbit.orientations;
                let target_value = join(target_orbit, home - target_orbit.first, turned);
                let found = (to, target_value);
                // All stickers of a piece must give the same place and value, and all values the same place.
                if *first_found.get_or_insert(found) != found || *target_place.get_or_insert(to) != to {
                    return Err(torn());
                }
                values[value] = target_value;
            }
        }
        Ok((target_place.ok_or_else(torn)?, values))
    }

    /// Adds all powers of the basic turns.
    fn add_turns(&mut self, basic: &[Vec<u8>]) -> Result<(), String> {
        // Powers of each basic turn, up to that before the identity.
        let powers: Vec<Vec<Vec<u8>>> = basic
            .iter()
            .map(|turn| {
                let next =
                    |power: &Vec<u8>| power.iter().map(|at| turn[usize::from(*at)]).collect::<Vec<u8>>();
                let is_identity = |power: &Vec<u8>| power.iter().zip(0..).all(|(at, i)| *at == i);
                std::iter::successors(Some(turn.clone()), |power| Some(next(power)))
                    .take_while(|power| !is_identity(power))
                    .collect()
            })
            .collect();
        // All turns in their order, as (basic turn, power). The turns of the quarter-turn metric come first:
        // each basic turn and its inverse, which is the last power before the identity.
        let mut order = Vec::new();
        for (face, powers) in powers.iter().enumerate() {
            order.extend([1, powers.len()].iter().take(powers.len().min(2)).map(|power| (face, *power)));
        }
        self.quarter_turns = order.len();
        for (face, powers) in powers.iter().enumerate() {
            order.extend((2..powers.len()).map(|power| (face, power)));
        }
        for (face, power) in &order {
            // The power that is the identity.
            let identity_power = powers[*face].len() + 1;
            let inverse = order.iter().position(|other| *other == (*face, identity_power - power));
            let suffix = match *power {
                1 => String::new(),
                power if power + 1 == identity_power => "'".into(),
                power => power.to_string(),
            };
            let map = &powers[*face][power - 1];
            let mut moves = Vec::new();
            for from in 0..self.places() {
                let is_moved = self.facelets[from].iter().any(|at| map[usize::from(*at)] != *at);
                if is_moved {
                    let (to, values) = self.values_after(from, map, None)?;
                    moves.push(Move { from: from as u8, to: to as u8, values });
                }
            }
            self.turns.push(TurnTable {
                name: format!("{}{suffix}", self.table.turns[*face].0),
                inverse: inverse.expect("the inverse is a power") as Turn,
                face: *face as u8,
                moves,
            });
        }
        Ok(())
    }

    /// Finds which sums of orientations and which parities turns reach.
    fn find_invariants(&mut self) {
        let single: Vec<State> =
            (0..self.turns.len()).map(|turn| self.after(&self.solved, turn as Turn)).collect();
        let mut orbits = std::mem::take(&mut self.orbits);
        for orbit in &mut orbits {
            let twists = single.iter().map(|state| self.twist_of(orbit, state));
            orbit.orientation_step = twists.fold(orbit.orientations, greatest_common_divisor);
        }
        self.orbits = orbits;
        // Parities add up, so the combinations that turns reach are all sums of the combinations of single
        // turns.
        let mut reached = vec![0];
        for parity in single.iter().map(|state| self.parity_of(state)) {
            if !reached.contains(&parity) {
                reached.extend(reached.clone().iter().map(|other| other ^ parity));
            }
        }
        self.parities = reached;
    }
}

/// The piece and the orientation of a value.
pub(super) fn split(orbit: &Orbit, value: u8) -> (usize, usize) {
    (usize::from(value) / orbit.orientations, usize::from(value) % orbit.orientations)
}

/// The value of a piece with an orientation.
pub(super) fn join(orbit: &Orbit, piece: usize, orientation: usize) -> u8 {
    (piece * orbit.orientations + orientation) as u8
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The orbits, and the facelets of their places. Pieces that no turn moves are in none.
fn find_orbits(table: &Table, basic: &[Vec<u8>]) -> Result<(Vec<Orbit>, Vec<Vec<u8>>), String> {
    let (mut orbits, mut facelets) = (Vec::new(), Vec::new());
    for Kind { name, pieces } in &table.kinds {
        let mut rest: Vec<usize> = (0..pieces.len()).collect();
        while let Some(first) = rest.first().copied() {
            // All pieces of this kind at whose facelets stickers of the first one can arrive.
            let mut reached = vec![first];
            let mut next = 0;
            while let Some(piece) = reached.get(next).copied() {
                next += 1;
                for turn in basic {
                    let at = turn[usize::from(pieces[piece][0])];
                    let there = pieces.iter().position(|other| other.contains(&at));
                    let there =
                        there.ok_or_else(|| format!("a turn moves a {name} to where no {name} is"))?;
                    if !reached.contains(&there) {
                        reached.push(there);
                    }
                }
            }
            reached.sort_unstable();
            rest.retain(|piece| !reached.contains(piece));
            let is_moved = reached.len() > 1
                || pieces[first].iter().any(|at| basic.iter().any(|turn| turn[usize::from(*at)] != *at));
            if !is_moved {
                continue;
            }
            let orientations = pieces[first].len();
            if reached.iter().any(|piece| pieces[*piece].len() != orientations) {
                return Err(format!("a {name} has another number of stickers than the others"));
            }
            let orbit = Orbit {
                kind: name,
                first: facelets.len(),
                places: reached.len(),
                orientations,
                // `find_invariants` sets the true number.
                orientation_step: 1,
            };
            if orbit.values() > MAX_VALUES || orbit.first + orbit.places > MAX_PLACES {
                return Err(format!("it has too many pieces; the most are {MAX_PLACES}"));
            }
            orbits.push(orbit);
            facelets.extend(reached.iter().map(|piece| pieces[*piece].clone()));
        }
    }
    Ok((orbits, facelets))
}

/// The solved state: each piece at its place.
fn solved_state(orbits: &[Orbit]) -> State {
    let mut state = [0; MAX_PLACES];
    for orbit in orbits {
        orbit.range().for_each(|place| state[place] = join(orbit, place - orbit.first, 0));
    }
    state
}
