//! Tests of expectimax against its recursive definition and with exact values. The game is the small race of
//! `race.rs`: a play has at most two alternatives, and a die has three faces.

use super::exact_evaluator::ExactEvaluator;
use super::race::{DIE, Play, Race, Turn};
use super::random_evaluator::{RandomEvaluator, random_afterstate_value};
use learnery_search::{Expectimax, Game, Plies};

fn plays(turn: &Turn) -> Vec<Play> {
    let mut plays = Vec::new();
    Race.plays(turn, &mut (), &mut plays);
    plays
}

/// The value of a play by the recursive definition, with [`RandomEvaluator`] at the leaves.
fn recursive_value(play: &Play, plies: u32) -> f32 {
    if let Some(value) = Race.terminal_value(play) {
        return value;
    }
    if plies == 1 {
        return random_afterstate_value(play);
    }
    // The value of a state for the side to move.
    let best = |turn: Turn| {
        plays(&turn).iter().map(|play| recursive_value(play, plies - 1)).fold(f32::NEG_INFINITY, f32::max)
    };
    let mean: f32 = (0..3).map(|roll| DIE[roll] * best(Race.next_state(play, roll))).sum();
    if Race.passes_turn(play) { -mean } else { mean }
}

#[test]
fn expectimax_agrees_with_its_recursive_definition() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(11) {
        // 9 is more than the plays of any state, so none is filtered.
        for (plies, depth) in [(Plies::One, 1), (Plies::Two { plays: 9 }, 2)] {
            let mut evaluator = RandomEvaluator::default();
            let best = search.search(&Race, &mut evaluator, &turn, plies);
            let expected: Vec<f32> = plays(&turn).iter().map(|play| recursive_value(play, depth)).collect();
            assert_eq!((search.plays(), search.values()), (&plays(&turn)[..], &expected[..]));
            assert!(expected.iter().all(|value| *value <= expected[best]));
            // One batch for the plays, and one for all replies to each of them.
            assert!(evaluator.batch_sizes.len() <= 1 + (depth as usize - 1) * expected.len());
        }
        let play = plays(&turn)[0];
        assert_eq!(
            search.value_after(&Race, &mut RandomEvaluator::default(), &play),
            recursive_value(&play, 2)
        );
    }
}

#[test]
fn expectimax_searches_only_the_filtered_plays() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(11) {
        let best = search.search(&Race, &mut RandomEvaluator::default(), &turn, Plies::One);
        let one_ply_values = search.values().to_vec();
        // If only one play is searched, it is the result.
        assert_eq!(
            search.search(&Race, &mut RandomEvaluator::default(), &turn, Plies::Two { plays: 1 }),
            best
        );
        for (i, play) in plays(&turn).iter().enumerate() {
            let expected = if i == best { recursive_value(play, 2) } else { one_ply_values[i] };
            assert_eq!(search.values()[i], expected);
        }
    }
}

#[test]
fn expectimax_with_exact_values_plays_perfectly() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(3) {
        for plies in [Plies::One, Plies::Two { plays: 9 }] {
            let best = search.search(&Race, &mut ExactEvaluator, &turn, plies);
            let found = search.values()[best];
            assert!((found - Race.exact(&turn)).abs() < 1e-5, "{plies:?} {turn:?}");
            assert!((Race.exact_after(&search.plays()[best]) - Race.exact(&turn)).abs() < 1e-5);
        }
    }
}
