//! The cube lab learns what it is for, from nothing, on seeds that nothing was tuned on.

use learnery_cube::Cube;
use learnery_lab::{Checkpoint, Entry, Session};
use serde_json::Value;

/// Trains the cube lab for at most so many units, or until it has reached its goal; the share solved in the end.
fn cube_solves(settings: &Value, units: u64, seed: u32) -> f64 {
    let entry = Entry::of::<Cube>();
    let mut session = Session::start(entry, settings, seed).expect("the settings are good");
    while session.solved_at().is_none() && session.units() < units {
        session.advance_unit();
    }
    last_verdict(&session)
}

/// The share of cubes solved when it was last judged, in percent.
fn last_verdict(session: &Session) -> f64 {
    let column = session.entry().about.metrics.iter().position(|metric| metric.name == "solved");
    let solved = &session.history().columns()[column.expect("it is measured")];
    solved.iter().rfind(|share| !share.is_nan()).copied().unwrap_or(0.0)
}

/// Deep Q-learning from scrambles that grow longer, as the preset has it, but shorter ones.
#[test]
fn dqn_solves_every_cube_within_three_turns() {
    let entry = Entry::of::<Cube>();
    let mut settings = entry.preset("dqn").expect("it is there");
    settings["level_to"] = 3.into();
    settings["judge_within"] = 3.into();
    for seed in 100..103 {
        assert_eq!(cube_solves(&settings, 60, seed), 100.0, "seed {seed}");
    }
}

/// Fifteen hundred updates on the lengths of random walks, with 24,001 parameters: most of all 3,674,160 states.
#[test]
fn random_walks_teach_most_cubes_in_seconds() {
    let settings =
        serde_json::json!({"learner": "cayleypy", "updates": 1500, "anneal": 1500, "judge_every": 1});
    let share = cube_solves(&settings, 1, 100);
    assert!(share >= 60.0, "{share}%");
}

/// Fifteen hundred updates of value iteration, half of them on where its guesses contradict one another: without that it
/// is a quarter of all states by then.
#[test]
fn looking_at_contradictions_teaches_value_iteration_fast() {
    let settings = serde_json::json!({"updates": 1500, "anneal": 1500, "judge_every": 1});
    let share = cube_solves(&settings, 1, 100);
    assert!(share >= 30.0, "{share}%");
}

/// What is shipped solves what `docs/results.md` says, is small, and can be gone on from: it is judged before it learns.
#[test]
fn the_shipped_cube_network_solves_every_state() {
    let bytes = include_bytes!("../../../../models/cube.safetensors");
    assert!(bytes.len() <= 1 << 20, "{} bytes", bytes.len());
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let entry = Entry::of::<Cube>();
    let mut session = Session::resume(entry, &checkpoint).expect("it can be gone on from");
    assert_eq!(session.work(), checkpoint.header.work);
    session.advance_unit();
    assert_eq!(session.work(), checkpoint.header.work, "it learned before it was judged");
    let share = last_verdict(&session);
    assert_eq!(share, 100.0);
}
