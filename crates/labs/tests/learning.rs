//! Labs learn what they are for, from nothing, on seeds nobody chose.

use learnery_lab::{Checkpoint, EvalRequest, Session};
use serde_json::Value;

/// Ten seeds of ten reach the goal of a preset within `units`, and a hundred episodes the run never saw have a mean
/// return of at least `solved`.
fn control_solves(preset: &str, units: u64, solved: f64) {
    let entry = learnery_labs::find("control").expect("it is in the list");
    let preset = entry.about.presets.iter().find(|p| p.name == preset).expect("the preset is there");
    let settings: Value = serde_json::from_str(preset.settings).expect("presets are tables");
    for seed in 100..110 {
        let mut session = Session::start(*entry, &settings, seed).expect("presets are good");
        while session.solved_at().is_none() {
            assert!(session.units() < units, "{}, seed {seed}: not solved after {units}", preset.name);
            session.advance_unit();
        }
        let request = EvalRequest { games: Some(100), seed: seed + 1000, ..EvalRequest::default() };
        let report = entry.evaluate(&session.save(), &request).expect("it can be judged");
        let (name, mean, _) = report.figures[0];
        assert!(name == "return" && mean >= solved, "{}, seed {seed}: {}", preset.name, report.summary);
    }
}

/// Trains the cube lab for at most so many units, or until it has reached its goal; the share solved in the end.
fn cube_solves(settings: &Value, units: u64, seed: u32) -> f64 {
    let entry = learnery_labs::find("cube").expect("it is in the list");
    let mut session = Session::start(*entry, settings, seed).expect("the settings are good");
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
    let entry = learnery_labs::find("cube").expect("it is in the list");
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
    let bytes = include_bytes!("../../../models/cube.safetensors");
    assert!(bytes.len() <= 1 << 20, "{} bytes", bytes.len());
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let entry = learnery_labs::find("cube").expect("it is in the list");
    let mut session = Session::resume(*entry, &checkpoint).expect("it can be gone on from");
    assert_eq!(session.work(), checkpoint.header.work);
    session.advance_unit();
    assert_eq!(session.work(), checkpoint.header.work, "it learned before it was judged");
    let share = last_verdict(&session);
    assert_eq!(share, 100.0);
}

/// Two seeds of two answer 99 of 100 sums of two digits that they never saw.
#[test]
fn language_learns_to_add() {
    let entry = learnery_labs::find("language").expect("it is in the list");
    let settings = entry.preset("addition").expect("it is there");
    for seed in 100..102 {
        let mut session = Session::start(*entry, &settings, seed).expect("presets are good");
        while session.solved_at().is_none() {
            assert!(session.units() < 150, "seed {seed}: not learned after {}", session.units());
            session.advance_unit();
        }
        let request = EvalRequest { games: Some(1000), seed: seed + 1000, ..EvalRequest::default() };
        let report = entry.evaluate(&session.save(), &request).expect("it can be judged");
        let (name, exact, _) = report.figures[0];
        assert!(name == "exact" && exact >= 98.0, "seed {seed}: {}", report.summary);
    }
}

#[test]
fn control_solves_cartpole_on_every_seed() {
    control_solves("standard", 60, 475.0);
}

#[test]
fn control_solves_cartpole_in_a_sprint_on_every_seed() {
    control_solves("sprint", 60, 475.0);
}

#[test]
fn control_solves_cartpole_with_the_fast_settings_on_every_seed() {
    control_solves("fast", 100, 475.0);
}

#[test]
fn control_solves_mountain_car_on_every_seed() {
    control_solves("mountaincar", 300, -110.0);
}

#[test]
fn control_solves_pendulum_on_every_seed() {
    control_solves("pendulum", 200, -200.0);
}

#[test]
fn control_solves_acrobot_on_every_seed() {
    control_solves("acrobot", 300, -100.0);
}

/// A few hundred rounds of the smallest preset are far better than playing at random, on seeds nobody chose.
#[test]
fn backgammon_beats_a_random_player_after_seconds() {
    let entry = learnery_labs::find("backgammon").expect("it is in the list");
    let preset = entry.about.presets.iter().find(|p| p.name == "small").expect("the preset is there");
    let mut settings: Value = serde_json::from_str(preset.settings).expect("presets are tables");
    settings["eval_every"] = 0.into();
    for seed in 100..103 {
        let mut session = Session::start(*entry, &settings, seed).expect("presets are good");
        let judge = |session: &mut Session, against: &str| {
            let request = EvalRequest {
                games: Some(400),
                against: Some(against.into()),
                seed: seed + 1000,
                ..EvalRequest::default()
            };
            let report = entry.evaluate(&session.save(), &request).expect("it can be judged");
            let (name, points, _) = report.figures[0];
            assert_eq!(name, "points");
            points
        };
        let before = judge(&mut session, "pubeval");
        for _ in 0..250 {
            session.advance_unit();
        }
        let (random, pubeval) = (judge(&mut session, "random"), judge(&mut session, "pubeval"));
        assert!(
            random > 1.5 && pubeval > before + 1.0,
            "seed {seed}: {before} {pubeval}, {random} against random"
        );
    }
}

/// What is shipped beats pubeval by about as much as `docs/results.md` says, and is small.
#[test]
fn the_shipped_backgammon_network_is_strong() {
    let bytes = include_bytes!("../../../models/backgammon.safetensors");
    assert!(bytes.len() <= 2 << 20, "{} bytes", bytes.len());
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let entry = learnery_labs::find("backgammon").expect("it is in the list");
    let request = EvalRequest { games: Some(3000), seed: 77, ..EvalRequest::default() };
    let report = entry.evaluate(&checkpoint, &request).expect("it can be judged");
    assert!(report.figures[0].1 > 0.4, "{}", report.summary);
}
