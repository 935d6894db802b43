//! Known reference positions and properties of the cube model.

use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::matches::{CubeOwner, LONGEST_MATCH, NextGame, Scoring, Stakes};
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::payoffs::opposite;
use super::player::with_double;
use super::*;
use crate::outcomes::Outcomes;
use crate::test_evaluator::TestEvaluator;

fn shared_table() -> &'static MatchEquityTable {
    MatchEquityTable::shared()
}

/// Chances without gammons.
fn chances(win: f64) -> Outcomes {
    Outcomes([win as f32, 0.0, 0.0, 0.0, 0.0])
}

fn match_play(own: u32, other: u32) -> Stakes {
    Stakes::match_play(own, other, false).expect("a possible score")
}

/// A decision without lookahead, from cubeless chances and a cube life.
fn decision(stakes: &Stakes, outcomes: &Outcomes, life: f64) -> Decision {
    let utility = |stakes: &Stakes| cubeful(shared_table(), stakes, outcomes, life);
    let taken = stakes.no_double().is_none().then(|| utility(&stakes.doubled()));
    Decision::new(shared_table(), stakes, utility(stakes), taken)
}

/// The chance of the side on roll above which the other side passes.
fn cash_point(stakes: &Stakes, life: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Bisection: 40 halvings reach the precision of the tests.
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        match decision(stakes, &chances(middle), life).response() {
            Some((Response::Pass, _)) => high = middle,
            _ => low = middle,
        }
    }
    low
}

#[test]
fn take_points_for_money_are_the_classical_ones() {
    // Without gammons one may take with 25 % if the cube is dead and with 20 % if it is live. A cube whose
    // life is between the two has a take point between the two.
    for (life, take_point) in [(0.0, 0.25), (1.0, 0.2)] {
        let found = 1.0 - cash_point(&Stakes::money(false, false), life);
        assert!((found - take_point).abs() < 1e-6, "life {life}: {found}");
    }
    let found = 1.0 - cash_point(&Stakes::money(false, false), 0.68);
    assert!((0.2..0.25).contains(&found), "{found}");
}

#[test]
fn live_cube_gives_janowskis_utilities() {
    // Without gammons, a position with a live cube of 1 in the middle is worth -1 at 20 %, 0 at 50 % and 1 at
    // 80 %. With one's own cube of 2 it is worth -2 at 0 % and 2 at 80 %, so 0 at 40 %.
    let centred = Stakes::money(false, false);
    let own = centred.doubled().flipped();
    for (stakes, win, points) in [
        (centred, 0.2, -1.0),
        (centred, 0.35, -0.5),
        (centred, 0.5, 0.0),
        (centred, 0.8, 1.0),
        (own, 0.8, 2.0),
        (own, 0.4, 0.0),
        (own.flipped(), 0.2, -2.0),
        (own.flipped(), 1.0, 2.0),
    ] {
        let found = cubeful(shared_table(), &stakes, &chances(win), 1.0);
        assert!((found - points).abs() < 1e-6, "{stakes:?} {win}: {found}");
    }
}

#[test]
fn last_roll_cube_in_a_match_has_the_take_points_of_the_table() {
    // With two points to go on both sides a double kills the cube, and the winner of the game wins the match.
    // A pass leads to the Crawford game at 2 away, 1 away, so one takes whenever the chance is above that
    // score's.
    let take_point = 1.0 - cash_point(&match_play(2, 2), 0.0);
    assert!((take_point - shared_table().before_crawford(2, 1)).abs() < 1e-6, "{take_point}");
    assert!((0.3..0.34).contains(&take_point), "{take_point}");
    // The leader at 2 away, 3 away who is doubled to 2 and may not use the cube risks the match.
    let stakes = match_play(3, 2);
    let pass = 1.0 - shared_table().before_crawford(2, 2);
    let take_point = 1.0 - cash_point(&stakes, 0.0);
    // The loser of 2 points needs 2 while the other needs 1.
    let lost = 1.0 - shared_table().before_crawford(1, 2);
    assert!((take_point - (pass - lost) / (1.0 - lost)).abs() < 1e-6, "{take_point}");
}

#[test]
fn verdicts_follow_the_utilities() {
    let money = Stakes::money(false, true);
    let verdict = |no_double, taken| Decision::new(shared_table(), &money, no_double, Some(taken)).best();
    for (no_double, taken, action, response) in [
        (0.5, 0.6, Action::Double, Response::Take),
        (0.5, 0.4, Action::NoDouble, Response::Take),
        (0.9, 1.1, Action::Double, Response::Pass),
        (1.05, 1.3, Action::TooGood, Response::Pass),
        (1.05, 0.9, Action::TooGood, Response::Take),
        (0.1, -0.2, Action::NoDouble, Response::Beaver),
    ] {
        assert_eq!(verdict(no_double, taken), Some((action, response)), "{no_double} {taken}");
    }
    // Without beavers a bad double is only taken.
    let decision = Decision::new(shared_table(), &Stakes::money(false, false), 0.1, Some(-0.2));
    assert_eq!(decision.best(), Some((Action::NoDouble, Response::Take)));
    // Who owns no cube decides nothing.
    assert_eq!(Decision::new(shared_table(), &money, 0.1, None).best(), None);
}

#[test]
fn trailing_side_doubles_at_once_after_the_crawford_game() {
    for away in 2..=7 {
        for win in [0.1, 0.3, 0.5] {
            for life in [0.0, 0.5, 1.0] {
                let (action, _) =
                    decision(&match_play(away, 1), &chances(win), life).best().expect("a decision");
                assert_eq!(action, Action::Double, "{away} away, {win}, life {life}");
            }
        }
    }
}

#[test]
fn cubeful_utility_is_symmetric_and_grows_with_the_chance_to_win() {
    let stream = Stream::new(9, 0);
    for case in 0..400 {
        let word = |k: u64, n: u32| stream.below(case, k, n);
        let base = match word(0, 4) {
            0 => Stakes::money(word(1, 2) == 0, false),
            _ => match_play(1 + word(2, 25), 1 + word(3, 25)),
        };
        // The base-2 logarithm of the cube. A cube of 1 is in the middle.
        let log = word(4, 4) as u8;
        let owner = match (log, word(5, 2)) {
            (0, _) => CubeOwner::Centred,
            (_, 0) => CubeOwner::Own,
            _ => CubeOwner::Other,
        };
        let stakes = base.with_cube(log, owner).expect("possible");
        let life = f64::from(word(6, 11)) / 10.0;
        let share = |k: u64| f64::from(word(k, 8)) / 10.0;
        let (gammons, lost_gammons) = (share(7), share(8));
        let mut last = f64::NEG_INFINITY;
        for step in 0..=50 {
            let win = f64::from(step) / 50.0;
            let [gammon, lost] = [win * gammons, (1.0 - win) * lost_gammons];
            let outcomes = Outcomes([win, gammon, gammon / 5.0, lost, lost / 5.0].map(|p| p as f32));
            let utility = cubeful(shared_table(), &stakes, &outcomes, life);
            assert!(utility >= last - 1e-5, "{stakes:?} {win}: {utility} after {last}");
            last = utility;
            let other = cubeful(shared_table(), &stakes.flipped(), &outcomes.flipped(), life);
            assert!(
                (opposite(&stakes, other) - utility).abs() < 1e-5,
                "{stakes:?} {win}: {utility}, from the other side {other}"
            );
        }
    }
}

#[test]
fn match_equity_table_is_symmetric_and_monotonic() {
    let table = shared_table();
    assert_eq!(table.after_crawford(1), 0.5);
    for own in 1..=LONGEST_MATCH {
        assert!(
            own == 1 || table.after_crawford(own) < table.after_crawford(own - 1),
            "{own} after Crawford"
        );
        for other in 1..=LONGEST_MATCH {
            let chance = table.before_crawford(own, other);
            assert!(chance > 0.0 && chance < 1.0);
            assert!((chance + table.before_crawford(other, own) - 1.0).abs() < 1e-12);
            if own > 1 {
                assert!(chance < table.before_crawford(own - 1, other), "{own} {other}");
            }
        }
    }
    let ended = |won| table.chance(NextGame::MatchOver { won });
    assert_eq!((ended(true), ended(false)), (1.0, 0.0));
    // At 1 away, 3 away the Crawford game is worth less to the trailing side than the game after it.
    let score = |crawford| table.chance(NextGame::Score { own_away: 3, other_away: 1, crawford });
    assert!(score(true) < score(false));
    let leading = NextGame::Score { own_away: 1, other_away: 3, crawford: false };
    assert!((table.chance(leading) - (1.0 - score(false))).abs() < 1e-12);
}

/// A side with the listed (place, checkers); the rest of its fifteen checkers are off.
fn side(list: &[(usize, u8)]) -> [u8; 26] {
    let mut places = [0; 26];
    list.iter().for_each(|(place, n)| places[*place] = *n);
    places
}

/// A player whose evaluator is exact in positions of the bear-off table and knows nothing elsewhere.
fn with_player<T>(plies: u8, act: impl FnOnce(&mut CubePlayer<()>, &TestEvaluator) -> T) -> T {
    let evaluator = TestEvaluator { spread: 0.0 };
    act(&mut CubePlayer::new(&evaluator, plies), &evaluator)
}

#[test]
fn last_roll_is_decided_exactly() {
    // Checkers on points 5 and 2 are off with 19 of 36 rolls; the other side then bears off its last checker.
    let board = Board::new(&side(&[(5, 1), (2, 1)]), &side(&[(1, 1)])).expect("a good board");
    let win = 19.0 / 36.0;
    for plies in 0..=2 {
        let stakes = Stakes::money(false, false);
        let analysis =
            with_player(plies, |player, evaluator| Analysis::new(player, evaluator, &board, &stakes));
        let decision = analysis.decision;
        assert!((decision.no_double - (2.0 * win - 1.0)).abs() < 1e-5, "{plies}: {decision:?}");
        assert!((decision.double_take.unwrap_or(0.0) - 2.0 * (2.0 * win - 1.0)).abs() < 1e-5, "{decision:?}");
        assert_eq!(analysis.verdict(), "Double, take");
        // At 2 away, 2 away the winner of a doubled game wins the match.
        let analysis = with_player(plies, |player, evaluator| {
            Analysis::new(player, evaluator, &board, &match_play(2, 2))
        });
        assert!((analysis.decision.double_take.unwrap_or(0.0) - win).abs() < 1e-6);
        let lead = shared_table().before_crawford(1, 2);
        let no_double = win * lead + (1.0 - win) * (1.0 - lead);
        assert!((analysis.decision.no_double - no_double).abs() < 1e-6);
        assert_eq!(analysis.verdict(), "Double, take");
    }
    // With two checkers on the ace point the side on roll has won: a double is passed, and one point is all
    // there is.
    let won = Board::new(&side(&[(1, 2)]), &side(&[(1, 1)])).expect("a good board");
    let analysis = with_player(0, |player, evaluator| {
        Analysis::new(player, evaluator, &won, &Stakes::money(false, false))
    });
    assert_eq!(analysis.verdict(), "Double, pass");
}

/// The utility of the best action, or of rolling now, by full recursion to the end of the game.
fn exact(board: &Board, stakes: &Stakes, may_act: bool) -> f64 {
    let payoffs = Payoffs::new(shared_table(), stakes);
    if let Some(points) = board.result() {
        let index = points.unsigned_abs() as usize - 1;
        return if points > 0 { payoffs.won[index] } else { payoffs.lost[index] };
    }
    if may_act && stakes.no_double().is_none() {
        let doubled = exact(board, &stakes.doubled(), false).min(payoffs.cash);
        return doubled.max(exact(board, stakes, false));
    }
    let mut plays = Plays::new();
    let mut sum = 0.0;
    for dice in Dice::ALL {
        plays.find(board, dice);
        let after = |board: Board| opposite(stakes, exact(&board, &stakes.flipped(), true));
        let best = plays.iter().map(after).fold(f64::NEG_INFINITY, f64::max);
        sum += f64::from(dice.ways()) / 36.0 * best;
    }
    sum
}

#[test]
fn two_roll_positions_agree_with_full_recursion() {
    let cases = [
        (side(&[(1, 3)]), side(&[(1, 3)])),
        (side(&[(6, 1), (3, 1)]), side(&[(4, 1), (2, 1)])),
        (side(&[(5, 2)]), side(&[(1, 4)])),
        (side(&[(2, 3)]), side(&[(6, 1), (1, 1)])),
    ];
    let all_stakes = [
        Stakes::money(false, false),
        Stakes::money(false, false).doubled().flipped(),
        match_play(3, 4),
        match_play(5, 2),
        match_play(2, 1),
    ];
    for (own, other) in cases {
        let board = Board::new(&own, &other).expect("a good board");
        for stakes in all_stakes {
            let analysis =
                with_player(2, |player, evaluator| Analysis::new(player, evaluator, &board, &stakes));
            let exact_values = [stakes, stakes.doubled()].map(|stakes| exact(&board, &stakes, false));
            let decision = analysis.decision;
            let found = [Some(decision.no_double), decision.double_take];
            for (expected, found) in exact_values.into_iter().zip(found) {
                let difference = analysis.equity(found.expect("a decision")) - analysis.equity(expected);
                // Two plies see to the end unless somebody misses; then the estimate remains.
                assert!(difference.abs() < 0.02, "{board:?} {stakes:?}: {found:?}, exactly {exact_values:?}");
            }
        }
    }
}

#[test]
fn plays_follow_the_match_score() {
    // The opponent has borne off no checker. Where a gammon is worth nothing, and where it wins the match,
    // the same value of a position leads to different utilities.
    let stakes = [(1, 5), (2, 1)].map(|(own, other)| match_play(own, other));
    let safe = Outcomes([0.8, 0.0, 0.0, 0.0, 0.0]);
    let bold = Outcomes([0.7, 0.6, 0.0, 0.0, 0.0]);
    let utility = |stakes: &Stakes, outcomes| Payoffs::new(shared_table(), stakes).cubeless(outcomes);
    assert!(utility(&stakes[0], &safe) > utility(&stakes[0], &bold));
    assert!(utility(&stakes[1], &safe) < utility(&stakes[1], &bold));
    let Scoring::Match { own_away, other_away, .. } = stakes[0].flipped().scoring else { panic!("a match") };
    assert_eq!((own_away, other_away), (5, 1));
}

#[test]
fn value_in_slices_is_the_value_at_once() {
    for (plies, expected) in [(0, 1), (1, 21)] {
        for stakes in [Stakes::money(true, false), Stakes::match_play(3, 1, true).expect("a possible score")]
        {
            with_player(plies, |player, evaluator| {
                let mut sliced = SlicedValue::new(Board::START, &stakes);
                let mut slices = 0;
                while sliced.value().is_none() {
                    player.advance(evaluator, &mut sliced);
                    slices += 1;
                }
                assert_eq!(slices, expected);
                let at_once = player.value(evaluator, &Board::START, &with_double(&stakes));
                assert_eq!(sliced.value(), Some(&at_once));
                assert_eq!(at_once.utilities.len(), if stakes.no_double().is_none() { 2 } else { 1 });
            });
        }
    }
}

/// In a match and at a very high cube the estimate is used, as elsewhere.
#[test]
fn bear_off_database_is_for_money_at_cubes_far_from_the_highest() {
    let board =
        Board::new(&side(&[(6, 2), (3, 1)]), &side(&[(5, 1), (4, 1), (1, 2)])).expect("a legal board");
    let outcomes = Outcomes::exact(&board).expect("a bear-off");
    let utility = |stakes: &Stakes| {
        rolling_utility::rolling_utilities(shared_table(), &board, &outcomes, &[*stakes])[0]
    };
    let estimate = |stakes: &Stakes| cubeful(shared_table(), stakes, &outcomes, cube_life(&board));
    // `log` is the base-2 logarithm of the cube: 6 is a cube of 64, the highest with which the database is
    // used.
    let money = |log| Stakes::money(false, false).with_cube(log, CubeOwner::Own).expect("a cube");
    assert!((utility(&money(6)) - 64.0 * utility(&money(1)) / 2.0).abs() < 1e-4, "proportional to the cube");
    assert!((utility(&money(6)) - estimate(&money(6))).abs() > 1e-3);
    assert!((utility(&money(7)) - estimate(&money(7))).abs() < 1e-12);
    assert!((utility(&match_play(5, 5)) - estimate(&match_play(5, 5))).abs() < 1e-12);
}

/// In the two-sided bear-off database every depth of lookahead gives the same value. With two plies, one
/// reply stands for all stakes, which is not always the best one for a double.
#[test]
fn exact_bear_offs_for_money_do_not_depend_on_lookahead() {
    let money = Stakes::money(true, true);
    for (own, other) in [
        (side(&[(6, 2), (3, 1)]), side(&[(5, 1), (4, 1), (1, 2)])),
        (side(&[(2, 3), (5, 1)]), side(&[(6, 1), (1, 3)])),
        (side(&[(5, 2), (1, 1)]), side(&[(6, 2)])),
    ] {
        let board = Board::new(&own, &other).expect("a legal board");
        for stakes in [money, money.doubled(), money.doubled().flipped()] {
            let values = [0, 1, 2].map(|plies| {
                with_player(plies, |player, evaluator| player.value(evaluator, &board, &with_double(&stakes)))
                    .utilities
            });
            for (deeper, tolerance) in values[1..].iter().zip([1e-5, 1e-3]) {
                for (at_once, looked) in values[0].iter().zip(deeper) {
                    assert!((at_once - looked).abs() < tolerance, "{stakes:?}: {values:?}");
                }
            }
        }
    }
}
