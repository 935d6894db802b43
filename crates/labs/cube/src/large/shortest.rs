//! Whether a short solution is a shortest one, by trying all shorter ones.

use learnery_worlds::puzzle::{Puzzle, State, Turn};

use super::search::count;
use crate::config::TurnMetric;

/// The most turns of a solution about which this is decided. For one of five turns, all sequences of at most
/// four are tried, which takes milliseconds even where half turns count as one. Each further turn takes some
/// fifteen times as long.
const MAX_DECIDED_TURNS: usize = 5;

/// Whether this solution of a state is known to be a shortest one. False for a solution of more than
/// [`MAX_DECIDED_TURNS`] turns, although it may be a shortest one too.
pub fn is_shortest(puzzle: &Puzzle, start: &State, solution: &[Turn], metric: TurnMetric) -> bool {
    let length = count(puzzle, solution, metric);
    if length > MAX_DECIDED_TURNS {
        return false;
    }
    let turns = match metric {
        TurnMetric::Quarter => puzzle.quarter_turns(),
        TurnMetric::Half => puzzle.turns(),
    };
    length == 0 || !is_solved_within(puzzle, start, length - 1, turns, None)
}

/// Whether at most `depth` of the first `turns` turns solve a state. `last` is the turn that led to it.
fn is_solved_within(puzzle: &Puzzle, state: &State, depth: usize, turns: usize, last: Option<Turn>) -> bool {
    if *state == puzzle.solved() {
        return true;
    }
    let is_useful = |turn: &Turn| last.is_none_or(|last| !puzzle.is_redundant(turns, last, *turn));
    depth > 0
        && (0..turns as Turn)
            .filter(is_useful)
            .any(|turn| is_solved_within(puzzle, &puzzle.after(state, turn), depth - 1, turns, Some(turn)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_solutions_are_decided() {
        let puzzle = Puzzle::cube(3);
        let decide = |scramble: &str, solution: &str, metric| {
            let turns = |text| puzzle.parse(text).expect("turns");
            let start = puzzle.after_all(&puzzle.solved(), &turns(scramble));
            assert_eq!(puzzle.after_all(&start, &turns(solution)), puzzle.solved(), "{solution}");
            is_shortest(&puzzle, &start, &turns(solution), metric)
        };
        for (scramble, solution, quarter, half) in [
            ("", "", true, true),
            ("R U", "U' R'", true, true),
            ("R U", "U2 U R'", true, true),
            ("F2", "F' F'", true, true),
            ("R L R' L'", "", true, true),
            ("R U F D", "D' F' U' R'", true, true),
            ("R U F D L", "L' D' F' U' R'", true, true),
            // Five half turns are ten quarter turns: not decided.
            ("R2 U2 F2 D2 L2", "L2 D2 F2 U2 R2", false, true),
            ("R U F D L B", "B' L' D' F' U' R'", false, false),
        ] {
            assert_eq!(decide(scramble, solution, TurnMetric::Quarter), quarter, "{solution}, quarter turns");
            assert_eq!(decide(scramble, solution, TurnMetric::Half), half, "{solution}, half turns");
        }
        let start = puzzle.after_all(&puzzle.solved(), &puzzle.parse("R U F").expect("turns"));
        assert!(is_solved_within(&puzzle, &start, 3, puzzle.turns(), None));
        assert!(!is_solved_within(&puzzle, &start, 2, puzzle.turns(), None));
    }
}
