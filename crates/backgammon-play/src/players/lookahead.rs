//! Chooses plays by an evaluator's values of afterstates (the positions that plays lead to), optionally with
//! expectimax lookahead over dice rolls.
//!
//! Sign convention: the value of an afterstate belongs to the side that rolls next, which is the opponent of
//! the side that chooses the play. So the best play is the one whose afterstate has the lowest equity (in
//! points).
//!
//! With `n` plies of lookahead, the value of a position is the mean over the 21 dice rolls, weighted by their
//! probabilities, of the value after the best reply, which is computed with `n - 1` plies. Replies are chosen
//! without lookahead, among those that a pruning network leaves, if there is one. The end of a game has its
//! exact value. At the root, only the plays that are best without lookahead (the candidates) are valued with
//! it, and one of them is chosen (a move filter).

use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::rolled_plays::RolledPlays;
use crate::Evaluator;
use crate::outcomes::{Outcomes, best_play};

/// How far to look ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookahead {
    /// Dice rolls between a play and the positions that are valued. 0 values the afterstate itself.
    pub plies: u8,
}

/// The maximum number of plies. For each candidate, one ply values the replies to all rolls on one board. Two
/// plies do this on up to 22 boards: that one, and the one after the best reply to each of the 21 rolls. A
/// third ply would take about 21 times as long.
pub const MAX_PLIES: u8 = 2;

/// `plies`, if it is at most [`MAX_PLIES`].
pub fn checked_plies(plies: u8) -> Result<u8, String> {
    match plies {
        0..=MAX_PLIES => Ok(plies),
        _ => Err(format!("{plies} plies; expected 0 to {MAX_PLIES}")),
    }
}

/// The maximum number of candidates.
pub(crate) const MAX_CANDIDATES: usize = 8;
/// A candidate's equity without lookahead is at most this many points worse than that of the best play: the
/// margin of GNU Backgammon's normal move filter.
pub(crate) const CANDIDATE_MARGIN: f32 = 0.16;
/// Initial capacity of buffers for the plays of a dice roll. No roll has more than 3,060 plays, so they are
/// never reallocated.
const INITIAL_PLAYS: usize = 4096;

/// Chooses plays by an evaluator's values and a fixed number of plies. Owns the buffers for that, among them
/// those of the evaluator.
pub struct LookaheadPlayer<S> {
    scratch: S,
    /// For each ply of lookahead, the buffer for the replies to all rolls.
    replies_by_ply: Vec<RolledPlays>,
    /// The value of each play's afterstate without lookahead, for the opponent.
    values: Vec<Outcomes>,
    /// Indices of plays: all of them while they are sorted, then the candidates only.
    candidates: Vec<u32>,
    /// The value of each candidate's afterstate with lookahead, for the opponent.
    candidate_values: Vec<Outcomes>,
}

impl<S> LookaheadPlayer<S> {
    /// A player whose other methods get this evaluator, or the same network with other weights.
    pub fn new<E: Evaluator<Scratch = S>>(evaluator: &E, lookahead: Lookahead) -> Self {
        Self {
            scratch: evaluator.scratch(),
            replies_by_ply: (0..lookahead.plies).map(|_| RolledPlays::default()).collect(),
            values: Vec::with_capacity(INITIAL_PLAYS),
            candidates: Vec::with_capacity(INITIAL_PLAYS),
            candidate_values: Vec::with_capacity(MAX_CANDIDATES),
        }
    }

    /// Returns the index of the best play, and the value of its afterstate for the opponent, who rolls next.
    pub fn choose<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
    ) -> (usize, Outcomes) {
        self.choose_unless(evaluator, board, plays, &|| false).expect("nothing ends it early")
    }

    /// The same unless `is_over` returns true, which is asked before each candidate. Then there is no answer.
    pub fn choose_unless<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        is_over: &dyn Fn() -> bool,
    ) -> Option<(usize, Outcomes)> {
        evaluator.values_of_plays(board, plays, &mut self.scratch, &mut self.values);
        if self.replies_by_ply.is_empty() {
            return Some(best_play(&self.values));
        }
        self.select_candidates();
        let Self { scratch, replies_by_ply, candidates, candidate_values, .. } = self;
        candidate_values.clear();
        for i in &*candidates {
            if is_over() {
                return None;
            }
            let afterstate = plays.get(*i as usize);
            candidate_values.push(value_with_lookahead(evaluator, scratch, &afterstate, replies_by_ply));
        }
        let (best, value) = best_play(candidate_values);
        Some((candidates[best] as usize, value))
    }

    /// All plays, the best first: those that are valued with lookahead, then the others. Each is its index,
    /// the value of its afterstate for the opponent, and whether that value has lookahead. `always` is valued
    /// with it in any case.
    pub fn ranked<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        always: Option<usize>,
    ) -> Vec<(usize, Outcomes, bool)> {
        evaluator.values_of_plays(board, plays, &mut self.scratch, &mut self.values);
        let mut ranked: Vec<(usize, Outcomes, bool)> =
            self.values.iter().enumerate().map(|(i, value)| (i, *value, false)).collect();
        if !self.replies_by_ply.is_empty() {
            self.select_candidates();
            let Self { scratch, replies_by_ply, candidates, .. } = self;
            let listed = candidates.iter().map(|i| *i as usize);
            let unlisted = always.filter(|index| !candidates.contains(&(*index as u32)));
            for i in listed.chain(unlisted) {
                ranked[i] =
                    (i, value_with_lookahead(evaluator, scratch, &plays.get(i), replies_by_ply), true);
            }
        }
        ranked.sort_by(|(_, a, a_is_deep), (_, b, b_is_deep)| {
            b_is_deep.cmp(a_is_deep).then(a.equity().total_cmp(&b.equity()))
        });
        ranked
    }

    /// Selects the best plays by their values without lookahead, and sorts their indices.
    fn select_candidates(&mut self) {
        let Self { values, candidates, .. } = self;
        let equity = |i: &u32| values[*i as usize].equity();
        candidates.clear();
        candidates.extend(0..values.len() as u32);
        candidates.sort_unstable_by(|a, b| equity(a).total_cmp(&equity(b)).then(a.cmp(b)));
        // The opponent's equity, so a play is worse the higher it is.
        let max_equity = equity(&candidates[0]) + CANDIDATE_MARGIN;
        let within_margin = candidates.iter().take_while(|i| equity(i) <= max_equity).count();
        candidates.truncate(within_margin.clamp(1, MAX_CANDIDATES));
        candidates.sort_unstable();
    }

    /// Returns the indices of the plays that are best without lookahead.
    #[cfg(test)]
    fn candidates<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
    ) -> &[u32] {
        evaluator.values_of_plays(board, plays, &mut self.scratch, &mut self.values);
        self.select_candidates();
        &self.candidates
    }

    /// Returns the value of a board for the side on roll.
    pub fn value<E: Evaluator<Scratch = S>>(&mut self, evaluator: &E, board: &Board) -> Outcomes {
        value_with_lookahead(evaluator, &mut self.scratch, board, &mut self.replies_by_ply)
    }
}

/// Returns the value of a board for the side on roll, with one ply of lookahead for each element of
/// `replies_by_ply`.
fn value_with_lookahead<E: Evaluator>(
    evaluator: &E,
    scratch: &mut E::Scratch,
    board: &Board,
    replies_by_ply: &mut [RolledPlays],
) -> Outcomes {
    if let Some(exact) = Outcomes::exact(board) {
        return exact;
    }
    let Some((replies, deeper)) = replies_by_ply.split_first_mut() else {
        return evaluator.value(board, scratch);
    };
    replies.find_and_value(evaluator, scratch, board, &Dice::ALL);
    let mut mean = Outcomes::default();
    for (roll, dice) in Dice::ALL.into_iter().enumerate() {
        let (boards, values) = replies.of_roll(roll);
        let (choice, value) = best_play(values);
        let value_after_reply = if deeper.is_empty() {
            value
        } else {
            value_with_lookahead(evaluator, scratch, &boards[choice], deeper)
        };
        let probability = f32::from(dice.ways()) / 36.0;
        // Flipped back to the side on roll, which makes the reply.
        let value = value_after_reply.flipped();
        mean.0.iter_mut().zip(value.0).for_each(|(sum, p)| *sum += probability * p);
    }
    mean
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;

    use super::*;
    use crate::test_evaluator::TestEvaluator;

    #[test]
    fn lookahead_chooses_the_candidate_with_the_best_value() {
        // Equities differ by more than the margin.
        let evaluator = TestEvaluator { spread: 1.0 };
        let mut player = LookaheadPlayer::new(&evaluator, Lookahead { plies: 1 });
        let mut values = Vec::new();
        let (mut board, mut plays) = (Board::START, Plays::new());
        for turn in 0..30 {
            plays.find(&board, Dice::for_turn(Stream::new(5, 0), 0, turn));
            let (choice, value) = player.choose(&evaluator, &board, &plays);
            let candidates = player.candidates(&evaluator, &board, &plays).to_vec();
            let afterstates = candidates.iter().map(|i| plays.get(*i as usize));
            let lowest = afterstates.map(|board| player.value(&evaluator, &board).equity()).reduce(f32::min);
            assert!(candidates.contains(&(choice as u32)) && Some(value.equity()) == lowest, "turn {turn}");
            evaluator.values_of_plays(&board, &plays, &mut (), &mut values);
            let (_, best) = best_play(&values);
            assert!(values[choice].equity() <= best.equity() + CANDIDATE_MARGIN, "turn {turn}");
            assert_eq!(value, player.value(&evaluator, &plays.get(choice)));
            let ranked = player.ranked(&evaluator, &board, &plays, None);
            assert_eq!((ranked.len(), ranked[0]), (plays.len(), (choice, value, true)));
            let deep = ranked.iter().filter(|(_, _, is_deep)| *is_deep).map(|(index, ..)| *index as u32);
            let mut deep: Vec<u32> = deep.collect();
            deep.sort_unstable();
            assert_eq!(deep, candidates);
            board = plays.get(choice);
            if board.other_won().is_some() {
                break;
            }
        }
    }
}
