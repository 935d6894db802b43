//! What a small search makes of the throw on the stage, a few simulations at a time, so that nobody waits for it.
//!
//! Learning goes on meanwhile: the network that is asked may have moved on by a few rounds between two answers. When a
//! search is done and the network is another, the next one begins, and what the last one found stays until that is done.

use learnery_search::Turn;
use learnery_worlds::backgammon::Board;

use super::brain::Brain;
use super::searcher::Searcher;
use super::stage::Mind;

/// Simulations of a search.
const SIMULATIONS: u32 = 256;
/// Rounds of it in one go: well below a millisecond.
const ROUNDS: u32 = 3;

/// A search of one throw after the other.
pub struct Ponder {
    searcher: Searcher,
    turn: Option<Turn>,
    under_way: bool,
    /// Rounds of learning behind who began it.
    seen: u64,
    /// Where the plays lead that were tried, and how often.
    found: Vec<(Board, u32)>,
    simulations: u32,
}

impl Ponder {
    /// For one kind of network.
    pub fn new(brain: &Brain) -> Self {
        Self {
            searcher: Searcher::without_cache(brain, SIMULATIONS),
            turn: None,
            under_way: false,
            seen: 0,
            found: Vec::new(),
            simulations: 0,
        }
    }

    /// Searches a little more.
    pub fn go_on(&mut self, mind: Mind, turn: Turn) {
        let new = !self.is_about(turn);
        if new {
            self.turn = Some(turn);
            self.found.clear();
            self.simulations = 0;
        }
        if new || (!self.under_way && mind.rounds != self.seen) {
            self.searcher.begin(turn);
            self.under_way = true;
            self.seen = mind.rounds;
        }
        for _ in 0..ROUNDS {
            self.under_way = self.under_way && self.searcher.round(mind.network, mind.weights);
        }
        let simulations = self.searcher.visits().map(|(_, visits)| visits).sum();
        if simulations >= self.simulations {
            self.found.clear();
            self.found.extend(self.searcher.visits().filter(|(_, visits)| *visits > 0));
            self.simulations = simulations;
        }
    }

    /// Whether it is this that is searched.
    pub fn is_about(&self, turn: Turn) -> bool {
        self.turn == Some(turn)
    }

    /// How many simulations there were.
    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// What share of them tried the play that leads to a board.
    pub fn share(&self, after: &Board) -> f32 {
        let visits = self.found.iter().find(|(board, _)| board == after).map_or(0, |(_, visits)| *visits);
        visits as f32 / self.simulations.max(1) as f32
    }
}
