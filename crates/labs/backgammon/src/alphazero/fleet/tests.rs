//! Forged results: what the rules, the seed and the sums refuse, and what only a second computation finds.

use learnery_lab::fleet::{Actor, Learner, Refusal, write_varint};
use learnery_lab::{Budget, Status};
use learnery_worlds::backgammon::Plays;

use super::body;
use super::*;
use crate::alphazero::self_play::Streams;
use crate::alphazero::turns::{GameState, PlayedTurn, Rules, replay, write_end, write_turn};
use crate::alphazero::{AlphaZeroLearner, AlphaZeroSettings};

fn settings() -> AlphaZeroSettings {
    AlphaZeroSettings { games: 6, turns: 200, simulations: 8, batch: 32, memory: 2000, ..Default::default() }
}

const SEED: u32 = 12;

/// A learner that waits for its only table, an actor, and the table's result.
fn one_job() -> (AlphaZeroLearner, SelfPlayActor, Vec<u8>) {
    let mut learner = AlphaZeroLearner::new(settings(), SEED);
    learner.share().expect("a run on the CPU");
    while learner.step() != Status::Waiting {}
    let mut actor = SelfPlayActor::new(settings(), SEED, &learner.weights()).expect("its own weights");
    let result = compute(&mut actor, &learner.job(0));
    (learner, actor, result)
}

fn compute(actor: &mut SelfPlayActor, job: &[u8]) -> Vec<u8> {
    actor.begin(job).expect("a good job");
    actor.advance(&mut Budget::unlimited()).expect("a whole job")
}

/// A turn as a result tells it, with the play that was made: what a forger changes.
#[derive(Clone, Copy)]
struct Told {
    turn: PlayedTurn,
    play: usize,
}

/// Writes the turns of the first game of a result again, each changed by `forge`, which gets the number of
/// the turn in the unit.
fn forged(result: &[u8], forge: impl Fn(usize, &mut Told)) -> Vec<u8> {
    let (settings, streams) = (settings(), Streams::new(SEED));
    let rules = Rules { settings: &settings, streams: &streams };
    let (games, _) = body::read_result(result, 6).expect("a good result");
    let mut plays = Plays::new();
    let mut told = Vec::new();
    let visit = |turn: &PlayedTurn| {
        told.push(*turn);
        Ok(())
    };
    replay(&rules, GameState::new(0), games[0], &mut plays, visit).expect("a good result");
    let after = games_after(result);
    let mut bytes = Vec::new();
    let mut round = 0;
    for (i, turn) in told.iter().copied().enumerate() {
        let before = turn.sample.turn;
        plays.find(&before.board, before.dice);
        // The play that was made leads to the next board, or to the end of the game.
        let next = told.get(i + 1).map_or(after[0].board, |next| next.game.board);
        let next = turn.end.is_none().then_some(next);
        let play = plays.iter().position(|board| next.map_or(board.result().is_some(), |next| board == next));
        let mut told = Told { turn, play: play.unwrap_or_default() };
        forge(i, &mut told);
        write_turn(&rules, &told.turn.game, &told.turn.sample, told.turn.plays, told.play, &mut bytes);
        if let Some(end) = told.turn.end {
            write_end(end.round.max(round), round, &mut bytes);
            round = end.round.max(round);
        }
    }
    let turns = games.iter().enumerate().map(|(i, game)| if i == 0 { &bytes[..] } else { game });
    body::write_result(turns, after.into_iter())
}

/// The games after the unit.
fn games_after(result: &[u8]) -> Vec<GameState> {
    let (settings, streams) = (settings(), Streams::new(SEED));
    let rules = Rules { settings: &settings, streams: &streams };
    let (games, _) = body::read_result(result, 6).expect("a good result");
    let replayed = (0..).zip(games).map(|(i, turns)| {
        replay(&rules, GameState::new(i), turns, &mut Plays::new(), |_| Ok(())).expect("a good result")
    });
    replayed.collect()
}

#[test]
fn turns_written_again_are_the_same_bytes() {
    let (learner, _, result) = one_job();
    assert!(forged(&result, |_, _| {}) == result);
    assert_eq!(learner.check(0, &result), Ok(()));
}

#[test]
fn forged_results_are_refused_with_the_turn_and_the_reason() {
    let (learner, _, result) = one_job();
    let refusal = |forge: &dyn Fn(usize, &mut Told)| match learner.check(0, &forged(&result, forge)) {
        Err(Refusal::Impossible(sentence)) => sentence,
        other => panic!("{other:?}"),
    };
    type Forge<'a> = &'a dyn Fn(usize, &mut Told);
    let cases: [(&str, Forge); 7] = [
        ("turn 5 of game 0 has another roll than the seed gives", &|i, told| {
            let dice = &mut told.turn.sample.turn.dice;
            let other = learnery_worlds::backgammon::Dice::ALL[(dice.index() + 1) % 21];
            *dice = if i == 5 { other } else { *dice };
        }),
        ("turn 5 of game 0 has another number of plays", &|i, told| told.turn.plays += usize::from(i == 5)),
        ("turn 5 of game 0 makes a play that does not exist", &|i, told| {
            told.play = if i == 5 { told.turn.plays } else { told.play };
        }),
        ("whose shares do not sum to one", &|i, told| {
            told.turn.sample.probabilities[0] /= if i == 3 { 2 } else { 1 };
        }),
        ("whose shares do not sum to one", &|i, told| {
            let share = &mut told.turn.sample.probabilities[0];
            *share = if i == 3 { share.saturating_add(9000) } else { *share };
        }),
        ("over plays that do not exist", &|i, told| {
            let last = usize::from(told.turn.sample.count) - 1;
            told.turn.sample.plays[last] += if i == 3 { 999 } else { 0 };
        }),
        ("ends in a round that no search reaches", &|_, told| {
            if let Some(end) = &mut told.turn.end {
                end.round += 1 << 20;
            }
        }),
    ];
    for (expected, forge) in cases {
        let sentence = refusal(forge);
        assert!(sentence.contains(expected), "{sentence}; expected {expected}");
    }
    // A game that ends before its end, and one that does not end: the bytes of all later turns no longer fit.
    let with_end = refusal(&|i, told| {
        if i == 4 {
            told.turn.end = Some(crate::alphazero::turns::GameEnd { points: 1, round: 40 });
        }
    });
    let without_end = refusal(&|_, told| told.turn.end = None);
    assert!(with_end.starts_with("turn 5 of game 0") && without_end.starts_with("turn 0 of game 6"));
    // Another play makes another game. Its later turns have other plays, or at least another end.
    let other_play =
        refusal(&|i, told| told.play = if i == 7 { (told.play + 1) % told.turn.plays } else { told.play });
    assert!(other_play.contains("game 0") || other_play.contains("end in other positions"), "{other_play}");
    // The right turns, and a lie about the games after the unit.
    let mut lie = result.clone();
    *lie.last_mut().expect("bytes") ^= 1;
    assert_eq!(
        learner.check(0, &lie).map_err(|e| e.to_string()),
        Err("the result is impossible: its games end in other positions than its plays lead to".into())
    );
}

/// Some lies break no rule: shares that sum to one but are not the search's. Computing the game again finds
/// them.
#[test]
fn a_second_computation_finds_what_breaks_no_rule() {
    let (learner, mut actor, result) = one_job();
    let lie = forged(&result, |i, told| {
        let shares = &mut told.turn.sample.probabilities;
        if i == 20 && told.turn.sample.count > 1 {
            let moved = shares[0].min(500);
            (shares[0], shares[1]) = (shares[0] - moved, shares[1] + moved);
        }
    });
    assert!(lie != result);
    assert_eq!(learner.check(0, &lie), Ok(()));
    let again = compute(&mut actor, &learner.job_of_parts(0, &[0, 3]));
    assert!(learner.parts_agree(0, &result, &[0, 3], &again));
    assert!(!learner.parts_agree(0, &lie, &[0, 3], &again));
    // The other games are as they should be.
    let others = compute(&mut actor, &learner.job_of_parts(0, &[1, 2, 3, 4, 5]));
    assert!(learner.parts_agree(0, &lie, &[1, 2, 3, 4, 5], &others));
}

#[test]
fn turns_take_some_forty_bytes() {
    let settings = AlphaZeroSettings { games: 16, turns: 24, ..AlphaZeroSettings::default() };
    let mut learner = AlphaZeroLearner::new(settings, SEED);
    learner.share().expect("a run on the CPU");
    while learner.step() != Status::Waiting {}
    let mut actor = SelfPlayActor::new(settings, SEED, &learner.weights()).expect("its own weights");
    let result = compute(&mut actor, &learner.job(0));
    let per_turn = result.len() as f64 / (16.0 * 24.0);
    assert!((20.0..60.0).contains(&per_turn), "{per_turn} bytes a turn");
    assert!(result.len() < learner.max_result_bytes());
}

#[test]
fn jobs_with_impossible_games_are_refused() {
    let (learner, mut actor, _) = one_job();
    let good: Vec<GameState> = body::read_games(&learner.job(0)).expect("a good job");
    let refused = |games: Vec<GameState>, actor: &mut SelfPlayActor| {
        actor.begin(&body::write_games(games.into_iter())).is_err()
    };
    assert!(!refused(good.clone(), &mut actor));
    assert!(refused(vec![], &mut actor));
    assert!(refused(vec![good[0]; 7], &mut actor), "more games than the run has");
    assert!(refused(vec![GameState { number: u64::MAX, ..good[0] }], &mut actor));
    assert!(refused(vec![GameState { turns: u32::MAX, ..good[0] }], &mut actor));
    // A board with sixteen checkers on a point.
    let mut bytes = Vec::new();
    [1, 0, 0].iter().for_each(|number| write_varint(&mut bytes, *number));
    bytes.extend([0xff; 26]);
    assert!(matches!(actor.begin(&bytes), Err(Refusal::Damaged(_))));
}
