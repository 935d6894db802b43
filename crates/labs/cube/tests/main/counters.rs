//! Checkpoints with valid checksums whose counters contradict each other are refused.

use learnery_cube::Cube;
use learnery_lab::{Checkpoint, Entry, Session};
use serde_json::json;

/// A run of two units with four updates each.
fn checkpoint(learner: &str) -> Checkpoint {
    let settings = json!({
        "learner": learner, "hidden_1": 4, "hidden_2": 0, "batch": 8, "updates": 4, "worlds": 8, "warm_up": 8,
        "replay": 64, "renew_every": 8, "judge_every": 0
    });
    let mut session = Session::start(Entry::of::<Cube>(), &settings, 1).expect("the settings are good");
    for _ in 0..2 {
        session.advance_unit();
    }
    session.save()
}

/// The error when a checkpoint is resumed with another `learner/counters`.
fn refusal(mut checkpoint: Checkpoint, counters: &[u64]) -> String {
    checkpoint.tensors.insert("learner/counters", &[counters.len()], counters);
    match Session::resume(Entry::of::<Cube>(), &checkpoint) {
        Ok(_) => panic!("{counters:?} was accepted"),
        Err(error) => error.to_string(),
    }
}

/// The counters of value iteration are the updates made, and the update at which its target values were last
/// refreshed.
#[test]
fn refresh_after_the_last_update_is_refused() {
    let sentence = refusal(checkpoint("davi"), &[8, 9]);
    assert!(sentence.contains("refreshed at update 9") && sentence.contains("8 updates"), "{sentence}");
}

#[test]
fn fewer_updates_than_optimiser_steps_are_refused() {
    for (learner, counters) in [("davi", &[7, 7][..]), ("cayleypy", &[7, 0]), ("dqn", &[7])] {
        let sentence = refusal(checkpoint(learner), counters);
        assert!(sentence.contains("8 steps") && sentence.contains("7 updates"), "{sentence}");
    }
}

#[test]
fn updates_beyond_any_run_are_refused() {
    for (learner, counters) in
        [("davi", &[u64::MAX, 8][..]), ("efficientcube", &[1 << 49, 0]), ("dqn", &[u64::MAX])]
    {
        let sentence = refusal(checkpoint(learner), counters);
        assert!(sentence.contains("`updates`") && sentence.contains("no run can reach"), "{sentence}");
    }
}

/// A checkpoint that holds only a network has no counters. Its number of updates follows from the work
/// (samples learned from) in its header.
#[test]
fn network_alone_with_absurd_work_is_refused() {
    let mut network = checkpoint("davi").network_only();
    assert!(Session::resume(Entry::of::<Cube>(), &network).is_ok());
    network.header.work = u64::MAX;
    let result = Session::resume(Entry::of::<Cube>(), &network);
    assert!(result.is_err_and(|error| error.to_string().contains("no run can reach")));
}
