//! Where the schedules of a run end.

use learnery_cube::Cube;
use learnery_lab::{Budget, Checkpoint, Entry, Session};
use serde_json::{Value, json};

/// A run of eight scheduled updates, four in a unit, which is evaluated if `evaluate_every` is not 0.
fn settings(evaluate_every: u32) -> Value {
    json!({
        "learner": "cayleypy", "hidden_1": 4, "hidden_2": 0, "batch": 8, "updates": 4, "anneal": 8,
        "judge_every": evaluate_every, "judge_within": 1
    })
}

fn start(evaluate_every: u32) -> Session {
    Session::start(Entry::of::<Cube>(), &settings(evaluate_every), 1).expect("the settings are good")
}

fn resume(checkpoint: &Checkpoint) -> Session {
    Session::resume(Entry::of::<Cube>(), checkpoint).expect("its own checkpoint")
}

/// Advances to where the schedules end, and returns the updates by then. The answer stays the same on the
/// way, in the middle of units too.
fn updates_at_the_end(mut session: Session) -> u64 {
    let end = session.schedule().expect("the learning rate falls");
    while session.units() < end {
        assert_eq!(session.schedule(), Some(end), "after {} units", session.units());
        session.advance(&mut Budget::steps(1));
    }
    assert_eq!(session.schedule(), Some(end));
    session.work() / 8
}

/// The first unit after a warm restart (a run that continues a file with the network alone) evaluates the
/// network and learns nothing, so the schedules end a unit later. In a run without evaluations this unit
/// learns. `ends` are the ends of a new run, after a warm restart and after a second one.
#[test]
fn run_that_continues_a_network_makes_all_scheduled_updates() {
    for (evaluate_every, ends) in [(1, [2, 3, 4]), (0, [2, 2, 2])] {
        let mut session = start(evaluate_every);
        assert_eq!(session.schedule(), Some(ends[0]));
        assert_eq!(updates_at_the_end(start(evaluate_every)), 8);
        session.advance_unit();
        let whole = session.save();
        assert_eq!(resume(&whole).schedule(), Some(ends[0]));
        assert_eq!(updates_at_the_end(resume(&whole)), 8);
        let mut continued = resume(&whole.network_only());
        assert_eq!(continued.schedule(), Some(ends[1]));
        assert_eq!(updates_at_the_end(resume(&whole.network_only())), 8);
        // Its checkpoints say so too, and a second warm restart takes another unit.
        if evaluate_every > 0 {
            continued.advance_unit();
            let evaluated = continued.save();
            assert_eq!(updates_at_the_end(resume(&evaluated)), 8);
            assert_eq!(resume(&evaluated.network_only()).schedule(), Some(ends[2]));
            assert_eq!(updates_at_the_end(resume(&evaluated.network_only())), 8);
        }
    }
}

/// After its schedules a run has no later end.
#[test]
fn schedules_that_have_ended_take_no_further_unit() {
    let mut session = start(1);
    for _ in 0..3 {
        session.advance_unit();
    }
    assert_eq!(session.schedule(), Some(3));
    assert_eq!(resume(&session.save().network_only()).schedule(), Some(3));
}
