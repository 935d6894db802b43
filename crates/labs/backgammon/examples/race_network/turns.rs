//! The teacher: for a side of a race alone, the distributions of the number of its turns until all checkers are
//! off, until the first is off (which saves the gammon), and until none is left in the opponent's home board
//! (which saves the backgammon). At home the first two are those of the bear-off table. Outside, a network
//! learns them by fitted value iteration: a target is the mean over all 21 rolls of the distribution after the
//! play with the lowest mean, one turn later. Each of the three has plays of its own.

use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::activation::{Activation, softmax};
use learnery_kernels::loss::{Targets, softmax_cross_entropy};
use learnery_kernels::rng::Stream;
use learnery_nn::{
    Adam, AdamOptions, GradientShards, Hidden, Layout, Mlp, MlpTape, TensorError, Tensors, Weights,
};
use learnery_worlds::backgammon::{BearOff, Board, Dice, TurnDistribution};
use rayon::prelude::*;

use crate::sides::{FIRST_FAR, LAST_HOME, Side, SidePlays, highest, pips_beyond};
use crate::{SEED, TEACHER_BATCHES, TEACHER_WEIGHTS};

/// Distributions of a side.
pub const HEADS: usize = 3;
/// Numbers of turns that are told apart: 0 to 39, and 39 stands for more.
pub const BINS: usize = 40;
const OUTPUTS: usize = HEADS * BINS;
const INPUTS_PER_PLACE: usize = 5;
const INPUTS: usize = 26 * INPUTS_PER_PLACE;
const HIDDEN: [usize; 2] = [128, 64];
/// Mean pips of a roll.
const PIPS_PER_ROLL: f32 = 49.0 / 6.0;

const ROUNDS: u64 = 34;
/// In the first rounds only sides with few pips are learned, because targets come from fewer pips.
const RISING_ROUNDS: u64 = 14;
const SIDES_PER_ROUND: usize = 5_000;
const REMEMBERED: usize = 60_000;
const UPDATES_PER_ROUND: u64 = 500;
const BATCH: usize = 512;
const RATES: [f32; 2] = [2e-3, 1e-5];
const ROWS_PER_PASS: usize = 64;

/// For each head the probability of each number of turns.
pub type Turns = [[f32; BINS]; HEADS];

const NONE: [f32; BINS] = {
    let mut bins = [0.0; BINS];
    bins[0] = 1.0;
    bins
};

fn mean(bins: &[f32; BINS]) -> f32 {
    bins.iter().enumerate().map(|(turns, p)| turns as f32 * p).sum()
}

fn from_table(turns: TurnDistribution) -> [f32; BINS] {
    std::array::from_fn(|i| turns.probability(i))
}

/// What is known of a side: `None` in a head is for the network.
fn known(side: &Side) -> [Option<[f32; BINS]>; HEADS] {
    let table = BearOff::table();
    let first = if side[0] > 0 { Some(NONE) } else { table.first_off(side).map(from_table) };
    [table.all_off(side).map(from_table), first, (highest(side) < FIRST_FAR).then_some(NONE)]
}

fn encode(side: &Side, inputs: &mut [f32]) {
    for (n, inputs) in side.iter().zip(inputs.chunks_exact_mut(INPUTS_PER_PLACE)) {
        for (k, input) in (1..).zip(&mut *inputs) {
            *input = if *n >= k { 1.0 } else { 0.0 };
        }
        inputs[INPUTS_PER_PLACE - 1] = f32::from(n.saturating_sub(4)) * 0.5;
    }
}

/// The logits that the network corrects: a bell around what the pips say.
fn add_bells(side: &Side, logits: &mut [f32]) {
    let pips = |place: usize| pips_beyond(side, place) as f32;
    let means = [
        (pips(0) + 8.0) / PIPS_PER_ROLL,
        (pips(LAST_HOME) + 4.0) / PIPS_PER_ROLL + 0.7,
        (pips(FIRST_FAR - 1) + 2.0) / PIPS_PER_ROLL + 0.4,
    ];
    for (mean, logits) in means.into_iter().zip(logits.chunks_exact_mut(BINS)) {
        let mean = mean.min(BINS as f32 - 4.0);
        let twice_variance = 0.7 + 0.5 * mean;
        for (turns, logit) in logits.iter_mut().enumerate() {
            *logit -= (turns as f32 - mean) * (turns as f32 - mean) / twice_variance;
        }
    }
}

pub struct Teacher {
    mlp: Mlp,
    weights: Weights,
}

/// Buffers of a thread.
pub struct Buffers {
    tape: MlpTape,
    inputs: Vec<f32>,
}

impl Teacher {
    pub fn new() -> Self {
        let mut layout = Layout::default();
        let hidden = Hidden { norm: false, activation: Activation::Relu };
        let mlp = Mlp::new(&mut layout, "turns", &[INPUTS, HIDDEN[0], HIDDEN[1], OUTPUTS], hidden, false);
        let mut weights = Weights::new(layout);
        weights.update(|params| mlp.init(params, 0.05, Stream::new(SEED, TEACHER_WEIGHTS)));
        Self { mlp, weights }
    }

    pub fn from_tensors(tensors: &Tensors) -> Result<Self, TensorError> {
        let Self { mlp, weights } = Self::new();
        Ok(Self { mlp, weights: Weights::from_tensors(weights.layout().clone(), tensors)? })
    }

    pub fn to_tensors(&self) -> Tensors {
        self.weights.to_tensors()
    }

    pub fn buffers(&self) -> Buffers {
        Buffers { tape: self.mlp.tape(ROWS_PER_PASS), inputs: vec![0.0; ROWS_PER_PASS * INPUTS] }
    }

    /// The distributions of sides.
    pub fn turns(&self, sides: &[Side], buffers: &mut Buffers, out: &mut Vec<Turns>) {
        out.clear();
        for sides in sides.chunks(ROWS_PER_PASS) {
            let n = sides.len();
            let Buffers { tape, inputs } = &mut *buffers;
            let inputs = &mut inputs[..n * INPUTS];
            sides.iter().zip(inputs.chunks_exact_mut(INPUTS)).for_each(|(side, inputs)| encode(side, inputs));
            self.mlp.forward(&self.weights, inputs, n, tape);
            let mut logits = tape.outputs_and_gradients(n).0.to_vec();
            sides.iter().zip(logits.chunks_exact_mut(OUTPUTS)).for_each(|(side, row)| add_bells(side, row));
            softmax(&mut logits, BINS);
            let heads = logits.as_chunks::<BINS>().0.as_chunks::<HEADS>().0;
            out.extend(sides.iter().zip(heads).map(|(side, heads)| {
                let known = known(side);
                std::array::from_fn(|i| known[i].unwrap_or(heads[i]))
            }));
        }
    }

    /// The mean over all rolls after the best plays. Heads that are known get zeros.
    fn target(
        &self,
        side: &Side,
        buffers: &mut Buffers,
        plays: &mut SidePlays,
        values: &mut Vec<Turns>,
    ) -> Turns {
        let mut target = [[0.0; BINS]; HEADS];
        let known = known(side);
        for dice in Dice::ALL {
            plays.find(side, dice);
            self.turns(&plays.sides, buffers, values);
            let weight = f32::from(dice.ways()) / 36.0;
            for (head, target) in target.iter_mut().enumerate().filter(|(head, _)| known[*head].is_none()) {
                // Of plays that are equally good, the one that bears off sooner.
                let cost = |turns: &Turns| mean(&turns[head]) + 1e-3 * mean(&turns[0]);
                let best = values.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).expect("there is a play");
                for (turns, p) in best[head].iter().enumerate() {
                    target[(turns + 1).min(BINS - 1)] += weight * p;
                }
            }
        }
        target
    }

    /// The targets of any number of sides, on all threads; known heads are zero.
    pub fn targets(&self, sides: &[Side]) -> Vec<Turns> {
        let chunk = |sides: &[Side]| {
            let (mut buffers, mut plays, mut values) = (self.buffers(), SidePlays::default(), Vec::new());
            sides
                .iter()
                .map(|side| self.target(side, &mut buffers, &mut plays, &mut values))
                .collect::<Vec<_>>()
        };
        sides.par_chunks(64).flat_map_iter(chunk).collect()
    }

    /// The distributions after one turn of lookahead.
    pub fn lookahead(&self, sides: &[Side]) -> Vec<Turns> {
        let mut turns = self.targets(sides);
        for (side, turns) in sides.iter().zip(&mut turns) {
            for (turns, known) in turns.iter_mut().zip(known(side)) {
                if let Some(known) = known {
                    *turns = known;
                }
            }
        }
        turns
    }

    /// Learns from these sides.
    pub fn learn(&mut self, pool: &[Side]) {
        let mut open: Vec<Side> =
            pool.iter().filter(|side| known(side).iter().any(Option::is_none)).copied().collect();
        if open.is_empty() {
            return; // the tables know all of them
        }
        open.sort_unstable_by_key(|side| (pips_beyond(side, 0), *side));
        let mut adam = Adam::new(self.weights.len());
        let mut shards =
            GradientShards::new(ROWS_PER_PASS, 8, self.weights.len(), || (self.buffers(), 0.0f64));
        let (mut sides, mut targets): (Vec<Side>, Vec<Turns>) = (Vec::new(), Vec::new());
        let stream = Stream::new(SEED, TEACHER_BATCHES);
        for round in 0..ROUNDS {
            let share = ((round + 1) as f32 / RISING_ROUNDS as f32).min(1.0);
            let n = ((share * open.len() as f32) as usize).clamp(1, open.len()) as u32;
            let drawn: Vec<Side> =
                (0..SIDES_PER_ROUND as u64).map(|i| open[stream.below(round, i, n) as usize]).collect();
            targets.extend(self.targets(&drawn));
            sides.extend(drawn);
            let old = sides.len().saturating_sub(REMEMBERED);
            sides.drain(..old);
            targets.drain(..old);
            let mut loss = 0.0;
            for update in 0..UPDATES_PER_ROUND {
                let number = round * UPDATES_PER_ROUND + update;
                let batch: Vec<usize> = (0..BATCH as u64)
                    .map(|i| stream.below((1 << 40) + number, i, sides.len() as u32) as usize)
                    .collect();
                let Self { mlp, weights } = self;
                let (grads, states) = shards.run(BATCH, |range, (buffers, loss), grads| {
                    *loss = 0.0;
                    for batch in batch[range].chunks(ROWS_PER_PASS) {
                        let n = batch.len();
                        let inputs = &mut buffers.inputs[..n * INPUTS];
                        let rows = inputs.chunks_exact_mut(INPUTS);
                        batch.iter().zip(rows).for_each(|(i, row)| encode(&sides[*i], row));
                        mlp.forward(weights, inputs, n, &mut buffers.tape);
                        let (logits, gradient) = buffers.tape.outputs_and_gradients(n);
                        let mut logits = logits.to_vec();
                        let rows = logits.chunks_exact_mut(OUTPUTS);
                        batch.iter().zip(rows).for_each(|(i, row)| add_bells(&sides[*i], row));
                        let wanted: Vec<f32> =
                            batch.iter().flat_map(|i| targets[*i].as_flattened().iter().copied()).collect();
                        let mut losses = vec![0.0; n * HEADS];
                        let wanted = Targets::Rows(&wanted);
                        softmax_cross_entropy(
                            &mut losses,
                            gradient,
                            &logits,
                            wanted,
                            None,
                            1.0 / BATCH as f32,
                        );
                        *loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
                        mlp.backward(weights, inputs, n, &mut buffers.tape, grads, None);
                    }
                });
                loss += states.map(|(_, loss)| loss).sum::<f64>() / BATCH as f64;
                let done = number as f32 / (ROUNDS * UPDATES_PER_ROUND) as f32;
                let lr = RATES[0] + (RATES[1] - RATES[0]) * done;
                let options = AdamOptions { lr, max_norm: 1.0, ..AdamOptions::default() };
                weights.update(|params| adam.step(params, grads, &options));
            }
            crate::say(&format!("teacher, round {round}: loss {:.5}", loss / UPDATES_PER_ROUND as f64));
        }
    }
}

/// The probability that a side is done before the other: its number of turns plus `lag` is at most the other's.
fn before(side: &[f32; BINS], other: &[f32; BINS], lag: usize) -> f32 {
    // `remaining[n]` is the probability that the other needs at least n turns.
    let mut remaining = [0.0f32; BINS + 1];
    for turns in (0..BINS).rev() {
        remaining[turns] = remaining[turns + 1] + other[turns];
    }
    let sum: f32 = side.iter().enumerate().map(|(turns, p)| p * remaining[(turns + lag).min(BINS)]).sum();
    sum.min(1.0)
}

/// The chances of the side on roll from the distributions of both sides.
pub fn outcomes(board: &Board, own: &Turns, other: &Turns) -> Outcomes {
    let chances = [
        before(&own[0], &other[0], 0),
        before(&own[0], &other[1], 0),
        before(&own[0], &other[2], 0),
        before(&other[0], &own[1], 1),
        before(&other[0], &own[2], 1),
    ];
    Outcomes(chances).clamped_to_possible(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side with `count` checkers at random points of its home board; the others of fifteen are off.
    fn home(stream: Stream, draw: u64, count: u8) -> Side {
        let mut side = [0; 26];
        (0..u64::from(count)).for_each(|i| side[1 + stream.below(draw, i, LAST_HOME as u32) as usize] += 1);
        side[0] = 15 - count;
        side
    }

    /// The probability of [`before`], pair by pair.
    fn slow_before(side: &[f32; BINS], other: &[f32; BINS], lag: usize) -> f32 {
        let pairs = (0..BINS).flat_map(|own| (0..BINS).map(move |other| (own, other)));
        pairs.filter(|(own, other)| own + lag <= *other).map(|(i, j)| side[i] * other[j]).sum()
    }

    #[test]
    fn chances_of_two_sides_at_home_are_those_of_the_table() {
        let teacher = Teacher::new();
        let (stream, mut turns) = (Stream::new(1, 2), Vec::new());
        for draw in 0..200 {
            let sides = [home(stream, 2 * draw, 15), home(stream, 2 * draw + 1, 8 + (draw % 8) as u8)];
            let board = Board::new(&sides[0], &sides[1]).expect("a good board");
            teacher.turns(&sides, &mut teacher.buffers(), &mut turns);
            let table = Outcomes::exact(&board).expect("both are at home");
            let pairs = outcomes(&board, &turns[0], &turns[1]).0.into_iter().zip(table.0);
            assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-5), "{:?}", pairs.collect::<Vec<_>>());
            for lag in [0, 1] {
                let [own, other] = [turns[0][0], turns[1][0]];
                assert!((before(&own, &other, lag) - slow_before(&own, &other, lag)).abs() < 1e-5);
            }
        }
    }

    /// The mean of a target is one turn more than the mean over the rolls of the least mean after a play.
    #[test]
    fn targets_are_those_of_the_best_plays() {
        let (teacher, mut plays, mut turns) = (Teacher::new(), SidePlays::default(), Vec::new());
        for draw in 0..40 {
            let mut side = home(Stream::new(1, 3), draw, 13);
            (side[0], side[7], side[19]) = (0, 1, 1);
            let lookahead = teacher.lookahead(&[side])[0];
            for (head, bins) in lookahead.iter().enumerate() {
                let mut expected = 1.0;
                for dice in Dice::ALL {
                    plays.find(&side, dice);
                    teacher.turns(&plays.sides, &mut teacher.buffers(), &mut turns);
                    let least = turns.iter().map(|turns| mean(&turns[head])).fold(f32::INFINITY, f32::min);
                    expected += f32::from(dice.ways()) / 36.0 * least;
                }
                // Of nearly equal plays the one that bears off sooner is chosen.
                assert!((mean(bins) - expected).abs() < 0.005, "{head}: {} {expected}", mean(bins));
            }
        }
    }

    #[test]
    fn distributions_of_open_sides_sum_to_one() {
        let teacher = Teacher::new();
        let mut side = [0; 26];
        (side[20], side[13], side[8], side[6]) = (2, 5, 3, 5);
        for turns in [teacher.lookahead(&[side])[0], {
            let mut turns = Vec::new();
            teacher.turns(&[side], &mut teacher.buffers(), &mut turns);
            turns[0]
        }] {
            let sums = turns.map(|head| head.iter().sum::<f32>());
            assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-4), "{sums:?}");
            // All must leave the opponent's home board before all are home, and be home before all are off.
            let [all, first, out] = turns.map(|head| mean(&head));
            assert!(out < first && first < all && (14.0..22.0).contains(&all), "{all} {first} {out}");
        }
    }
}
