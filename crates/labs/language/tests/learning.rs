//! The language lab learns what it is for, from nothing, on seeds that nothing was tuned on.

use learnery_lab::{Entry, EvalRequest, Session};
use learnery_language::Language;

/// Two seeds of two answer 99 of 100 sums of two digits that they never saw.
#[test]
fn language_learns_to_add() {
    let entry = Entry::of::<Language>();
    let settings = entry.preset("addition").expect("it is there");
    for seed in 100..102 {
        let mut session = Session::start(entry, &settings, seed).expect("presets are good");
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
