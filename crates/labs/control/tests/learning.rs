//! The control lab learns what it is for, from nothing, on seeds that nothing was tuned on.

use learnery_control::Control;
use learnery_lab::{Entry, EvalRequest, Session};
use serde_json::Value;

/// Ten seeds of ten reach the goal of a preset within `units`, and a hundred episodes the run never saw have a mean
/// return of at least `solved`.
fn control_solves(preset: &str, units: u64, solved: f64) {
    let entry = Entry::of::<Control>();
    let preset = entry.about.presets.iter().find(|p| p.name == preset).expect("the preset is there");
    let settings: Value = serde_json::from_str(preset.settings).expect("presets are tables");
    for seed in 100..110 {
        let mut session = Session::start(entry, &settings, seed).expect("presets are good");
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
