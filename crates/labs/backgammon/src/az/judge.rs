//! The network as who judges positions for the search.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_nn::{Layout, ResNet, ResNetShape, Scratch, TensorError, Tensors, Weights};
use learnery_search::{Backgammon, Evaluator, PolicyRequest, Turn};
use learnery_worlds::backgammon::{Board, Dice, OBSERVATION_SIZE, observe};

use super::policy::{self, TABLE};
use crate::outcomes::Outcomes;

/// Outcomes that the network tells the probabilities of: a win, one with a gammon at least, one with a backgammon, a
/// loss with a gammon at least, and one with a backgammon.
pub const OUTCOMES: usize = 5;

const POLICY: usize = 0;
const VALUE: usize = 1;

/// Rows that go through the network together.
pub const ROWS: usize = 64;

/// Where the parameters lie, and the parameters.
pub struct Network {
    /// Its plan.
    pub plan: ResNet,
    /// What it learned.
    pub weights: Weights,
}

impl Network {
    /// Nothing learned yet.
    pub fn new(stream: Stream) -> Self {
        let (plan, layout) = Self::plan();
        let mut weights = Weights::new(layout);
        weights.update(|params| plan.init(params, stream));
        Self { plan, weights }
    }

    /// What was saved.
    pub fn from_tensors(tensors: &Tensors) -> Result<Self, TensorError> {
        let (plan, layout) = Self::plan();
        Ok(Self { plan, weights: Weights::from_tensors(layout, tensors)? })
    }

    /// The plan of one, and the layout of its parameters.
    pub fn plan() -> (ResNet, Layout) {
        let mut layout = Layout::default();
        let plan = ResNet::new(&mut layout, "net", &ResNetShape::fcresnet());
        (plan, layout)
    }
}

/// The points that outcomes are worth to the side that they belong to, over three.
pub fn equity(outcomes: &[f32]) -> f32 {
    let &[win, gammon, backgammon, lost_gammon, lost_backgammon] = outcomes else {
        unreachable!("five outcomes");
    };
    (2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon) / learnery_search::MAX_POINTS
}

/// The outcomes of a game that was won (or, where negative, lost) with so many points.
pub fn outcomes(points: i8) -> [f32; OUTCOMES] {
    [points > 0, points > 1, points > 2, points < -1, points < -2].map(|yes| if yes { 1.0 } else { 0.0 })
}

/// Writes what the network sees of a turn.
pub fn see(turn: &Turn, out: &mut [f32]) {
    let out: &mut [f32; OBSERVATION_SIZE] = out.try_into().expect("a row for an observation");
    observe(&turn.board, Some(turn.dice), out);
}

/// What inference works in, for one thread.
#[derive(Clone, Debug)]
pub struct Work {
    scratch: Scratch,
    seen: Buffer,   // [ROWS, OBSERVATION_SIZE]
    h: Buffer,      // [ROWS, width]
    values: Buffer, // [ROWS, OUTCOMES]
    tables: Buffer, // [ROWS, TABLE]
}

impl Work {
    /// For a network like this.
    pub fn new(plan: &ResNet) -> Self {
        Self {
            scratch: plan.scratch(),
            seen: Buffer::new(ROWS * OBSERVATION_SIZE),
            h: Buffer::new(ROWS * plan.shape().width),
            values: Buffer::new(ROWS * OUTCOMES),
            tables: Buffer::new(ROWS * TABLE),
        }
    }
}

/// The network with somewhere to work.
pub struct Judge<'a> {
    /// Its plan.
    pub plan: &'a ResNet,
    /// Its parameters.
    pub weights: &'a Weights,
    /// Where it works.
    pub work: &'a mut Work,
}

impl Work {
    /// Rows for what the network sees.
    pub fn rows(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.seen.chunks_exact_mut(OBSERVATION_SIZE)
    }
}

impl Judge<'_> {
    /// Runs trunk and value head over the first `n` rows of what is seen. Their answers stay where they are.
    pub fn run(&mut self, n: usize) {
        let Self { plan, weights, work } = self;
        let h = &mut work.h[..n * plan.shape().width];
        plan.infer_trunk(weights, &work.seen[..n * OBSERVATION_SIZE], n, &mut work.scratch, h);
        plan.infer_head(weights, VALUE, h, n, &mut work.scratch, &mut work.values[..n * OUTCOMES]);
    }

    /// What boards are worth to the side on roll before its throw: what is known for sure, else the mean over all throws
    /// of what the network says.
    pub fn before_throws(&mut self, boards: impl Iterator<Item = Board>, out: &mut [Outcomes]) {
        for (board, out) in boards.zip(out) {
            if let Some(exact) = Outcomes::exact(&board) {
                *out = exact;
                continue;
            }
            for (dice, row) in Dice::ALL.into_iter().zip(self.work.rows()) {
                see(&Turn { board, dice }, row);
            }
            self.run(Dice::ALL.len());
            let mut mean = Outcomes::default();
            for (dice, told) in Dice::ALL.into_iter().zip(self.work.values.chunks_exact(OUTCOMES)) {
                let share = f32::from(dice.ways()) / 36.0;
                mean.0.iter_mut().zip(told).for_each(|(sum, chance)| *sum += share * chance);
            }
            *out = mean.possible(&board);
        }
    }

    /// What it says of the first `n` rows of what it has been run over.
    pub fn told(&self, n: usize) -> impl ExactSizeIterator<Item = Outcomes> {
        self.work.values[..n * OUTCOMES].as_chunks().0.iter().map(|told| Outcomes(*told))
    }

    /// Runs the policy head over the first `n` rows of what the trunk said.
    pub fn run_policy(&mut self, n: usize) {
        let Self { plan, weights, work } = self;
        let h = &work.h[..n * plan.shape().width];
        plan.infer_head(weights, POLICY, h, n, &mut work.scratch, &mut work.tables[..n * TABLE]);
    }
}

impl Evaluator<Backgammon> for Judge<'_> {
    /// What the trunk says: the value head is asked at once, the policy head when a state is come back to.
    fn embedding_size(&self) -> usize {
        self.plan.shape().width
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], kept: &mut [f32]) {
        let width = self.embedding_size();
        let blocks = turns.chunks(ROWS).zip(values.chunks_mut(ROWS)).zip(kept.chunks_mut(ROWS * width));
        for ((turns, values), kept) in blocks {
            turns.iter().zip(self.work.rows()).for_each(|(turn, row)| see(turn, row));
            self.run(turns.len());
            kept.copy_from_slice(&self.work.h[..turns.len() * width]);
            for (value, outcomes) in values.iter_mut().zip(self.work.values.chunks_exact(OUTCOMES)) {
                *value = equity(outcomes);
            }
        }
    }

    fn logits(&mut self, asked: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        let width = self.embedding_size();
        let blocks = asked
            .embeddings
            .chunks(ROWS * width)
            .zip(asked.states.chunks(ROWS))
            .zip(asked.ranges.chunks(ROWS));
        for ((kept, turns), ranges) in blocks {
            self.work.h[..kept.len()].copy_from_slice(kept);
            self.run_policy(turns.len());
            for ((turn, range), table) in turns.iter().zip(ranges).zip(self.work.tables.chunks_exact(TABLE)) {
                let plays = asked.plays[range.clone()].iter().copied();
                policy::logits(table, &turn.board, plays, &mut logits[range.clone()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_worth_their_points() {
        for points in [-3, -2, -1, 1, 2, 3] {
            assert_eq!(equity(&outcomes(points)) * 3.0, f32::from(points));
        }
    }

    #[test]
    fn a_network_that_learned_nothing_has_no_opinion() {
        let network = Network::new(Stream::new(1, 1));
        let mut work = Work::new(&network.plan);
        let mut judge = Judge { plan: &network.plan, weights: &network.weights, work: &mut work };
        let turns = [Turn { board: Board::START, dice: Dice::ALL[0] }; 70];
        let (mut values, mut kept) = ([9.0; 70], vec![9.0; 70 * 128]);
        judge.values(&turns, &mut values, &mut kept);
        assert!(values.iter().all(|v| v.abs() < 0.05 && v.to_bits() == values[0].to_bits()), "{values:?}");
        assert!(kept.chunks_exact(128).all(|row| *row == kept[..128]));
    }
}
