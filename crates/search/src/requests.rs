//! The states of all trees that wait for the evaluator in one round.

use std::ops::Range;

use crate::Game;

/// Initial capacity of a policy request: plays for each state.
const PLAYS_PER_STATE: usize = 32;

/// States whose value is needed in this round.
pub(crate) struct ValueRequests<G: Game> {
    /// For each state: (search, node, cache key).
    pub origins: Vec<(u32, u32, u64)>,
    pub states: Vec<G::State>,
    pub values: Vec<f32>,
    pub embeddings: Vec<f32>,
}

impl<G: Game> ValueRequests<G> {
    /// Allocates for `states` states.
    pub fn new(states: usize, embedding_size: usize) -> Self {
        Self {
            origins: Vec::with_capacity(states),
            states: Vec::with_capacity(states),
            values: Vec::with_capacity(states),
            embeddings: Vec::with_capacity(states * embedding_size),
        }
    }
}

/// States whose policy is needed in this round. The fields after `origins` become a [`PolicyRequest`].
pub(crate) struct PolicyRequests<G: Game> {
    /// For each state: (search, node).
    pub origins: Vec<(u32, u32)>,
    pub states: Vec<G::State>,
    pub embeddings: Vec<f32>,
    pub plays: Vec<G::Play>,
    pub ranges: Vec<Range<usize>>,
    pub logits: Vec<f32>,
}

impl<G: Game> PolicyRequests<G> {
    /// Allocates for `states` states.
    pub fn new(states: usize, embedding_size: usize) -> Self {
        Self {
            origins: Vec::with_capacity(states),
            states: Vec::with_capacity(states),
            embeddings: Vec::with_capacity(states * embedding_size),
            plays: Vec::with_capacity(states * PLAYS_PER_STATE),
            ranges: Vec::with_capacity(states),
            logits: Vec::with_capacity(states * PLAYS_PER_STATE),
        }
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        let Self { origins, states, embeddings, plays, ranges, .. } = self;
        origins.clear();
        states.clear();
        embeddings.clear();
        plays.clear();
        ranges.clear();
    }
}
