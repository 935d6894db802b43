//! A state as the colours of its stickers, and back.

use super::moves::{Orbit, Puzzle, State, join, split};

impl Puzzle {
    /// The colours of the stickers, in the order of the table.
    pub fn stickers(&self, state: &State) -> Vec<u8> {
        // Facelets that no turn moves keep the colours of the solved puzzle.
        let mut colours = self.table.solved.clone();
        for (place, facelets) in self.facelets.iter().enumerate() {
            let orbit = self.orbit_of(place);
            let (piece, orientation) = split(orbit, state[place]);
            for (k, sticker) in self.facelets[orbit.first + piece].iter().enumerate() {
                let at = facelets[(k + orientation) % orbit.orientations];
                colours[usize::from(at)] = self.table.solved[usize::from(*sticker)];
            }
        }
        colours
    }

    /// The stickers as letters.
    pub fn to_text(&self, state: &State) -> String {
        self.stickers(state).iter().map(|colour| self.table.colours[usize::from(*colour)]).collect()
    }

    /// Reads a state from its stickers as letters; spaces are ignored. The colours are those of the table,
    /// or, for a cube with centres, any colouring of the faces: then the centres say which letter is which
    /// face. An impossible state is refused with the piece to look at.
    pub fn from_text(&self, text: &str) -> Result<State, String> {
        let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let count = self.table.solved.len();
        if letters.len() != count {
            return Err(format!("there are {} stickers; the {} has {count}", letters.len(), self.name()));
        }
        let colours: Vec<u8> = letters.iter().map(|letter| self.colour(*letter)).collect::<Result<_, _>>()?;
        self.from_stickers(&colours)
    }

    fn colour(&self, letter: char) -> Result<u8, String> {
        let upper = letter.to_ascii_uppercase();
        let found = self.table.colours.iter().position(|other| *other == upper);
        found.map(|colour| colour as u8).ok_or_else(|| {
            let all: Vec<String> = self.table.colours.iter().map(char::to_string).collect();
            format!("`{letter}` is no colour; the colours are {}", all.join(" "))
        })
    }

    /// Reads a state from the colours of its stickers, see [`Puzzle::from_text`].
    pub fn from_stickers(&self, colours: &[u8]) -> Result<State, String> {
        let colours = self.named_by_fixed_stickers(colours)?;
        self.check_counts(&colours)?;
        let mut state = self.solved();
        for orbit in self.orbits() {
            // The place of each piece that was found.
            let mut found: Vec<Option<usize>> = vec![None; orbit.places];
            for place in orbit.range() {
                let shown: Vec<u8> =
                    self.facelets[place].iter().map(|at| colours[usize::from(*at)]).collect();
                let (piece, orientation) = self.piece_with(orbit, &shown).ok_or_else(|| {
                    format!(
                        "the {} {} shows {}, and no {} has these colours in this order",
                        orbit.kind,
                        self.place_name(place),
                        self.letters(&shown),
                        orbit.kind
                    )
                })?;
                if let Some(other) = found[piece].replace(place) {
                    return Err(format!(
                        "the {0}s {1} and {2} are the same piece, {3}",
                        orbit.kind,
                        self.place_name(other),
                        self.place_name(place),
                        self.place_name(orbit.first + piece)
                    ));
                }
                state[place] = join(orbit, piece, orientation);
            }
        }
        self.check_reachable(&state)?;
        Ok(state)
    }

    /// Renames the colours so that the fixed stickers, which no turn moves, have the colours of the solved
    /// puzzle. On puzzles whose fixed stickers do not show all colours, such as the 2x2x2, nothing can be
    /// renamed, so these stickers must have the colours of the solved puzzle already.
    fn named_by_fixed_stickers(&self, colours: &[u8]) -> Result<Vec<u8>, String> {
        let fixed: Vec<usize> = (0..colours.len()).filter(|at| self.place_of(*at as u8).is_none()).collect();
        let mut names: Vec<Option<u8>> = vec![None; self.table.colours.len()];
        for at in &fixed {
            let (shown, home) = (colours[*at], self.table.solved[*at]);
            let name = names.get_mut(usize::from(shown)).ok_or("a colour does not exist")?;
            if name.is_some_and(|other| other != home) {
                return Err(format!("two centres are {}", self.letters(&[shown])));
            }
            *name = Some(home);
        }
        let homes = fixed.iter().map(|at| self.table.solved[*at]).collect::<std::collections::BTreeSet<_>>();
        if homes.len() < self.table.colours.len() {
            let is_home = fixed.iter().all(|at| colours[*at] == self.table.solved[*at]);
            let home_colours: Vec<u8> = fixed.iter().map(|at| self.table.solved[*at]).collect();
            let problem =
                || format!("hold it so that the piece {} is at its place", self.letters(&home_colours));
            return if is_home { Ok(colours.to_vec()) } else { Err(problem()) };
        }
        let rename = |colour: &u8| names.get(usize::from(*colour)).copied().flatten();
        let missing = |colour: &u8| format!("no centre is {}", self.letters(&[*colour]));
        colours.iter().map(|colour| rename(colour).ok_or_else(|| missing(colour))).collect()
    }

    /// Every colour must occur as often as on the solved puzzle.
    fn check_counts(&self, colours: &[u8]) -> Result<(), String> {
        for colour in 0..self.table.colours.len() as u8 {
            let count = |all: &[u8]| all.iter().filter(|other| **other == colour).count();
            let (shown, expected) = (count(colours), count(&self.table.solved));
            if shown != expected {
                return Err(format!("{shown} stickers are {}; expected {expected}", self.letters(&[colour])));
            }
        }
        Ok(())
    }

    /// The piece of an orbit that shows these colours, and its orientation.
    fn piece_with(&self, orbit: &Orbit, shown: &[u8]) -> Option<(usize, usize)> {
        let all = (0..orbit.places).flat_map(|piece| (0..orbit.orientations).map(move |k| (piece, k)));
        all.into_iter().find(|(piece, orientation)| {
            let stickers = &self.facelets[orbit.first + piece];
            let colour = |k: usize| self.table.solved[usize::from(stickers[k])];
            (0..stickers.len()).all(|k| shown[(k + orientation) % orbit.orientations] == colour(k))
        })
    }

    /// Whether turns reach this state. Any values are allowed.
    pub fn is_reachable(&self, state: &State) -> bool {
        let is_permutation = self.orbits().iter().all(|orbit| {
            let mut pieces: Vec<usize> = orbit.range().map(|place| split(orbit, state[place]).0).collect();
            pieces.sort_unstable();
            pieces.into_iter().eq(0..orbit.places)
        });
        // Places that the puzzle does not have are zero.
        is_permutation
            && state[self.places()..].iter().all(|value| *value == 0)
            && self.check_reachable(state).is_ok()
    }

    /// Refuses states that turns cannot reach.
    fn check_reachable(&self, state: &State) -> Result<(), String> {
        for orbit in self.orbits() {
            let twist = self.twist_of(orbit, state);
            if !twist.is_multiple_of(orbit.orientation_step) {
                let kind = orbit.kind;
                return Err(match (orbit.orientations, twist) {
                    (2, _) => {
                        format!("one {kind} is flipped: an odd number of {kind}s is, which no turns can do")
                    }
                    (3, 1) => format!("one {kind} is twisted clockwise on its own, which no turns can do"),
                    (3, 2) => {
                        format!("one {kind} is twisted anticlockwise on its own, which no turns can do")
                    }
                    _ => format!("one {kind} is twisted on its own, which no turns can do"),
                });
            }
        }
        let parity = self.parity_of(state);
        if self.parities.contains(&parity) {
            return Ok(());
        }
        let kinds: Vec<&str> = self.orbits().iter().map(|orbit| orbit.kind).collect();
        Err(format!("two pieces ({}) are swapped, which no turns can do", kinds.join("s or ") + "s"))
    }

    /// The name of a place: the colours of the piece that belongs there.
    pub fn place_name(&self, place: usize) -> String {
        let colours: Vec<u8> =
            self.facelets[place].iter().map(|at| self.table.solved[usize::from(*at)]).collect();
        self.letters(&colours)
    }

    fn letters(&self, colours: &[u8]) -> String {
        let letter = |colour: &u8| self.table.colours.get(usize::from(*colour)).copied().unwrap_or('?');
        colours.iter().map(letter).collect()
    }
}
