//! Checkpoints of whole runs: those with counters that contradict each other are refused.

use learnery_lab::{Budget, Lab, LabError, State, Status};
use serde_json::json;

use super::*;

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

fn end_unit(run: &mut Backgammon) {
    while run.advance(&mut Budget::unlimited()) != Status::Unit {}
}

/// A run of eight units: the replay buffer is full, games have ended and updates were made.
fn saved(config: &BackgammonConfig) -> State {
    let mut run = Backgammon::new(config.clone(), 5).expect("good settings");
    (0..8).for_each(|_| end_unit(&mut run));
    let state = run.save();
    assert!(state.scalars["games"].as_u64() > Some(0));
    state
}

const ABSURD: [u64; 7] = [0, 1, 9_999, 1 << 32, 1 << 43, 1 << 53, u64::MAX];

/// Loads the state after each change of one counter. A refusal is one sentence about the checkpoint; where nothing is
/// refused, a unit ends within a number of steps that is a small multiple of what the unchanged run needs.
fn refused_or_finite(config: &BackgammonConfig, name: &str, change: impl Fn(&mut State, u64)) -> usize {
    let good = saved(config);
    let mut refusals = 0;
    for value in ABSURD {
        let mut state = good.clone();
        change(&mut state, value);
        match Backgammon::load(config.clone(), 5, &state) {
            Err(LabError::Checkpoint(sentence)) => {
                assert!(!sentence.contains('\n'), "{name} = {value}: {sentence}");
                refusals += 1;
            }
            Err(other) => panic!("{name} = {value}: {other}"),
            Ok(mut run) => {
                let steps = (1..).find(|_| run.advance(&mut Budget::steps(1)) == Status::Unit);
                assert!(steps < Some(20_000), "{name} = {value}: a unit of {steps:?} steps");
            }
        }
    }
    refusals
}

#[test]
fn afterstate_checkpoint_with_contradicting_counters_is_refused() {
    let config = small(LearnerKind::Afterstates);
    for name in ["unit", "games", "remembered"] {
        let refusals = refused_or_finite(&config, name, |state, value| state.scalars[name] = json!(value));
        assert_eq!(refusals, ABSURD.len(), "{name}");
    }
    for name in ["games/positions", "learner/updates"] {
        let refusals =
            refused_or_finite(&config, name, |state, value| state.tensors.insert(name, &[1], &[value]));
        assert_eq!(refusals, ABSURD.len(), "{name}");
    }
    for name in ["replay/next", "learner/adam/t"] {
        let refusals =
            refused_or_finite(&config, name, |state, value| state.tensors.insert(name, &[1], &[value]));
        // A small Adam counter is possible: it does not count gradients that are not finite.
        assert!(refusals >= ABSURD.len() - 2, "{name}: {refusals}");
    }
    let refusals = refused_or_finite(&config, "games/numbers", |state, value| {
        state.tensors.insert("games/numbers", &[12], &[value; 12]);
    });
    assert_eq!(refusals, ABSURD.len());
    let refusals = refused_or_finite(&config, "games/turns", |state, value| {
        state.tensors.insert("games/turns", &[12], &[value.min(u64::from(u32::MAX)) as u32; 12]);
    });
    // A game can have any number of turns up to those that were played.
    assert!(refusals >= ABSURD.len() - 2, "{refusals}");
    for owed in [1.0, -0.5, 1e300, f64::INFINITY, f64::NAN] {
        let mut state = saved(&config);
        state.tensors.insert("learner/owed", &[1], &[owed]);
        let refusal = Backgammon::load(config.clone(), 5, &state).err().map(|e| e.to_string());
        assert!(refusal.is_some_and(|e| e.contains("of an update")), "{owed}");
    }
}

#[test]
fn alphazero_checkpoint_with_contradicting_counters_is_refused() {
    let config = small(LearnerKind::AlphaZero);
    for name in ["unit", "games"] {
        let refusals = refused_or_finite(&config, name, |state, value| state.scalars[name] = json!(value));
        assert_eq!(refusals, ABSURD.len(), "{name}");
    }
    for (name, possible) in [("unit", 0), ("positions", 0), ("updates", 2), ("planned", 2)] {
        let refusals = refused_or_finite(&config, name, |state, value| {
            state.scalars["alphazero"][name] = json!(value);
        });
        assert!(refusals >= ABSURD.len() - possible, "{name}: {refusals}");
    }
    let refusals = refused_or_finite(&config, "adam/t", |state, value| {
        state.tensors.insert("adam/t", &[1], &[value]);
    });
    assert!(refusals >= ABSURD.len() - 2, "{refusals}");
    let refusals = refused_or_finite(&config, "table0/numbers", |state, value| {
        state.tensors.insert("table0/numbers", &[12], &[value; 12]);
    });
    assert_eq!(refusals, ABSURD.len());
}

#[test]
fn unchanged_checkpoint_continues() {
    for learner in [LearnerKind::Afterstates, LearnerKind::AlphaZero] {
        let config = small(learner);
        let mut run = Backgammon::load(config.clone(), 5, &saved(&config)).expect("its own checkpoint");
        end_unit(&mut run);
        assert_eq!(run.save().scalars["unit"], json!(9));
    }
}
