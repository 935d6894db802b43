//! What the tests of labs do with runs, beside the contract.

use crate::{Session, Status};

/// Runs until this many units (training iterations) are done.
///
/// # Panics
/// If a unit does not end, because a device failed.
pub fn run_until(session: &mut Session, units: u64) {
    while session.units() < units {
        run_unit(session);
    }
}

/// Runs until the goal is reached.
///
/// # Panics
/// If it is not reached within `max_units` units, or a device failed.
pub fn run_until_solved(session: &mut Session, max_units: u64) {
    let metric = session.goal().expect("the run has a goal").metric;
    while session.solved_at().is_none() {
        assert!(
            session.units() < max_units,
            "seed {}: not solved after {max_units} units; {metric}: {:?}",
            session.seed(),
            metric_history(session, metric)
        );
        run_unit(session);
    }
}

fn run_unit(session: &mut Session) {
    assert_eq!(session.advance_unit().status, Status::UnitFinished, "{:?}", session.failure());
}

/// The values of a metric in all units.
pub fn metric_history(session: &Session, name: &str) -> Vec<f64> {
    let metrics = session.entry().about.metrics;
    let index = metrics.iter().position(|spec| spec.name == name).expect("a metric of the lab");
    session.history().columns()[index].clone()
}
