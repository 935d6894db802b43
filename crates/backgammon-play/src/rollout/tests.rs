//! Rollouts of positions with known values, and what must not change them.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::*;
use crate::Worth;
use crate::outcomes::Outcomes;
use crate::players::{Lookahead, LookaheadPlayer};
use crate::test_evaluator::TestEvaluator;

/// Values differ so little that many plays are close enough to the best one to be candidates.
const EVALUATOR: TestEvaluator = TestEvaluator { spread: 0.1 };

/// Both sides with checkers on these (point, checkers), the rest borne off.
fn board_with(own: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
    let side = |list: &[(usize, u8)]| {
        let mut places = [0; 26];
        list.iter().for_each(|(point, n)| places[*point] = *n);
        places
    };
    Board::new(&side(own), &side(other)).expect("a legal board")
}

fn never() -> bool {
    false
}

/// Rolls out to the end.
fn rolled_out(board: &Board, dice: Option<Dice>, options: RolloutOptions) -> Rollout {
    let mut rollout = Rollout::new(&EVALUATOR, board, dice, options).expect("good options");
    while rollout.ending().is_none() {
        rollout.step(&EVALUATOR, u64::MAX, &never, &mut |_| {});
    }
    rollout
}

/// Races whose best plays do not depend on the opponent, so that the bear-off database is exact.
#[test]
fn small_races_have_their_exact_values() {
    let options = RolloutOptions { bear_off: false, games: 2592, ..RolloutOptions::default() };
    for (own, other) in [
        (&[(6, 1), (5, 1)][..], &[(6, 1), (4, 1)][..]),
        (&[(2, 2)], &[(1, 1)]),
        (&[(1, 5)], &[(1, 5)]),
        // The side on roll may win a gammon.
        (&[(1, 4)], &[(1, 15)]),
        (&[(6, 2)], &[(1, 13), (2, 2)]),
    ] {
        let board = board_with(own, other);
        let exact = BearOff::table().outcomes(&board).expect("a race at home").map(f64::from);
        let exact_equity = f64::from(Outcomes(exact.map(|p| p as f32)).equity());
        let rollout = rolled_out(&board, None, options);
        let plain = rollout.plain(0);
        // Three standard errors, for five positions of six means each; none where a mean cannot vary.
        let agrees = |found: f64, exact: f64, error: f64| (found - exact).abs() < 3.0 * error + 1e-6;
        assert!(agrees(plain.equity, exact_equity, plain.error), "{own:?} {other:?}: {plain:?} {exact:?}");
        for (i, exact) in exact.iter().enumerate() {
            assert!(agrees(plain.chances[i], *exact, plain.chance_errors[i]), "{own:?} {i}: {plain:?}");
        }
        // The plays are valued by the same database, so nothing is left but luck, and all of it is
        // subtracted.
        let reduced = rollout.estimates()[0];
        assert!(
            (reduced.equity - exact_equity).abs() < 1e-5 && reduced.error < 1e-5,
            "{own:?} {other:?}: {reduced:?} {exact_equity}"
        );
        // With the database every game ends at once.
        let at_once = rolled_out(&board, None, RolloutOptions { games: 3, ..options.with_bear_off() });
        assert!((at_once.estimates()[0].equity - exact_equity).abs() < 1e-6 && at_once.games() == 3);
    }
}

/// Luck has a mean of zero even if the evaluator knows nothing, so both means estimate the same value.
#[test]
fn subtracted_luck_leaves_the_mean() {
    for truncate in [Some(1), Some(6), None] {
        let options = RolloutOptions { games: 1296, truncate, ..RolloutOptions::default() };
        let rollout = rolled_out(&board_with(&[(13, 5), (6, 5)], &[(8, 4), (1, 2)]), None, options);
        let (plain, reduced) = (rollout.plain(0), rollout.estimates()[0]);
        let error = plain.error.hypot(reduced.error);
        assert!((plain.equity - reduced.equity).abs() < 3.0 * error, "{truncate:?}: {plain:?} {reduced:?}");
        assert!(error > 0.0);
    }
    // After one roll the evaluator's value is what luck is measured by, so all games have the mean over the
    // rolls.
    let options = RolloutOptions { games: 72, truncate: Some(1), ..RolloutOptions::default() };
    let rollout = rolled_out(&Board::START, None, options);
    assert!(rollout.estimates()[0].error < 1e-6 && rollout.plain(0).error > 1e-5);
    let mut player = LookaheadPlayer::new(&EVALUATOR, Lookahead { plies: 1 });
    let value = player.value(&EVALUATOR, &Board::START);
    assert!((rollout.estimates()[0].equity - f64::from(value.equity())).abs() < 1e-5);
}

#[test]
fn result_does_not_depend_on_threads_or_stops() {
    let options = RolloutOptions { games: 230, truncate: Some(5), ..RolloutOptions::default() };
    let dice = Dice::new(3, 1);
    let on_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| rolled_out(&Board::START, dice, options).tally)
    };
    let expected = on_threads(1);
    assert_eq!((expected.games(), on_threads(3) == expected), (230, true));

    // Stopped again and again, after more and more turns.
    let mut rollout = Rollout::new(&EVALUATOR, &Board::START, dice, options).expect("good options");
    let mut stops = 0;
    for allowed in (0..).step_by(700) {
        let turns = AtomicU64::new(0);
        rollout.step(&EVALUATOR, u64::MAX, &|| turns.fetch_add(1, Ordering::Relaxed) >= allowed, &mut |_| {});
        stops += u32::from(rollout.ending().is_none());
        if rollout.ending().is_some() {
            break;
        }
    }
    assert!(stops > 2);
    assert!(rollout.tally == expected);
    // A few games at a time.
    let mut sliced = Rollout::new(&EVALUATOR, &Board::START, dice, options).expect("good options");
    while sliced.ending().is_none() {
        sliced.step(&EVALUATOR, 7, &never, &mut |_| {});
    }
    assert!(sliced.tally == expected);
    // Nothing is played any more once it has ended.
    rollout.step(&EVALUATOR, u64::MAX, &never, &mut |_| {});
    assert!(rollout.tally == expected);
}

#[test]
fn lookahead_plays_too() {
    let board = board_with(&[(7, 2), (3, 2)], &[(8, 1), (2, 3)]);
    let options = RolloutOptions { games: 36, truncate: Some(3), plies: 1, ..RolloutOptions::default() };
    let ahead = rolled_out(&board, None, options);
    let without = rolled_out(&board, None, RolloutOptions { plies: 0, ..options });
    assert_ne!(ahead.estimates(), without.estimates());
    assert!(ahead.estimates()[0].equity.abs() < 3.0);
}

#[test]
fn rollout_ends_at_an_error_or_a_difference() {
    let far = RolloutOptions { games: 1_000_000, truncate: Some(3), ..RolloutOptions::default() };
    let options = RolloutOptions { until_error: Some(0.02), ..far };
    let rollout = rolled_out(&Board::START, None, options);
    assert_eq!(rollout.ending(), Some(Ending::Error));
    assert!(rollout.estimates()[0].error < 0.02 && rollout.games().is_multiple_of(GAMES_PER_CHECK));
    // With a 2 and a 1, the last two checkers can be borne off from points 2 and 1. That play wins the game,
    // so it is the only candidate.
    let options = RolloutOptions { until_difference: Some(3.0), bear_off: false, games: 432, ..far };
    let rollout = rolled_out(&board_with(&[(2, 1), (1, 1)], &[(1, 2)]), Dice::new(2, 1), options);
    assert_eq!(rollout.candidates.len(), 1);
    assert_eq!(rollout.estimates()[0].equity, 1.0);
    // One play has no other to be ahead of.
    assert_eq!((rollout.games(), rollout.ending()), (432, Some(Ending::Games)));
    let options = RolloutOptions { until_difference: Some(1e-6), games: 1440, ..far };
    let rollout = rolled_out(&Board::START, Dice::new(3, 1), options);
    assert_eq!((rollout.games(), rollout.ending()), (GAMES_PER_CHECK, Some(Ending::Difference)));
    let plays = rolled_out(&Board::START, Dice::new(3, 1), RolloutOptions { games: 36, ..far });
    assert!(plays.candidates.len() > 1 && plays.candidates.len() <= 8);
    let (text, json) = (plays.text(), plays.json());
    assert!(text.starts_with("36 games from each play: all games played\ntruncated after 3 rolls"), "{text}");
    let best = &json["candidates"][0];
    assert_eq!((&best["behind"], json["ended"].as_str()), (&json!(0.0), Some("games")));
    assert!(text.contains(best["play"].as_str().expect("a play")), "{text} {json}");
}

#[test]
fn every_game_is_counted_in_order() {
    let options = RolloutOptions { games: 50, truncate: Some(1), ..RolloutOptions::default() };
    let mut rollout = Rollout::new(&EVALUATOR, &Board::START, None, options).expect("good options");
    let mut seen = Vec::new();
    rollout.step(&EVALUATOR, u64::MAX, &never, &mut |so_far| seen.push(so_far.games()));
    assert_eq!(seen, (1..=50).collect::<Vec<_>>());
}

#[test]
fn impossible_options_are_refused_in_a_sentence() {
    let good = RolloutOptions::default();
    for (options, words) in [
        (RolloutOptions { games: 0, ..good }, "0 games"),
        (RolloutOptions { games: u64::MAX, ..good }, "expected 1 to 100000000"),
        (RolloutOptions { truncate: Some(0), ..good }, "after 0 rolls"),
        (RolloutOptions { truncate: Some(u32::MAX), ..good }, "expected 1 to 4096"),
        (RolloutOptions { plies: 3, ..good }, "3 plies"),
        (RolloutOptions { until_error: Some(f64::NAN), ..good }, "above 0"),
        (RolloutOptions { until_error: Some(-1.0), ..good }, "above 0"),
        (RolloutOptions { until_difference: Some(f64::INFINITY), ..good }, "above 0"),
        (RolloutOptions { until_difference: Some(2.0), ..good }, "expected dice"),
    ] {
        let refused = Rollout::new(&EVALUATOR, &Board::START, None, options).err();
        assert!(refused.as_ref().is_some_and(|e| e.contains(words)), "{words}: {refused:?}");
    }
}

impl RolloutOptions {
    fn with_bear_off(self) -> Self {
        Self { bear_off: true, ..self }
    }
}

/// A gammon that counts nothing is not played for, and both sides know it: the equity is that of wins alone.
#[test]
fn worth_chooses_plays_and_scales_equities() {
    let options = RolloutOptions { games: 72, truncate: Some(4), ..RolloutOptions::default() };
    let money = rolled_out(&Board::START, Dice::new(6, 4), options);
    let dmp = RolloutOptions { worth: Worth::DOUBLE_MATCH_POINT, ..options };
    let rollout = rolled_out(&Board::START, Dice::new(6, 4), dmp);
    for estimate in rollout.estimates() {
        assert!((estimate.equity - (2.0 * estimate.chances[0] - 1.0)).abs() < 1e-9, "{estimate:?}");
    }
    assert_ne!(money.estimates()[0].chances, rollout.estimates()[0].chances);
    // What gammons count for either side decides which plays are the best. `Dice::ALL[3]` is the roll 3 1.
    let plays = |worth: Worth| best_at_one_ply(&EVALUATOR, &Board::START, Dice::ALL[3], worth, 5, 1.0);
    assert!(plays(Worth::GAMMON_GO) != plays(Worth::GAMMON_SAVE) && plays(Worth::MONEY).len() == 5);
    assert_eq!(
        plays(Worth::MONEY)[..2],
        best_at_one_ply(&EVALUATOR, &Board::START, Dice::ALL[3], Worth::MONEY, 2, 1.0)
    );
    let ahead = RolloutOptions { plies: 1, ..dmp };
    assert!(Rollout::new(&EVALUATOR, &Board::START, None, ahead).is_err_and(|e| e.contains("0 plies")));
}

/// A candidate that is given up changes nothing for the others.
#[test]
fn candidates_are_given_up() {
    let options = RolloutOptions { games: 72, truncate: Some(2), ..RolloutOptions::default() };
    let whole = rolled_out(&Board::START, Dice::new(6, 4), options);
    let mut part = Rollout::new(&EVALUATOR, &Board::START, Dice::new(6, 4), options).expect("good options");
    part.step(&EVALUATOR, 36, &never, &mut |_| {});
    part.retain(&|i| i == 1);
    part.step(&EVALUATOR, 36, &never, &mut |_| {});
    assert_eq!((part.candidates(), part.candidate(0)), (1, whole.candidate(1)));
    assert_eq!(part.estimates()[0], whole.estimates()[1]);
}
