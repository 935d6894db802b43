//! States drawn uniformly, and random walks.

use learnery_kernels::rng::Stream;

use super::moves::{Puzzle, State, Turn, join, split};

/// Random words of one block of a stream.
const WORDS_PER_BLOCK: usize = 4;

impl Puzzle {
    /// Draws a state uniformly among all that turns reach, for puzzles in which only parities and sums of
    /// orientations are restricted. `index` selects the random numbers.
    pub fn random_state(&self, stream: Stream, index: u64) -> State {
        let mut words = (0u64..).flat_map(|block| stream.block(index, block));
        let mut below = |n: usize| {
            // The upper half of the product of a word and `n`.
            let word = words.next().expect("a stream has no end");
            ((u64::from(word) * n as u64) >> 32) as usize
        };
        // Turns reach only some combinations of the orbits' parities (`parities`), so permutations are drawn
        // until they have one of these.
        let mut state = loop {
            let mut state = self.solved();
            for orbit in self.orbits() {
                for i in (1..orbit.places).rev() {
                    state.swap(orbit.first + i, orbit.first + below(i + 1));
                }
            }
            if self.parities.contains(&self.parity_of(&state)) {
                break state;
            }
        };
        for orbit in self.orbits() {
            let mut sum = 0;
            let last = orbit.places - 1;
            for (i, value) in state[orbit.range()].iter_mut().enumerate() {
                // Turns reach the sums that are multiples of `orientation_step`. The last orientation makes
                // the sum one of them.
                let orientation = if i < last {
                    below(orbit.orientations)
                } else {
                    let step = orbit.orientation_step;
                    let reachable_sum = step * below(orbit.orientations / step);
                    // The product is a multiple of `orientations` and keeps the difference above zero.
                    (reachable_sum + orbit.orientations * orbit.places - sum) % orbit.orientations
                };
                sum += orientation;
                *value = join(orbit, split(orbit, *value).0, orientation);
            }
        }
        state
    }

    /// Makes the random walk number `index` of a stream: `length` turns from the solved state, of which none
    /// is redundant after the one before it. `turns` is the number of turns to choose from, see
    /// [`Puzzle::quarter_turns`]. Calls `visit` with every turn and the state after it.
    pub fn walk(
        &self,
        turns: usize,
        stream: Stream,
        index: u64,
        length: usize,
        mut visit: impl FnMut(Turn, &State),
    ) {
        let (mut state, mut last) = (self.solved(), None);
        let mut words = [0; WORDS_PER_BLOCK];
        for i in 0..length {
            if i % WORDS_PER_BLOCK == 0 {
                words = stream.block(index, (i / WORDS_PER_BLOCK) as u64);
            }
            let turn = self.random_turn(turns, words[i % WORDS_PER_BLOCK], last);
            state = self.after(&state, turn);
            visit(turn, &state);
            last = Some(turn);
        }
    }

    /// Maps a random word to a turn that is not redundant after `last`.
    pub fn random_turn(&self, turns: usize, word: u32, last: Option<Turn>) -> Turn {
        let is_allowed = |turn: &Turn| last.is_none_or(|last| !self.is_redundant(turns, last, *turn));
        let allowed = (0..turns as Turn).filter(is_allowed).count();
        // The upper half of the product is below `allowed`, each number about equally likely.
        let choice = (u64::from(word) * allowed as u64) >> 32;
        (0..turns as Turn).filter(is_allowed).nth(choice as usize).unwrap_or(0)
    }

    /// Whether a shortest sequence of the first `turns` turns never has `next` right after `last`, because
    /// the two cancel out or are the same as one of these turns. If a puzzle has half turns but only its
    /// quarter turns are used, the inverse of `last` is redundant; otherwise every turn of the same face is.
    pub fn is_redundant(&self, turns: usize, last: Turn, next: Turn) -> bool {
        if turns <= self.quarter_turns() && self.turns() > self.quarter_turns() {
            next == self.inverse(last)
        } else {
            self.face(next) == self.face(last)
        }
    }
}
