//! A network of either learner as an [`Evaluator`]: TD(lambda) on afterstates (the positions that plays lead
//! to), or AlphaZero.
//!
//! The afterstate network values positions before the dice roll. AlphaZero's network with a policy head knows
//! only positions with a roll, so its value of a position is the mean over all 21 rolls.

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::game::Backgammon;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_backgammon_play::players::{SearchBuffers, search_round_by_afterstates};
use learnery_nn::Weights;
use learnery_search::SearchBatch;
use learnery_worlds::backgammon::{Board, Plays};

use crate::afterstates;
use crate::alphazero::{self, NetworkEvaluator};

/// A network of either learner with its parameters.
#[derive(Clone, Copy)]
pub enum NetworkRef<'a> {
    Afterstates(&'a afterstates::Network, &'a Weights),
    AlphaZero(&'a alphazero::Network),
}

/// The buffers to evaluate a network: those of its kind, for its shape.
#[derive(Default)]
pub struct Scratch {
    afterstates: Option<Box<afterstates::Scratch>>,
    alphazero: Option<Box<alphazero::Scratch>>,
}

impl Scratch {
    fn of_afterstates(&mut self, network: &afterstates::Network) -> &mut afterstates::Scratch {
        self.afterstates.get_or_insert_with(|| Box::new(network.scratch()))
    }

    fn of_alphazero<'a>(&'a mut self, network: &'a alphazero::Network) -> NetworkEvaluator<'a> {
        let alphazero::Network { plan, weights } = network;
        let scratch = self.alphazero.get_or_insert_with(|| Box::new(alphazero::Scratch::new(plan)));
        NetworkEvaluator { plan, weights, scratch }
    }
}

impl Evaluator for NetworkRef<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let mut scratch = Scratch::default();
        match self {
            Self::Afterstates(network, _) => drop(scratch.of_afterstates(network)),
            Self::AlphaZero(network) => drop(scratch.of_alphazero(network)),
        }
        scratch
    }

    fn value(&self, board: &Board, scratch: &mut Scratch) -> Outcomes {
        match self {
            Self::Afterstates(network, weights) => {
                network.value(weights, board, scratch.of_afterstates(network))
            }
            Self::AlphaZero(network) => {
                let mut out = [Outcomes::default()];
                scratch.of_alphazero(network).values_before_roll(std::iter::once(*board), &mut out);
                out[0]
            }
        }
    }

    fn values_of_boards(
        &self,
        near: &Board,
        boards: &[Board],
        scratch: &mut Scratch,
        out: &mut Vec<Outcomes>,
    ) {
        out.clear();
        out.resize(boards.len(), Outcomes::default());
        match self {
            Self::Afterstates(network, weights) => {
                network.values_near(weights, near, &|i| boards[i], scratch.of_afterstates(network), out);
            }
            Self::AlphaZero(network) => {
                scratch.of_alphazero(network).values_before_roll(boards.iter().copied(), out);
            }
        }
    }

    fn values_of_plays(&self, before: &Board, plays: &Plays, scratch: &mut Scratch, out: &mut Vec<Outcomes>) {
        match self {
            Self::Afterstates(network, weights) => {
                network.values_of_plays(weights, before, plays, scratch.of_afterstates(network), out);
            }
            Self::AlphaZero(network) => {
                out.clear();
                out.resize(plays.len(), Outcomes::default());
                scratch.of_alphazero(network).values_before_roll(plays.iter(), out);
            }
        }
    }

    fn prune(&self, near: &Board, boards: &mut Vec<Board>, ends: &mut [usize], scratch: &mut Scratch) {
        if let Self::Afterstates(network, weights) = self {
            network.prune(weights, near, boards, ends, scratch.of_afterstates(network));
        }
    }

    fn has_policy_head(&self) -> bool {
        match self {
            Self::Afterstates(..) => false,
            Self::AlphaZero(network) => alphazero::policy_head(&network.plan).is_some(),
        }
    }

    fn embedding_size(&self) -> usize {
        match self {
            Self::Afterstates(..) => 0,
            Self::AlphaZero(network) => alphazero::embedding_size(&network.plan),
        }
    }

    fn search_round(
        &self,
        batch: &mut SearchBatch<Backgammon>,
        scratch: &mut Scratch,
        buffers: &mut SearchBuffers,
    ) -> bool {
        match self {
            Self::Afterstates(..) => search_round_by_afterstates(self, batch, scratch, buffers),
            Self::AlphaZero(network) => batch.round(&Backgammon, &mut scratch.of_alphazero(network)),
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_backgammon_play::game::Turn;
    use learnery_backgammon_play::players::SearchPlayer;
    use learnery_worlds::backgammon::Dice;

    use super::*;
    use crate::afterstates::NetworkShape;
    use crate::config::PolicyKind;

    /// Both last checkers (on points 6 and 4) can be borne off with a 6 and a 4, so a search finds the win
    /// with an untrained network too. The opponent has two checkers left, so it has borne some off, and the
    /// win is worth one point.
    #[test]
    fn search_finds_a_certain_win_with_either_network() {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[6], own[4], other[1]) = (1, 1, 2);
        let board = Board::new(&own, &other).expect("a good board");
        let turn = Turn { board, dice: Dice::new(6, 4).expect("a dice roll") };
        let (network, layout) = afterstates::Network::new(NetworkShape::raw([8, 4], [8, 4]));
        let afterstate_weights = Weights::new(layout);
        let (plan, layout) = alphazero::Network::plan(PolicyKind::Moves);
        let alphazero = alphazero::Network { plan, weights: Weights::new(layout) };
        let networks =
            [NetworkRef::Afterstates(&network, &afterstate_weights), NetworkRef::AlphaZero(&alphazero)];
        for network in networks {
            let mut player = SearchPlayer::new(&network, 50);
            let (afterstate, points) = player.choose(&network, turn);
            assert!(
                afterstate.other_won().is_some() && (points - 1.0).abs() < 1e-4,
                "{afterstate:?} {points}"
            );
            assert_eq!(player.choose(&network, turn), (afterstate, points));
            // An abandoned search does not change the next one.
            let start = Turn { board: Board::START, dice: Dice::new(5, 2).expect("a dice roll") };
            player.begin(start);
            assert!(player.round(&network) && player.round(&network));
            assert_eq!(player.choose(&network, turn), (afterstate, points));
            assert_eq!(player.visits().map(|(_, visits)| visits).sum::<u32>(), 50);
            // From the other side, with a 2 and a 1: both checkers can be borne off from point 1, which is
            // the only play. It is not searched, but has a value.
            let forced = Turn { board: board.flipped(), dice: Dice::new(2, 1).expect("a dice roll") };
            let (_, points) = player.choose(&network, forced);
            assert!((points - 1.0).abs() < 1e-4);
        }
    }
}
