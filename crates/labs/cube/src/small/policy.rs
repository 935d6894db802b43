//! The greedy policy: it makes the turn with the best score among those that are not redundant after the last
//! turn. In quarter turns only the inverse of the last turn is redundant; if half turns count, all turns of
//! the same face are.

use learnery_worlds::cube::{Metric, State, TURNS, Turn, inverse, turns};
use rayon::prelude::*;

use crate::small::network::{MAX_ROWS, Network, Scratch};
use crate::small::state_space::StateSpace;

/// The greedy policy of a network. Higher scores are better.
pub struct GreedyPolicy<'a> {
    pub network: &'a Network,
    pub space: &'a StateSpace,
    /// Estimated distances of all nodes (states or classes of symmetric states), if the network predicts
    /// distances; not read otherwise.
    /// Shape: `[nodes]`.
    pub distances: &'a [f32],
}

/// The best and the second-best turn in a state, packed into one byte: best in the low four bits, second in
/// the high four.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankedTurns(u8);

impl RankedTurns {
    /// The turns of this state have not been ranked yet.
    pub const UNKNOWN: Self = Self(u8::MAX);

    fn new(best: Turn, second: Turn) -> Self {
        Self(best | second << 4)
    }

    pub fn best(self) -> Turn {
        self.0 & 15
    }

    /// The policy's turn if the best one is redundant after the turn before it: the best of the turns that
    /// are not redundant.
    ///
    /// Which turn came before need not be known. If it makes the best turn redundant, it was the inverse of
    /// the best turn or, if half turns count, any turn of the same face. After all of these the same turns
    /// are redundant.
    pub fn second(self) -> Turn {
        self.0 >> 4
    }
}

impl GreedyPolicy<'_> {
    /// Ranks the turns in `state(0)`, `state(1)`, ... until `out` is full: at most [`MAX_ROWS`] states for
    /// each of `scratches`.
    pub fn rank(
        &self,
        state: impl Fn(usize) -> State + Sync,
        scratches: &mut [Scratch],
        out: &mut [RankedTurns],
    ) {
        let metric = self.space.metric();
        let count = metric.turns();
        let chunks = scratches.par_iter_mut().zip(out.par_chunks_mut(MAX_ROWS)).enumerate();
        chunks.with_max_len(1).for_each(|(i, (scratch, out))| {
            let first = i * MAX_ROWS;
            if self.network.predicts_distance() {
                for (k, out) in out.iter_mut().enumerate() {
                    let mut scores = [0.0; TURNS];
                    self.score_by_distance(state(first + k), &mut scores[..count]);
                    *out = rank_turns(&scores[..count], metric);
                }
            } else {
                let scores = self.network.infer((first..first + out.len()).map(&state), scratch);
                for (out, scores) in out.iter_mut().zip(scores.chunks_exact(count)) {
                    *out = rank_turns(scores, metric);
                }
            }
        });
    }

    /// Computes the score of each turn in one state.
    ///
    /// Shape of the result: `scores [turns]`.
    pub fn score(&self, state: State, scratch: &mut Scratch, scores: &mut [f32]) {
        if self.network.predicts_distance() {
            self.score_by_distance(state, scores);
        } else {
            scores.copy_from_slice(self.network.infer(std::iter::once(state), scratch));
        }
    }

    /// A turn's score is minus the estimated distance of the state it leads to.
    fn score_by_distance(&self, state: State, scores: &mut [f32]) {
        for (turn, score) in scores.iter_mut().enumerate() {
            let after = turns().after(state, turn as Turn);
            *score = -self.distances[self.space.node(after) as usize];
        }
    }
}

/// Ranks the turns of one state by their scores.
fn rank_turns(scores: &[f32], metric: Metric) -> RankedTurns {
    let best = best_turn(scores, |_| true);
    // The inverse of the best turn stands for all turns after which the best one is redundant.
    let second = best_turn(scores, |turn| !metric.is_redundant(inverse(best), turn));
    RankedTurns::new(best, second)
}

/// Returns the allowed turn with the highest score (the first of equals), or turn 0 if no turn is allowed.
pub fn best_turn(scores: &[f32], is_allowed: impl Fn(Turn) -> bool) -> Turn {
    let mut best: Option<(Turn, f32)> = None;
    for (turn, score) in scores.iter().enumerate() {
        if is_allowed(turn as Turn) && best.is_none_or(|(_, highest)| *score > highest) {
            best = Some((turn as Turn, *score));
        }
    }
    best.map_or(0, |(turn, _)| turn)
}

/// Returns the greedy policy's turn. `last` is the turn before it; `None` at the start.
pub fn greedy_turn(scores: &[f32], last: Option<Turn>, metric: Metric) -> Turn {
    best_turn(scores, |turn| last.is_none_or(|last| !metric.is_redundant(last, turn)))
}
