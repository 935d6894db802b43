//! Who says what a board is worth, whichever way it was learned: the two networks of afterstates, or AlphaZero's, which
//! knows boards only with a throw and so is asked about all of them.

use learnery_nn::{Layout, ResNet, Weights};
use learnery_worlds::backgammon::{Board, Plays};

use super::az;
use super::network::{Network, Shape, Work};
use super::outcomes::Outcomes;

/// The plan of what learned.
#[derive(Clone, Debug)]
pub enum Brain {
    /// Values of what plays leave.
    Afterstates(Network),
    /// Values and policies of turns.
    Turns(ResNet),
}

/// What evaluating works in.
#[derive(Clone, Debug)]
pub enum BrainWork {
    /// For [`Brain::Afterstates`].
    Afterstates(Box<Work>),
    /// For [`Brain::Turns`].
    Turns(Box<az::Work>),
}

impl Brain {
    /// The networks of afterstates, and the layout of their parameters.
    pub fn afterstates(shape: Shape) -> (Self, Layout) {
        let (network, layout) = Network::new(shape);
        (Self::Afterstates(network), layout)
    }

    /// AlphaZero's.
    pub fn turns() -> (Self, Layout) {
        let (plan, layout) = az::Network::plan();
        (Self::Turns(plan), layout)
    }

    /// Room to evaluate in.
    pub fn work(&self) -> BrainWork {
        match self {
            Self::Afterstates(network) => BrainWork::Afterstates(Box::new(network.work())),
            Self::Turns(plan) => BrainWork::Turns(Box::new(az::Work::new(plan))),
        }
    }

    /// What every play of a list is worth to the side that rolls after it, in `out`. `before` is the board on which
    /// they were found.
    pub fn plays(
        &self,
        weights: &Weights,
        before: &Board,
        plays: &Plays,
        work: &mut BrainWork,
        out: &mut Vec<Outcomes>,
    ) {
        match (self, work) {
            (Self::Afterstates(network), BrainWork::Afterstates(work)) => {
                network.plays(weights, before, plays, work, out);
            }
            (Self::Turns(plan), BrainWork::Turns(work)) => {
                out.clear();
                out.resize(plays.len(), Outcomes::default());
                az::Judge { plan, weights, work }.before_throws(plays.iter(), out);
            }
            _ => unreachable!("room made by another kind of network"),
        }
    }

    /// What a board is worth to the side on roll.
    pub fn value(&self, weights: &Weights, board: &Board, work: &mut BrainWork) -> Outcomes {
        match (self, work) {
            (Self::Afterstates(network), BrainWork::Afterstates(work)) => network.value(weights, board, work),
            (Self::Turns(plan), BrainWork::Turns(work)) => {
                let mut out = [Outcomes::default()];
                az::Judge { plan, weights, work }.before_throws(std::iter::once(*board), &mut out);
                out[0]
            }
            _ => unreachable!("room made by another kind of network"),
        }
    }
}
