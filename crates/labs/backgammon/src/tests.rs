//! Tests of checkpoints of whole runs: counters that contradict each other are rejected, or at least do no
//! harm. A unit is one round of self-play and learning; a step is the smallest piece of a unit.

use learnery_lab::{Context, Lab, LabError, State, Status};
use serde_json::json;

use super::*;

/// Settings with which a unit takes milliseconds and the replay buffer is soon full.
fn small(learner: LearnerKind) -> BackgammonConfig {
    BackgammonConfig {
        learner,
        games: 12,
        horizon: 20,
        hidden: 8,
        second: 4,
        race: 4,
        batch: 32,
        replay: 300,
        simulations: 4,
        eval_every: 2,
        eval_games: 4,
        ..BackgammonConfig::default()
    }
}

const SEED: u32 = 5;
/// Units before the checkpoint.
const UNITS: u64 = 8;
/// More steps than any unit of these settings takes.
const MAX_STEPS: u32 = 20_000;

fn at_unit(config: &BackgammonConfig, unit: u64) -> Context<'_, BackgammonConfig> {
    Context { config, seed: SEED, unit }
}

/// Runs one unit and returns its number of steps, or `None` if it has not ended after `max_steps` steps.
fn steps_of_unit(run: &mut Backgammon, config: &BackgammonConfig, unit: u64, max_steps: u32) -> Option<u32> {
    (1..=max_steps).find(|_| run.step(at_unit(config, unit)) == Status::UnitFinished)
}

/// The checkpoint of a run after eight units: the replay buffer is full, games have ended, and updates were
/// made.
fn saved(config: &BackgammonConfig) -> State {
    let mut run = Backgammon::new(at_unit(config, 0)).expect("good settings");
    for unit in 0..UNITS {
        steps_of_unit(&mut run, config, unit, MAX_STEPS).expect("a unit ends");
    }
    let state = run.save();
    assert!(state.scalars["games"].as_u64() > Some(0));
    state
}

/// Values for a counter, all of them false for this run: small ones, the largest counter that is accepted
/// (2^43), and ones at the limits of types: 2^32, 2^53 (the integers of an `f64`) and the largest `u64`.
const FALSE_VALUES: [u64; 7] = [0, 1, 9_999, 1 << 32, 1 << 43, 1 << 53, u64::MAX];

/// Sets one counter of a good checkpoint to each of the false values by `change`, and loads it. Either it is
/// rejected with one sentence, or its next unit ends after a moderate number of steps. Returns how many
/// values were rejected.
fn count_rejections(
    config: &BackgammonConfig,
    good: &State,
    name: &str,
    change: impl Fn(&mut State, u64),
) -> usize {
    let mut rejections = 0;
    for value in FALSE_VALUES {
        let mut state = good.clone();
        change(&mut state, value);
        match Backgammon::load(at_unit(config, UNITS), &state) {
            Err(LabError::Checkpoint(sentence)) => {
                assert!(!sentence.contains('\n'), "{name} = {value}: {sentence}");
                rejections += 1;
            }
            Err(other) => panic!("{name} = {value}: {other}"),
            Ok(mut run) => {
                let steps = steps_of_unit(&mut run, config, UNITS, MAX_STEPS);
                assert!(steps.is_some(), "{name} = {value}: the unit does not end");
            }
        }
    }
    rejections
}

#[test]
fn afterstate_checkpoint_with_contradicting_counters_is_rejected() {
    let config = small(LearnerKind::Afterstates);
    let good = saved(&config);
    for name in ["games", "remembered"] {
        let rejections =
            count_rejections(&config, &good, name, |state, value| state.scalars[name] = json!(value));
        assert_eq!(rejections, FALSE_VALUES.len(), "{name}");
    }
    for name in ["games/positions", "learner/updates"] {
        let rejections =
            count_rejections(&config, &good, name, |state, value| state.tensors.insert(name, &[1], &[value]));
        assert_eq!(rejections, FALSE_VALUES.len(), "{name}");
    }
    for name in ["replay/next", "learner/adam/t"] {
        let rejections =
            count_rejections(&config, &good, name, |state, value| state.tensors.insert(name, &[1], &[value]));
        // Adam's counter may be smaller than the number of updates, since it does not count gradients that
        // are not finite. So 0 and 1 are accepted.
        assert!(rejections >= FALSE_VALUES.len() - 2, "{name}: {rejections}");
    }
    let rejections = count_rejections(&config, &good, "games/numbers", |state, value| {
        state.tensors.insert("games/numbers", &[12], &[value; 12]);
    });
    assert_eq!(rejections, FALSE_VALUES.len());
    let rejections = count_rejections(&config, &good, "games/turns", |state, value| {
        state.tensors.insert("games/turns", &[12], &[value.min(u64::from(u32::MAX)) as u32; 12]);
    });
    // A game can have any number of turns up to those that were played.
    assert!(rejections >= FALSE_VALUES.len() - 2, "{rejections}");
    // The fraction of an update that is still to be made: from 0 to below 1.
    for owed in [1.0, -0.5, 1e300, f64::INFINITY, f64::NAN] {
        let mut state = good.clone();
        state.tensors.insert("learner/owed", &[1], &[owed]);
        let rejection = Backgammon::load(at_unit(&config, UNITS), &state).err().map(|e| e.to_string());
        assert!(rejection.is_some_and(|e| e.contains("of an update")), "{owed}");
    }
}

/// Runs `units` units from unit `from` on, and returns the state after them.
fn state_after(mut run: Backgammon, config: &BackgammonConfig, from: u64, units: u64) -> State {
    for unit in from..from + units {
        steps_of_unit(&mut run, config, unit, MAX_STEPS).expect("a unit ends");
    }
    run.save()
}

#[test]
fn warm_restart_depends_on_the_averaged_weights_alone() {
    let before = small(LearnerKind::Afterstates);
    let state = saved(&before);
    // The restart, and later settings that differ.
    let config = BackgammonConfig {
        warm_restart_at: UNITS as u32 + 1,
        lookahead_from: UNITS as u32 + 2,
        alternatives: 0.3,
        lambda: 0.5,
        ..before
    };
    let network = state.tensors.under("network/");
    // The positions played so far, in which the work of a run is counted.
    let work = UNITS * u64::from(config.games * config.horizon);
    let continued = Backgammon::load(at_unit(&config, UNITS), &state).expect("its own state");
    let alone = Backgammon::load_network(at_unit(&config, UNITS), &network, work).expect("its own network");
    let continued = state_after(continued, &config, UNITS, 3);
    let alone = state_after(alone, &config, UNITS, 3);
    assert_eq!(continued.scalars, alone.scalars);
    assert_eq!(continued.scalars["restarted"], json!(UNITS));
    assert_eq!(continued.tensors, alone.tensors);
    // A run that was saved after its restart continues with the same bits.
    let resumed = Backgammon::load(at_unit(&config, UNITS + 3), &alone).expect("its own state");
    let resumed = state_after(resumed, &config, UNITS + 3, 2);
    let again = Backgammon::load_network(at_unit(&config, UNITS), &network, work).expect("its own network");
    let again = state_after(again, &config, UNITS, 5);
    assert_eq!((resumed.scalars, resumed.tensors), (again.scalars, again.tensors));
}

/// A network of one side takes the place of the MLP for races, and stays as it is when the run goes on.
#[test]
fn run_keeps_a_network_of_one_side() {
    let config = small(LearnerKind::Afterstates);
    let mut state = saved(&config);
    let goes_on = |state: &State| {
        let run = Backgammon::load(at_unit(&config, UNITS), state).expect("its own state");
        state_after(run, &config, UNITS, 2)
    };
    let before = goes_on(&state);
    let mut network = one_sided::Network::new([8, 4]);
    network.init(Stream::new(1, 2));
    state.tensors.absorb("network/", network.weights().to_tensors());
    let after = goes_on(&state);
    let races = |state: &State| state.tensors.under("network/turns/");
    assert!(races(&before).iter().next().is_none() && races(&state) == races(&after));
    // It has other values, so other plays are made.
    assert!(before.tensors.under("games/") != after.tensors.under("games/"));
    // A damaged one is refused.
    state.tensors.remove("network/turns/rest/1/bias");
    let refused = Backgammon::load(at_unit(&config, UNITS), &state);
    let sentence = refused.err().expect("a tensor is missing").to_string();
    assert!(sentence.contains("`turns/rest/1/bias` is missing"), "{sentence}");
}

#[test]
fn checkpoint_after_a_warm_restart_with_contradicting_counters_is_rejected() {
    let config = BackgammonConfig { warm_restart_at: 3, ..small(LearnerKind::Afterstates) };
    let good = saved(&config);
    assert_eq!(good.scalars["restarted"], json!(2));
    for name in ["games", "remembered", "restarted"] {
        let rejections =
            count_rejections(&config, &good, name, |state, value| state.scalars[name] = json!(value));
        assert_eq!(rejections, FALSE_VALUES.len(), "{name}");
    }
    let work = UNITS * u64::from(config.games * config.horizon);
    let network = good.tensors.under("network/");
    assert!(Backgammon::load_network(at_unit(&config, UNITS), &network, work + 1).is_err());
    // So many rounds that no run reaches their positions.
    let unit = 1 << 40;
    let work = unit * u64::from(config.games * config.horizon);
    assert!(Backgammon::load_network(at_unit(&config, unit), &network, work).is_err());
}

#[test]
fn alphazero_checkpoint_with_contradicting_counters_is_rejected() {
    let config = small(LearnerKind::AlphaZero);
    let good = saved(&config);
    let rejections =
        count_rejections(&config, &good, "games", |state, value| state.scalars["games"] = json!(value));
    assert_eq!(rejections, FALSE_VALUES.len());
    // Each counter with the number of false values that may be accepted, because no other counter contradicts
    // them.
    for (name, possible) in [("positions", 0), ("updates", 2), ("planned", 2)] {
        let rejections = count_rejections(&config, &good, name, |state, value| {
            state.scalars["alphazero"][name] = json!(value);
        });
        assert!(rejections >= FALSE_VALUES.len() - possible, "{name}: {rejections}");
    }
    let rejections = count_rejections(&config, &good, "adam/t", |state, value| {
        state.tensors.insert("adam/t", &[1], &[value]);
    });
    assert!(rejections >= FALSE_VALUES.len() - 2, "{rejections}");
    let rejections = count_rejections(&config, &good, "table0/numbers", |state, value| {
        state.tensors.insert("table0/numbers", &[12], &[value; 12]);
    });
    assert_eq!(rejections, FALSE_VALUES.len());
}

#[test]
fn checkpoint_continues_only_at_its_own_unit() {
    for learner in [LearnerKind::Afterstates, LearnerKind::AlphaZero] {
        let config = small(learner);
        let state = saved(&config);
        let mut run = Backgammon::load(at_unit(&config, UNITS), &state).expect("its own checkpoint");
        assert!(steps_of_unit(&mut run, &config, UNITS, MAX_STEPS).is_some());
        for unit in FALSE_VALUES {
            assert!(Backgammon::load(at_unit(&config, unit), &state).is_err(), "unit {unit}");
        }
    }
}
