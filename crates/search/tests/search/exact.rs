//! Who judges the race and knows.

use learnery_search::{AfterstateEvaluator, Evaluator, PolicyRequest};

use super::race::{Left, Race, Turn};

/// Knows every value and prefers no play.
pub struct Exact;

impl Evaluator<Race> for Exact {
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

impl AfterstateEvaluator<Race> for Exact {
    fn afterstate_values(&mut self, plays: &[Left], values: &mut [f32]) {
        for (play, value) in plays.iter().zip(values) {
            *value = Race.exact_after(play);
        }
    }
}
