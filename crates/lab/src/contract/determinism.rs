//! A run has the same bits however it is interrupted, saved, watched or spread over threads. `uninterrupted`
//! is the last file of [`Uninterrupted`].

use super::{Case, SEED, UNITS, Uninterrupted, advance};
use crate::{Budget, Checkpoint, Status};

/// A run gives the same bits however many steps are done per call of `advance`.
pub(super) fn interruptions_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    // Pseudo-random budgets of 1 to 13 steps, by Knuth's multiplicative hash of the call's number. Every
    // seventh is 1,000 steps, more than most units have.
    let irregular = |call: u64| if call % 7 == 6 { 1000 } else { 1 + ((call * 2_654_435_761) >> 7) % 13 };
    // Each function returns the budget of the call with this number, in steps.
    let budgets: [(&str, &dyn Fn(u64) -> u64); 2] = [("one step", &|_| 1), ("irregular", &irregular)];
    for (name, budget) in budgets {
        let mut session = case.start();
        let mut calls = 0;
        while session.units() < UNITS {
            let steps = budget(calls);
            let done = session.advance(&mut Budget::steps(steps));
            assert!(done.steps <= steps, "{} steps, though the budget was {steps}", done.steps);
            assert!(
                done.steps > 0 || done.status == Status::Waiting,
                "no step, though the budget was {steps} and no device such as a GPU is busy"
            );
            calls += 1;
        }
        assert!(session.save().to_bytes() == uninterrupted, "{name} budgets changed the bits");
    }
}

/// One and three threads give the same bits as rayon's global pool, which has one thread for each core.
pub(super) fn threads_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| case.bytes_after(UNITS))
    };
    for threads in [1, 3] {
        assert!(run(threads) == uninterrupted, "{threads} threads changed the bits");
    }
}

/// A run that is saved before its first unit and after each, and goes on from that file each time, has the
/// files of a run that goes on by itself. So has a run that is saved in the middle of a unit.
pub(super) fn saving_and_loading_change_no_bit(case: &Case, run: &Uninterrupted) {
    let mut session = case.start();
    for units in 0..=UNITS {
        let file = session.save().to_bytes();
        let is_unchanged = units == 0 || file == run.file_after(units);
        assert!(is_unchanged, "the unit after loading, unit {units}, has other bits");
        let saved = Checkpoint::from_bytes(&file).expect("our own file can be read");
        session = case.resume(&saved).expect("our own file can be resumed");
        assert_eq!((session.units(), session.seed()), (units, SEED));
        assert_eq!(session.units_work(), saved.header.work, "the work of the completed units, unit {units}");
        if units == UNITS {
            assert!(session.save().to_bytes() == file, "loading changed the file");
        } else {
            advance(&mut session, 1);
        }
    }
    // Saving in the middle of a unit first finishes the unit.
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    session.save();
    assert!(!session.is_mid_unit());
    let remaining = UNITS - session.units();
    advance(&mut session, remaining);
    assert!(session.save().to_bytes() == run.last(), "a save in the middle of a unit changed the bits");
}

/// Drawing views and advancing the animation changes nothing that training uses.
pub(super) fn views_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    let mut session = case.start();
    let mut views = 0u32;
    while session.units() < UNITS {
        session.advance(&mut Budget::steps(2));
        // 0 to 0.12 seconds, like the frames of a page that sometimes stalls.
        session.animate(0.03 * f64::from(views % 5));
        serde_json::to_string(&session.view()).expect("a view can be serialised");
        views += 1;
    }
    assert!(session.save().to_bytes() == uninterrupted, "a view changed the bits");
}

/// Runs with different seeds give different networks.
pub(super) fn seed_changes_the_network(case: &Case, run: &Uninterrupted) {
    let mut other = case.start_with_seed(SEED + 1);
    advance(&mut other, 1);
    assert!(other.save().network() != run.after(1).network(), "the seed is ignored");
}
