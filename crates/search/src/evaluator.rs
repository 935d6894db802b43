//! The interfaces of evaluators: networks, tables or anything else that values positions.

use std::ops::Range;

use crate::Game;

/// Evaluates batches of states in two stages (lazy policy evaluation). A search needs the value of every state when it creates
/// the node, but the policy only when it visits the node again; with dice, that is about 6 % of nodes. The embedding links the
/// stages: what value and policy have in common, such as the output of a network's trunk, is computed with the value and
/// stored in the node.
///
/// Results must depend on the state only, not on the rest of the batch. Then neither the number of trees nor the cache changes
/// a search.
pub trait Evaluator<G: Game> {
    /// Numbers in a state's embedding.
    fn embedding_size(&self) -> usize;

    /// The value of each state for the side to move, between -1 and 1, and its embedding.
    /// // values [states], embeddings [states, embedding_size]
    fn values(&mut self, states: &[G::State], values: &mut [f32], embeddings: &mut [f32]);

    /// The policy logits of each play of each state. // logits [plays of all states]
    fn logits(&mut self, request: PolicyRequest<G>, logits: &mut [f32]);
}

/// A batch of states whose policy is needed.
pub struct PolicyRequest<'a, G: Game> {
    pub states: &'a [G::State],
    /// // [states, embedding_size]
    pub embeddings: &'a [f32],
    /// The plays of all states, concatenated.
    pub plays: &'a [G::Play],
    /// The range of each state's plays in `plays`.
    pub ranges: &'a [Range<usize>],
}

/// Evaluates afterstates.
pub trait AfterstateEvaluator<G: Game> {
    /// The value of each play's afterstate for the side that played, between -1 and 1. None of the plays ends the game.
    fn afterstate_values(&mut self, plays: &[G::Play], values: &mut [f32]);
}
