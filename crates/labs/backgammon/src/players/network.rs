//! Values positions with the network of either learner: TD(lambda) on afterstates (the positions that plays
//! lead to), or AlphaZero.
//!
//! The afterstate network values positions before the dice roll. AlphaZero's network with a policy head knows
//! only positions with a roll, so its value of a position is the mean over all 21 rolls.

use learnery_nn::{ResNet, Weights};
use learnery_worlds::backgammon::{Board, Plays};

use crate::afterstates;
use crate::alphazero::{self, NetworkEvaluator};
use crate::outcomes::Outcomes;

/// A network of either learner with its parameters.
#[derive(Clone, Copy)]
pub enum NetworkRef<'a> {
    Afterstates(&'a afterstates::Network, &'a Weights),
    AlphaZero(&'a alphazero::Network),
}

impl<'a> NetworkRef<'a> {
    pub fn weights(self) -> &'a Weights {
        match self {
            Self::Afterstates(_, weights) => weights,
            Self::AlphaZero(network) => &network.weights,
        }
    }

    /// Whether a head of the network gives the policy of a search, and not the values of afterstates. Such a
    /// network knows only positions with a roll.
    pub fn has_policy_head(self) -> bool {
        match self {
            Self::Afterstates(..) => false,
            Self::AlphaZero(network) => alphazero::policy_head(&network.plan).is_some(),
        }
    }

    /// An evaluator for this network. It stays valid while the weights change.
    pub fn evaluator(self) -> Evaluator {
        match self {
            Self::Afterstates(network, _) => {
                Evaluator::Afterstates { network: network.clone(), scratch: Box::new(network.scratch()) }
            }
            Self::AlphaZero(network) => {
                let scratch = Box::new(alphazero::Scratch::new(&network.plan));
                Evaluator::AlphaZero { plan: network.plan.clone(), scratch }
            }
        }
    }
}

/// The shapes of a network, and the buffers to evaluate it. The weights are passed to each call, because they
/// may change between two calls. They must be those of the network for which the evaluator was created.
pub enum Evaluator {
    Afterstates { network: afterstates::Network, scratch: Box<afterstates::Scratch> },
    AlphaZero { plan: ResNet, scratch: Box<alphazero::Scratch> },
}

impl Evaluator {
    /// Computes the value of each play's afterstate, for the opponent, who rolls next. `before` is the board
    /// on which the plays were found.
    pub fn values_of_plays(
        &mut self,
        weights: &Weights,
        before: &Board,
        plays: &Plays,
        out: &mut Vec<Outcomes>,
    ) {
        match self {
            Self::Afterstates { network, scratch } => {
                network.values_of_plays(weights, before, plays, scratch, out);
            }
            Self::AlphaZero { plan, scratch } => {
                out.clear();
                out.resize(plays.len(), Outcomes::default());
                NetworkEvaluator { plan, weights, scratch }.values_before_roll(plays.iter(), out);
            }
        }
    }

    /// Computes the values of boards for the side on roll. They should have much in common with `near`.
    pub fn values_of_boards(
        &mut self,
        weights: &Weights,
        near: &Board,
        boards: &[Board],
        out: &mut Vec<Outcomes>,
    ) {
        out.clear();
        out.resize(boards.len(), Outcomes::default());
        match self {
            Self::Afterstates { network, scratch } => {
                network.values_near(weights, near, &|i| boards[i], scratch, out);
            }
            Self::AlphaZero { plan, scratch } => {
                NetworkEvaluator { plan, weights, scratch }.values_before_roll(boards.iter().copied(), out);
            }
        }
    }

    /// Removes positions after plays that are unlikely to be the best of their roll, where the network can
    /// tell quickly. The plays of each roll end at `ends`.
    pub fn prune(&mut self, weights: &Weights, near: &Board, boards: &mut Vec<Board>, ends: &mut [usize]) {
        if let Self::Afterstates { network, scratch } = self {
            network.prune(weights, near, boards, ends, scratch);
        }
    }

    /// Computes the value of a board for the side on roll.
    pub fn value(&mut self, weights: &Weights, board: &Board) -> Outcomes {
        match self {
            Self::Afterstates { network, scratch } => network.value(weights, board, scratch),
            Self::AlphaZero { plan, scratch } => {
                let mut out = [Outcomes::default()];
                let boards = std::iter::once(*board);
                NetworkEvaluator { plan, weights, scratch }.values_before_roll(boards, &mut out);
                out[0]
            }
        }
    }
}
