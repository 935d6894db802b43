//! The states that wait for the evaluator in one round, from all searches of a batch. In a round all searches
//! descend, then the evaluator gets their requests together.

use std::ops::Range;

use crate::Game;

/// Initial capacity of the buffers for plays, for each state whose policy is needed. A roll in backgammon has
/// some 20 plays on average. The buffers grow when they are too small.
const PLAYS_PER_STATE: usize = 32;

/// Where the value of a state goes: to a node, and into the cache.
pub(crate) struct ValueOrigin {
    /// The index of the search in the batch.
    pub search: u32,
    /// The index of the node in the tree of that search.
    pub node: u32,
    pub cache_key: u64,
}

/// States whose value is needed in this round and is not in the cache.
pub(crate) struct ValueRequests<G: Game> {
    pub origins: Vec<ValueOrigin>,
    pub states: Vec<G::State>,
    /// The evaluator's answers.
    pub values: Vec<f32>,
    /// The evaluator's embeddings of the states.
    // [states, embedding_size]
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

/// States whose policy is needed in this round. The fields from `states` to `ranges` become a
/// [`crate::PolicyRequest`].
pub(crate) struct PolicyRequests<G: Game> {
    /// For each state: (index of the search, index of the node in its tree).
    pub origins: Vec<(u32, u32)>,
    pub states: Vec<G::State>,
    /// The embeddings that the evaluator returned with the states' values.
    // [states, embedding_size]
    pub embeddings: Vec<f32>,
    /// The plays of all states, one state after the other.
    pub plays: Vec<G::Play>,
    /// The range of each state's plays in `plays`.
    pub ranges: Vec<Range<usize>>,
    /// The evaluator's answers, one for each of `plays`. They become probabilities in place.
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

    /// Removes all states. [`ValueRequests`] are emptied while their answers are stored.
    pub fn clear(&mut self) {
        // The evaluator's call sets the length of `logits`.
        let Self { origins, states, embeddings, plays, ranges, logits: _ } = self;
        origins.clear();
        states.clear();
        embeddings.clear();
        plays.clear();
        ranges.clear();
    }
}
