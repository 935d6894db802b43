//! Each method learns what its preset claims, from nothing, with seeds that no setting was tuned on.

use learnery_cube::Cube;
use learnery_lab::{Checkpoint, Entry, Session};
use serde_json::{Value, json};

const LAB: Entry = Entry::of::<Cube>();

/// Trains until the goal is reached, for at most `units` units. Returns the percentage of states solved in
/// the last evaluation.
fn train(settings: &Value, units: u64, seed: u32) -> f64 {
    let mut session = Session::start(LAB, settings, seed).expect("the settings are good");
    while session.solved_at().is_none() && session.units() < units {
        session.advance_unit();
    }
    last_solved(&session)
}

/// The percentage of states solved in the last evaluation.
fn last_solved(session: &Session) -> f64 {
    let column = LAB.about.metrics.iter().position(|metric| metric.name == "solved");
    let solved = &session.history().columns()[column.expect("there is such a metric")];
    solved.iter().rfind(|percentage| !percentage.is_nan()).copied().unwrap_or(0.0)
}

/// The first preset exactly as shipped: value iteration with 24,001 parameters reaches its goal, 90% of all
/// 3,674,160 states, within 6,000 of its 20,000 updates.
#[test]
fn default_preset_solves_nine_of_ten_states() {
    let preset = LAB.about.presets[0].name;
    let settings = LAB.preset(preset).expect("the preset is there");
    for seed in 100..103 {
        let solved = train(&settings, 60, seed);
        assert!(solved >= 90.0, "seed {seed}: {solved}%");
    }
}

/// The preset `dqn`, but with scrambles and an evaluation of up to three turns instead of five.
#[test]
fn deep_q_learning_solves_every_state_within_three_turns() {
    let mut settings = LAB.preset("dqn").expect("the preset is there");
    settings["level_to"] = 3.into();
    settings["judge_within"] = 3.into();
    for seed in 100..103 {
        assert_eq!(train(&settings, 60, seed), 100.0, "seed {seed}");
    }
}

/// CayleyPy with 24,001 parameters and a schedule of only 1,500 updates.
#[test]
fn random_walk_lengths_solve_most_states_in_seconds() {
    let settings = json!({"learner": "cayleypy", "updates": 1500, "anneal": 1500, "judge_every": 1});
    let solved = train(&settings, 1, 100);
    assert!(solved >= 60.0, "{solved}%");
}

/// The network that `docs/results.md` describes. It is small, and a run that continues it is evaluated before
/// it learns.
#[test]
fn shipped_network_solves_every_state() {
    let bytes = include_bytes!("../../../../../models/cube.safetensors");
    assert!(bytes.len() <= 1 << 20, "{} bytes", bytes.len());
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let mut session = Session::resume(LAB, &checkpoint).expect("it can be continued");
    assert_eq!(session.work(), checkpoint.header.work);
    session.advance_unit();
    assert_eq!(session.work(), checkpoint.header.work, "it learned before it was evaluated");
    assert_eq!(last_solved(&session), 100.0);
}
