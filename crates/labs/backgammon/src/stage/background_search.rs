//! A tree search of the dice roll on the stage (the board that the user watches). It runs a few simulations
//! each frame, so that no frame waits for it.
//!
//! A *simulation* is one descent through the tree; a *round* advances up to eight simulations together, so
//! that the network values their positions in one batch. The network may learn between two frames. When a
//! search is complete and the weights have changed since it began, another search of the same roll begins.
//! Its visits replace the old ones as soon as it has as many simulations.

use learnery_backgammon_play::game::Turn;
use learnery_backgammon_play::players::SearchPlayer;
use learnery_worlds::backgammon::Board;

use super::StageNetwork;
use crate::networks::Scratch;

/// Simulations of a complete search. At 24 a frame, a visitor sees it grow for 11 frames.
const SIMULATIONS: u32 = 256;
/// Rounds in each frame. A round has up to eight simulations, so a frame has up to 24, in well below a
/// millisecond.
const ROUNDS_PER_FRAME: u32 = 3;

/// Searches the current dice roll again whenever the weights have changed. If they change during a search,
/// its tree mixes values of both, and another search follows.
pub struct BackgroundSearch {
    player: SearchPlayer<Scratch>,
    /// The position and roll being searched; `None` before the first frame.
    turn: Option<Turn>,
    /// Whether the search has simulations left to run.
    is_running: bool,
    /// The network's version when the current or last search began.
    version: u64,
    /// What is shown: boards that the visited plays lead to, with the visits of each.
    visits: Vec<(Board, u32)>,
    /// Sum of `visits`.
    simulations: u32,
}

impl BackgroundSearch {
    pub fn new(network: StageNetwork) -> Self {
        Self {
            // A cache would return values of older weights, because the weights change between searches.
            player: SearchPlayer::without_cache(&network.network, SIMULATIONS),
            turn: None,
            is_running: false,
            version: 0,
            visits: Vec::new(),
            simulations: 0,
        }
    }

    /// Continues the search of `turn` for one frame, or begins it.
    pub fn step(&mut self, network: StageNetwork, turn: Turn) {
        let is_new_turn = !self.is_about(turn);
        if is_new_turn {
            self.turn = Some(turn);
            self.visits.clear();
            self.simulations = 0;
        }
        if is_new_turn || (!self.is_running && network.version != self.version) {
            self.player.begin(turn);
            self.is_running = true;
            self.version = network.version;
        }
        for _ in 0..ROUNDS_PER_FRAME {
            self.is_running = self.is_running && self.player.round(&network.network);
        }
        let simulations = self.player.visits().map(|(_, visits)| visits).sum();
        // A repeated search is shown once it has as many simulations as the one before.
        if simulations >= self.simulations {
            self.visits.clear();
            self.visits.extend(self.player.visits().filter(|(_, visits)| *visits > 0));
            self.simulations = simulations;
        }
    }

    /// Whether the visits belong to this position and roll.
    pub fn is_about(&self, turn: Turn) -> bool {
        self.turn == Some(turn)
    }

    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// Returns the fraction of the visits that went to the play that leads to `afterstate`.
    pub fn visit_fraction(&self, afterstate: &Board) -> f32 {
        let visits =
            self.visits.iter().find(|(board, _)| board == afterstate).map_or(0, |(_, visits)| *visits);
        visits as f32 / self.simulations.max(1) as f32
    }
}
