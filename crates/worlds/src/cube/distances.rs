//! The exact distance of every state from the solved one, by breadth-first search.

use std::sync::OnceLock;

use super::state::{SOLVED, STATES, State};
use super::turns::{Metric, turns};

/// The number of turns that an optimal solution of each state has (God's number is the maximum).
pub struct Distances {
    of: Vec<u8>,
    /// The number of states at each distance.
    counts: Vec<u32>,
}

impl Distances {
    fn search(metric: Metric) -> Self {
        match metric {
            Metric::Quarter => Self::breadth_first::<6>(),
            Metric::Half => Self::breadth_first::<9>(),
        }
    }

    fn breadth_first<const N: usize>() -> Self {
        const UNSEEN: u8 = u8::MAX;
        let turns = turns();
        let mut of = vec![UNSEEN; STATES];
        of[SOLVED as usize] = 0;
        let mut counts = vec![1];
        let (mut layer, mut next) = (vec![SOLVED], Vec::new());
        while !layer.is_empty() {
            let distance = counts.len() as u8;
            for state in &layer {
                for neighbour in turns.neighbours::<N>(*state) {
                    let place = &mut of[neighbour as usize];
                    if *place == UNSEEN {
                        *place = distance;
                        next.push(neighbour);
                    }
                }
            }
            if !next.is_empty() {
                counts.push(next.len() as u32);
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        Self { of, counts }
    }

    pub fn of(&self, state: State) -> usize {
        usize::from(self.of[state as usize])
    }

    /// The distance of every state, by index.
    pub fn all(&self) -> &[u8] {
        &self.of
    }

    /// The number of states at each distance.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
}

/// The distances in a metric, computed at the first call.
pub fn distances(metric: Metric) -> &'static Distances {
    static QUARTER: OnceLock<Distances> = OnceLock::new();
    static HALF: OnceLock<Distances> = OnceLock::new();
    let place = match metric {
        Metric::Quarter => &QUARTER,
        Metric::Half => &HALF,
    };
    place.get_or_init(|| Distances::search(metric))
}
