//! Learning test: the default preset reaches its goal from random weights, on seeds that no setting was tuned
//! on.

use learnery_lab::contract::run_until_solved;
use learnery_lab::{Entry, EvalRequest, Figure, Session};
use learnery_language::Language;
use serde_json::json;

/// The FNV-1a hash of a text as a seed, which shows that the seed was not selected for its result.
fn seed_of(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The default preset is sums of two two-digit numbers. Trained from random weights, it reaches its goal of
/// 99 % of the held-out problems it is evaluated on, and answers at least 98 % of 1,000 held-out problems
/// drawn with another seed.
#[test]
fn default_preset_learns_to_add_from_random_weights() {
    let entry = Entry::of::<Language>();
    let preset = entry.about.presets[0].name;
    let settings = entry.preset(preset).expect("the preset is valid JSON");
    for seed in [preset, "another seed"].map(seed_of) {
        let mut session = Session::start(entry, &settings, seed).expect("the preset is valid");
        run_until_solved(&mut session, 150);
        let options = json!({"games": 1000}).as_object().cloned().expect("a table");
        // `!seed` is another seed, so the problems are others than those of the run's evaluations.
        let request = EvalRequest { options, seed: !seed, ..EvalRequest::default() };
        let report = entry.evaluate(&session.save(), &request).expect("a trained network");
        let Figure { name, value: exact, .. } = report.figures[0];
        assert!(name == "exact" && exact >= 98.0, "seed {seed}: {}", report.summary);
    }
}
