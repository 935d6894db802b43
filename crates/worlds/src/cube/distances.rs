//! The exact distance of every state of the 2x2x2 cube from the solved state, by breadth-first search. It
//! takes under a second, and is done once for each metric (which turns count as one).

use std::sync::OnceLock;

use super::state::{SOLVED, STATES, State};
use super::turns::{Metric, turns};

/// The distance of each state: the number of turns of an optimal solution. The maximum is called God's
/// number.
pub struct Distances {
    /// By state index.
    distances: Vec<u8>,
    /// The number of states at each distance.
    counts: Vec<u32>,
}

impl Distances {
    fn compute(metric: Metric) -> Self {
        // The array of neighbours has a fixed size, so the number of turns is a constant of the generated
        // code.
        const QUARTER_TURNS: usize = Metric::Quarter.turns();
        const ALL_TURNS: usize = Metric::Half.turns();
        match metric {
            Metric::Quarter => Self::breadth_first_search::<QUARTER_TURNS>(),
            Metric::Half => Self::breadth_first_search::<ALL_TURNS>(),
        }
    }

    /// Breadth-first search with the turns of index below `N`.
    fn breadth_first_search<const N: usize>() -> Self {
        const UNSEEN: u8 = u8::MAX;
        let turn_tables = turns();
        let mut distances = vec![UNSEEN; STATES];
        distances[SOLVED as usize] = 0;
        let mut counts = vec![1];
        // The states at the current distance, and the states one turn farther away.
        let (mut frontier, mut next_frontier) = (vec![SOLVED], Vec::new());
        while !frontier.is_empty() {
            let next_distance = counts.len() as u8;
            for state in &frontier {
                for neighbour in turn_tables.neighbours::<N>(*state) {
                    let distance = &mut distances[neighbour as usize];
                    if *distance == UNSEEN {
                        *distance = next_distance;
                        next_frontier.push(neighbour);
                    }
                }
            }
            if !next_frontier.is_empty() {
                counts.push(next_frontier.len() as u32);
            }
            std::mem::swap(&mut frontier, &mut next_frontier);
            next_frontier.clear();
        }
        Self { distances, counts }
    }

    /// The distance of `state`.
    pub fn of(&self, state: State) -> usize {
        usize::from(self.distances[state as usize])
    }

    /// The distance of every state, by state index.
    pub fn all(&self) -> &[u8] {
        &self.distances
    }

    /// The number of states at each distance.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
}

/// Returns the distances in a metric. The first call computes them.
pub fn distances(metric: Metric) -> &'static Distances {
    static QUARTER: OnceLock<Distances> = OnceLock::new();
    static HALF: OnceLock<Distances> = OnceLock::new();
    let table = match metric {
        Metric::Quarter => &QUARTER,
        Metric::Half => &HALF,
    };
    table.get_or_init(|| Distances::compute(metric))
}
