//! Choosing a play by its afterstate's value, or by expectimax over dice rolls.
//!
//! At `n` plies, the value of a position is the mean over the 21 rolls of what the best reply leaves, valued at `n - 1`
//! plies. The reply itself is chosen without lookahead, and only the plays that look best without lookahead are
//! looked at more closely.

use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::network::{Evaluator, NetworkRef};
use crate::outcomes::{Outcomes, best_play};

/// How far to look ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookahead {
    /// Dice rolls between a play and the positions that the network values; 0 values the afterstate itself.
    pub plies: u8,
}

pub const MAX_PLIES: u8 = 2;

/// At most so many plays are looked at more closely.
const MAX_CANDIDATES: usize = 8;
/// A play whose equity is further than this below the best one, in points, is not.
const CANDIDATE_MARGIN: f32 = 0.16;

/// A network, a depth, and the buffers to choose plays in.
pub struct LookaheadPlayer {
    lookahead: Lookahead,
    evaluator: Evaluator,
    /// One for each ply.
    levels: Vec<Level>,
    values: Vec<Outcomes>,
    order: Vec<u32>,
}

struct Level {
    plays: Plays,
    values: Vec<Outcomes>,
}

impl LookaheadPlayer {
    pub fn new(network: NetworkRef, lookahead: Lookahead) -> Self {
        let level = || Level { plays: Plays::new(), values: Vec::with_capacity(4096) };
        Self {
            lookahead,
            evaluator: network.evaluator(),
            levels: (0..lookahead.plies).map(|_| level()).collect(),
            values: Vec::with_capacity(4096),
            order: Vec::with_capacity(4096),
        }
    }

    /// The index of the best play, and its value for the side that rolls next.
    pub fn choose(&mut self, weights: &Weights, board: &Board, plays: &Plays) -> (usize, Outcomes) {
        self.evaluate_plays(weights, board, plays);
        best_play(&self.values)
    }

    /// Values every play, for the side that rolls next. Plays that are not looked at more closely never come out better
    /// than those that are.
    fn evaluate_plays(&mut self, weights: &Weights, board: &Board, plays: &Plays) {
        let Self { lookahead, evaluator, levels, values, order } = self;
        evaluator.values_of_plays(weights, board, plays, values);
        if lookahead.plies == 0 {
            return;
        }
        order.clear();
        order.extend(0..values.len() as u32);
        let equity = |i: &u32| values[*i as usize].equity();
        order.sort_unstable_by(|a, b| equity(a).total_cmp(&equity(b)).then(a.cmp(b)));
        let limit = equity(&order[0]) + CANDIDATE_MARGIN;
        let candidates = order.iter().take(MAX_CANDIDATES).take_while(|i| equity(i) <= limit).count();
        let (candidates, others) = order.split_at(candidates);
        for i in candidates {
            let i = *i as usize;
            values[i] = value_ahead(evaluator, weights, &plays.get(i), levels);
        }
        let equities = candidates.iter().map(|i| values[*i as usize].equity());
        let worst = equities.fold(f32::NEG_INFINITY, f32::max);
        for i in others {
            let value = &mut values[*i as usize];
            let short = worst - value.equity();
            if short > 0.0 {
                value.0[0] = (value.0[0] + short / 2.0).min(1.0);
            }
        }
    }

    /// The value of a board for the side on roll.
    pub fn value(&mut self, weights: &Weights, board: &Board) -> Outcomes {
        value_ahead(&mut self.evaluator, weights, board, &mut self.levels)
    }
}

/// The value of a board for the side on roll, looking one ply ahead for each of `levels`.
fn value_ahead(
    evaluator: &mut Evaluator,
    weights: &Weights,
    board: &Board,
    levels: &mut [Level],
) -> Outcomes {
    if let Some(exact) = Outcomes::exact(board) {
        return exact;
    }
    let Some((level, deeper)) = levels.split_first_mut() else { return evaluator.value(weights, board) };
    let mut mean = Outcomes([0.0; 5]);
    for dice in Dice::ALL {
        level.plays.find(board, dice);
        evaluator.values_of_plays(weights, board, &level.plays, &mut level.values);
        let (choice, value) = best_play(&level.values);
        let left = if deeper.is_empty() {
            value
        } else {
            value_ahead(evaluator, weights, &level.plays.get(choice), deeper)
        };
        let probability = f32::from(dice.ways()) / 36.0;
        mean.0.iter_mut().zip(left.flipped().0).for_each(|(sum, p)| *sum += probability * p);
    }
    mean
}
