//! Value iteration for one side of a race alone: for the distributions of the number of its turns until all
//! checkers are off, until the first is off, and until none is left in the opponent's home board. A target is
//! the mean over all 21 rolls of the distribution after the play with the lowest mean, one turn later. Each
//! of the three has plays of its own. Targets come from a running average of the network, which needs no
//! schedule, so that learning can go on for any number of rounds.

use learnery_backgammon::one_sided::{
    BINS, HEADS, LAST_HOME, Network, Races, Scratch, Side, Tape, Turns, highest, known, pips_beyond,
};
use learnery_kernels::activation::softmax;
use learnery_kernels::rng::Stream;
use learnery_nn::{Adam, AdamOptions, GradientShards, TensorError, Tensors};
use learnery_worlds::backgammon::{Board, Dice, POINTS, Plays};
use rayon::prelude::*;

use crate::sides::SidePlays;
use crate::{SEED, TEACHER_BATCHES, TEACHER_SIDES, TEACHER_WEIGHTS};

/// Widths of the hidden layers.
pub const WIDTHS: [usize; 2] = [256, 64];

/// In this many rounds at the beginning, only sides with few pips are learned, at first the fewest: a target
/// comes from sides with fewer pips, which must be known before.
const RISING_ROUNDS: u64 = 24;
/// Sides that are drawn in a round, with new targets.
const SIDES_PER_ROUND: usize = 4_096;
/// Targets are dropped after this many rounds, because the network that gave them was worse.
const REMEMBERED_ROUNDS: usize = 8;
const UPDATES_PER_ROUND: u64 = 128;
/// Sides of a minibatch.
const BATCH_SIZE: usize = 512;
/// The learning rate of the first updates, and the number of updates after which it has fallen to half.
const LEARNING_RATE: f32 = 2e-3;
const HALF_RATE_AFTER: f32 = 10_000.0;
/// In this many rounds at the end, the learning rate also falls to zero in a straight line.
const FALLING_ROUNDS: u64 = 75;
/// The running average of the weights covers this share of all updates so far.
const AVERAGED_SHARE: f32 = 0.1;
/// Sides that go through the network together.
const ROWS_PER_PASS: usize = 64;
/// Of so many drawn sides, one on average is of those with a checker off, and one has its checkers at random.
/// Both are rare in games, but few checkers make distributions that are hard to learn.
const RARE_KIND_EVERY: u32 = 8;
/// The most checkers outside the home board of sides with checkers at random.
const MOST_OUTSIDE: usize = 3;
/// The number of the random draw, among those of a side, that decides of which kind it is.
const KIND_DRAW: u64 = 100;
/// How many random turns a drawn side plays on: each entry has the same probability.
const RANDOM_TURNS: [u32; 4] = [0, 0, 1, 2];

/// The mean number of turns, with eight partial sums (the same bits on every machine).
fn mean(bins: &[f32; BINS]) -> f32 {
    const PARTS: usize = 8;
    let mut sums = [0.0f32; PARTS];
    for (i, bins) in bins.chunks_exact(PARTS).enumerate() {
        for ((j, p), sum) in bins.iter().enumerate().zip(&mut sums) {
            *sum += (i * PARTS + j) as f32 * p;
        }
    }
    sums.iter().sum()
}

/// Whether a checker is outside the home board, so that the bear-off table does not know the side.
fn is_open(side: &Side) -> bool {
    highest(side) > LAST_HOME
}

/// Buffers of a thread for targets.
pub struct Buffers {
    scratch: Scratch,
    plays: SidePlays,
    /// The side after each play of each roll, and where the plays of each roll end.
    afters: Vec<Side>,
    ends: Vec<usize>,
    /// These sides, each once and in order.
    sides: Vec<Side>,
    values: Vec<Turns>,
}

pub fn buffers(network: &Network) -> Buffers {
    Buffers {
        scratch: network.scratch(),
        plays: SidePlays::default(),
        afters: Vec::new(),
        ends: Vec::new(),
        sides: Vec::new(),
        values: Vec::new(),
    }
}

/// The target of a side: for each head, the mean over all rolls of the distribution after the best play, one
/// turn later. Heads that are known get zeros.
fn target(network: &Network, side: &Side, buffers: &mut Buffers) -> Turns {
    let Buffers { scratch, plays, afters, ends, sides, values } = buffers;
    let mut target = [[0.0; BINS]; HEADS];
    let known = known(side);
    afters.clear();
    ends.clear();
    for dice in Dice::ALL {
        plays.find(side, dice);
        afters.extend(&plays.sides);
        ends.push(afters.len());
    }
    // Different rolls lead to the same sides.
    sides.clone_from(afters);
    sides.sort_unstable();
    sides.dedup();
    network.turns(sides, scratch, values);
    for head in (0..HEADS).filter(|head| known[*head].is_none()) {
        // Of plays that are equally good, the one that bears off sooner.
        let costs: Vec<f32> =
            values.iter().map(|turns| mean(&turns[head]) + 1e-3 * mean(&turns[0])).collect();
        let mut begin = 0;
        for (dice, end) in Dice::ALL.iter().zip(&*ends) {
            let numbers = afters[begin..*end].iter().filter_map(|side| sides.binary_search(side).ok());
            let best = numbers.min_by(|a, b| costs[*a].total_cmp(&costs[*b])).expect("there is a play");
            let weight = f32::from(dice.ways()) / 36.0;
            for (turns, p) in values[best][head].iter().enumerate() {
                target[head][(turns + 1).min(BINS - 1)] += weight * p;
            }
            begin = *end;
        }
    }
    target
}

/// The targets of any number of sides, on all threads; known heads are zero.
fn targets(network: &Network, sides: &[Side]) -> Vec<Turns> {
    let chunk = |sides: &[Side]| {
        let mut buffers = buffers(network);
        sides.iter().map(|side| target(network, side, &mut buffers)).collect::<Vec<_>>()
    };
    sides.par_chunks(64).flat_map_iter(chunk).collect()
}

/// The distributions by one turn of lookahead; those that are known are as they are.
#[cfg(test)]
fn lookahead(network: &Network, sides: &[Side]) -> Vec<Turns> {
    let mut turns = targets(network, sides);
    for (side, turns) in sides.iter().zip(&mut turns) {
        for (turns, known) in turns.iter_mut().zip(known(side)) {
            if let Some(known) = known {
                *turns = known;
            }
        }
    }
    turns
}

/// The state of learning, which is saved between two rounds.
pub struct Teacher {
    network: Network,
    /// The running average, which gives the targets.
    pub average: Network,
    adam: Adam,
    /// The sides of the last rounds, from which minibatches are drawn, and their targets.
    sides: Vec<Side>,
    targets: Vec<Turns>,
    /// Completed rounds.
    pub round: u64,
}

impl Teacher {
    pub fn new() -> Self {
        let [mut network, mut average] = [0, 1].map(|_| Network::new(WIDTHS));
        network.init(Stream::new(SEED, TEACHER_WEIGHTS));
        average.update(|params| params.copy_from_slice(network.weights().flat()));
        let adam = Adam::new(network.weights().len());
        Self { network, average, adam, sides: Vec::new(), targets: Vec::new(), round: 0 }
    }

    pub fn from_tensors(tensors: &Tensors) -> Result<Self, TensorError> {
        let network = Network::from_tensors(WIDTHS, &tensors.under("network/"))?;
        let average = Network::from_tensors(WIDTHS, &tensors.under("average/"))?;
        let adam = Adam::from_tensors(network.weights().len(), &tensors.under("adam/"))?;
        let sides = tensors.get_vec::<u8>("sides")?.as_chunks().0.to_vec();
        let targets = tensors.get_vec::<f32>("targets")?.as_chunks().0.as_chunks().0.to_vec();
        let [round] = tensors.get("round", &[1])?[..] else { unreachable!("one element was asked for") };
        Ok(Self { network, average, adam, sides, targets, round })
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights().to_tensors());
        tensors.absorb("average/", self.average.weights().to_tensors());
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("sides", &[self.sides.len() * 26], self.sides.as_flattened());
        let targets = self.targets.as_flattened().as_flattened();
        tensors.insert("targets", &[targets.len()], targets);
        tensors.insert("round", &[1], &[self.round]);
        tensors
    }

    /// The averaged network as an evaluator.
    pub fn races(&self) -> Races {
        let mut network = Network::new(WIDTHS);
        network.update(|params| params.copy_from_slice(self.average.weights().flat()));
        Races::new(network)
    }

    /// Draws the sides of a round: of the pool, or with checkers at random, each after some random turns.
    fn draw(&self, pool: &[Side]) -> Vec<Side> {
        let stream = Stream::new(SEED, TEACHER_SIDES);
        let share = ((self.round + 1) as f32 / RISING_ROUNDS as f32).min(1.0);
        let n = ((share * pool.len() as f32) as usize).clamp(1, pool.len());
        let with_off: Vec<Side> = pool[..n].iter().filter(|side| side[0] > 0).copied().collect();
        let draw = |i: u64| {
            let index = self.round * SIDES_PER_ROUND as u64 + i;
            let of = |sides: &[Side]| sides[stream.below(index, 0, sides.len() as u32) as usize];
            let mut side = match stream.below(index, KIND_DRAW, RARE_KIND_EVERY) {
                // Not while only sides with few pips are learned.
                0 if share == 1.0 => random_side(stream, index),
                1 if !with_off.is_empty() => of(&with_off),
                _ => of(&pool[..n]),
            };
            let mut plays = Plays::new();
            let turns = RANDOM_TURNS[stream.below(index, 1, RANDOM_TURNS.len() as u32) as usize];
            for turn in 0..turns {
                let at = 2 + 2 * u64::from(turn);
                let board = Board::new(&side, &[0; 26]).expect("at most fifteen checkers");
                plays.find(&board, Dice::ALL[stream.below(index, at, 21) as usize]);
                let play = stream.below(index, at + 1, plays.len() as u32);
                let next = plays.get(play as usize).other_places();
                if !is_open(&next) {
                    break;
                }
                side = next;
            }
            side
        };
        (0..SIDES_PER_ROUND as u64).into_par_iter().map(draw).collect()
    }

    /// One of `rounds` rounds of learning from the sides of `pool`, which are those of [`open_sides`].
    /// Returns the loss: the mean over the updates and sides of the distance of the network's distributions
    /// from the targets, summed over the heads.
    pub fn learn(&mut self, pool: &[Side], rounds: u64) -> f64 {
        let drawn = self.draw(pool);
        self.targets.extend(targets(&self.average, &drawn));
        self.sides.extend(drawn);
        let old = self.sides.len().saturating_sub(REMEMBERED_ROUNDS * SIDES_PER_ROUND);
        self.sides.drain(..old);
        self.targets.drain(..old);
        let Self { network, average, adam, sides, targets, round } = self;
        let mut shards = GradientShards::new(ROWS_PER_PASS, 8, network.weights().len(), || {
            (network.tape(ROWS_PER_PASS), 0.0f64)
        });
        let stream = Stream::new(SEED, TEACHER_BATCHES);
        let mut loss = 0.0;
        for update in 0..UPDATES_PER_ROUND {
            let number = *round * UPDATES_PER_ROUND + update;
            let batch: Vec<usize> = (0..BATCH_SIZE as u64)
                .map(|i| stream.below(number, i, sides.len() as u32) as usize)
                .collect();
            let (grads, states) = shards.run(BATCH_SIZE, |range, (tape, loss), grads| {
                *loss = 0.0;
                for batch in batch[range].chunks(ROWS_PER_PASS) {
                    *loss += learn_from(network, batch, sides, targets, tape, grads);
                }
            });
            loss += states.map(|(_, loss)| loss).sum::<f64>() / BATCH_SIZE as f64;
            let left = rounds * UPDATES_PER_ROUND - number;
            let falling = (left as f32 / (FALLING_ROUNDS * UPDATES_PER_ROUND) as f32).min(1.0);
            let lr = falling * LEARNING_RATE / (1.0 + number as f32 / HALF_RATE_AFTER);
            let options = AdamOptions { lr, max_norm: 1.0, ..AdamOptions::default() };
            network.update(|params| {
                adam.step(params, grads, &options);
            });
            let share = 1.0 / (1.0 + AVERAGED_SHARE * number as f32);
            average.update(|params| {
                params.iter_mut().zip(network.weights().flat()).for_each(|(a, p)| *a += share * (p - *a));
            });
        }
        *round += 1;
        loss / UPDATES_PER_ROUND as f64
    }
}

/// Adds the gradient of the cross-entropy of these sides' heads that are not known. Returns the sum of their
/// distances from the targets.
fn learn_from(
    network: &Network,
    batch: &[usize],
    sides: &[Side],
    targets: &[Turns],
    tape: &mut Tape,
    grads: &mut [f32],
) -> f64 {
    let own: Vec<Side> = batch.iter().map(|i| sides[*i]).collect();
    let mut gradient = network.forward(&own, tape);
    softmax(&mut gradient, BINS);
    let wanted = batch.iter().flat_map(|i| &targets[*i]);
    let mut loss = 0.0;
    for (p, target) in gradient.as_chunks_mut::<BINS>().0.iter_mut().zip(wanted) {
        // Known heads have no target.
        if target.iter().all(|q| *q == 0.0) {
            p.fill(0.0);
            continue;
        }
        // The chi-squared distance, which is near the Kullback-Leibler divergence for distributions that are
        // close.
        let distances = p.iter().zip(target).map(|(p, q)| (p - q) * (p - q) / (p + q + 1e-9));
        loss += f64::from(distances.sum::<f32>());
        p.iter_mut().zip(target).for_each(|(p, q)| *p = (*p - q) / BATCH_SIZE as f32);
    }
    network.backward(&own, &gradient, tape, grads);
    loss
}

/// A side with checkers at random, some of them outside the home board.
fn random_side(stream: Stream, index: u64) -> Side {
    let number = |i: u64, n: usize| stream.below(index, KIND_DRAW + 1 + i, n as u32) as usize;
    let checkers = 1 + number(0, 15) as u64;
    let outside = (1 + number(1, MOST_OUTSIDE) as u64).min(checkers);
    let mut side = [0; 26];
    for i in 0..checkers {
        let point = if i < outside {
            LAST_HOME + 1 + number(2 + i, POINTS - LAST_HOME)
        } else {
            1 + number(2 + i, LAST_HOME)
        };
        side[point] += 1;
    }
    side[0] = 15 - checkers as u8;
    side
}

/// The sides that are for the network, sorted by pips.
pub fn open_sides(mut pool: Vec<Side>) -> Vec<Side> {
    pool.retain(is_open);
    pool.sort_unstable_by_key(|side| (pips_beyond(side, 0), *side));
    pool
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sides::side;

    /// The mean of a target is one turn more than the mean over the rolls of the least mean after a play.
    #[test]
    fn targets_are_those_of_the_best_plays() {
        let network = Teacher::new().average;
        let (mut plays, mut scratch) = (SidePlays::default(), network.scratch());
        for low in 1..=LAST_HOME {
            let side = side(&[(low, 9), (3, 2), (7, 1), (19, 1)]);
            let lookahead = lookahead(&network, &[side])[0];
            for (head, bins) in lookahead.iter().enumerate() {
                let mut expected = 1.0;
                for dice in Dice::ALL {
                    plays.find(&side, dice);
                    let mut turns = Vec::new();
                    network.turns(&plays.sides, &mut scratch, &mut turns);
                    let least = turns.iter().map(|turns| mean(&turns[head])).fold(f32::INFINITY, f32::min);
                    expected += f32::from(dice.ways()) / 36.0 * least;
                }
                // Two checkers are off, so head 1, the turns until the first is off, is known to be 0.
                let expected = if head == 1 { 0.0 } else { expected };
                // Of nearly equal plays the one that bears off sooner is chosen, which can cost a little.
                assert!((mean(bins) - expected).abs() < 0.005, "{head}: {} {expected}", mean(bins));
            }
        }
    }
}
