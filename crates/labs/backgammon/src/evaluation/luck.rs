//! The luck of the dice in the games of a match, to be subtracted from their results.
//!
//! The *luck* of a roll is the equity after its best play minus the mean of that over all 21 rolls, each
//! weighted with its probability, both by a network without lookahead. Given the position, the mean of the
//! luck over the rolls is zero, whatever the network thinks and whoever plays. So subtracting it leaves the
//! expected result as it is (the estimator is unbiased for any network), and the better the network, the less
//! chance is left: variance reduction by a control variate, as in rollouts.
//!
//! The opening roll is left out. It is never a double, so the mean over 21 rolls would be wrong, and both
//! games of a pair have the same opening roll, so its luck would cancel.

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::players::RolledPlays;
use learnery_worlds::backgammon::{Board, Dice};

use crate::networks::{NetworkRef, Scratch};

/// Measures luck with a network. Owns the buffers for that.
pub struct LuckMeter {
    scratch: Scratch,
    /// The plays of all rolls.
    rolled: RolledPlays,
}

impl LuckMeter {
    pub fn new(network: &NetworkRef) -> Self {
        Self { scratch: network.scratch(), rolled: RolledPlays::default() }
    }

    /// The luck, in points, of the player who rolled `dice` in turn `turn` of a game, on a board seen from
    /// that player.
    pub fn luck(&mut self, network: &NetworkRef, board: &Board, dice: Dice, turn: u64) -> f64 {
        if turn == 0 {
            return 0.0;
        }
        self.rolled.find_and_value(network, &mut self.scratch, board, &Dice::ALL);
        // The equity of differences of outcome probabilities: its constant, -1, cancels in a difference.
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.rolled.luck(dice.index());
        2.0 * win + gammon - lost_gammon + backgammon - lost_backgammon
    }
}

#[cfg(test)]
mod tests {
    use learnery_backgammon_play::players::Lookahead;
    use learnery_kernels::rng::Stream;
    use learnery_lab::Checkpoint;
    use learnery_nn::Weights;

    use super::super::matches::{Choice, Match, MatchScore, Player, Setup};
    use super::*;
    use crate::afterstates::{Network, NetworkShape};
    use crate::networks::TrainedNetwork;

    /// A small network of random weights.
    fn random_network() -> (Network, Weights) {
        let (network, layout) = Network::new(NetworkShape::raw([8, 4], [8, 4]));
        let mut weights = Weights::new(layout);
        weights.update(|params| network.init(params, Stream::new(1, 2)));
        (network, weights)
    }

    fn shipped_network() -> TrainedNetwork {
        let bytes = include_bytes!("../../../../../models/backgammon.safetensors");
        let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
        TrainedNetwork::from_checkpoint(&checkpoint).expect("our own network")
    }

    /// A player that chooses plays by this network without lookahead.
    fn player(network: NetworkRef) -> Player {
        Player::Network(network, Choice::Lookahead(Lookahead::default()))
    }

    /// Plays a match in steps of `turns` turns.
    fn played(setup: Setup, pairs: u64, seats: usize, turns: u32) -> MatchScore {
        let mut games = Match::new(setup, seats);
        games.begin(Stream::new(3, 0), 0..pairs);
        while !games.step(setup, turns) {}
        games.score()
    }

    #[test]
    fn mean_luck_of_a_position_is_zero() {
        let network = random_network();
        let network = NetworkRef::Afterstates(&network.0, &network.1);
        let mut meter = LuckMeter::new(&network);
        let (mut board, mut largest) = (Board::START, 0.0f64);
        for turn in 1..40 {
            let mut sum = 0.0;
            for dice in Dice::ALL {
                let luck = meter.luck(&network, &board, dice, turn);
                largest = largest.max(luck.abs());
                sum += f64::from(dice.ways()) * luck;
            }
            assert!(sum.abs() < 1e-9, "turn {turn}: {sum}");
            // The first play of the next roll.
            let dice = Dice::for_turn(Stream::new(5, 0), 0, turn);
            meter.rolled.find(&board, &[dice]);
            let (boards, _) = meter.rolled.of_roll(0);
            board = boards[0];
        }
        assert!(largest > 0.01, "{largest}");
    }

    #[test]
    fn equal_players_score_zero_with_luck_subtracted() {
        let network = random_network();
        let network = NetworkRef::Afterstates(&network.0, &network.1);
        for players in [[player(network); 2], [Player::Pubeval; 2]] {
            let score = played(Setup { players, luck: Some(network) }, 30, 8, 4096);
            assert_eq!((score.points, score.squares, score.pairs), (0, 0, 30));
        }
    }

    #[test]
    fn score_with_luck_subtracted_does_not_depend_on_steps_or_seats() {
        let network = random_network();
        let network = NetworkRef::Afterstates(&network.0, &network.1);
        let setup = Setup { players: [Player::Pubeval, Player::Random], luck: Some(network) };
        let score = played(setup, 13, 8, 4096);
        for (seats, turns) in [(1, 1), (4, 16), (32, 100)] {
            assert_eq!(played(setup, 13, seats, turns), score, "{seats} seats, {turns} turns");
        }
        // The games are the same as those with luck counted.
        let counted = played(Setup { luck: None, ..setup }, 13, 8, 4096);
        assert_eq!(MatchScore { points: score.points, squares: score.squares, ..counted }, score);
        assert_ne!(counted.points, score.points);
    }

    #[test]
    fn subtracted_luck_leaves_the_mean_and_reduces_the_margin() {
        let trained = shipped_network();
        let network = trained.as_network();
        let players = [player(network), Player::Pubeval];
        let score = |luck| played(Setup { players, luck }, 80, 8, 4096);
        let (counted, subtracted) = (score(None), score(Some(network)));
        assert!(subtracted.margin() < 0.5 * counted.margin(), "{counted:?} {subtracted:?}");
        let margin = counted.margin().hypot(subtracted.margin());
        assert!((counted.mean() - subtracted.mean()).abs() < margin, "{counted:?} {subtracted:?}");
        assert_eq!((counted.wins, counted.gammons_won), (subtracted.wins, subtracted.gammons_won));
    }
}
