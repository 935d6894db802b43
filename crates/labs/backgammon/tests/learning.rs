//! The backgammon lab learns what it is for, from nothing, on seeds that nothing was tuned on.

use learnery_backgammon::Backgammon;
use learnery_lab::{Checkpoint, Entry, EvalRequest, Session};
use serde_json::Value;

/// A few hundred rounds of the smallest preset are far better than playing at random, on seeds nobody chose.
#[test]
fn backgammon_beats_a_random_player_after_seconds() {
    let entry = Entry::of::<Backgammon>();
    let preset = entry.about.presets.iter().find(|p| p.name == "small").expect("the preset is there");
    let mut settings: Value = serde_json::from_str(preset.settings).expect("presets are tables");
    settings["eval_every"] = 0.into();
    for seed in 100..103 {
        let mut session = Session::start(entry, &settings, seed).expect("presets are good");
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
    let bytes = include_bytes!("../../../../models/backgammon.safetensors");
    assert!(bytes.len() <= 2 << 20, "{} bytes", bytes.len());
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let entry = Entry::of::<Backgammon>();
    let request = EvalRequest { games: Some(3000), seed: 77, ..EvalRequest::default() };
    let report = entry.evaluate(&checkpoint, &request).expect("it can be judged");
    assert!(report.figures[0].1 > 0.4, "{}", report.summary);
}
