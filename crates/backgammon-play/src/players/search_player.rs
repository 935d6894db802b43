//! Chooses plays by tree search (PUCT with chance nodes), guided by any evaluator. One that knows more than
//! values, such as a network with a policy head, guides the search itself ([`Evaluator::search_round`]).
//! Elsewhere the policy comes from the values of afterstates (the positions that plays lead to).
//!
//! Values inside the search are equities divided by three (`MAX_POINTS`), so that they lie in [-1, 1].

use learnery_kernels::rng::Stream;
use learnery_search::{Noise, Options, PolicyRequest, SearchBatch};
use learnery_worlds::backgammon::{Board, Plays};

use crate::Evaluator;
use crate::game::{Backgammon, MAX_POINTS, Turn};
use crate::outcomes::{Outcomes, best_play};

/// Simulations that run together, so that their positions go through the network in one batch.
const MAX_SIMULATIONS_IN_FLIGHT: u32 = 8;
/// Weight of the policy beside the values (see [`Options::cpuct`]) with a policy head.
const POLICY_HEAD_CPUCT: f32 = 2.0;
/// Weight of the policy beside the values where the policy comes from values. The equities of plays differ by
/// hundredths of a point, and values in the search are a third of that. With a larger weight the visits would
/// only repeat the policy, and the search would find nothing better.
const VALUES_CPUCT: f32 = 0.1;
/// Base-2 logarithm of the number of cached evaluations.
const CACHE_BITS: u32 = 12;
/// The maximum number of simulations that a user can ask for.
pub const MAX_SIMULATIONS: u32 = 100_000;

/// A search tree, and the buffers of the evaluator that guides it.
pub struct SearchPlayer<S> {
    /// A batch with a single tree.
    batch: SearchBatch<Backgammon>,
    scratch: S,
    buffers: SearchBuffers,
}

/// Buffers for a search by the values of afterstates: the plays of a turn, and their values.
pub struct SearchBuffers {
    plays: Plays,
    values: Vec<Outcomes>,
}

impl<S> SearchPlayer<S> {
    /// A player for an evaluator that never changes, so that its evaluations can be cached.
    pub fn new<E: Evaluator<Scratch = S>>(evaluator: &E, simulations: u32) -> Self {
        Self::with_cache(evaluator, simulations, Some(CACHE_BITS))
    }

    /// A player for a network whose weights may change between searches.
    pub fn without_cache<E: Evaluator<Scratch = S>>(network: &E, simulations: u32) -> Self {
        Self::with_cache(network, simulations, None)
    }

    fn with_cache<E: Evaluator<Scratch = S>>(
        evaluator: &E,
        simulations: u32,
        cache_bits: Option<u32>,
    ) -> Self {
        let options = Options {
            simulations,
            in_flight: MAX_SIMULATIONS_IN_FLIGHT.min(simulations),
            noise: Noise::None,
            stream: Stream::new(0, 0),
            cpuct: if evaluator.has_policy_head() { POLICY_HEAD_CPUCT } else { VALUES_CPUCT },
            ..Options::default()
        };
        Self {
            batch: SearchBatch::new(&Backgammon, 1, options, evaluator.embedding_size(), cache_bits),
            scratch: evaluator.scratch(),
            buffers: SearchBuffers { plays: Plays::new(), values: Vec::new() },
        }
    }

    /// Begins a search of a position and dice roll.
    pub fn begin(&mut self, turn: Turn) {
        // The only tree.
        let tree = 0;
        // Selects the random numbers. It is always the same, so that a search does not depend on the searches
        // before it.
        let search_index = 0;
        self.batch.begin(&Backgammon, tree, turn, search_index);
    }

    /// Runs at most [`MAX_SIMULATIONS_IN_FLIGHT`] simulations, and returns whether the search has more of
    /// them to run.
    pub fn round<E: Evaluator<Scratch = S>>(&mut self, evaluator: &E) -> bool {
        evaluator.search_round(&mut self.batch, &mut self.scratch, &mut self.buffers)
    }

    /// The boards that the plays of the root lead to, and the number of visits of each.
    pub fn visits(&self) -> impl Iterator<Item = (Board, u32)> {
        let root = self.batch.root(0);
        root.plays().iter().copied().zip(root.visits().iter().copied())
    }

    /// Searches a turn. Returns the board that the best play leads to, seen from the opponent, and the equity
    /// of that play in points, for the side that makes it.
    pub fn choose<E: Evaluator<Scratch = S>>(&mut self, evaluator: &E, turn: Turn) -> (Board, f32) {
        self.begin(turn);
        while self.round(evaluator) {}
        self.best(evaluator)
    }

    /// The same unless `is_over` returns true, which is asked after every few simulations. Then there is no
    /// answer.
    pub fn choose_unless<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        turn: Turn,
        is_over: &dyn Fn() -> bool,
    ) -> Option<(Board, f32)> {
        self.begin(turn);
        while self.round(evaluator) {
            if is_over() {
                return None;
            }
        }
        Some(self.best(evaluator))
    }

    /// The best play of the finished search, as [`SearchPlayer::choose`] returns it.
    fn best<E: Evaluator<Scratch = S>>(&mut self, evaluator: &E) -> (Board, f32) {
        let root = self.batch.root(0);
        let choice = root.best();
        let afterstate = root.plays()[choice];
        let value = match root.value_of(choice) {
            Some(value) => value * MAX_POINTS,
            // A turn with only one play is not searched.
            None => evaluator.value(&afterstate, &mut self.scratch).flipped().equity(),
        };
        (afterstate, value)
    }
}

/// Runs a round of a search that knows only the values of afterstates.
pub fn search_round_by_afterstates<E: Evaluator>(
    evaluator: &E,
    batch: &mut SearchBatch<Backgammon>,
    scratch: &mut E::Scratch,
    buffers: &mut SearchBuffers,
) -> bool {
    batch.round(&Backgammon, &mut AfterstateEvaluator { evaluator, scratch, buffers })
}

/// Values of afterstates as the evaluator of a search. The value of a turn is that of its best play.
struct AfterstateEvaluator<'a, E: Evaluator> {
    evaluator: &'a E,
    scratch: &'a mut E::Scratch,
    buffers: &'a mut SearchBuffers,
}

impl<E: Evaluator> AfterstateEvaluator<'_, E> {
    /// Computes the value of each play's afterstate, for the opponent.
    fn values_of_plays(&mut self, turn: &Turn) -> &[Outcomes] {
        let SearchBuffers { plays, values } = &mut *self.buffers;
        plays.find(&turn.board, turn.dice);
        self.evaluator.values_of_plays(&turn.board, plays, self.scratch, values);
        values
    }
}

impl<E: Evaluator> learnery_search::Evaluator<Backgammon> for AfterstateEvaluator<'_, E> {
    fn embedding_size(&self) -> usize {
        0
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], _: &mut [f32]) {
        for (turn, value) in turns.iter().zip(values) {
            let (_, best) = best_play(self.values_of_plays(turn));
            // The opponent's equity, so the sign changes.
            *value = -best.equity() / MAX_POINTS;
        }
    }

    fn logits(&mut self, request: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        for (turn, range) in request.states.iter().zip(request.ranges) {
            let values = self.values_of_plays(turn);
            for (logit, value) in logits[range.clone()].iter_mut().zip(values) {
                *logit = value.policy_logit();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::*;
    use crate::test_evaluator::TestEvaluator;

    /// Both last checkers (on points 6 and 4) can be borne off with a 6 and a 4. The opponent has two
    /// checkers left, so it has borne some off, and the win is worth one point.
    #[test]
    fn search_finds_a_certain_win() {
        let evaluator = TestEvaluator { spread: 0.1 };
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[6], own[4], other[1]) = (1, 1, 2);
        let board = Board::new(&own, &other).expect("a good board");
        let turn = Turn { board, dice: Dice::new(6, 4).expect("a dice roll") };
        let mut player = SearchPlayer::new(&evaluator, 50);
        let (afterstate, points) = player.choose(&evaluator, turn);
        assert!(afterstate.other_won().is_some() && (points - 1.0).abs() < 1e-4, "{afterstate:?} {points}");
        // An abandoned search does not change the next one.
        player.begin(Turn { board: Board::START, dice: Dice::new(5, 2).expect("a dice roll") });
        assert!(player.round(&evaluator) && player.round(&evaluator));
        assert_eq!(player.choose(&evaluator, turn), (afterstate, points));
        assert_eq!(player.visits().map(|(_, visits)| visits).sum::<u32>(), 50);
        // A search that is asked to end has no answer, and does not change the next one either.
        let start = Turn { board: Board::START, dice: Dice::new(5, 2).expect("a dice roll") };
        assert_eq!(player.choose_unless(&evaluator, start, &|| true), None);
        assert!(player.visits().map(|(_, visits)| visits).sum::<u32>() <= MAX_SIMULATIONS_IN_FLIGHT);
        assert_eq!(player.choose_unless(&evaluator, turn, &|| false), Some((afterstate, points)));
    }
}
