//! The samples of a minibatch: states of random walks, or states that value iteration contradicts itself at.

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_worlds::puzzle::{State, Turn};

use crate::config::CubeConfig;
use crate::large::focus::Focus;
use crate::large::network::Network;

/// A state of a walk.
#[derive(Clone, Copy)]
pub struct Sample {
    pub state: State,
    /// The last turn of the walk so far, and how many turns it has.
    pub turn: Turn,
    pub length: u32,
    /// The turn after that.
    pub next: Turn,
    /// The first of the neighbours to learn from.
    pub first_neighbour: u32,
}

/// The number of the first walk of an update.
pub fn first_walk(config: &CubeConfig, update: u64) -> u64 {
    update * u64::from(config.batch.div_ceil(config.scramble))
}

/// What the samples of a minibatch are drawn by. A minibatch has as many walks of `scramble` turns as it
/// takes; the last one may be cut.
pub struct Drawing<'a> {
    pub config: &'a CubeConfig,
    pub network: &'a Network,
    pub walks: Stream,
    pub neighbours: Stream,
    /// The states that were drawn by residual, which are the first samples of the minibatch.
    pub focus: Option<&'a Focus>,
    pub update: u64,
}

impl Drawing<'_> {
    /// Draws the samples `rows` of the minibatch.
    pub fn draw(&self, rows: Range<usize>, samples: &mut Vec<Sample>) {
        samples.clear();
        let focused = self.focus.map_or(0, Focus::drawn);
        for row in rows.start..rows.end.min(focused) {
            // Only the state counts for value iteration.
            let state = self.focus.map_or(State::default(), |focus| *focus.state(row));
            samples.push(Sample { state, turn: 0, length: 0, next: 0, first_neighbour: 0 });
        }
        if rows.end > focused {
            self.draw_walks(rows.start.max(focused)..rows.end, samples);
        }
    }

    /// Draws samples of walks.
    fn draw_walks(&self, rows: Range<usize>, samples: &mut Vec<Sample>) {
        let Self { config, network, walks, neighbours, update, .. } = self;
        let length = config.scramble as usize;
        for walk in rows.start / length..rows.end.div_ceil(length) {
            let first = walk * length;
            let end = length.min(rows.end - first);
            let mut row = first;
            let index = first_walk(config, *update) + walk as u64;
            // One turn more, which is the next one of the last sample.
            network.puzzle().walk(network.turns(), *walks, index, end + 1, |turn, state| {
                if row > rows.start.max(first)
                    && let Some(before) = samples.last_mut()
                {
                    before.next = turn;
                }
                if row >= rows.start && row < first + end {
                    samples.push(Sample {
                        state: *state,
                        turn,
                        length: (row - first + 1) as u32,
                        next: turn,
                        first_neighbour: neighbours.below(*update, row as u64, network.turns() as u32),
                    });
                }
                row += 1;
            });
        }
    }
}
