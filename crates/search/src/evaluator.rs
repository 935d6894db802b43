//! Who judges positions: a network, a table, or anything else.

use std::ops::Range;

use crate::Game;

/// Judges many states at once, in two stages. A search wants the value of every state that it comes to, but its policy
/// only when it comes there again, which with dice is seldom; so what both have in common is kept with the state.
///
/// An answer must depend on the state alone, not on what else is asked with it. Then neither the number of trees nor
/// the cache changes a search.
pub trait Evaluator<G: Game> {
    /// How many numbers are kept with a state.
    fn embedding_size(&self) -> usize;

    /// The value of each state for the side to move, between -1 and 1, and what is kept.
    /// // states -> values [states], kept [states, self.embedding_size()]
    fn values(&mut self, states: &[G::State], values: &mut [f32], kept: &mut [f32]);

    /// What speaks for each play of each state: numbers whose softmax is the policy.
    fn logits(&mut self, asked: PolicyRequest<G>, logits: &mut [f32]);
}

/// States whose policy is asked for.
pub struct PolicyRequest<'a, G: Game> {
    /// The states.
    pub states: &'a [G::State],
    /// What was kept with each. // [states, kept]
    pub embeddings: &'a [f32],
    /// The plays of all, one state after the other.
    pub plays: &'a [G::Play],
    /// Where those of each state are.
    pub ranges: &'a [Range<usize>],
}

/// Judges what turns leave behind, before chance.
pub trait AfterstateEvaluator<G: Game> {
    /// The value of each for the side that played, between -1 and 1. None of them has ended the game.
    fn afterstate_values(&mut self, plays: &[G::Play], values: &mut [f32]);
}
