//! Anytime search: beam searches one after another, which can be stopped at any moment. The shortest solution
//! so far is kept.
//!
//! A state and its inverse are solved by sequences of the same length, and so are the states that a symmetry
//! of the puzzle maps to each other. These states are the *variants* of a state. The network predicts
//! differently for each variant, so a search from another variant may find a shorter solution. An
//! [`AnytimeSearch`] goes through the variants in a fixed order, and widens the beam after every few
//! searches.

use learnery_worlds::puzzle::{Puzzle, State, Turn};

use super::network::{Network, Scratch};
use crate::beam::{Beam, Limits, Outcome, RemoteGuide};
use crate::config::TurnMetric;

/// The most turns of a solution. Random states of the 3x3x3 are about 21 quarter turns from solved on
/// average, 26 at most.
pub const MAX_DEPTH: usize = 60;

/// After this many searches the beam becomes [`WIDENING_FACTOR`] times as wide. Four searches cost as much as
/// one that is four times as wide, and find solutions about as short. Because the narrow searches come first,
/// a first solution is found early.
const SEARCHES_PER_WIDTH: u32 = 4;
const WIDENING_FACTOR: usize = 4;

/// A transformation that keeps the distance from solved: a symmetry, then the inverse or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub is_inverse: bool,
    /// The index of the symmetry by which the state is mapped.
    pub symmetry: usize,
}

impl Variant {
    /// The identity.
    pub const PLAIN: Self = Self { is_inverse: false, symmetry: 0 };

    /// Maps a state to the state to search from.
    fn map_state(self, puzzle: &Puzzle, state: &State) -> State {
        let mapped = puzzle.symmetries()[self.symmetry].apply(state);
        if self.is_inverse { puzzle.inverted(&mapped) } else { mapped }
    }

    /// Maps a solution of the state that [`Variant::map_state`] returned to a solution of the state itself.
    fn map_solution_back(self, puzzle: &Puzzle, found: &[Turn]) -> Vec<Turn> {
        let mut turns = found.to_vec();
        if self.is_inverse {
            turns.reverse();
            turns.iter_mut().for_each(|turn| *turn = puzzle.inverse(*turn));
        }
        let symmetry = &puzzle.symmetries()[self.symmetry];
        let back = |mapped: Turn| (0..puzzle.turns() as Turn).find(|turn| symmetry.turn(*turn) == mapped);
        turns.into_iter().map(|turn| back(turn).expect("a symmetry maps turns one to one")).collect()
    }
}

/// Searches from variants of a state, with wider and wider beams.
pub struct AnytimeSearch {
    puzzle: &'static Puzzle,
    start: State,
    /// How many different turns the search may use: the first ones of the puzzle.
    turns: usize,
    /// The width of the first searches, and of the last ones.
    widths: [usize; 2],
    variants: Vec<Variant>,
    /// The search in progress, the index of its variant in `variants`, its width, and how many searches had
    /// this width before it.
    beam: Beam<'static, Scratch>,
    variant: usize,
    width: usize,
    searches_at_width: u32,
    /// Searches that have ended, and how many of them have improved the best solution.
    searches: u32,
    improvements: u32,
    /// The shortest solution so far, as turns from `start`.
    best: Option<Vec<Turn>>,
    /// The width of the search that found `best`.
    best_width: usize,
    /// What counts as one turn when solutions are compared.
    metric: TurnMetric,
    /// States whose neighbours were scored by the searches that have ended.
    expanded: u64,
    is_done: bool,
}

/// The length of a sequence of turns, in which neighbouring turns of a face count as one in the half-turn
/// metric.
pub fn count(puzzle: &Puzzle, turns: &[Turn], metric: TurnMetric) -> usize {
    let merged = puzzle.merged(turns);
    match metric {
        TurnMetric::Half => merged.len(),
        TurnMetric::Quarter => {
            merged.iter().map(|turn| if usize::from(*turn) < puzzle.quarter_turns() { 1 } else { 2 }).sum()
        }
    }
}

impl AnytimeSearch {
    /// Begins with a beam of `widths[0]` states, and ends once all variants have had one of `widths[1]`. Of
    /// two solutions the one with fewer turns by `metric` is better. Without variants the state alone is
    /// searched from.
    pub fn new(
        network: &Network,
        start: &State,
        widths: [usize; 2],
        variants: Vec<Variant>,
        metric: TurnMetric,
    ) -> Self {
        let (puzzle, turns) = (network.puzzle(), network.turns());
        let limits = Limits { turns, width: widths[0], max_depth: MAX_DEPTH };
        let first = variants.first().copied().unwrap_or(Variant::PLAIN);
        let is_solved = *start == puzzle.solved();
        Self {
            beam: Beam::new(puzzle, &first.map_state(puzzle, start), limits),
            puzzle,
            start: *start,
            turns,
            widths,
            variants: if variants.is_empty() { vec![first] } else { variants },
            variant: 0,
            width: widths[0],
            searches_at_width: 0,
            searches: 0,
            improvements: 0,
            best: is_solved.then(Vec::new),
            best_width: 0,
            metric,
            expanded: 0,
            is_done: is_solved,
        }
    }

    /// All variants in the order in which they are tried: the state and its inverse, then both under each
    /// other symmetry.
    pub fn all_variants(puzzle: &Puzzle) -> Vec<Variant> {
        let symmetries = 0..puzzle.symmetries().len();
        symmetries
            .flat_map(|symmetry| [false, true].map(|is_inverse| Variant { is_inverse, symmetry }))
            .collect()
    }

    /// The shortest solution so far.
    pub fn best(&self) -> Option<&[Turn]> {
        self.best.as_deref()
    }

    /// The width of the search that found the shortest solution.
    pub fn best_width(&self) -> usize {
        self.best_width
    }

    /// Whether all searches have ended.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The search in progress, or the last one.
    pub fn beam(&self) -> &Beam<'static, Scratch> {
        &self.beam
    }

    /// Whether nothing was done yet.
    pub fn is_new(&self) -> bool {
        self.searches == 0 && self.beam.is_new()
    }

    /// Searches that have ended, and how many of them found a shorter solution than all before.
    pub fn searches(&self) -> [u32; 2] {
        [self.searches, self.improvements]
    }

    /// States whose neighbours were scored, by all searches so far.
    pub fn expanded(&self) -> u64 {
        self.expanded + if self.is_done { 0 } else { self.beam.expanded() }
    }

    /// Does a step of the search in progress, or begins the next one.
    pub fn step(&mut self, network: &Network) {
        if self.is_done {
            return;
        }
        self.beam.step(network);
        self.end_search();
    }

    /// Does a step with a guide that answers later. Returns whether it did anything; otherwise the guide is
    /// still busy.
    pub fn step_remotely<G: RemoteGuide + ?Sized>(&mut self, guide: &mut G) -> Result<bool, G::Error> {
        if self.is_done {
            return Ok(true);
        }
        let has_advanced = self.beam.step_remotely(guide)?;
        self.end_search();
        Ok(has_advanced)
    }

    /// Takes in the outcome of the search in progress, if it has ended, and begins the next one.
    fn end_search(&mut self) {
        match self.beam.outcome() {
            Outcome::Searching => return,
            // The next search has another variant or a wider beam.
            Outcome::Failed => {}
            Outcome::Solved(found) => {
                let found = self.variants[self.variant].map_solution_back(self.puzzle, found);
                let length = |turns: &[Turn]| count(self.puzzle, turns, self.metric);
                if self.best.as_ref().is_none_or(|best| length(&found) < length(best)) {
                    self.best = Some(found);
                    self.best_width = self.width;
                    self.improvements += 1;
                }
            }
        }
        self.searches += 1;
        self.expanded += self.beam.expanded();
        self.begin_next();
    }

    /// Begins the next search. Ends if all variants have had the widest beam, or if no solution can be
    /// shorter.
    fn begin_next(&mut self) {
        let is_widest = self.width >= self.widths[1];
        self.searches_at_width += 1;
        self.variant = (self.variant + 1) % self.variants.len();
        if is_widest && self.searches_at_width as usize >= self.variants.len() {
            self.is_done = true;
            return;
        }
        if !is_widest && self.searches_at_width == SEARCHES_PER_WIDTH {
            self.width = (WIDENING_FACTOR * self.width).min(self.widths[1]);
            self.searches_at_width = 0;
        }
        let max_depth = self.best.as_ref().map_or(MAX_DEPTH, |best| {
            let shorter = count(self.puzzle, best, self.metric) - 1;
            // Depth counts the search's own turns. Where half turns count as one but the search has quarter
            // turns only, a half turn takes two of them.
            let has_half_turns = self.turns > self.puzzle.quarter_turns();
            let is_two_steps = self.metric == TurnMetric::Half && !has_half_turns;
            MAX_DEPTH.min(if is_two_steps { 2 * shorter } else { shorter })
        });
        if max_depth == 0 {
            self.is_done = true;
            return;
        }
        let start = self.variants[self.variant].map_state(self.puzzle, &self.start);
        let limits = Limits { turns: self.turns, width: self.width, max_depth };
        self.beam = Beam::new(self.puzzle, &start, limits);
    }
}
