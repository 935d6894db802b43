//! The samples of a minibatch: states of random walks, or states with large Bellman residuals.

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_worlds::puzzle::{State, Turn};

use crate::config::CubeConfig;
use crate::large::network::Network;
use crate::large::residual_replay::ResidualReplay;

/// A state of a walk.
#[derive(Clone, Copy)]
pub struct Sample {
    pub state: State,
    /// The last turn of the walk so far.
    pub turn: Turn,
    /// How many turns the walk has so far.
    pub length: u32,
    /// The next turn of the walk, from this state.
    pub next: Turn,
    /// The turn that leads to the first of the neighbours that distillation learns from, see
    /// `NEIGHBOURS_PER_SAMPLE`.
    pub first_neighbour: u32,
}

/// The number of the first walk of an update.
pub fn first_walk(config: &CubeConfig, update: u64) -> u64 {
    update * u64::from(config.batch.div_ceil(config.scramble))
}

/// Draws the samples of a minibatch. A minibatch has as many walks of `scramble` turns as it takes; the last
/// one may be cut.
pub struct Sampler<'a> {
    pub config: &'a CubeConfig,
    pub network: &'a Network,
    pub walks: Stream,
    pub neighbours: Stream,
    /// The states that the replay buffer has drawn are the first samples of the minibatch.
    pub residual_replay: Option<&'a ResidualReplay>,
    pub update: u64,
}

impl Sampler<'_> {
    /// Draws the samples `rows` of the minibatch.
    pub fn draw(&self, rows: Range<usize>, samples: &mut Vec<Sample>) {
        samples.clear();
        let drawn_count = self.residual_replay.map_or(0, ResidualReplay::drawn);
        for row in rows.start..rows.end.min(drawn_count) {
            // Value iteration reads nothing but the state, so the other fields are zero.
            let state =
                self.residual_replay.map_or(State::default(), |residual_replay| *residual_replay.state(row));
            samples.push(Sample { state, turn: 0, length: 0, next: 0, first_neighbour: 0 });
        }
        if rows.end > drawn_count {
            self.draw_walks(rows.start.max(drawn_count)..rows.end, samples);
        }
    }

    /// Draws the samples `rows` of the minibatch from walks: row `i` is state `i % scramble` of walk
    /// `i / scramble`. Walks that `rows` cut are made from their beginning, without samples before `rows`.
    fn draw_walks(&self, rows: Range<usize>, samples: &mut Vec<Sample>) {
        let Self { config, network, walks, neighbours, update, .. } = self;
        let length = config.scramble as usize;
        for walk in rows.start / length..rows.end.div_ceil(length) {
            // The row of the walk's first state, and how many of its states come before the end of `rows`.
            let first = walk * length;
            let states = length.min(rows.end - first);
            let mut row = first;
            let index = first_walk(config, *update) + walk as u64;
            // The walk has one turn more than states, because the last sample needs its next turn too.
            network.puzzle().walk(network.turns(), *walks, index, states + 1, |turn, state| {
                // If the last sample is of this walk, this turn is its next one.
                if row > rows.start.max(first)
                    && let Some(before) = samples.last_mut()
                {
                    before.next = turn;
                }
                if row >= rows.start && row < first + states {
                    samples.push(Sample {
                        state: *state,
                        turn,
                        length: (row - first + 1) as u32,
                        // A placeholder: the next turn of the walk replaces it.
                        next: turn,
                        first_neighbour: neighbours.below(*update, row as u64, network.turns() as u32),
                    });
                }
                row += 1;
            });
        }
    }
}
