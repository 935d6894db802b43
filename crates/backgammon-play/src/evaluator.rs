//! What values positions, such as a trained network. Players, rollouts and analyses know nothing else of it.
//!
//! The evaluator is an argument of each call, and players keep only its buffers. So a network may learn
//! between two calls.

use learnery_search::SearchBatch;
use learnery_worlds::backgammon::{Board, Plays};

use crate::game::Backgammon;
use crate::outcomes::Outcomes;
use crate::players::{SearchBuffers, search_round_by_afterstates};

/// Values positions before the roll. A value depends on the position alone, and not on the buffers or on what
/// else is valued with it. The end of a game, and what [`Outcomes::exact`] knows, has its exact value.
pub trait Evaluator: Sync {
    /// Buffers of one thread.
    type Scratch: Send;

    /// New buffers. They stay good while the parameters of a network change, but not its shape.
    fn scratch(&self) -> Self::Scratch;

    /// Computes the value of a board for the side on roll.
    fn value(&self, board: &Board, scratch: &mut Self::Scratch) -> Outcomes;

    /// Computes the values of boards for the side on roll. They should have much in common with `near`, a
    /// board seen from the same side: a network can sum its first layer for `near` once, and for each board
    /// add only the inputs that differ.
    fn values_of_boards(
        &self,
        near: &Board,
        boards: &[Board],
        scratch: &mut Self::Scratch,
        out: &mut Vec<Outcomes>,
    );

    /// Computes the value of each play's afterstate (the position that the play leads to), for the opponent,
    /// who rolls next. `before` is the board on which the plays were found.
    fn values_of_plays(
        &self,
        before: &Board,
        plays: &Plays,
        scratch: &mut Self::Scratch,
        out: &mut Vec<Outcomes>,
    );

    /// Removes from `boards` the positions after plays that are unlikely to be the best of their roll, where
    /// the evaluator can tell quickly. `boards` has the plays of one roll after those of another, and `ends`
    /// the index at which those of each roll end; it is kept up to date. Each roll keeps at least one play.
    /// `near` is that of [`Self::values_of_boards`].
    fn prune(&self, near: &Board, boards: &mut Vec<Board>, ends: &mut [usize], scratch: &mut Self::Scratch) {
        let _ = (near, boards, ends, scratch);
    }

    /// Whether the evaluator has a policy of its own for tree search and values only positions whose dice are
    /// rolled. The value of a position before the roll then costs 21 evaluations, too many for lookahead.
    fn has_policy_head(&self) -> bool {
        false
    }

    /// The number of values that a tree search keeps of each state for [`Self::search_round`].
    fn embedding_size(&self) -> usize {
        0
    }

    /// Runs one round of a tree search, and returns whether it is unfinished. Without a policy of its own,
    /// the evaluator guides it by the values of afterstates.
    fn search_round(
        &self,
        batch: &mut SearchBatch<Backgammon>,
        scratch: &mut Self::Scratch,
        buffers: &mut SearchBuffers,
    ) -> bool
    where
        Self: Sized,
    {
        search_round_by_afterstates(self, batch, scratch, buffers)
    }
}
