//! Who judges the race and makes it all up.

use learnery_kernels::rng::Stream;
use learnery_search::{AfterstateEvaluator, Evaluator, Game, PolicyRequest};

use super::race::{Left, Race, Turn};

/// Says whatever comes to mind, but the same of the same state. What it keeps with a state is its key, which it checks
/// when it is asked for the policy.
#[derive(Default)]
pub struct Fancy {
    /// States in each question, to see how they come.
    pub batches: Vec<usize>,
}

const STREAM: Stream = Stream::new(5, 1);

/// Its value of a state.
pub fn fancied_value(turn: &Turn) -> f32 {
    2.0 * STREAM.uniform(Race.key(turn), 0) - 1.0
}

/// What it thinks of play `i` of a state.
pub fn fancied_logit(turn: &Turn, i: usize) -> f32 {
    3.0 * STREAM.uniform(Race.key(turn), 1 + i as u64)
}

fn key(turn: &Turn) -> [f32; 5] {
    let [own, other] = [turn.runners.own, turn.runners.other];
    [own[0], own[1], other[0], other[1], turn.throw].map(f32::from)
}

impl Evaluator<Race> for Fancy {
    fn embedding_size(&self) -> usize {
        5
    }

    fn values(&mut self, states: &[Turn], values: &mut [f32], kept: &mut [f32]) {
        assert_eq!((values.len(), kept.len()), (states.len(), 5 * states.len()));
        self.batches.push(states.len());
        for ((state, value), kept) in states.iter().zip(values).zip(kept.chunks_exact_mut(5)) {
            *value = fancied_value(state);
            kept.copy_from_slice(&key(state));
        }
    }

    fn logits(&mut self, asked: PolicyRequest<Race>, logits: &mut [f32]) {
        assert_eq!(logits.len(), asked.plays.len());
        assert_eq!(asked.ranges.last().map(|range| range.end), Some(logits.len()));
        for ((state, kept), range) in
            asked.states.iter().zip(asked.embeddings.chunks_exact(5)).zip(asked.ranges)
        {
            assert_eq!(kept, key(state));
            let mut plays = Vec::new();
            Race.plays(state, &mut (), &mut plays);
            assert_eq!(plays, asked.plays[range.clone()]);
            for (i, logit) in logits[range.clone()].iter_mut().enumerate() {
                *logit = fancied_logit(state, i);
            }
        }
    }
}

impl AfterstateEvaluator<Race> for Fancy {
    fn afterstate_values(&mut self, plays: &[Left], values: &mut [f32]) {
        self.batches.push(plays.len());
        for (play, value) in plays.iter().zip(values) {
            *value = fancied_after(play);
        }
    }
}

/// Its value of what a turn leaves behind.
pub fn fancied_after(left: &Left) -> f32 {
    let place = Race.key(&Turn { runners: left.runners, throw: u8::from(left.again) });
    2.0 * STREAM.uniform(place, 100) - 1.0
}
