//! A tree search of the roll on the stage, a few simulations a frame, so that no frame waits for it.
//!
//! Learning goes on meanwhile, so the weights may change during a search. When a search is complete and the weights are
//! newer, the next one begins; the visits of the last one stay until the new one has as many.

use learnery_search::Turn;
use learnery_worlds::backgammon::Board;

use super::StageNetwork;
use crate::players::SearchPlayer;

const SIMULATIONS: u32 = 256;
/// Rounds of the search in a frame: well below a millisecond.
const ROUNDS: u32 = 3;

/// One search after the other.
pub struct BackgroundSearch {
    player: SearchPlayer,
    turn: Option<Turn>,
    under_way: bool,
    /// The network's version when the search began.
    version: u64,
    /// The visited plays, as the boards they lead to, with their visits.
    visits: Vec<(Board, u32)>,
    /// Sum of the visits.
    simulations: u32,
}

impl BackgroundSearch {
    pub fn new(network: StageNetwork) -> Self {
        Self {
            player: SearchPlayer::without_cache(network.network, SIMULATIONS),
            turn: None,
            under_way: false,
            version: 0,
            visits: Vec::new(),
            simulations: 0,
        }
    }

    /// Searches `turn` a little further.
    pub fn step(&mut self, network: StageNetwork, turn: Turn) {
        let new_turn = !self.is_about(turn);
        if new_turn {
            self.turn = Some(turn);
            self.visits.clear();
            self.simulations = 0;
        }
        if new_turn || (!self.under_way && network.version != self.version) {
            self.player.begin(turn);
            self.under_way = true;
            self.version = network.version;
        }
        for _ in 0..ROUNDS {
            self.under_way = self.under_way && self.player.round(network.network.weights());
        }
        let simulations = self.player.visits().map(|(_, visits)| visits).sum();
        if simulations >= self.simulations {
            self.visits.clear();
            self.visits.extend(self.player.visits().filter(|(_, visits)| *visits > 0));
            self.simulations = simulations;
        }
    }

    pub fn is_about(&self, turn: Turn) -> bool {
        self.turn == Some(turn)
    }

    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// The fraction of the visits that went to the play that leads to a board.
    pub fn visit_fraction(&self, after: &Board) -> f32 {
        let visits = self.visits.iter().find(|(board, _)| board == after).map_or(0, |(_, visits)| *visits);
        visits as f32 / self.simulations.max(1) as f32
    }
}
