//! Beam search in a puzzle of any size: it keeps the best states at each depth, at most as many as the beam
//! is wide.
//!
//! A search advances in small steps. Every result is the same for any number of threads: scores of a layer
//! are computed in fixed chunks, and states are ranked by score, then by parent and turn.

mod packed;
mod select;
#[cfg(test)]
mod tests;

use std::ops::Range;

use learnery_worlds::puzzle::{Puzzle, State, Turn};
use rayon::prelude::*;

pub use packed::Packed;
use select::{Key, Seen, Selection};

/// The most states whose neighbours one thread scores at a time.
pub const STATES_PER_CHUNK: usize = 256;

/// The most chunks that one step scores, in parallel.
const CHUNKS_PER_STEP: usize = 16;

/// The work of one step of scoring, in multiply-adds: some tenths of a second on one core.
const SCORING_PER_STEP: u64 = 1 << 34;

/// The work of one step of choosing, in scores that are read: some hundredths of a second. The next layer of
/// a beam of up to some 50,000 states is chosen in one step.
const CHOOSING_PER_STEP: usize = 1 << 22;

/// Scores the neighbours of states (the states that are one turn away) on the CPU. A network is a guide.
pub trait Guide: Sync {
    /// Buffers of one thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Whether a state is ranked by the sum of the scores on its path, not by the last one alone.
    fn adds_scores(&self) -> bool {
        false
    }

    /// The work of scoring the neighbours of a state, in multiply-adds.
    fn work(&self) -> u64 {
        1
    }

    /// Writes the score of the state after each turn of each state: the lower, the nearer to solved. There
    /// are at most [`STATES_PER_CHUNK`] states. A score must depend on its state and turn only.
    ///
    /// Shape of the result: `scores [states, turns]`.
    fn score(&self, states: &[State], scratch: &mut Self::Scratch, scores: &mut [f32]);
}

/// Scores the states that are one turn away as a [`Guide`] does, but elsewhere, such as on a GPU: answers
/// come later.
pub trait RemoteGuide {
    type Error;

    /// See [`Guide::adds_scores`].
    fn adds_scores(&self) -> bool;

    /// Asks for the scores after each turn of these states. Called again only once they have been returned.
    fn submit(&mut self, states: &[Packed]);

    /// The scores, once they are there; `None` before.
    ///
    /// Shape of the result: `[states, turns]`.
    fn poll(&mut self) -> Result<Option<Vec<f32>>, Self::Error>;
}

/// The states at one depth.
#[derive(Debug, Default)]
struct Layer {
    states: Vec<Packed>,
    /// For each state: its parent in the layer before, and the turn that led from it.
    parents: Vec<u32>,
    turns: Vec<Turn>,
    /// The score of each state; empty in the first layer, which has the start alone.
    scores: Vec<f32>,
}

/// The states at one depth: how many there are, and the best and the worst score among them. Both scores are
/// NaN for the first layer, because the start has none.
#[derive(Clone, Copy, Debug)]
pub struct LayerSummary {
    pub states: usize,
    pub best: f32,
    pub worst: f32,
}

/// The result of a search so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The search goes on.
    Searching,
    /// The search has found this solution.
    Solved(Vec<Turn>),
    /// No state of the beam leads to a new state, or the search has reached [`Limits::max_depth`].
    Failed,
}

/// What a search is limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many turns there are to choose from: the first ones of the puzzle, so its quarter turns or all.
    pub turns: usize,
    /// The most states that are kept at each depth.
    pub width: usize,
    /// The most turns of a solution.
    pub max_depth: usize,
}

impl Limits {
    /// The bytes that a search with these limits takes at most, without the buffers of the guide.
    pub fn bytes(&self) -> u64 {
        let per_layer = size_of::<Packed>() + size_of::<u32>() + size_of::<Turn>() + size_of::<f32>();
        // The scores and keys of the neighbours, and the three tables of seen states.
        let once = self.turns * (size_of::<f32>() + size_of::<Key>()) + 3 * Seen::BYTES_PER_STATE;
        self.width as u64 * (per_layer as u64 * (self.max_depth as u64 + 1) + once as u64)
    }
}

/// A search in progress. `S` are the buffers of its guide, see [`Guide::Scratch`].
pub struct Beam<'p, S> {
    puzzle: &'p Puzzle,
    limits: Limits,
    /// The states that one turn solves, and that turn.
    last_steps: Vec<(Packed, Turn)>,
    layers: Vec<Layer>,
    /// The states of the layer before the last, of the last, and of the next one. The search does not return
    /// to any of these states.
    seen: [Seen; 3],
    /// Scores of the neighbours of the last layer.
    /// Shape: `[states, turns]`.
    scores: Vec<f32>,
    /// The number of states of the last layer whose neighbours are scored.
    scored: usize,
    /// Whether a remote guide was asked for the scores of the last layer and has not answered yet.
    is_asked: bool,
    scratches: Vec<S>,
    selection: Selection,
    /// The next layer, as far as it is chosen; `None` while neighbours are scored.
    next: Option<Layer>,
    outcome: Outcome,
}

impl<'p, S: Send> Beam<'p, S> {
    /// Begins a search from `start`.
    pub fn new(puzzle: &'p Puzzle, start: &State, limits: Limits) -> Self {
        let is_solved = *start == puzzle.solved();
        // The start has no parent and no turn; the zeros are never read.
        let first =
            Layer { states: vec![Packed::new(start)], parents: vec![0], turns: vec![0], scores: Vec::new() };
        let mut seen = Seen::default();
        seen.begin(1);
        seen.insert(first.states[0]);
        Self {
            puzzle,
            limits: Limits { width: limits.width.max(1), ..limits },
            last_steps: (0..limits.turns as Turn)
                .map(|turn| (Packed::new(&puzzle.after(&puzzle.solved(), puzzle.inverse(turn))), turn))
                .collect(),
            layers: vec![first],
            seen: [Seen::default(), seen, Seen::default()],
            scores: Vec::new(),
            scored: 0,
            is_asked: false,
            scratches: Vec::new(),
            selection: Selection::default(),
            next: None,
            outcome: if is_solved { Outcome::Solved(Vec::new()) } else { Outcome::Searching },
        }
    }

    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether nothing was scored or asked for yet.
    pub fn is_new(&self) -> bool {
        self.expanded() == 0 && !self.is_asked
    }

    /// The number of turns that lead to the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The states kept at each depth so far.
    pub fn layers(&self) -> impl Iterator<Item = LayerSummary> {
        self.layers.iter().map(|layer| {
            let score = |score: Option<&f32>| score.copied().unwrap_or(f32::NAN);
            let (best, worst) = (score(layer.scores.first()), score(layer.scores.last()));
            LayerSummary { states: layer.states.len(), best, worst }
        })
    }

    /// States whose neighbours were scored.
    pub fn expanded(&self) -> u64 {
        let before: usize = self.layers[..self.depth()].iter().map(|layer| layer.states.len()).sum();
        (before + self.scored) as u64
    }

    /// Does a step: scores the neighbours of some thousand states at most, or chooses the next layer, or a
    /// part of a wide one. Does nothing once the search has ended. Every step must have the same guide, or
    /// one whose scores mean the same.
    pub fn step(&mut self, guide: &impl Guide<Scratch = S>) {
        if self.outcome != Outcome::Searching {
            return;
        }
        let count = self.layers[self.depth()].states.len();
        if self.scored < count {
            self.score(guide, count);
        } else {
            self.choose_next_layer();
        }
    }

    /// Runs the search to its end.
    pub fn run(&mut self, guide: &impl Guide<Scratch = S>) -> &Outcome {
        while self.outcome == Outcome::Searching {
            self.step(guide);
        }
        &self.outcome
    }

    /// Does a step with a guide that answers later. Returns whether it did anything; otherwise the guide is
    /// still busy.
    pub fn step_remotely<G: RemoteGuide + ?Sized>(&mut self, guide: &mut G) -> Result<bool, G::Error> {
        if self.outcome != Outcome::Searching {
            return Ok(true);
        }
        let depth = self.depth();
        let count = self.layers[depth].states.len();
        if self.scored == count {
            self.choose_next_layer();
        } else if !self.is_asked {
            guide.submit(&self.layers[depth].states);
            self.is_asked = true;
        } else {
            let Some(scores) = guide.poll()? else { return Ok(false) };
            let (ranking, out, ..) = self.ranking(guide.adds_scores(), 0..count);
            out.copy_from_slice(&scores);
            let turns = ranking.turns;
            let chunks = out.par_chunks_mut(STATES_PER_CHUNK * turns).enumerate();
            chunks.for_each(|(chunk, out)| ranking.finish(chunk * STATES_PER_CHUNK, out));
            (self.scored, self.is_asked) = (count, false);
        }
        Ok(true)
    }

    /// For a range of states of the last layer, returns what turns a guide's scores into those that
    /// candidates are ranked by, and the part of `scores` for these states. With them the guide's buffers.
    fn ranking(&mut self, adds_scores: bool, range: Range<usize>) -> (Ranking<'_>, &mut [f32], &mut Vec<S>) {
        let Self { puzzle, limits: Limits { turns, .. }, last_steps, layers, scores, scratches, .. } = self;
        let turns = *turns;
        let layer = &layers[layers.len() - 1];
        let is_first = layers.len() == 1;
        scores.resize(layer.states.len() * turns, 0.0);
        let ranking = Ranking {
            puzzle,
            turns,
            last_steps,
            states: &layer.states[range.clone()],
            last_turns: if is_first { &[] } else { &layer.turns[range.clone()] },
            sums: if adds_scores && !is_first { &layer.scores[range.clone()] } else { &[] },
        };
        (ranking, &mut scores[range.start * turns..range.end * turns], scratches)
    }

    /// Scores the neighbours of the next states of the last layer, which has `count` states.
    fn score(&mut self, guide: &impl Guide<Scratch = S>, count: usize) {
        let states_per_step = SCORING_PER_STEP / guide.work().max(1);
        let states_per_chunk =
            (states_per_step / CHUNKS_PER_STEP as u64).clamp(1, STATES_PER_CHUNK as u64) as usize;
        let end = count.min(self.scored + CHUNKS_PER_STEP * states_per_chunk);
        let (ranking, out, scratches) = self.ranking(guide.adds_scores(), self.scored..end);
        scratches.resize_with(CHUNKS_PER_STEP, || guide.scratch());
        let states = ranking.states.par_chunks(states_per_chunk);
        let out = out.par_chunks_mut(states_per_chunk * ranking.turns);
        states.zip(out).zip(scratches).enumerate().with_max_len(1).for_each(
            |(chunk, ((states, out), scratch))| {
                let mut unpacked = [State::default(); STATES_PER_CHUNK];
                unpacked.iter_mut().zip(states).for_each(|(state, packed)| *state = packed.state());
                guide.score(&unpacked[..states.len()], scratch, out);
                ranking.finish(chunk * states_per_chunk, out);
            },
        );
        self.scored = end;
    }

    /// Chooses the best neighbours for the next layer, each state once. Stops after [`CHOOSING_PER_STEP`];
    /// the next call goes on.
    fn choose_next_layer(&mut self) {
        /// Looking up whether a state was seen takes as long as reading so many scores.
        const WORK_OF_LOOK_UP: usize = 32;
        let depth = self.depth();
        let Self { puzzle, limits, layers, seen, scores, selection, next, .. } = self;
        let Limits { turns, width, .. } = limits;
        let layer = &layers[depth];
        let solved = Packed::new(&puzzle.solved());
        let [older, last, new] = seen;
        let mut work = 0;
        let next = next.get_or_insert_with(|| {
            new.begin(*width);
            selection.begin(scores);
            work += scores.len();
            Layer::default()
        });
        let mut is_solved = false;
        while !is_solved && next.states.len() < *width {
            if work >= CHOOSING_PER_STEP {
                return;
            }
            work += WORK_OF_LOOK_UP + selection.work_of_next(*width);
            let Some(Key { index, .. }) = selection.next(*width) else { break };
            let (parent, turn) = (index as usize / *turns, (index as usize % *turns) as Turn);
            let state = Packed::new(&puzzle.after(&layer.states[parent].state(), turn));
            if older.contains(state) || last.contains(state) || !new.insert(state) {
                continue;
            }
            next.states.push(state);
            next.parents.push(parent as u32);
            next.turns.push(turn);
            next.scores.push(scores[index as usize]);
            is_solved = state == solved;
        }
        self.end_layer(is_solved);
    }

    /// Goes on to the next layer, all of whose states are chosen. If `is_solved`, the last one is solved.
    fn end_layer(&mut self, is_solved: bool) {
        let next = self.next.take().unwrap_or_default();
        let is_too_deep = self.layers.len() >= self.limits.max_depth;
        let (is_empty, last) = (next.states.is_empty(), next.states.len().saturating_sub(1));
        // The table of the oldest layer comes last, and is emptied for the states of the next layer.
        self.seen.rotate_left(1);
        self.scored = 0;
        self.layers.push(next);
        if is_solved {
            self.outcome = Outcome::Solved(self.path_to(last));
        } else if is_empty || is_too_deep {
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

/// What turns a guide's scores into those that candidates are ranked by.
struct Ranking<'a> {
    puzzle: &'a Puzzle,
    turns: usize,
    /// See [`Beam::last_steps`].
    last_steps: &'a [(Packed, Turn)],
    /// The states whose neighbours are scored.
    states: &'a [Packed],
    /// The turn that led to each state; empty for the start.
    last_turns: &'a [Turn],
    /// The score of each state, if scores are added along a path; otherwise empty.
    sums: &'a [f32],
}

impl Ranking<'_> {
    /// Changes a guide's scores for the states from number `first` on into those that candidates are ranked
    /// by.
    ///
    /// Shape: `scores [states, turns]`.
    fn finish(&self, first: usize, scores: &mut [f32]) {
        let sums = self.sums.get(first..).unwrap_or(&[]);
        for (sum, scores) in sums.iter().zip(scores.chunks_exact_mut(self.turns)) {
            scores.iter_mut().for_each(|score| *score += sum);
        }
        // The solved state comes first, whatever the guide says.
        for (state, scores) in self.states[first..].iter().zip(scores.chunks_exact_mut(self.turns)) {
            if let Some((_, turn)) = self.last_steps.iter().find(|(last, _)| last == state) {
                scores[usize::from(*turn)] = f32::NEG_INFINITY;
            }
        }
        // Redundant turns get an infinite score, and `Selection` leaves them out.
        let last_turns = self.last_turns.get(first..).unwrap_or(&[]);
        for (scores, last) in scores.chunks_exact_mut(self.turns).zip(last_turns) {
            for (turn, score) in (0..).zip(scores) {
                if self.puzzle.is_redundant(self.turns, *last, turn) {
                    *score = f32::INFINITY;
                }
            }
        }
    }
}
