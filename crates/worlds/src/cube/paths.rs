//! Shortest solutions of the 2x2x2 cube, by turns that each lower the exact distance from solved.

use super::distances::distances;
use super::state::State;
use super::turns::{Metric, Turn, turns};

/// Returns a shortest solution. Of several, it is the first in lexicographic order of the turns' indices.
pub fn shortest_solution(mut state: State, metric: Metric) -> Vec<Turn> {
    let (turn_tables, known) = (turns(), distances(metric));
    let mut path = Vec::with_capacity(known.of(state));
    while known.of(state) > 0 {
        let nearer = (0..metric.turns() as Turn)
            .map(|turn| (turn, turn_tables.after(state, turn)))
            .find(|(_, after)| known.of(*after) < known.of(state));
        // There always is such a turn, because the distances are exact.
        let Some((turn, after)) = nearer else { break };
        path.push(turn);
        state = after;
    }
    path
}
