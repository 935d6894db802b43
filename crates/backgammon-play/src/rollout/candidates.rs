//! The positions that a rollout plays from, and which plays are chosen for it.

use learnery_worlds::backgammon::{Board, Dice, Plays, moves, notation};

use crate::outcomes::Outcomes;
use crate::players::{CANDIDATE_MARGIN, MAX_CANDIDATES, RolledPlays};
use crate::{Evaluator, Worth};

/// A position that games are played from: the user's position, or the position after a play.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub board: Board,
    /// The play in standard notation; `None` for the user's position. After a play the opponent is on roll,
    /// so results are flipped.
    pub play: Option<String>,
}

impl Candidate {
    pub fn position(board: Board) -> Self {
        Self { board, play: None }
    }

    /// The play that leads from a board to `after`.
    pub fn play(board: &Board, dice: Dice, after: &Board) -> Self {
        let play = moves(board, dice, after).map(|moves| notation(&moves));
        Self { board: *after, play: Some(play.unwrap_or_default()) }
    }
}

/// The plays that are best without lookahead, in the order in which they were found.
pub(super) fn best(evaluator: &impl Evaluator, board: &Board, dice: Dice, worth: Worth) -> Vec<Candidate> {
    let mut best = without_lookahead(evaluator, board, dice, worth);
    best.sort_unstable_by_key(|(i, _)| *i);
    best.iter().map(|(_, after)| Candidate::play(board, dice, after)).collect()
}

/// The positions after the plays that are best at one ply, the best first: at most `most`, each within
/// `margin` points of the best. `worth` is of the side that plays.
pub fn best_at_one_ply(
    evaluator: &impl Evaluator,
    board: &Board,
    dice: Dice,
    worth: Worth,
    most: usize,
    margin: f64,
) -> Vec<Board> {
    let (mut scratch, mut replies) = (evaluator.scratch(), RolledPlays::default());
    replies.set_worth(worth.flipped());
    // The equity of the side that plays; after the play the opponent is on roll, so the sign changes.
    let mut value = |after: &Board| {
        if let Some(exact) = Outcomes::exact(after) {
            return -f64::from(worth.flipped().equity(&exact));
        }
        replies.find_and_value(evaluator, &mut scratch, after, &Dice::ALL);
        -worth.flipped().equity_of_chances(&replies.mean())
    };
    let plays = without_lookahead(evaluator, board, dice, worth);
    let mut valued: Vec<(f64, Board)> = plays.iter().map(|(_, after)| (value(after), *after)).collect();
    valued.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let least = valued.first().map_or(0.0, |(best, _)| best - margin);
    valued.into_iter().take_while(|(value, _)| *value >= least).take(most).map(|(_, after)| after).collect()
}

/// The plays that are best without lookahead: index among all plays and position after it, the best first.
fn without_lookahead(
    evaluator: &impl Evaluator,
    board: &Board,
    dice: Dice,
    worth: Worth,
) -> Vec<(usize, Board)> {
    let (mut plays, mut values) = (Plays::new(), Vec::new());
    plays.find(board, dice);
    evaluator.values_of_plays(board, &plays, &mut evaluator.scratch(), &mut values);
    // The opponent's equity, so a play is worse the higher it is.
    let equities: Vec<f32> = values.iter().map(|value| worth.flipped().equity(value)).collect();
    let mut order: Vec<usize> = (0..equities.len()).collect();
    order.sort_by(|a, b| equities[*a].total_cmp(&equities[*b]));
    let most_for_opponent = order.first().map_or(0.0, |best| equities[*best] + CANDIDATE_MARGIN);
    let near = order.into_iter().take_while(|i| equities[*i] <= most_for_opponent).take(MAX_CANDIDATES);
    near.map(|i| (i, plays.get(i))).collect()
}
