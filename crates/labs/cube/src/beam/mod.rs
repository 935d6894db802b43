//! Beam search in a puzzle of any size: it keeps the best states at each depth, at most as many as the beam is wide.
//!
//! A search advances in small steps. Every result is the same for any number of threads: scores of a layer are computed in
//! fixed chunks, and states are ranked by score, then by parent and turn.

mod packed;
mod select;
#[cfg(test)]
mod tests;

use learnery_worlds::puzzle::{Puzzle, State, Turn};
use rayon::prelude::*;

pub use packed::Packed;
use select::{Key, Seen, Selection};

/// States whose neighbours one thread scores at a time.
pub const CHUNK: usize = 256;

/// Scores the states that are one turn away.
pub trait Guide: Sync {
    /// Buffers of one thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Writes the score of the state after each turn of each state: the lower, the nearer to solved. There are at most
    /// [`CHUNK`] states. A score must depend on its state and turn only.
    // scores [states, turns]
    fn score(&self, states: &[State], scratch: &mut Self::Scratch, scores: &mut [f32]);
}

/// The states at one depth.
#[derive(Debug, Default)]
struct Layer {
    states: Vec<Packed>,
    /// For each state: its parent in the layer before, and the turn that led from it.
    parents: Vec<u32>,
    turns: Vec<Turn>,
}

/// What a search has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Searching,
    /// A solution.
    Solved(Vec<Turn>),
    /// Every state within reach was seen, or the search is too deep.
    Failed,
}

/// A search under way.
pub struct Beam<'a, G: Guide> {
    puzzle: &'a Puzzle,
    guide: &'a G,
    /// Turns to choose from: the first ones of the puzzle.
    turns: usize,
    width: usize,
    max_depth: usize,
    layers: Vec<Layer>,
    /// The states of the layer before the last, of the last, and of the next one. None is entered again.
    seen: [Seen; 3],
    /// Scores of the neighbours of the last layer.
    // [states, turns]
    scores: Vec<f32>,
    /// States of the last layer whose neighbours are scored.
    scored: usize,
    scratches: Vec<G::Scratch>,
    selection: Selection,
    outcome: Outcome,
}

impl<'a, G: Guide> Beam<'a, G> {
    /// Begins a search from `start` with the first `turns` turns of the puzzle, a beam of `width` states, and solutions of
    /// at most `max_depth` turns.
    pub fn new(
        puzzle: &'a Puzzle,
        guide: &'a G,
        turns: usize,
        start: &State,
        width: usize,
        max_depth: usize,
    ) -> Self {
        let is_solved = *start == puzzle.solved();
        let first = Layer { states: vec![Packed::new(start)], parents: vec![0], turns: vec![0] };
        let mut seen = Seen::default();
        seen.begin(1);
        seen.insert(first.states[0]);
        Self {
            puzzle,
            guide,
            turns,
            width: width.max(1),
            max_depth,
            layers: vec![first],
            seen: [Seen::default(), seen, Seen::default()],
            scores: Vec::new(),
            scored: 0,
            scratches: Vec::new(),
            selection: Selection::default(),
            outcome: if is_solved { Outcome::Solved(Vec::new()) } else { Outcome::Searching },
        }
    }

    /// The bytes that a search of this width and depth takes at most, without the buffers of the guide.
    pub fn bytes(turns: usize, width: usize, max_depth: usize) -> usize {
        let per_layer = size_of::<Packed>() + size_of::<u32>() + size_of::<Turn>();
        let once = turns * (size_of::<f32>() + size_of::<Key>()) + 3 * Seen::BYTES_PER_STATE;
        width * (per_layer * (max_depth + 1) + once)
    }

    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The number of turns that lead to the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// States in each layer so far.
    pub fn widths(&self) -> impl Iterator<Item = usize> {
        self.layers.iter().map(|layer| layer.states.len())
    }

    /// Does a step: scores the neighbours of some thousand states, or chooses the next layer. Does nothing once the search
    /// has ended.
    pub fn step(&mut self) {
        if self.outcome != Outcome::Searching {
            return;
        }
        let count = self.layers[self.depth()].states.len();
        if self.scored < count {
            self.score(count);
        } else {
            self.choose();
        }
    }

    /// Runs the search to its end.
    pub fn run(&mut self) -> &Outcome {
        while self.outcome == Outcome::Searching {
            self.step();
        }
        &self.outcome
    }

    /// Scores the neighbours of the next states of the last layer.
    fn score(&mut self, count: usize) {
        /// Chunks of one step: enough for all threads.
        const CHUNKS: usize = 16;
        let Self { puzzle, guide, turns, layers, scores, scored, scratches, .. } = self;
        let layer = &layers[layers.len() - 1];
        scores.resize(count * *turns, 0.0);
        scratches.resize_with(CHUNKS, || guide.scratch());
        let end = count.min(*scored + CHUNKS * CHUNK);
        let is_first = layers.len() == 1;
        let states = layer.states[*scored..end].par_chunks(CHUNK);
        let entered = layer.turns[*scored..end].par_chunks(CHUNK);
        let out = scores[*scored * *turns..end * *turns].par_chunks_mut(CHUNK * *turns);
        states.zip(entered).zip(out).zip(scratches).with_max_len(1).for_each(
            |(((states, entered), out), scratch)| {
                let mut unpacked = [State::default(); CHUNK];
                unpacked.iter_mut().zip(states).for_each(|(state, packed)| *state = packed.state());
                guide.score(&unpacked[..states.len()], scratch, out);
                if is_first {
                    return;
                }
                for (scores, last) in out.chunks_exact_mut(*turns).zip(entered) {
                    for (turn, score) in (0..).zip(scores) {
                        if puzzle.is_redundant(*turns, *last, turn) {
                            *score = f32::INFINITY;
                        }
                    }
                }
            },
        );
        *scored = end;
    }

    /// Makes the next layer of the best neighbours, each state once.
    fn choose(&mut self) {
        let depth = self.depth();
        let Self { puzzle, turns, width, max_depth, layers, seen, scores, scored, selection, .. } = self;
        let layer = &layers[depth];
        let solved = Packed::new(&puzzle.solved());
        let mut next = Layer::default();
        let [older, last, new] = seen;
        new.begin(*width);
        let mut end = None;
        selection.begin(scores);
        while let Some(Key { index, .. }) = selection.next(*width) {
            let (parent, turn) = (index as usize / *turns, (index as usize % *turns) as Turn);
            let state = Packed::new(&puzzle.after(&layer.states[parent].state(), turn));
            if older.contains(state) || last.contains(state) || !new.insert(state) {
                continue;
            }
            next.states.push(state);
            next.parents.push(parent as u32);
            next.turns.push(turn);
            if state == solved {
                end = Some(next.states.len() - 1);
            }
            if end.is_some() || next.states.len() == *width {
                break;
            }
        }
        // The table of the layer before the last becomes that of the next one.
        seen.rotate_left(1);
        *scored = 0;
        let is_empty = next.states.is_empty();
        let too_deep = depth + 1 >= *max_depth;
        layers.push(next);
        if let Some(end) = end {
            self.outcome = Outcome::Solved(self.path_to(end));
        } else if is_empty || too_deep {
            self.outcome = Outcome::Failed;
        }
    }

    /// The turns from the start to a state of the last layer.
    fn path_to(&self, state: usize) -> Vec<Turn> {
        let mut at = state;
        let mut path = Vec::with_capacity(self.depth());
        for layer in self.layers[1..].iter().rev() {
            path.push(layer.turns[at]);
            at = layer.parents[at] as usize;
        }
        path.reverse();
        path
    }
}
