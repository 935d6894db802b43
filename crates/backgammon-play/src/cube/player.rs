//! Values of positions with the cube, by lookahead over dice rolls, plays and cube actions; and the choice of
//! plays by them.
//!
//! With `n` plies, the utility of rolling now is the mean over the 21 rolls of the utility after the best
//! play, and there the other side first chooses its best cube action. Without lookahead, or after the last
//! ply, the utility is exact where the two-sided bear-off database has it, and otherwise Janowski's estimate
//! ([`super::rolling_utility`]). One pass values several stakes of the same position (such as no double and a
//! double that is taken), because the evaluator's work is the same for all of them.

use learnery_worlds::backgammon::matches::Stakes;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::analysis::Decision;
use super::match_equity::MatchEquityTable;
use super::payoffs::{Payoffs, opposite};
use super::rolling_utility::rolling_utilities;
use crate::Evaluator;
use crate::outcomes::Outcomes;
use crate::players::RolledPlays;

/// The most plays that are valued with lookahead, as in [`crate::players`].
const MAX_CANDIDATES: usize = 8;
/// Only plays whose equity without lookahead is at most this much below the best are valued with it.
const CANDIDATE_MARGIN: f64 = 0.16;

/// Values and chooses with the cube at a fixed depth. Owns the buffers for that, among them those of the
/// evaluator.
pub struct CubePlayer<S> {
    scratch: S,
    table: &'static MatchEquityTable,
    /// For each ply of lookahead, the buffer for the plays of a roll.
    plies: Vec<RolledPlays>,
    values: Vec<Outcomes>,
}

/// A position's value: cubeless chances, and the utility of rolling now for each of the stakes.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    pub outcomes: Outcomes,
    pub utilities: Vec<f64>,
}

/// A play's value for the side that plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuedPlay {
    /// The index of the play among the plays of the roll.
    pub index: usize,
    pub utility: f64,
    /// Cubeless chances.
    pub outcomes: Outcomes,
}

impl Valued {
    fn zero(stakes: usize) -> Self {
        Self { outcomes: Outcomes::default(), utilities: vec![0.0; stakes] }
    }
}

/// The value of a position, computed in slices of one roll.
#[derive(Clone, Debug)]
pub struct SlicedValue {
    board: Board,
    stakes: Vec<Stakes>,
    /// The sum over the first `rolls` of [`Dice::ALL`].
    sum: Valued,
    rolls: usize,
}

impl SlicedValue {
    /// For [`CubePlayer::advance`]. No side has won on `board`. If the side on roll may double, a double that
    /// is taken is valued too.
    pub fn new(board: Board, stakes: &Stakes) -> Self {
        let stakes = with_double(stakes);
        Self { board, sum: Valued::zero(stakes.len()), stakes, rolls: 0 }
    }

    /// The stakes without a double.
    pub fn stakes(&self) -> &Stakes {
        &self.stakes[0]
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The value, once all rolls are in it.
    pub fn value(&self) -> Option<&Valued> {
        (self.rolls == Dice::ALL.len()).then_some(&self.sum)
    }
}

impl<S> CubePlayer<S> {
    /// A player whose other methods get this evaluator, or the same network with other weights.
    pub fn new<E: Evaluator<Scratch = S>>(evaluator: &E, plies: u8) -> Self {
        Self {
            scratch: evaluator.scratch(),
            table: MatchEquityTable::shared(),
            plies: (0..plies).map(|_| RolledPlays::default()).collect(),
            values: Vec::new(),
        }
    }

    pub fn table(&self) -> &'static MatchEquityTable {
        self.table
    }

    /// Values a position for the side on roll, which rolls without doubling, at each of the stakes.
    pub fn value<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        stakes: &[Stakes],
    ) -> Valued {
        let mut search = Search { evaluator, scratch: &mut self.scratch, table: self.table };
        search.rolling(board, stakes, &mut self.plies)
    }

    /// Adds one roll to a value. Without lookahead there are no rolls to add, and the value is computed at
    /// once.
    pub fn advance<E: Evaluator<Scratch = S>>(&mut self, evaluator: &E, value: &mut SlicedValue) {
        let mut search = Search { evaluator, scratch: &mut self.scratch, table: self.table };
        let SlicedValue { board, stakes, sum, rolls } = value;
        let Some(dice) = Dice::ALL.get(*rolls) else { return };
        if let Some((replies, deeper)) = self.plies.split_first_mut() {
            search.add_roll(board, stakes, *dice, replies, deeper, sum);
            *rolls += 1;
        } else {
            *sum = search.rolling(board, stakes, &mut []);
            *rolls = Dice::ALL.len();
        }
    }

    /// Chooses a play for these stakes. Returns its index and its utility for the side that plays.
    pub fn choose<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        stakes: &Stakes,
    ) -> (usize, f64) {
        let mut candidates = self.candidates(evaluator, board, plays, stakes, None);
        if !self.plies.is_empty() {
            for candidate in &mut candidates {
                *candidate = self.look_ahead(evaluator, plays, stakes, candidate.index);
            }
        }
        let utilities: Vec<f64> = candidates.iter().map(|candidate| candidate.utility).collect();
        let best = candidates[best_index(&utilities)];
        (best.index, best.utility)
    }

    /// All plays with their values without lookahead, in their own order.
    fn valued_plays<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        stakes: &Stakes,
    ) -> Vec<ValuedPlay> {
        let Self { scratch, table, values, .. } = self;
        evaluator.values_of_plays(board, plays, scratch, values);
        let value = |index: usize| ValuedPlay {
            index,
            utility: utility_after_play(table, &plays.get(index), &values[index], stakes),
            outcomes: values[index].flipped(),
        };
        (0..plays.len()).map(value).collect()
    }

    /// All plays, the best first: those that are valued with lookahead, then the others. Each comes with
    /// whether its value has lookahead. `always` is valued with it in any case.
    pub fn ranked<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        stakes: &Stakes,
        always: Option<usize>,
    ) -> Vec<(ValuedPlay, bool)> {
        let mut ranked: Vec<(ValuedPlay, bool)> = self
            .valued_plays(evaluator, board, plays, stakes)
            .into_iter()
            .map(|play| (play, false))
            .collect();
        if !self.plies.is_empty() {
            for candidate in self.candidates(evaluator, board, plays, stakes, always) {
                let deep = self.look_ahead(evaluator, plays, stakes, candidate.index);
                ranked[candidate.index] = (deep, true);
            }
        }
        ranked.sort_by(|(a, a_is_deep), (b, b_is_deep)| {
            b_is_deep.cmp(a_is_deep).then(b.utility.total_cmp(&a.utility))
        });
        ranked
    }

    /// The plays that are best without lookahead, with their values without lookahead, from the best to the
    /// worst. `always` is listed even if it is not among them.
    pub fn candidates<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        board: &Board,
        plays: &Plays,
        stakes: &Stakes,
        always: Option<usize>,
    ) -> Vec<ValuedPlay> {
        let mut candidates = self.valued_plays(evaluator, board, plays, stakes);
        let always = always.map(|index| candidates[index]);
        candidates.sort_by(|a, b| b.utility.total_cmp(&a.utility).then(a.index.cmp(&b.index)));
        let payoffs = Payoffs::new(self.table, stakes);
        let worst = payoffs.equity(candidates[0].utility) - CANDIDATE_MARGIN;
        candidates.truncate(MAX_CANDIDATES);
        // A utility that is NaN (from a damaged network) stays too, so there is always a candidate.
        candidates.retain(|candidate| {
            payoffs.equity(candidate.utility).partial_cmp(&worst) != Some(std::cmp::Ordering::Less)
        });
        if let Some(always) = always.filter(|play| candidates.iter().all(|other| other.index != play.index)) {
            candidates.push(always);
        }
        candidates
    }

    /// Values a play with the lookahead of this player.
    pub fn look_ahead<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluator: &E,
        plays: &Plays,
        stakes: &Stakes,
        index: usize,
    ) -> ValuedPlay {
        let Self { scratch, table, plies, .. } = self;
        let mut search = Search { evaluator, scratch, table };
        let theirs = stakes.flipped();
        let valued = search.rolling(&plays.get(index), &with_double(&theirs), plies);
        let utility = opposite(stakes, decide(search.table, &theirs, &valued.utilities).utility());
        ValuedPlay { index, utility, outcomes: valued.outcomes.flipped() }
    }
}

/// The index of the highest utility; of equal ones the first.
fn best_index(utilities: &[f64]) -> usize {
    let best = |best: usize, i: usize| if utilities[i] > utilities[best] { i } else { best };
    (0..utilities.len()).fold(0, best)
}

/// These stakes and, if the side on roll may double, those after a double that is taken.
pub(super) fn with_double(stakes: &Stakes) -> Vec<Stakes> {
    match stakes.no_double() {
        None => vec![*stakes, stakes.doubled()],
        Some(_) => vec![*stakes],
    }
}

/// The decision of the side on roll, from the utilities of [`with_double`].
pub(super) fn decide(table: &MatchEquityTable, stakes: &Stakes, utilities: &[f64]) -> Decision {
    Decision::new(table, stakes, utilities[0], utilities.get(1).copied())
}

/// A player's evaluator and buffers, apart from those of the plies.
struct Search<'a, E: Evaluator> {
    evaluator: &'a E,
    scratch: &'a mut E::Scratch,
    table: &'a MatchEquityTable,
}

/// The utility of a play that led to `board`, for the side that played, without lookahead. `outcomes` and the
/// position belong to the other side, which may double.
pub fn utility_after_play(
    table: &MatchEquityTable,
    board: &Board,
    outcomes: &Outcomes,
    stakes: &Stakes,
) -> f64 {
    let theirs = stakes.flipped();
    let utilities = rolling_utilities(table, board, outcomes, &with_double(&theirs));
    opposite(stakes, decide(table, &theirs, &utilities).utility())
}

impl<E: Evaluator> Search<'_, E> {
    /// The value of a position whose side on roll rolls without doubling, with a ply of lookahead for each
    /// element of `plies`.
    fn rolling(&mut self, board: &Board, stakes: &[Stakes], plies: &mut [RolledPlays]) -> Valued {
        let Some((replies, deeper)) = plies.split_first_mut().filter(|_| board.result().is_none()) else {
            let outcomes = self.evaluator.value(board, self.scratch);
            let utilities = rolling_utilities(self.table, board, &outcomes, stakes);
            return Valued { outcomes, utilities };
        };
        let mut mean = Valued::zero(stakes.len());
        for dice in Dice::ALL {
            self.add_roll(board, stakes, dice, replies, deeper, &mut mean);
        }
        mean
    }

    /// Adds a roll's share to the mean over all rolls.
    fn add_roll(
        &mut self,
        board: &Board,
        stakes: &[Stakes],
        dice: Dice,
        replies: &mut RolledPlays,
        deeper: &mut [RolledPlays],
        mean: &mut Valued,
    ) {
        let probability = f64::from(dice.ways()) / 36.0;
        replies.find_and_value(self.evaluator, self.scratch, board, &[dice]);
        let (boards, values) = replies.of_roll(0);
        // For each of the stakes, the index of the best reply and its utility, both without lookahead.
        let best: Vec<(usize, f64)> =
            stakes.iter().map(|stakes| self.best_reply(boards, values, stakes)).collect();
        // The best reply without a double, which comes first.
        let (reply, _) = best[0];
        let outcomes = if deeper.is_empty() {
            for (mean, (_, utility)) in mean.utilities.iter_mut().zip(&best) {
                *mean += probability * utility;
            }
            values[reply]
        } else {
            // One reply for all stakes, because every further reply would cost another search.
            let theirs: Vec<Vec<Stakes>> =
                stakes.iter().map(|stakes| with_double(&stakes.flipped())).collect();
            let after = self.rolling(&boards[reply], &theirs.concat(), deeper);
            // `concat` has put the stakes of `theirs` one behind the other, and so are their utilities.
            let mut remaining_utilities = &after.utilities[..];
            for (i, theirs) in theirs.iter().enumerate() {
                let (utilities, rest) = remaining_utilities.split_at(theirs.len());
                let utility = decide(self.table, &theirs[0], utilities).utility();
                mean.utilities[i] += probability * opposite(&stakes[i], utility);
                remaining_utilities = rest;
            }
            after.outcomes
        };
        let outcomes = outcomes.flipped();
        mean.outcomes.0.iter_mut().zip(outcomes.0).for_each(|(sum, p)| *sum += probability as f32 * p);
    }

    /// The index of the best of some positions after plays, and its utility for the side that plays.
    fn best_reply(&self, boards: &[Board], values: &[Outcomes], stakes: &Stakes) -> (usize, f64) {
        let utility =
            |(board, outcomes): (&Board, &Outcomes)| utility_after_play(self.table, board, outcomes, stakes);
        let utilities: Vec<f64> = boards.iter().zip(values).map(utility).collect();
        let best = best_index(&utilities);
        (best, utilities[best])
    }
}
