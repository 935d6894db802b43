//! Choosing a play: by the value of the position it leads to, or by what the opponent can make of it.
//!
//! Looking `n` plies ahead, a position is worth the mean over the 21 throws of what the best reply leaves, looked at one ply
//! less deep; the reply itself is chosen without looking ahead. Only plays that look good so are looked at closely.

use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::brain::{Brain, BrainWork};
use super::outcomes::Outcomes;
use super::selfplay::best;

/// How far to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookahead {
    /// Throws between a play and the positions that are evaluated; 0 for the position it leads to.
    pub plies: u8,
}

/// The furthest that can be looked ahead.
pub const MOST_PLIES: u8 = 2;

/// Plays that are looked at closely, and how much worse than the best another of them may seem, in points.
const CLOSELY: usize = 8;
const NEAR: f32 = 0.16;

/// What choosing works in: a level for each ply.
#[derive(Clone, Debug)]
pub struct Thinker {
    lookahead: Lookahead,
    work: BrainWork,
    levels: Vec<Level>,
    values: Vec<Outcomes>,
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Level {
    plays: Plays,
    values: Vec<Outcomes>,
}

impl Thinker {
    /// For one network.
    pub fn new(network: &Brain, lookahead: Lookahead) -> Self {
        let level = || Level { plays: Plays::new(), values: Vec::with_capacity(4096) };
        Self {
            lookahead,
            work: network.work(),
            levels: (0..lookahead.plies).map(|_| level()).collect(),
            values: Vec::with_capacity(4096),
            order: Vec::with_capacity(4096),
        }
    }

    /// The best play of a list, and what it leaves the side that rolls next.
    pub fn choose(
        &mut self,
        network: &Brain,
        weights: &Weights,
        board: &Board,
        plays: &Plays,
    ) -> (usize, Outcomes) {
        self.judge(network, weights, board, plays);
        best(&self.values)
    }

    /// What every play leaves the side that rolls next. Those that are not looked at closely are behind all that are.
    pub fn judge(&mut self, network: &Brain, weights: &Weights, board: &Board, plays: &Plays) -> &[Outcomes] {
        network.plays(weights, board, plays, &mut self.work, &mut self.values);
        if self.lookahead.plies > 0 {
            let Self { values, order, levels, work, .. } = self;
            order.clear();
            order.extend(0..values.len() as u32);
            let equity = |i: &u32| values[*i as usize].equity();
            order.sort_unstable_by(|a, b| equity(a).total_cmp(&equity(b)).then(a.cmp(b)));
            let limit = equity(&order[0]) + NEAR;
            let near = order.iter().take(CLOSELY).take_while(|i| equity(i) <= limit).count();
            for i in &order[..near] {
                let i = *i as usize;
                values[i] = ahead(network, weights, &plays.get(i), work, levels);
            }
            // A play that was not looked at must not win because it was not.
            let worst = order[..near].iter().map(equity_of(values)).fold(f32::NEG_INFINITY, f32::max);
            for i in &order[near..] {
                let value = &mut values[*i as usize];
                let short = worst - value.equity();
                if short > 0.0 {
                    value.0[0] = (value.0[0] + short / 2.0).min(1.0);
                }
            }
        }
        &self.values
    }

    /// What a board is worth to the side on roll.
    pub fn value(&mut self, network: &Brain, weights: &Weights, board: &Board) -> Outcomes {
        ahead(network, weights, board, &mut self.work, &mut self.levels)
    }
}

fn equity_of(values: &[Outcomes]) -> impl Fn(&u32) -> f32 + '_ {
    |i| values[*i as usize].equity()
}

/// What a board is worth to the side on roll, looked at as far ahead as there are levels.
fn ahead(
    network: &Brain,
    weights: &Weights,
    board: &Board,
    work: &mut BrainWork,
    levels: &mut [Level],
) -> Outcomes {
    if let Some(exact) = Outcomes::exact(board) {
        return exact;
    }
    let Some((level, deeper)) = levels.split_first_mut() else { return network.value(weights, board, work) };
    let mut mean = Outcomes([0.0; 5]);
    for dice in Dice::ALL {
        level.plays.find(board, dice);
        network.plays(weights, board, &level.plays, work, &mut level.values);
        let (choice, value) = best(&level.values);
        let left = if deeper.is_empty() {
            value
        } else {
            ahead(network, weights, &level.plays.get(choice), work, deeper)
        };
        let share = f32::from(dice.ways()) / 36.0;
        mean.0.iter_mut().zip(left.flipped().0).for_each(|(sum, chance)| *sum += share * chance);
    }
    mean
}
