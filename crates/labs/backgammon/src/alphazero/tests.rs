//! Tests of the whole AlphaZero learner: determinism, counting of games, targets, and rejected checkpoints. A
//! unit is a fixed number of turns in every self-play game, during which the network learns from earlier
//! games.

use learnery_backgammon_play::game::{Backgammon, MAX_POINTS, Turn};
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, State, Status};
use learnery_search::{Evaluator, PolicyRequest, SearchBatch};
use learnery_worlds::backgammon::{Board, Dice, Plays};
use serde_json::json;

use super::network::encode_before_roll;
use super::self_play::{Streams, search_index};
use super::*;
use crate::config::PolicyKind;

/// Small settings, but with several minibatches in each unit. 70 games are a full group of 64 and one of 6.
fn small() -> AlphaZeroSettings {
    let defaults = AlphaZeroSettings::default();
    AlphaZeroSettings {
        games: 70,
        turns: 30,
        simulations: 6,
        batch: 96,
        memory: 3000,
        reuse: 0.5,
        ..defaults
    }
}

/// The policy from values, few full searches, and their values as targets.
fn small_with_policy_from_values() -> AlphaZeroSettings {
    AlphaZeroSettings {
        policy: PolicyKind::Values,
        full_search_every: 3,
        quick_simulations: 2,
        search_values: true,
        lambda: 0.7,
        dirichlet_alpha: 0.0,
        ..small()
    }
}

/// Runs `n` units.
fn run_units(learner: &mut AlphaZeroLearner, n: u64) {
    for _ in 0..n {
        while learner.step() != Status::UnitFinished {}
    }
}

/// The learner of a checkpoint after `units` units.
fn loaded(seed: u32, units: u64, state: &State) -> Result<AlphaZeroLearner, LabError> {
    load(small(), seed, units, state)
}

fn load(
    settings: AlphaZeroSettings,
    seed: u32,
    units: u64,
    state: &State,
) -> Result<AlphaZeroLearner, LabError> {
    AlphaZeroLearner::load(settings, seed, units, &state.scalars, &state.tensors)
}

/// Runs `work` in a pool of `n` threads.
fn with_threads<R: Send>(n: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads can start").install(work)
}

/// Asserts that two checkpoints are equal. Names the first tensor that differs instead of printing all of
/// them.
fn assert_same(a: &State, b: &State) {
    assert_eq!(a.scalars, b.scalars);
    let other = b.tensors.iter();
    let different = a.tensors.iter().zip(other).find(|(a, b)| a != b).map(|((name, _), _)| name);
    assert_eq!(different, None);
    assert!(a == b);
}

#[test]
fn run_is_bit_identical_for_any_threads_and_across_checkpoints() {
    for settings in [small(), small_with_policy_from_values()] {
        check_bits(AlphaZeroSettings { simulations: 2, ..settings });
    }
}

fn check_bits(settings: AlphaZeroSettings) {
    let run = |n| {
        with_threads(n, || {
            let mut learner = AlphaZeroLearner::new(settings, 3);
            run_units(&mut learner, 5);
            (learner.save(), learner.last_counts().games)
        })
    };
    let (whole, games) = run(1);
    assert!(games > 0);
    assert_same(&run(3).0, &whole);

    let mut learner = AlphaZeroLearner::new(settings, 3);
    for unit in 0..5 {
        run_units(&mut learner, 1);
        if unit == 1 || unit == 3 {
            learner = load(settings, 3, unit + 1, &learner.save()).expect("its own checkpoint");
        }
    }
    let saved = learner.save();
    assert!(saved.scalars["updates"].as_u64() > Some(0));
    assert_same(&saved, &whole);
}

#[test]
fn learning_during_self_play_does_not_change_the_weights_that_play() {
    let mut learner = AlphaZeroLearner::new(small(), 1);
    run_units(&mut learner, 4);
    let before = learner.network().weights.flat().to_vec();
    while learner.network().weights.flat() == &before[..] {
        assert_ne!(learner.step(), Status::UnitFinished, "a unit without learning");
    }
    assert!(learner.player_weights() == &before[..]);
}

#[test]
fn every_turn_and_game_is_counted_once() {
    let settings = AlphaZeroSettings { simulations: 2, ..small() };
    let mut learner = AlphaZeroLearner::new(settings, 9);
    let (mut games, mut turns, mut played) = (0, 0, 0);
    for unit in 0..6 {
        run_units(&mut learner, 1);
        let counts = learner.last_counts();
        (games, turns) = (games + counts.games, turns + counts.turns);
        played += 70 * 30;
        if unit % 2 == 0 {
            learner = load(settings, 9, unit + 1, &learner.save()).expect("its own checkpoint");
        }
    }
    let under_way: u32 = learner.turns().map(|(_, turn)| turn).sum();
    assert_eq!(turns + u64::from(under_way), played);
    assert_eq!(learner.finished_games().expect("its own numbers"), games);
    assert!(games > 70);
}

#[test]
fn targets_belong_to_the_side_to_move() {
    let mut learner = AlphaZeroLearner::new(small(), 2);
    run_units(&mut learner, 5);
    let samples = learner.samples();
    assert!(samples.len() > 1000);
    let mut games = 0;
    for pair in samples.windows(2) {
        let (later, earlier) = (&pair[0], &pair[1]);
        // Games are stored from their last turn to their first, so the sample before is that of the next
        // turn. With lambda 1 every target is the result, which changes its sign from turn to turn. After the
        // first turn of a game comes the last turn of another, which is won.
        let (later_target, earlier_target) = (later.target().equity(), earlier.target().equity());
        assert!(later_target != 0.0);
        let next_game = later.turn.board == Board::START && earlier_target > 0.0;
        if later_target != -earlier_target {
            assert!(next_game, "{later:?} {earlier:?}");
        }
        games += u32::from(next_game);
    }
    assert!(games > 10);
}

#[test]
fn targets_are_lambda_returns() {
    check_lambda_returns(PolicyKind::Moves);
    check_lambda_returns(PolicyKind::Values);
}

fn check_lambda_returns(policy: PolicyKind) {
    // The samples of one game, from its last turn to its first, with the targets for this lambda.
    let game = |lambda| {
        // The first unit learns nothing, so the network is still the initial one.
        let settings = AlphaZeroSettings { policy, lambda, games: 8, turns: 200, simulations: 2, ..small() };
        let mut learner = AlphaZeroLearner::new(settings, 2);
        run_units(&mut learner, 1);
        let samples = learner.samples();
        // The first sample is the last turn of a game, and the first start position is its first turn.
        let first_turn = samples.iter().position(|s| s.turn.board == Board::START).expect("a whole game");
        (learner, samples[..=first_turn].to_vec())
    };
    // Targets from the end of the game only, from the next value only, and from a mixture of both.
    let lambda = 0.6;
    let (_, ends) = game(1.0);
    let (learner, nexts) = game(0.0);
    let (_, mixed) = game(lambda);
    let network = learner.network();
    let mut scratch = Scratch::new(&network.plan);
    let mut evaluator =
        NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
    // From the last turn to the first.
    let mut target = ends[0].target();
    assert!(ends.len() > 20 && target.equity() > 0.0);
    for ((end, next), mixed) in ends.iter().zip(&nexts).zip(&mixed) {
        let near = |a: Outcomes, b: Outcomes| a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() < 1e-3);
        // Lambda does not change the games.
        assert_eq!((end.turn, end.turn), (next.turn, mixed.turn));
        assert!(near(mixed.target(), target), "{:?} {target:?}", mixed.target());
        evaluator.scratch.rows().take(1).for_each(|row| match policy {
            PolicyKind::Moves => encode_turn(&end.turn, row),
            PolicyKind::Values => encode_before_roll(&end.turn.board, row),
        });
        evaluator.run(1);
        let value = evaluator.outcomes(1).next().expect("a row");
        // The lambda return of the turn before, which belongs to the other side.
        target = mixed.target().mixed(lambda, &value).flipped();
    }
    // Results are at least one point. An untrained network values every position near 0; the last turn has
    // the result.
    assert!(ends.iter().all(|s| s.target().equity().abs() >= 1.0));
    assert!(nexts[1..].iter().all(|s| s.target().equity().abs() < 0.3));
}

/// Follows a game of self-play with searches of its own: the same trees give the same policies, and the
/// values that became targets.
#[test]
fn targets_can_have_the_values_of_searches() {
    // The first unit learns nothing, so all games are played with the initial network.
    let settings = AlphaZeroSettings {
        lambda: 0.0,
        games: 8,
        turns: 200,
        temperature: 0.0,
        ..small_with_policy_from_values()
    };
    let seed = 5;
    let mut state = AlphaZeroLearner::new(settings, seed).save();
    // An untrained network finds gammons as likely as wins. With few gammons, any equity of a search is
    // possible.
    state.tensors.insert("network/net/value/1/bias", &[5], &[0.0f32, -4.0, -8.0, -4.0, -8.0]);
    let mut learner = load(settings, seed, 0, &state).expect("its own checkpoint");
    run_units(&mut learner, 1);
    let samples = learner.samples();
    let first_turn = samples.iter().position(|s| s.turn.board == Board::START).expect("a whole game");
    let game: Vec<_> = samples[..=first_turn].iter().rev().collect();
    let network = learner.network();
    let mut scratch = Scratch::new(&network.plan);
    let mut evaluator =
        NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
    let streams = Streams::new(seed);
    // Which game it is, is not known, but its rolls are.
    let number = (0..1000)
        .find(|number| {
            let roll = |turn: usize| streams.roll(*number, turn as u64);
            game.iter().enumerate().all(|(turn, sample)| sample.turn.dice == roll(turn))
        })
        .expect("a game with these rolls");
    let options = settings.search_options(streams.search());
    let mut batch = SearchBatch::new(&Backgammon, 1, options, evaluator.embedding_size(), None);
    // Sets simulations and noise of the search of a turn, and returns its index.
    let prepare = |batch: &mut SearchBatch<Backgammon>, turn: usize| {
        let has_full_search = streams.has_full_search(&settings, number, turn as u64);
        let (simulations, noise) = settings.effort(has_full_search);
        batch.set_effort(0, simulations, noise);
        search_index(number, turn as u64)
    };
    let index = prepare(&mut batch, 0);
    batch.begin(&Backgammon, 0, game[0].turn, index);
    let mut searched = 0;
    for (turn, pair) in game.windows(2).enumerate() {
        let next = pair[1];
        batch.run(&Backgammon, &mut evaluator);
        let root = batch.root(0);
        let play = root.best();
        assert_eq!(root.plays()[play], next.turn.board);
        // The target of the turn before has the value of this search. A turn with a single play is not
        // searched.
        if turn > 0 && root.plays().len() > 1 {
            let value = root.value_of(play).or(root.value()).expect("a search") * MAX_POINTS;
            let target = game[turn - 1].target().flipped();
            let bounds = [target.0[1], 1.0 - target.0[3]];
            let is_cut = bounds.iter().any(|bound| (target.0[0] - bound).abs() < 1e-3);
            assert!(is_cut || (target.equity() - value).abs() < 1e-3, "{turn}: {target:?} {value}");
            searched += u32::from(!is_cut);
        }
        let index = prepare(&mut batch, turn + 1);
        batch.begin_after(&Backgammon, 0, play, next.turn.dice.index(), index);
    }
    assert!(searched > 20, "{searched} of {} turns", game.len());
}

/// The policy of a turn is the softmax of what its plays are worth, whatever other turns are in the batch.
#[test]
fn afterstates_give_the_policy() {
    let network = Network::new(PolicyKind::Values, Stream::new(8, 8));
    let mut scratch = Scratch::new(&network.plan);
    let mut evaluator =
        NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
    // The last of these turns ends the game with some plays, and is a race that the bear-off table knows.
    let (mut own, mut other) = ([0; 26], [0; 26]);
    (own[6], own[4], other[1]) = (1, 1, 2);
    let race = Board::new(&own, &other).expect("a good board");
    let turns = [(Board::START, 3, 1), (Board::START, 4, 4), (race, 6, 4)]
        .map(|(board, a, b)| Turn { board, dice: Dice::new(a, b).expect("a dice roll") });
    let mut found = Plays::new();
    let (mut plays, mut ranges) = (Vec::new(), Vec::new());
    for turn in &turns {
        found.find(&turn.board, turn.dice);
        ranges.push(plays.len()..plays.len() + found.len());
        plays.extend(found.iter());
    }
    let mut logits = vec![9.0; plays.len()];
    evaluator.logits(
        PolicyRequest { states: &turns, embeddings: &[], plays: &plays, ranges: &ranges },
        &mut logits,
    );
    for (play, logit) in plays.iter().zip(&logits) {
        let mut value = [Outcomes::default()];
        evaluator.values_before_roll(std::iter::once(*play), &mut value);
        assert!((logit - value[0].policy_logit()).abs() < 1e-4, "{play:?}");
    }
    assert!(plays.len() > 64, "more than a block of rows");
    // To bear both checkers off wins a point, since the opponent has checkers off. A point is ten logits.
    assert!(logits[ranges[2].clone()].iter().any(|logit| (logit - 10.0).abs() < 1e-4));
}

#[test]
fn full_searches_are_drawn_for_both_sides() {
    let settings = AlphaZeroSettings { full_search_every: 4, ..small() };
    let streams = Streams::new(3);
    for side in [0, 1] {
        let turns =
            (0..2000u64).filter(|turn| streams.has_full_search(&settings, 5, 2 * turn + side)).count();
        assert!((400..600).contains(&turns), "{turns} of 2000 turns of side {side}");
    }
}

/// Positions before a roll are learned too, also by minibatches of a single position.
#[test]
fn policy_from_values_learns_before_the_roll() {
    for batch in [1, 96] {
        let settings = AlphaZeroSettings { batch, reuse: 0.2, ..small_with_policy_from_values() };
        let mut learner = AlphaZeroLearner::new(settings, 3);
        // Of all boards in the replay buffer, the mean squared error of the value before the roll.
        let loss = |learner: &AlphaZeroLearner| {
            let network = learner.network();
            let mut scratch = Scratch::new(&network.plan);
            let mut evaluator =
                NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
            let samples = learner.samples();
            let mut values = vec![Outcomes::default(); samples.len()];
            evaluator.values_before_roll(samples.iter().map(|sample| sample.turn.board), &mut values);
            let squares = samples.iter().zip(&values).map(|(sample, value)| {
                let (target, value) = (sample.target(), value.0);
                target.0.iter().zip(value).map(|(t, v)| f64::from(t - v).powi(2)).sum::<f64>()
            });
            squares.sum::<f64>() / samples.len() as f64
        };
        run_units(&mut learner, 2);
        let before = loss(&learner);
        run_units(&mut learner, 4);
        let after = loss(&learner);
        assert!(after < 0.9 * before, "minibatches of {batch}: {before} {after}");
    }
}

#[test]
fn only_full_searches_teach_a_policy() {
    let settings = AlphaZeroSettings { full_search_every: 3, quick_simulations: 2, ..small() };
    let mut learner = AlphaZeroLearner::new(settings, 6);
    run_units(&mut learner, 4);
    let samples = learner.samples();
    let with_policy = samples.iter().filter(|sample| sample.count > 0).count();
    assert!(
        (with_policy * 3).abs_diff(samples.len()) < samples.len() / 10,
        "{with_policy} of {}",
        samples.len()
    );
    let losses = learner.last_losses();
    assert!(losses.policies > 0.0 && losses.policies < 0.4 * losses.positions, "{losses:?}");
}

#[test]
fn many_planned_minibatches_are_divided_into_short_steps() {
    let settings = AlphaZeroSettings { games: 20, turns: 100, simulations: 1, reuse: 2.0, ..small() };
    let mut learner = AlphaZeroLearner::new(settings, 4);
    run_units(&mut learner, 3);
    let before = learner.updates();
    // Steps of the fourth unit, its last one included.
    let mut steps = 1;
    while learner.step() != Status::UnitFinished {
        steps += 1;
    }
    let updates = learner.updates() - before;
    assert!(updates > 20, "{updates} updates");
    // A step learns from at most 1024 positions, that is ten minibatches of 96.
    assert!(steps >= updates.div_ceil(10), "{updates} updates in {steps} steps");
}

#[test]
fn damaged_checkpoint_is_rejected() {
    let mut learner = AlphaZeroLearner::new(small(), 2);
    run_units(&mut learner, 3);
    let good = learner.save();
    let assert_rejected = |change: &dyn Fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        let sentence = loaded(2, 3, &state).err().map(|e| e.to_string());
        assert!(sentence.is_some_and(|s| s.starts_with("the checkpoint cannot be used: ")));
    };
    for name in ["memory/boards", "table0/boards", "table1/numbers", "table0/records/turns", "adam/m"] {
        assert_rejected(&|state| {
            assert!(state.tensors.remove(name));
        });
    }
    assert_rejected(&|state| state.scalars["updates"] = json!(-1));
    assert_rejected(&|state| state.tensors.insert("table0/boards", &[256], &[u64::MAX; 256]));
    assert_rejected(&|state| state.tensors.insert("table0/lengths", &[64], &[u64::MAX; 64]));
    // Game number 1 in every slot: the learner loads, and its count of games is rejected.
    let mut state = good.clone();
    state.tensors.insert("table0/numbers", &[64], &[1u64; 64]);
    assert!(loaded(2, 3, &state).is_ok_and(|learner| learner.finished_games().is_err()));
}
