//! A pseudo-random evaluator of the race game. It also asserts that searches call it correctly: every policy
//! request must have the embedding and the plays of its state.

use learnery_kernels::rng::Stream;
use learnery_search::{AfterstateEvaluator, Evaluator, Game, PolicyRequest};

use super::race::{Play, Race, Turn};

/// Returns pseudo-random values and logits that depend on the state only. The embedding (what a network would
/// hand from its value to its policy head) is the state itself, so the evaluator can check that a search
/// passes the embedding of the right node.
#[derive(Default)]
pub struct RandomEvaluator {
    /// The size of each batch of values, in the order of requests.
    pub batch_sizes: Vec<usize>,
}

const STREAM: Stream = Stream::new(5, 1);

/// The counter of a state's value in [`STREAM`], whose numbers have a key (which identifies the state) and a
/// counter.
const VALUE_COUNTER: u64 = 0;
/// The counter of the logit of a state's first play. The logits of its other plays follow.
const FIRST_LOGIT_COUNTER: u64 = 1;
/// The counter of an afterstate's value. It is above the counters of all logits, because a state and an
/// afterstate can have the same key.
const AFTERSTATE_COUNTER: u64 = 100;

/// The length of an embedding: the places of four runners, and the roll.
pub const EMBEDDING_SIZE: usize = 5;

/// The value of a state, uniform in -1..1.
pub fn random_value(turn: &Turn) -> f32 {
    2.0 * STREAM.uniform(Race.key(turn), VALUE_COUNTER) - 1.0
}

/// The logit of play `i` of a state, uniform in 0..3.
pub fn random_logit(turn: &Turn, i: usize) -> f32 {
    3.0 * STREAM.uniform(Race.key(turn), FIRST_LOGIT_COUNTER + i as u64)
}

fn embedding(turn: &Turn) -> [f32; EMBEDDING_SIZE] {
    let [own, other] = [turn.runners.own, turn.runners.other];
    [own[0], own[1], other[0], other[1], turn.roll].map(f32::from)
}

impl Evaluator<Race> for RandomEvaluator {
    fn embedding_size(&self) -> usize {
        EMBEDDING_SIZE
    }

    fn values(&mut self, states: &[Turn], values: &mut [f32], embeddings: &mut [f32]) {
        assert_eq!((values.len(), embeddings.len()), (states.len(), EMBEDDING_SIZE * states.len()));
        self.batch_sizes.push(states.len());
        for ((state, value), row) in
            states.iter().zip(values).zip(embeddings.chunks_exact_mut(EMBEDDING_SIZE))
        {
            *value = random_value(state);
            row.copy_from_slice(&embedding(state));
        }
    }

    fn logits(&mut self, request: PolicyRequest<Race>, logits: &mut [f32]) {
        assert_eq!(logits.len(), request.plays.len());
        assert_eq!(request.ranges.last().map(|range| range.end), Some(logits.len()));
        for ((state, row), range) in
            request.states.iter().zip(request.embeddings.chunks_exact(EMBEDDING_SIZE)).zip(request.ranges)
        {
            assert_eq!(row, embedding(state));
            let mut plays = Vec::new();
            // The race finds its plays without scratch memory, so its scratch type is `()`.
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
        self.batch_sizes.push(plays.len());
        for (play, value) in plays.iter().zip(values) {
            *value = random_afterstate_value(play);
        }
    }
}

/// The value of a play's afterstate, uniform in -1..1.
pub fn random_afterstate_value(play: &Play) -> f32 {
    // An afterstate has no roll, so the roll's byte of the key is free for `extra_turn`.
    let key = Race.key(&Turn { runners: play.runners, roll: u8::from(play.extra_turn) });
    2.0 * STREAM.uniform(key, AFTERSTATE_COUNTER) - 1.0
}
