//! Optimal solutions: descend the table of exact distances.

use super::distances::distances;
use super::state::State;
use super::turns::{Metric, Turn, turns};

/// Returns the optimal solution that is lexicographically first by turn index.
pub fn shortest_solution(mut state: State, metric: Metric) -> Vec<Turn> {
    let (turns, distances) = (turns(), distances(metric));
    let mut path = Vec::with_capacity(distances.of(state));
    while distances.of(state) > 0 {
        let nearer = (0..metric.turns() as Turn)
            .map(|turn| (turn, turns.after(state, turn)))
            .find(|(_, after)| distances.of(*after) < distances.of(state));
        let Some((turn, after)) = nearer else { break };
        path.push(turn);
        state = after;
    }
    path
}
