//! Where the schedules of a run end.

use learnery_cube::Cube;
use learnery_lab::{Budget, Checkpoint, Entry, Session};
use serde_json::{Value, json};

/// The states of an update. The work of a run counts states.
const BATCH: u64 = 16;

/// A run of eight scheduled updates (`anneal`), four in a unit. Units are evaluated if `evaluate_every` is
/// not 0.
fn settings(evaluate_every: u32) -> Value {
    json!({
        "learner": "cayleypy", "hidden_1": 4, "hidden_2": 0, "batch": BATCH, "updates": 4, "anneal": 8,
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
    session.work() / BATCH
}

/// A run that continues a file with the network alone evaluates the network in its first unit and learns
/// nothing, so the schedules end a unit later. Without evaluations this unit learns. `ends` are the ends of a
/// new run, of one that continues its network, and of one that continues the network of that one.
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
        // A checkpoint after the unit that only evaluated has the same end.
        continued.advance_unit();
        let saved = continued.save();
        assert_eq!(updates_at_the_end(resume(&saved)), 8);
        assert_eq!(resume(&saved.network_only()).schedule(), Some(ends[2]));
        if evaluate_every > 0 {
            assert_eq!(updates_at_the_end(resume(&saved.network_only())), 8);
        }
    }
}

/// Once the schedules have ended no unit is left, so `schedule` is the number of completed units. Continuing
/// the network adds no unit either.
#[test]
fn schedules_that_have_ended_take_no_further_unit() {
    let mut session = start(1);
    for _ in 0..3 {
        session.advance_unit();
    }
    assert_eq!(session.schedule(), Some(3));
    assert_eq!(resume(&session.save().network_only()).schedule(), Some(3));
}
