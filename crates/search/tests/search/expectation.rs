//! Looking one and two turns ahead, beside the definition and where every value is known.

use super::exact::Exact;
use super::fancy::{Fancy, fancied_after};
use super::race::{DIE, Left, Race, Turn};
use learnery_search::{Expectimax, Game, Plies};

fn plays(turn: &Turn) -> Vec<Left> {
    let mut plays = Vec::new();
    Race.plays(turn, &mut (), &mut plays);
    plays
}

/// What a play is worth by the definition, with Fancy's values after `plies` plies.
fn defined(left: &Left, plies: u32) -> f32 {
    if let Some(end) = Race.terminal_value(left) {
        return end;
    }
    if plies == 1 {
        return fancied_after(left);
    }
    let best = |turn: Turn| {
        plays(&turn).iter().map(|play| defined(play, plies - 1)).fold(f32::NEG_INFINITY, f32::max)
    };
    let mean: f32 = (0..3).map(|throw| DIE[throw] * best(Race.next_state(left, throw))).sum();
    if Race.passes_turn(left) { -mean } else { mean }
}

#[test]
fn plies_are_what_they_are_defined_as() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(11) {
        for (plies, depth) in [(Plies::One, 1), (Plies::Two { plays: 9 }, 2)] {
            let mut judge = Fancy::default();
            let best = search.search(&Race, &mut judge, &turn, plies);
            let expected: Vec<f32> = plays(&turn).iter().map(|play| defined(play, depth)).collect();
            assert_eq!((search.plays(), search.values()), (&plays(&turn)[..], &expected[..]));
            assert!(expected.iter().all(|value| *value <= expected[best]));
            // One question for the plays, and one for all answers to each.
            assert!(judge.batches.len() <= 1 + (depth as usize - 1) * expected.len());
        }
        let left = plays(&turn)[0];
        assert_eq!(search.after(&Race, &mut Fancy::default(), &left), defined(&left, 2));
    }
}

#[test]
fn only_the_plays_that_look_best_are_looked_into() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(11) {
        let best = search.search(&Race, &mut Fancy::default(), &turn, Plies::One);
        let one = search.values().to_vec();
        // With one play to look into, that is the one.
        assert_eq!(search.search(&Race, &mut Fancy::default(), &turn, Plies::Two { plays: 1 }), best);
        for (i, play) in plays(&turn).iter().enumerate() {
            let expected = if i == best { defined(play, 2) } else { one[i] };
            assert_eq!(search.values()[i], expected);
        }
    }
}

#[test]
fn who_knows_all_values_gives_nothing_away() {
    let mut search = Expectimax::default();
    for turn in Race::turns(8).into_iter().step_by(3) {
        for plies in [Plies::One, Plies::Two { plays: 9 }] {
            let best = search.search(&Race, &mut Exact, &turn, plies);
            let found = search.values()[best];
            assert!((found - Race.exact(&turn)).abs() < 1e-5, "{plies:?} {turn:?}");
            assert!((Race.exact_after(&search.plays()[best]) - Race.exact(&turn)).abs() < 1e-5);
        }
    }
}
