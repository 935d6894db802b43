//! The interfaces of evaluators: networks, tables or anything else that values positions. A *play* is a whole
//! turn of one side; its *afterstate* is the position that it leads to, before the next roll of the dice.

use std::ops::Range;

use crate::Game;

/// Evaluates batches of states in two stages (lazy policy evaluation). A search needs the value of every
/// state when it creates the node, but the policy only when it visits the node again; with dice, that is
/// about 6 % of nodes. The embedding is the intermediate result that value and policy share, such as the
/// output of a network's trunk. It is computed with the value, stored in the node and later passed back with
/// the policy request.
///
/// Results must depend on the state only, not on the rest of the batch. Then a search
/// does not depend on how many trees are searched together, or on which results come from a cache.
pub trait Evaluator<G: Game> {
    /// The number of floats in the embedding of a state.
    fn embedding_size(&self) -> usize;

    /// Computes the value of each state for the side to move, between -1 and 1, and the embedding of each
    /// state.
    // values [states], embeddings [states, embedding_size]
    fn values(&mut self, states: &[G::State], values: &mut [f32], embeddings: &mut [f32]);

    /// Computes the policy logits of all plays of all states.
    // logits [plays of all states]
    fn logits(&mut self, request: PolicyRequest<G>, logits: &mut [f32]);
}

/// A batch of states whose policy is needed.
pub struct PolicyRequest<'a, G: Game> {
    pub states: &'a [G::State],
    /// What [`Evaluator::values`] returned for the states.
    // [states, embedding_size]
    pub embeddings: &'a [f32],
    /// The plays of all states, concatenated.
    pub plays: &'a [G::Play],
    /// The range of each state's plays in `plays`.
    pub ranges: &'a [Range<usize>],
}

/// Evaluates afterstates, for the search that needs no policy (expectimax). A play of the game contains the
/// position that it leads to.
pub trait AfterstateEvaluator<G: Game> {
    /// Computes the value of each play's afterstate for the side that played, between -1 and 1. None of the
    /// plays ends the game.
    fn afterstate_values(&mut self, plays: &[G::Play], values: &mut [f32]);
}
