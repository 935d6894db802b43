//! Decides how many gates are discretised (replaced by their most likely kind) in an epoch of training. The
//! decision follows from a moving average of the error with soft gates, which are mixtures of kinds.
//!
//! Soft gates can solve a task in a way that no hard circuit can: values between 0 and 1 can stand for "not
//! known yet". So in every epoch a random part of the gates is discretised while the rest learns
//! (quantization noise: Fan, Stock, Graham, Grave, Gribonval, Jégou and Joulin, "Training with quantization
//! noise for extreme model compression", 2020). Discretised gates receive the gradient of their soft mixture
//! (straight-through estimator), so a wrong kind can still be replaced. While the soft error is small, the
//! discretised fraction grows, and otherwise it shrinks. So errors that appear only if many gates are hard
//! become visible to the gradient.

use learnery_lab::LabError;

use super::losses::Losses;
use crate::config::LogicConfig;

/// The weight of an epoch in the exponential moving average (EMA) of the soft error.
const SOFT_ERROR_EMA: f64 = 0.05;
/// The weight of an epoch in the EMA of the hard error.
const HARD_ERROR_EMA: f64 = 0.2;

/// Lower bound of `undecided_share`, because hard gates alone give no useful gradient.
pub const MIN_UNDECIDED_SHARE: f64 = 0.05;

/// The averages of a run, and what follows from them: how many gates stay soft.
#[derive(Clone, Copy, Debug)]
pub struct QuantizationNoise {
    /// The moving average of the mean squared error of an epoch.
    soft_error_ema: f64,
    /// The moving average of the fraction of wrong cells if all gates are hard. Nothing in this file follows
    /// from it; the trainer asks for it to decide on local search.
    hard_error_ema: f64,
    /// The fraction of gates that stay soft, relative to its initial value `1 - config.discretised_fraction`.
    undecided_share: f64,
}

impl QuantizationNoise {
    /// The state of a new attempt.
    pub const INITIAL: Self = Self { soft_error_ema: 1.0, hard_error_ema: 1.0, undecided_share: 1.0 };

    /// The moving average of the hard error.
    pub fn hard_error_ema(&self) -> f64 {
        self.hard_error_ema
    }

    /// The fraction of gates that are discretised in an epoch.
    pub fn discretised_fraction(&self, config: &LogicConfig) -> f64 {
        1.0 - (1.0 - config.discretised_fraction) * self.undecided_share
    }

    /// Records the hard error of an epoch alone.
    pub fn update_hard(&mut self, error: f64) {
        self.hard_error_ema += HARD_ERROR_EMA * (error - self.hard_error_ema);
    }

    /// Records the losses of an epoch.
    pub fn update(&mut self, losses: Losses, config: &LogicConfig) {
        self.soft_error_ema += SOFT_ERROR_EMA * (losses.soft - self.soft_error_ema);
        self.update_hard(losses.hard);
        let factor = 1.0 + config.hardening_rate;
        self.undecided_share = match self.soft_error_ema < config.hardening_threshold {
            true => (self.undecided_share / factor).max(MIN_UNDECIDED_SHARE),
            false => (self.undecided_share * factor).min(1.0),
        };
    }

    /// The values of a checkpoint.
    pub fn to_array(self) -> [f64; 3] {
        [self.soft_error_ema, self.undecided_share, self.hard_error_ema]
    }

    /// Reads [`Self::to_array`] from a checkpoint.
    pub fn from_array(values: [f64; 3]) -> Result<Self, LabError> {
        // Rounding may carry an average slightly above 1.
        const MAX_AVERAGE: f64 = 1.01;
        if !values.iter().all(|x| (0.0..=MAX_AVERAGE).contains(x)) {
            return Err(LabError::Checkpoint("its average errors are not between 0 and 1".into()));
        }
        let [soft_error_ema, undecided_share, hard_error_ema] = values;
        Ok(Self { soft_error_ema, hard_error_ema, undecided_share })
    }
}
