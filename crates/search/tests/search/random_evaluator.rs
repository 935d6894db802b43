//! A pseudo-random evaluator of the race, which also checks how it is called.

use learnery_kernels::rng::Stream;
use learnery_search::{AfterstateEvaluator, Evaluator, Game, PolicyRequest};

use super::race::{Play, Race, Turn};

/// Returns random values and logits that depend on the state only. The embedding encodes the state; policy requests are checked
/// against it.
#[derive(Default)]
pub struct RandomEvaluator {
    /// The size of each batch of values.
    pub batches: Vec<usize>,
}

const STREAM: Stream = Stream::new(5, 1);

pub fn random_value(turn: &Turn) -> f32 {
    2.0 * STREAM.uniform(Race.key(turn), 0) - 1.0
}

/// The logit of play `i` of a state.
pub fn random_logit(turn: &Turn, i: usize) -> f32 {
    3.0 * STREAM.uniform(Race.key(turn), 1 + i as u64)
}

fn embedding(turn: &Turn) -> [f32; 5] {
    let [own, other] = [turn.runners.own, turn.runners.other];
    [own[0], own[1], other[0], other[1], turn.roll].map(f32::from)
}

impl Evaluator<Race> for RandomEvaluator {
    fn embedding_size(&self) -> usize {
        5
    }

    fn values(&mut self, states: &[Turn], values: &mut [f32], embeddings: &mut [f32]) {
        assert_eq!((values.len(), embeddings.len()), (states.len(), 5 * states.len()));
        self.batches.push(states.len());
        for ((state, value), embeddings) in states.iter().zip(values).zip(embeddings.chunks_exact_mut(5)) {
            *value = random_value(state);
            embeddings.copy_from_slice(&embedding(state));
        }
    }

    fn logits(&mut self, request: PolicyRequest<Race>, logits: &mut [f32]) {
        assert_eq!(logits.len(), request.plays.len());
        assert_eq!(request.ranges.last().map(|range| range.end), Some(logits.len()));
        for ((state, embeddings), range) in
            request.states.iter().zip(request.embeddings.chunks_exact(5)).zip(request.ranges)
        {
            assert_eq!(embeddings, embedding(state));
            let mut plays = Vec::new();
            Race.plays(state, &mut (), &mut plays);
            assert_eq!(plays, request.plays[range.clone()]);
            for (i, logit) in logits[range.clone()].iter_mut().enumerate() {
                *logit = random_logit(state, i);
            }
        }
    }
}

impl AfterstateEvaluator<Race> for RandomEvaluator {
    fn afterstate_values(&mut self, plays: &[Play], values: &mut [f32]) {
        self.batches.push(plays.len());
        for (play, value) in plays.iter().zip(values) {
            *value = random_afterstate_value(play);
        }
    }
}

pub fn random_afterstate_value(play: &Play) -> f32 {
    let place = Race.key(&Turn { runners: play.runners, roll: u8::from(play.again) });
    2.0 * STREAM.uniform(place, 100) - 1.0
}
