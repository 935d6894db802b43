//! The result of one tree search: the statistics of the root's plays, the best play, and the policy to learn
//! from. Node 0 of a tree is its root. A play is an edge; a visit of a play is a simulation that passed
//! through it.

use crate::Game;
use crate::root::{SequentialHalving, improved_policy};
use crate::tree::Tree;

/// The result of a search: the statistics of its root.
pub struct Root<'a, G: Game> {
    pub(crate) tree: &'a Tree<G>,
    /// `Some` for Gumbel search.
    pub(crate) halving: Option<&'a SequentialHalving>,
}

impl<'a, G: Game> Root<'a, G> {
    pub fn plays(&self) -> &'a [G::Play] {
        &self.tree.edges.play[self.tree.edges_of(0)]
    }

    /// The visits of each play.
    pub fn visits(&self) -> &'a [u32] {
        &self.tree.edges.visits[self.tree.edges_of(0)]
    }

    /// The prior of each play, Dirichlet noise included.
    pub fn priors(&self) -> &'a [f32] {
        &self.tree.edges.prior[self.tree.edges_of(0)]
    }

    /// The mean value of a play for the side to move at the root; `None` without visits.
    pub fn value_of(&self, play: usize) -> Option<f32> {
        let edges = &self.tree.edges;
        let edge = self.tree.edges_of(0).start + play;
        (edges.visits[edge] > 0).then(|| edges.value_sum[edge] / edges.visits[edge] as f32)
    }

    /// The mean value of the root for the side to move; `None` if there is a single play, hence no search.
    pub fn value(&self) -> Option<f32> {
        let tree = self.tree;
        (tree.nodes.visits[0] > 0).then(|| tree.mean_value(0))
    }

    /// Returns the index of the best play: the play that sequential halving selects, or else the most visited
    /// play, where ties are broken by value.
    pub fn best(&self) -> usize {
        let range = self.tree.edges_of(0);
        if let Some(halving) = self.halving
            && range.len() > 1
        {
            return halving.selected_edge(self.tree) - range.start;
        }
        let rank = |play: usize| (self.visits()[play], self.value_of(play).unwrap_or(f32::NEG_INFINITY));
        (1..range.len()).fold(0, |best, play| {
            let ((visits, value), (best_visits, best_value)) = (rank(play), rank(best));
            let is_better = visits > best_visits || (visits == best_visits && value > best_value);
            if is_better { play } else { best }
        })
    }

    /// Computes the policy that training learns from: the visit fractions, or for Gumbel search the improved
    /// policy of Gumbel AlphaZero. Without visits (a single play is not searched) it is the prior.
    // out [plays]
    pub fn policy(&self, out: &mut [f32]) {
        let visits = self.visits();
        let sum: u32 = visits.iter().sum();
        if sum == 0 {
            out.copy_from_slice(self.priors());
        } else if self.halving.is_some() {
            improved_policy(self.tree, out);
        } else {
            out.iter_mut().zip(visits).for_each(|(out, visits)| *out = *visits as f32 / sum as f32);
        }
    }
}
