//! Labs learn what they are for, from nothing, on seeds nobody chose.

use learnery_lab::{EvalRequest, Session};
use serde_json::json;

/// CartPole on ten seeds of ten: the goal is reached, and a hundred episodes the run never saw agree.
#[test]
fn control_solves_cartpole_on_every_seed() {
    let entry = learnery_labs::find("control").expect("it is in the list");
    for seed in 100..110 {
        let mut session = Session::start(*entry, &json!({}), seed).expect("defaults are good");
        while session.solved_at().is_none() {
            assert!(session.units() < 60, "seed {seed} is not solved after 60 iterations");
            session.advance_unit();
        }
        let request = EvalRequest { games: Some(100), against: None, seed: seed + 1000 };
        let report = entry.evaluate(&session.save(), &request).expect("it can be judged");
        let (name, mean, _) = report.figures[0];
        assert!(name == "return" && mean >= 475.0, "seed {seed}: {}", report.summary);
    }
}
