//! Choosing a play by a tree search, with whichever network there is: AlphaZero's, which has a policy of its own, or that of
//! afterstates, whose values of the plays are policy enough.

use learnery_kernels::rng::Stream;
use learnery_nn::Weights;
use learnery_search::{Backgammon, Evaluator, MAX_POINTS, Noise, Options, PolicyRequest, SearchBatch, Turn};
use learnery_worlds::backgammon::{Board, Plays};

use super::az;
use super::brain::{Brain, BrainWork};
use super::outcomes::Outcomes;
use super::selfplay::best;

/// Positions that go to the network together.
const IN_FLIGHT: u32 = 8;
/// Positions remembered, as a power of two.
const CACHE: u32 = 12;
/// How much a play counts for more in the policy when it is worth a point more.
const SHARPNESS: f32 = 10.0;
/// The most simulations of a search.
pub const MOST_SIMULATIONS: u32 = 100_000;

/// Something that chooses by searching.
pub struct Searcher {
    batch: SearchBatch<Backgammon>,
    room: Room,
}

/// What the network works in.
struct Room {
    work: BrainWork,
    plays: Plays,
    values: Vec<Outcomes>,
}

impl Searcher {
    /// For one network, which stays as it is.
    pub fn new(brain: &Brain, simulations: u32) -> Self {
        Self::with_cache(brain, simulations, Some(CACHE))
    }

    /// For one kind of network, which learns meanwhile: nothing it said is used again.
    pub fn without_cache(brain: &Brain, simulations: u32) -> Self {
        Self::with_cache(brain, simulations, None)
    }

    fn with_cache(brain: &Brain, simulations: u32, cache: Option<u32>) -> Self {
        let options = Options {
            simulations,
            in_flight: IN_FLIGHT.min(simulations),
            noise: Noise::None,
            stream: Stream::new(0, 0),
            ..Options::default()
        };
        let kept = match brain {
            Brain::Afterstates(_) => 0,
            Brain::Turns(plan) => plan.shape().width,
        };
        let room = Room { work: brain.work(), plays: Plays::new(), values: Vec::new() };
        Self { batch: SearchBatch::new(&Backgammon, 1, options, kept, cache), room }
    }

    /// Begins to search a turn.
    pub fn begin(&mut self, turn: Turn) {
        // Always the same search, so that an answer does not depend on what was asked before.
        self.batch.begin(&Backgammon, 0, turn, 0);
    }

    /// Goes on for at most [`IN_FLIGHT`] simulations; true while there are more to come.
    pub fn round(&mut self, brain: &Brain, weights: &Weights) -> bool {
        match (brain, &mut self.room) {
            (Brain::Turns(plan), Room { work: BrainWork::Turns(work), .. }) => {
                self.batch.round(&Backgammon, &mut az::Judge { plan, weights, work })
            }
            (brain, room) => self.batch.round(&Backgammon, &mut Plain { brain, weights, room }),
        }
    }

    /// Where the plays of the turn lead, and how often each was tried.
    pub fn visits(&self) -> impl Iterator<Item = (Board, u32)> {
        let root = self.batch.root(0);
        root.plays().iter().copied().zip(root.visits().iter().copied())
    }

    /// The board to play to, seen from the other side, and what it is worth in points to whoever plays there.
    pub fn choose(&mut self, brain: &Brain, weights: &Weights, turn: Turn) -> (Board, f32) {
        self.begin(turn);
        while self.round(brain, weights) {}
        let root = self.batch.root(0);
        let choice = root.best();
        let left = root.plays()[choice];
        let value = match root.value_of(choice) {
            Some(value) => value * MAX_POINTS,
            // There was nothing to choose.
            None => brain.value(weights, &left, &mut self.room.work).flipped().equity(),
        };
        (left, value)
    }
}

/// A network of afterstates as who judges turns: one is worth what its best play is.
struct Plain<'a> {
    brain: &'a Brain,
    weights: &'a Weights,
    room: &'a mut Room,
}

impl Plain<'_> {
    /// What each play of a turn leaves to the other side.
    fn judge(&mut self, turn: &Turn) -> &[Outcomes] {
        let Room { work, plays, values } = self.room;
        plays.find(&turn.board, turn.dice);
        self.brain.plays(self.weights, &turn.board, plays, work, values);
        values
    }
}

impl Evaluator<Backgammon> for Plain<'_> {
    fn embedding_size(&self) -> usize {
        0
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], _: &mut [f32]) {
        for (turn, value) in turns.iter().zip(values) {
            *value = -best(self.judge(turn)).1.equity() / MAX_POINTS;
        }
    }

    fn logits(&mut self, asked: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        for (turn, range) in asked.states.iter().zip(asked.ranges) {
            let left = self.judge(turn);
            for (logit, value) in logits[range.clone()].iter_mut().zip(left) {
                *logit = -SHARPNESS * value.equity();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::super::network::Shape;
    use super::*;

    /// The last two checkers can both be borne off, which a search finds whatever the network thinks.
    #[test]
    fn searches_find_what_is_certain() {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[6], own[4], other[1]) = (1, 1, 2);
        let board = Board::new(&own, &other).expect("a good board");
        let turn = Turn { board, dice: Dice::new(6, 4).expect("a throw") };
        let brains = [Brain::afterstates(Shape { contact: [8, 4], race: [8, 4] }), Brain::turns()];
        for (brain, layout) in brains {
            let weights = Weights::new(layout);
            let mut searcher = Searcher::new(&brain, 50);
            let (left, points) = searcher.choose(&brain, &weights, turn);
            assert!(left.other_won().is_some() && (points - 1.0).abs() < 1e-4, "{left:?} {points}");
            assert_eq!(searcher.choose(&brain, &weights, turn), (left, points));
            // One that was given up half way leaves nothing behind.
            let start = Turn { board: Board::START, dice: Dice::new(5, 2).expect("a throw") };
            searcher.begin(start);
            assert!(searcher.round(&brain, &weights) && searcher.round(&brain, &weights));
            assert_eq!(searcher.choose(&brain, &weights, turn), (left, points));
            assert_eq!(searcher.visits().map(|(_, visits)| visits).sum::<u32>(), 50);
            // Nothing to choose: no search, but a value all the same.
            let only = Turn { board: board.flipped(), dice: Dice::new(2, 1).expect("a throw") };
            assert!((searcher.choose(&brain, &weights, only).1 - 1.0).abs() < 1e-4);
        }
    }
}
