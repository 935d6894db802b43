//! Learning tests: the lab reaches known strengths from scratch, on seeds that no setting was tuned on.

use learnery_backgammon::Backgammon;
use learnery_lab::{Entry, EvalRequest, Figure, Session};
use serde_json::{Value, json};

use crate::shipped;

/// A request for an evaluation with these options.
fn evaluation(options: Value, seed: u32) -> EvalRequest {
    let options = options.as_object().cloned().unwrap_or_default();
    EvalRequest { options, seed, ..EvalRequest::default() }
}

/// After 250 rounds of self-play and learning, the preset `small` is far better than a random player, and at
/// least a point a game better against pubeval (the public benchmark player) than the untrained network.
#[test]
fn afterstate_learner_beats_a_random_player_after_seconds() {
    let entry = Entry::of::<Backgammon>();
    let preset = entry.about.presets.iter().find(|p| p.name == "small").expect("the preset is there");
    let mut settings: Value = serde_json::from_str(preset.settings).expect("presets are tables");
    // Without evaluations during the run.
    settings["eval_every"] = 0.into();
    for seed in 100..103 {
        let mut session = Session::start(entry, &settings, seed).expect("presets are good");
        let points = |session: &mut Session, against: &str| {
            let options = json!({ "games": 400, "against": against });
            let request = evaluation(options, seed + 1000);
            let report = entry.evaluate(&session.save(), &request).expect("it can be evaluated");
            let Figure { name, value, .. } = report.figures[0];
            assert_eq!(name, "points");
            value
        };
        let before = points(&mut session, "pubeval");
        for _ in 0..250 {
            session.advance_unit();
        }
        let (random, pubeval) = (points(&mut session, "random"), points(&mut session, "pubeval"));
        assert!(
            random > 1.5 && pubeval > before + 1.0,
            "seed {seed}: {before} {pubeval}, {random} against random"
        );
    }
}

/// The shipped network beats pubeval by about as much as `docs/results.md` says, and its file is small.
#[test]
fn shipped_network_beats_pubeval() {
    assert!(shipped::FILE.len() <= 2 << 20, "{} bytes", shipped::FILE.len());
    let checkpoint = shipped::checkpoint();
    let entry = Entry::of::<Backgammon>();
    let request = evaluation(json!({ "games": 3000 }), 77);
    let report = entry.evaluate(&checkpoint, &request).expect("it can be evaluated");
    // The first figure is the points per game. The margin of 3,000 games is 0.05.
    assert!(report.figures[0].value > 0.5, "{}", report.summary);
}
