//! A perfect evaluator of the race of `race.rs`.

use learnery_search::{AfterstateEvaluator, Evaluator, PolicyRequest};

use super::race::{Play, Race, Turn};

/// Returns exact values and a uniform policy.
pub struct ExactEvaluator;

impl Evaluator<Race> for ExactEvaluator {
    /// The uniform policy needs no embedding.
    fn embedding_size(&self) -> usize {
        0
    }

    fn values(&mut self, states: &[Turn], values: &mut [f32], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            *value = Race.exact(state);
        }
    }

    fn logits(&mut self, _: PolicyRequest<Race>, logits: &mut [f32]) {
        logits.fill(0.0);
    }
}

impl AfterstateEvaluator<Race> for ExactEvaluator {
    fn afterstate_values(&mut self, plays: &[Play], values: &mut [f32]) {
        for (play, value) in plays.iter().zip(values) {
            *value = Race.exact_after(play);
        }
    }
}
