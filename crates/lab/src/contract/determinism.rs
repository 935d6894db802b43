//! A run has the same bits however it is interrupted, saved, watched or spread over threads. A *unit* is one
//! training iteration, a *step* its smallest interruptible piece. `uninterrupted` is the final checkpoint of
//! a run of [`UNITS`] units that nothing interrupts.

use super::{Case, SEED, UNITS, advance};
use crate::{Budget, Checkpoint, Status};

/// A run gives the same bits however many steps are done per call of `advance`.
pub(super) fn interruptions_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    // Pseudo-random budgets of 1 to 13 steps, by Knuth's multiplicative hash of the call's number.
    let irregular = |call: u64| 1 + ((call * 2_654_435_761) >> 7) % 13;
    // Each returns the budget of the call with this number, in steps.
    let budgets: [&dyn Fn(u64) -> u64; 4] = [&|_| 1, &|_| 3, &|_| 1000, &irregular];
    for (i, budget) in budgets.iter().enumerate() {
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
        assert!(session.save().to_bytes() == uninterrupted, "budgets {i} changed the bits");
    }
}

/// One, two and three threads give the same bits.
pub(super) fn threads_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| case.bytes_after(UNITS))
    };
    for threads in [1, 2, 3] {
        assert!(run(threads) == uninterrupted, "{threads} threads changed the bits");
    }
}

/// A run that is saved after k units, loaded and continued to N units gives the same file as an uninterrupted
/// run of N units.
pub(super) fn saving_and_loading_change_no_bit(case: &Case, uninterrupted: &[u8]) {
    let mut saving = case.start();
    for k in 0..=UNITS {
        let units = k - saving.units();
        advance(&mut saving, units);
        let saved = Checkpoint::from_bytes(&saving.save().to_bytes()).expect("our own file can be read");
        let mut session = case.resume(&saved).expect("our own file can be resumed");
        assert_eq!((session.units(), session.seed()), (k, SEED));
        advance(&mut session, UNITS - k);
        assert!(session.save().to_bytes() == uninterrupted, "saving after unit {k} changed the bits");
    }
    assert!(saving.save().to_bytes() == uninterrupted, "saving after every unit changed the bits");
    // Saving in the middle of a unit first finishes the unit.
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    session.save();
    assert!(!session.is_mid_unit());
    let remaining = UNITS - session.units();
    advance(&mut session, remaining);
    assert!(session.save().to_bytes() == uninterrupted, "a save in the middle of a unit changed the bits");
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
pub(super) fn seed_changes_the_network(case: &Case) {
    let mut first = case.start();
    advance(&mut first, 1);
    let mut second = case.start_with_seed(SEED + 1);
    advance(&mut second, 1);
    assert!(first.save().network() != second.save().network(), "the seed is ignored");
}
