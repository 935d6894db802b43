//! What the settings say about the course of a run: how the learning rate falls, when distillation begins and
//! ends, and when value iteration may compute its targets anew.

use learnery_nn::{AdamOptions, Decay, Schedule};

use crate::config::{CubeConfig, PuzzleName};

impl CubeConfig {
    /// The updates after which annealing, and distillation if there is one, have ended; `None` without
    /// annealing.
    pub fn scheduled_updates(&self) -> Option<u64> {
        (self.anneal > 0).then(|| u64::from(self.anneal) + u64::from(self.distil_updates()))
    }

    /// The updates of distillation; 0 if there is none.
    pub fn distil_updates(&self) -> u32 {
        let has_distillation =
            self.puzzle == PuzzleName::Three && self.learner.predicts_distance() && self.anneal > 0;
        if has_distillation { self.distil } else { 0 }
    }

    /// Updates after which the target values of value iteration may be computed anew at the earliest: an
    /// eighth of `refresh_every`, as the help of that setting says.
    pub fn earliest_refresh(&self) -> u32 {
        self.refresh_every / 8
    }

    /// Options of the optimiser at update number `update`: the learning rate falls along a cosine to 1%.
    pub fn adam_options(&self, update: u64) -> AdamOptions {
        self.annealed(update, self.anneal)
    }

    /// [`CubeConfig::adam_options`] for a learning rate that falls over `anneal` updates, such as those of
    /// distillation; 0 keeps the rate constant.
    pub fn annealed(&self, update: u64, anneal: u32) -> AdamOptions {
        let factor = match anneal {
            0 => 1.0,
            steps => {
                let steps = u64::from(steps);
                Schedule { warm_up: 0, steps, floor: 0.01, decay: Decay::Cosine }.at(update)
            }
        };
        AdamOptions {
            lr: (self.learning_rate * factor) as f32,
            max_norm: self.max_grad_norm as f32,
            ..AdamOptions::default()
        }
    }
}
