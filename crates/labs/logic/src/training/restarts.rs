//! Restarts within a run (Gomes, Selman and Kautz, "Boosting combinatorial search through randomization",
//! 1998). Early training decides by chance which of the sixteen kinds a gate tends to. Once the softmax over
//! a gate's kinds is saturated, its gradient is too small to correct a wrong choice. So a run without
//! progress restarts with fresh gates and wires: a new attempt.
//!
//! A run makes progress when the moving average of the hard error (the fraction of wrong cells with each gate
//! replaced by its most likely kind) falls below half of its value at the last progress, or when a proof
//! holds (no cell is wrong in long runs from new initial states).

use learnery_kernels::math::double;
use learnery_lab::LabError;
use serde_json::{Value, json};

/// The weight of an epoch in the exponential moving average (EMA) of the hard error.
const HARD_ERROR_EMA: f64 = 0.05;
/// A run makes progress when the moving average falls below this fraction of its value at the last progress.
const PROGRESS_FACTOR: f64 = 0.5;
/// The expected error if cells are on or off at random.
const RANDOM_ERROR: f64 = 0.5;

/// The current attempt of a run and its progress. Epochs are counted from the beginning of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restarts {
    /// Counted from 1.
    attempt: u32,
    /// The epoch at which the attempt started.
    start_epoch: u64,
    last_progress_epoch: u64,
    hard_error_ema: f64,
    /// The moving average at the last progress.
    best_hard_error: f64,
}

impl Restarts {
    /// The state of a new run.
    pub const FIRST_ATTEMPT: Self = Self {
        attempt: 1,
        start_epoch: 0,
        last_progress_epoch: 0,
        hard_error_ema: RANDOM_ERROR,
        best_hard_error: RANDOM_ERROR,
    };

    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    pub fn start_epoch(&self) -> u64 {
        self.start_epoch
    }

    /// Records a unit (a training iteration, which is a number of epochs and perhaps a proof).
    ///
    /// `epochs` counts all epochs of the run, `unit_epochs` those of the unit. `error` is the unit's mean
    /// hard error.
    pub fn record(&mut self, epochs: u64, unit_epochs: u32, error: f64, proof_held: bool) {
        // The same as one EMA update for each epoch of the unit with this error.
        self.hard_error_ema =
            error + (self.hard_error_ema - error) * double::integer_power(1.0 - HARD_ERROR_EMA, unit_epochs);
        if self.hard_error_ema < PROGRESS_FACTOR * self.best_hard_error {
            self.best_hard_error = self.hard_error_ema;
            self.last_progress_epoch = epochs;
        }
        if proof_held {
            self.last_progress_epoch = epochs;
        }
    }

    /// Resets the errors because the target has changed. The attempt continues.
    pub fn target_changed(&mut self, epochs: u64) {
        *self = Self {
            last_progress_epoch: epochs,
            hard_error_ema: RANDOM_ERROR,
            best_hard_error: RANDOM_ERROR,
            ..*self
        };
    }

    /// Starts the next attempt if the run made no progress for `patience` epochs, and returns whether it did.
    /// A patience of 0 turns restarts off.
    pub fn restart_if_stuck(&mut self, epochs: u64, patience: u32) -> bool {
        let is_stuck = patience > 0 && epochs - self.last_progress_epoch >= u64::from(patience);
        if is_stuck {
            *self = Self {
                attempt: self.attempt + 1,
                start_epoch: epochs,
                last_progress_epoch: epochs,
                ..Self::FIRST_ATTEMPT
            };
        }
        is_stuck
    }

    /// The keys are an interface and stay, although the fields have other names now.
    pub fn to_json(self) -> Value {
        let Self { attempt, start_epoch, last_progress_epoch, hard_error_ema, best_hard_error } = self;
        json!({
            "number": attempt,
            "begun": start_epoch,
            "hopeful": last_progress_epoch,
            "errors": [hard_error_ema, best_hard_error],
        })
    }

    /// Reads [`Self::to_json`] from the checkpoint of a run of `units` units and `epochs` epochs. Rejects
    /// numbers that contradict each other. A run restarts at most once per unit, so it has at most one
    /// attempt more than units.
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
        let are_ordered =
            restarts.start_epoch <= restarts.last_progress_epoch && restarts.last_progress_epoch <= epochs;
        let is_possible = attempt > 0 && u64::from(attempt - 1) <= units;
        if are_ordered && is_possible { Ok(restarts) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_restarts_after_as_many_epochs_without_progress_as_its_patience() {
        const PATIENCE: u32 = 100;
        let mut restarts = Restarts::FIRST_ATTEMPT;
        assert!(!restarts.restart_if_stuck(99, PATIENCE));
        assert!(!restarts.restart_if_stuck(1000, 0), "a patience of 0 turns restarts off");
        // A proof that holds is progress, here at epoch 60 after a unit of 5 epochs. An error of 0.6 is no
        // progress.
        restarts.record(60, 5, 0.6, true);
        assert!(!restarts.restart_if_stuck(159, PATIENCE));
        assert!(restarts.restart_if_stuck(160, PATIENCE));
        assert_eq!((restarts.attempt(), restarts.start_epoch()), (2, 160));
        assert!(!restarts.restart_if_stuck(259, PATIENCE));
    }

    #[test]
    fn halved_error_counts_as_progress_once_and_staying_low_does_not() {
        const PATIENCE: u32 = 100;
        let mut restarts = Restarts::FIRST_ATTEMPT;
        // After 100 epochs with an error of 0.2 the average has fallen from 0.5 to 0.202, below half. Ten
        // more epochs hardly change it, so the last progress is at epoch 240.
        restarts.record(240, 100, 0.2, false);
        restarts.record(250, 10, 0.2, false);
        assert!(!restarts.restart_if_stuck(339, PATIENCE));
        assert!(restarts.restart_if_stuck(340, PATIENCE));
        assert_eq!((restarts.attempt(), restarts.start_epoch()), (2, 340));
    }

    #[test]
    fn restarts_survive_a_checkpoint() {
        let mut restarts = Restarts::FIRST_ATTEMPT;
        // A restart at epoch 100, progress at epoch 120, and a checkpoint after 130 epochs in 26 units.
        restarts.restart_if_stuck(100, 100);
        restarts.record(120, 5, 1.0 / 3.0, true);
        assert_eq!(Restarts::from_json(&restarts.to_json(), 26, 130).expect("it is whole"), restarts);
    }

    #[test]
    fn checkpoint_with_contradictory_restarts_is_rejected() {
        let mut restarts = Restarts::FIRST_ATTEMPT;
        restarts.restart_if_stuck(100, 100);
        restarts.record(120, 5, 1.0 / 3.0, true);
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
