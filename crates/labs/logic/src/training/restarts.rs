//! Restarts within a run (Gomes, Selman and Kautz, "Boosting combinatorial search through randomization", 1998). Early
//! training decides by chance which way gates go, and gates that went the wrong way have no gradient left that would
//! show it. So a run without progress restarts from fresh gates and wires.
//!
//! Progress is an average hard error below half of what it was at the last progress, or a proof that holds.

use learnery_lab::LabError;
use serde_json::{Value, json};

/// The weight of an epoch in the exponential moving average (EMA) of the hard error.
const HARD_ERROR_EMA: f64 = 0.05;
/// Progress is made when the average has come down to this fraction.
const PROGRESS_FACTOR: f64 = 0.5;
/// The error of random cells.
const CHANCE: f64 = 0.5;

/// The attempts of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restarts {
    /// Counted from 1.
    attempt: u32,
    /// The epoch at which the attempt started.
    start_epoch: u64,
    last_progress_epoch: u64,
    hard_error_ema: f64,
    /// The average at the last progress.
    best_hard_error: f64,
}

impl Restarts {
    /// The state of a new run.
    pub const FIRST_ATTEMPT: Self = Self {
        attempt: 1,
        start_epoch: 0,
        last_progress_epoch: 0,
        hard_error_ema: CHANCE,
        best_hard_error: CHANCE,
    };

    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    pub fn start_epoch(&self) -> u64 {
        self.start_epoch
    }

    /// Records the mean hard error of the last `count` epochs, of `epochs` in all, and whether a proof held.
    pub fn record(&mut self, epochs: u64, count: u32, error: f64, proof_held: bool) {
        self.hard_error_ema =
            error + (self.hard_error_ema - error) * (1.0 - HARD_ERROR_EMA).powf(f64::from(count));
        if self.hard_error_ema < PROGRESS_FACTOR * self.best_hard_error {
            self.best_hard_error = self.hard_error_ema;
            self.last_progress_epoch = epochs;
        }
        if proof_held {
            self.last_progress_epoch = epochs;
        }
    }

    /// Forgets the errors when the target changes; the attempt goes on.
    pub fn target_changed(&mut self, epochs: u64) {
        *self =
            Self { last_progress_epoch: epochs, hard_error_ema: CHANCE, best_hard_error: CHANCE, ..*self };
    }

    /// Starts the next attempt if there was no progress for `patience` epochs (0 for never). Returns whether it did.
    pub fn restart_if_stuck(&mut self, epochs: u64, patience: u32) -> bool {
        let stuck = patience > 0 && epochs - self.last_progress_epoch >= u64::from(patience);
        if stuck {
            *self = Self {
                attempt: self.attempt + 1,
                start_epoch: epochs,
                last_progress_epoch: epochs,
                ..Self::FIRST_ATTEMPT
            };
        }
        stuck
    }

    pub fn to_json(self) -> Value {
        let Self { attempt, start_epoch, last_progress_epoch, hard_error_ema, best_hard_error } = self;
        json!({
            "number": attempt,
            "begun": start_epoch,
            "hopeful": last_progress_epoch,
            "errors": [hard_error_ema, best_hard_error],
        })
    }

    /// Reads the checkpoint of a run that has done `units` units and `epochs` epochs. A run restarts at most once per unit.
    pub fn from_json(value: &Value, units: u64, epochs: u64) -> Result<Self, LabError> {
        let bad = || LabError::Checkpoint("its count of `attempts` is missing or contradicts itself".into());
        let get = |name: &str| value[name].as_u64().ok_or_else(bad);
        let error =
            |i: usize| value["errors"][i].as_f64().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(bad);
        let attempt = u32::try_from(get("number")?).map_err(|_| bad())?;
        let restarts = Self {
            attempt,
            start_epoch: get("begun")?,
            last_progress_epoch: get("hopeful")?,
            hard_error_ema: error(0)?,
            best_hard_error: error(1)?,
        };
        let in_order =
            restarts.start_epoch <= restarts.last_progress_epoch && restarts.last_progress_epoch <= epochs;
        let possible = attempt > 0 && u64::from(attempt - 1) <= units;
        if in_order && possible { Ok(restarts) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_without_progress_restarts_and_counts_its_attempts() {
        let mut restarts = Restarts::FIRST_ATTEMPT;
        assert!(!restarts.restart_if_stuck(99, 100));
        assert!(!restarts.restart_if_stuck(1000, 0));
        restarts.record(60, 5, 0.6, true);
        assert!(!restarts.restart_if_stuck(159, 100));
        assert!(restarts.restart_if_stuck(160, 100));
        assert_eq!((restarts.attempt(), restarts.start_epoch()), (2, 160));
        assert!(!restarts.restart_if_stuck(259, 100));
        // An error that halves counts as progress once; staying low does not.
        restarts.record(240, 100, 0.2, false);
        restarts.record(250, 10, 0.2, false);
        assert!(!restarts.restart_if_stuck(339, 100));
        assert!(restarts.restart_if_stuck(340, 100));
        assert_eq!((restarts.attempt(), restarts.start_epoch()), (3, 340));
    }

    #[test]
    fn restarts_survive_a_checkpoint_and_contradictory_ones_are_refused() {
        let mut restarts = Restarts::FIRST_ATTEMPT;
        restarts.restart_if_stuck(100, 100);
        restarts.record(120, 5, 1.0 / 3.0, true);
        assert_eq!(Restarts::from_json(&restarts.to_json(), 26, 130).expect("it is whole"), restarts);
        assert!(Restarts::from_json(&restarts.to_json(), 26, 119).is_err(), "progress after the last epoch");
        assert!(Restarts::from_json(&restarts.to_json(), 0, 130).is_err(), "a restart before the first unit");
        for damaged in [
            json!(null),
            json!({ "number": 0, "begun": 0, "hopeful": 0, "errors": [0.5, 0.5] }),
            json!({ "number": u32::MAX, "begun": 0, "hopeful": 0, "errors": [0.5, 0.5] }),
            json!({ "number": 1, "begun": 0 }),
        ] {
            assert!(Restarts::from_json(&damaged, 26, 130).is_err(), "{damaged}");
        }
    }
}
