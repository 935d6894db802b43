//! Expectimax search (Michie, 1966) over afterstates, one or two plies deep, as in Tesauro, "Temporal
//! difference learning and TD-Gammon", 1995.
//!
//! A *play* is a whole turn of one side, and its *afterstate* is the position before the next roll of the
//! dice. At one ply the value of a play is the evaluator's value of its afterstate. At two plies it is the
//! expectation, over all rolls, of the value after the opponent's best reply to the roll. Each reply is
//! evaluated at one ply. The afterstates are collected and evaluated in large batches.

use crate::Game;
use crate::evaluator::AfterstateEvaluator;

/// The search depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    One,
    /// Two plies for the `plays` plays with the highest one-ply values (a move filter). The other plays keep
    /// their one-ply values.
    Two {
        plays: usize,
    },
}

/// The largest batch of afterstates for the evaluator.
const MAX_BATCH: usize = 512;

/// The search: [`Self::search`] evaluates the plays of a state. Its memory is reused from call to call.
pub struct Expectimax<G: Game> {
    /// The plays of the last search.
    plays: Vec<G::Play>,
    /// Their values, for the side that plays.
    values: Vec<f32>,
    /// Indices of plays by descending one-ply value.
    order: Vec<u32>,
    replies: Replies<G>,
    scratch: G::Scratch,
}

/// Evaluates lists of plays at one ply, and a play at two plies by its replies. In a game with extra turns,
/// the "replies" to a play that earns one are plays of the same side.
struct Replies<G: Game> {
    /// The replies to all chance outcomes, concatenated.
    plays: Vec<G::Play>,
    values: Vec<f32>,
    /// For each chance outcome: the index in `plays` after its last reply.
    ends: Vec<usize>,
    /// The plays that do not end the game and need the evaluator: their indices, copies of them, and their
    /// values.
    pending: Vec<usize>,
    pending_plays: Vec<G::Play>,
    pending_values: Vec<f32>,
    scratch: G::Scratch,
}

impl<G: Game> Default for Expectimax<G> {
    fn default() -> Self {
        let replies = Replies {
            plays: Vec::new(),
            values: Vec::new(),
            ends: Vec::new(),
            pending: Vec::new(),
            pending_plays: Vec::new(),
            pending_values: Vec::new(),
            scratch: G::Scratch::default(),
        };
        Self {
            plays: Vec::new(),
            values: Vec::new(),
            order: Vec::new(),
            replies,
            scratch: G::Scratch::default(),
        }
    }
}

impl<G: Game> Expectimax<G> {
    /// Evaluates every play of `state` and returns the index of the best play.
    pub fn search(
        &mut self,
        game: &G,
        evaluator: &mut impl AfterstateEvaluator<G>,
        state: &G::State,
        plies: Plies,
    ) -> usize {
        let Self { plays, values, order, replies, scratch } = self;
        plays.clear();
        game.plays(state, scratch, plays);
        values.clear();
        values.resize(plays.len(), 0.0);
        replies.evaluate(game, evaluator, plays, values);
        order.clear();
        order.extend(0..plays.len() as u32);
        // Ties are broken in favour of the first play.
        order.sort_unstable_by(|a, b| values[*b as usize].total_cmp(&values[*a as usize]).then(a.cmp(b)));
        if let Plies::Two { plays: filtered } = plies {
            // Plays that end the game keep their exact values.
            for play in &order[..filtered.min(order.len())] {
                let play = *play as usize;
                if game.terminal_value(&plays[play]).is_none() {
                    values[play] = replies.value_after(game, evaluator, &plays[play]);
                }
            }
            // Values of different depths are not comparable, so the result is one of the plays searched at
            // two plies.
            let searched = &order[..filtered.clamp(1, order.len())];
            let best = searched
                .iter()
                .copied()
                .reduce(|best, play| if values[play as usize] > values[best as usize] { play } else { best });
            return best.unwrap_or(0) as usize;
        }
        order[0] as usize
    }

    /// The plays of the last search.
    pub fn plays(&self) -> &[G::Play] {
        &self.plays
    }

    /// The values of the plays of the last search, for the side that plays.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns the two-ply value of a play for the side that played.
    pub fn value_after(
        &mut self,
        game: &G,
        evaluator: &mut impl AfterstateEvaluator<G>,
        play: &G::Play,
    ) -> f32 {
        game.terminal_value(play).unwrap_or_else(|| self.replies.value_after(game, evaluator, play))
    }
}

impl<G: Game> Replies<G> {
    /// Returns the two-ply value of a play that does not end the game, for the side that played.
    fn value_after(&mut self, game: &G, evaluator: &mut impl AfterstateEvaluator<G>, play: &G::Play) -> f32 {
        self.ends.clear();
        // The buffers leave `self` until the end, because `evaluate` borrows all of `self`.
        let mut plays = std::mem::take(&mut self.plays);
        let mut values = std::mem::take(&mut self.values);
        plays.clear();
        for chance in 0..game.chance_probabilities().len() {
            game.plays(&game.next_state(play, chance), &mut self.scratch, &mut plays);
            self.ends.push(plays.len());
        }
        values.clear();
        values.resize(plays.len(), 0.0);
        self.evaluate(game, evaluator, &plays, &mut values);
        let mut expected = 0.0;
        let mut begin = 0;
        for (probability, end) in game.chance_probabilities().iter().zip(&self.ends) {
            // The best reply to this chance outcome.
            let best = values[begin..*end].iter().copied().fold(f32::NEG_INFINITY, f32::max);
            expected += probability * best;
            begin = *end;
        }
        (self.plays, self.values) = (plays, values);
        if game.passes_turn(play) { -expected } else { expected }
    }

    /// Computes the one-ply values of plays: the result if the game is over, else the evaluator's value.
    fn evaluate(
        &mut self,
        game: &G,
        evaluator: &mut impl AfterstateEvaluator<G>,
        plays: &[G::Play],
        values: &mut [f32],
    ) {
        self.pending.clear();
        self.pending_plays.clear();
        for (i, (play, value)) in plays.iter().zip(values.iter_mut()).enumerate() {
            match game.terminal_value(play) {
                Some(terminal_value) => *value = terminal_value,
                None => {
                    self.pending.push(i);
                    self.pending_plays.push(*play);
                }
            }
        }
        self.pending_values.clear();
        self.pending_values.resize(self.pending_plays.len(), 0.0);
        for (plays, values) in
            self.pending_plays.chunks(MAX_BATCH).zip(self.pending_values.chunks_mut(MAX_BATCH))
        {
            evaluator.afterstate_values(plays, values);
        }
        for (i, value) in self.pending.iter().zip(&self.pending_values) {
            values[*i] = *value;
        }
    }
}
