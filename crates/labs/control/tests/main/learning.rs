//! Learning tests: the presets solve their worlds from scratch, on seeds that no setting was tuned on.

use learnery_control::Control;
use learnery_lab::contract::run_until_solved;
use learnery_lab::{Entry, EvalRequest, Figure, Session};
use serde_json::{Map, json};

/// Trains a preset with ten seeds. Each run must reach its goal within `max_units` training iterations. Then
/// its mean return over a hundred new episodes must be at least `solved_return`.
fn assert_preset_solves(preset: &str, max_units: u64, solved_return: f64) {
    let entry = Entry::of::<Control>();
    let settings = entry.preset(preset).expect("the preset exists");
    for seed in 100..110 {
        let mut session = Session::start(entry, &settings, seed).expect("presets are valid");
        run_until_solved(&mut session, max_units);
        // `games` is the number of evaluation episodes, a name that all labs share.
        let options = Map::from_iter([("games".to_owned(), json!(100))]);
        let request = EvalRequest { options, seed: seed + 1000, ..EvalRequest::default() };
        let report = entry.evaluate(&session.save(), &request).expect("it can be evaluated");
        let Figure { name, value: mean, .. } = report.figures[0];
        assert!(name == "return" && mean >= solved_return, "{preset}, seed {seed}: {}", report.summary);
    }
}

// The limits of iterations are well above what the presets need. The returns are the usual thresholds for
// "solved".

#[test]
fn standard_preset_solves_cartpole_on_ten_seeds() {
    assert_preset_solves("standard", 60, 475.0);
}

#[test]
fn sprint_preset_solves_cartpole_on_ten_seeds() {
    assert_preset_solves("sprint", 60, 475.0);
}

#[test]
fn fast_preset_solves_cartpole_on_ten_seeds() {
    assert_preset_solves("fast", 100, 475.0);
}

#[test]
fn mountaincar_preset_solves_mountain_car_on_ten_seeds() {
    assert_preset_solves("mountaincar", 300, -110.0);
}

#[test]
fn pendulum_preset_solves_pendulum_on_ten_seeds() {
    assert_preset_solves("pendulum", 200, -200.0);
}

#[test]
fn acrobot_preset_solves_acrobot_on_ten_seeds() {
    assert_preset_solves("acrobot", 300, -100.0);
}
