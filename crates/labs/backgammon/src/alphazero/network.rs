//! AlphaZero's network, and inference with it during a tree search. The network is a fully connected residual
//! network (`fcresnet`): a trunk, a policy head and a value head.
//!
//! With [`PolicyKind::Values`] there is no policy head. The network then also values positions before the
//! roll, and the logit of a play follows from the value of its afterstate ([`Outcomes::policy_logit`]).

use learnery_backgammon_play::game::{Backgammon, MAX_POINTS, Turn};
use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_kernels::buffer::Buffer;
use learnery_kernels::rng::Stream;
use learnery_nn::{Layout, ResNet, ResNetShape, TensorError, Tensors, Weights};
use learnery_search::{Evaluator, PolicyRequest};
use learnery_worlds::backgammon::{Board, Dice, OBSERVATION_SIZE, observe};

use super::policy::{self, TABLE_SIZE};
use super::sample::INITIAL_PLAYS;
use crate::config::PolicyKind;

/// Positions that go through the network together.
pub const ROWS_PER_PASS: usize = 64;

/// The shapes of the network, and its parameters.
pub struct Network {
    /// The shapes, and where the parameters lie in `weights`.
    pub plan: ResNet,
    pub weights: Weights,
}

impl Network {
    /// An untrained network.
    pub fn new(policy: PolicyKind, stream: Stream) -> Self {
        let (plan, layout) = Self::plan(policy);
        let mut weights = Weights::new(layout);
        weights.update(|params| plan.init(params, stream));
        Self { plan, weights }
    }

    pub fn from_tensors(policy: PolicyKind, tensors: &Tensors) -> Result<Self, TensorError> {
        let (plan, layout) = Self::plan(policy);
        Ok(Self { plan, weights: Weights::from_tensors(layout, tensors)? })
    }

    /// The shapes, and the layout of the parameters.
    pub fn plan(policy: PolicyKind) -> (ResNet, Layout) {
        let mut layout = Layout::default();
        let mut shape = ResNetShape::fcresnet();
        if policy == PolicyKind::Values {
            shape.heads.retain(|head| head.name == VALUE);
        }
        (ResNet::new(&mut layout, "net", &shape), layout)
    }
}

// The heads of `ResNetShape::fcresnet` by their names, which are also in checkpoints.
/// The policy head, whose output is the policy table (see `policy.rs`).
const POLICY: &str = "policy";
/// The value head, whose output is the five outcome probabilities.
const VALUE: &str = "value";

/// Index of the policy head; `None` if the policy comes from the values of afterstates.
pub fn policy_head(plan: &ResNet) -> Option<usize> {
    plan.shape().heads.iter().position(|head| head.name == POLICY)
}

/// Index of the value head, which is the last.
pub fn value_head(plan: &ResNet) -> usize {
    plan.shape().heads.len() - 1
}

/// The number of values that a search keeps of each state, for the policy head.
pub fn embedding_size(plan: &ResNet) -> usize {
    policy_head(plan).map_or(0, |_| plan.shape().width)
}

/// Converts outcome probabilities to the value that a search uses: the equity divided by three, so that it
/// lies in [-1, 1].
pub fn search_value(outcomes: &[f32; OUTCOMES]) -> f32 {
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = outcomes;
    (2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon) / MAX_POINTS
}

/// Writes the network's inputs of a turn.
// out [OBSERVATION_SIZE]
pub fn encode_turn(turn: &Turn, out: &mut [f32]) {
    encode(&turn.board, Some(turn.dice), out);
}

/// Writes the network's inputs of a position before the roll.
// out [OBSERVATION_SIZE]
pub fn encode_before_roll(board: &Board, out: &mut [f32]) {
    encode(board, None, out);
}

fn encode(board: &Board, dice: Option<Dice>, out: &mut [f32]) {
    observe(board, dice, out.try_into().expect("a row for an observation"));
}

/// Buffers for inference of one thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    resnet: learnery_nn::Scratch,
    // [ROWS_PER_PASS, OBSERVATION_SIZE]
    inputs: Buffer,
    /// The trunk's output.
    // [ROWS_PER_PASS, width]
    trunk: Buffer,
    /// The value head's output.
    // [ROWS_PER_PASS, OUTCOMES]
    outcomes: Buffer,
    /// The policy head's output; empty without this head.
    // [ROWS_PER_PASS, TABLE_SIZE]
    tables: Buffer,
    /// The values of plays' afterstates; empty with a policy head.
    values: Vec<Outcomes>,
}

impl Scratch {
    pub fn new(plan: &ResNet) -> Self {
        let has_policy_head = policy_head(plan).is_some();
        Self {
            tables: Buffer::new(if has_policy_head { ROWS_PER_PASS * TABLE_SIZE } else { 0 }),
            values: Vec::with_capacity(if has_policy_head { 0 } else { INITIAL_PLAYS * ROWS_PER_PASS }),
            ..Self::for_values(plan)
        }
    }

    /// Buffers for the values of states alone, without policies.
    pub fn for_values(plan: &ResNet) -> Self {
        Self {
            resnet: plan.scratch(),
            inputs: Buffer::new(ROWS_PER_PASS * OBSERVATION_SIZE),
            trunk: Buffer::new(ROWS_PER_PASS * plan.shape().width),
            outcomes: Buffer::new(ROWS_PER_PASS * OUTCOMES),
            tables: Buffer::new(0),
            values: Vec::new(),
        }
    }

    /// The input rows, to be filled by [`encode_turn`] or [`encode_before_roll`].
    pub fn rows(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.inputs.chunks_exact_mut(OBSERVATION_SIZE)
    }
}

/// The network with its buffers, as the evaluator of a search.
pub struct NetworkEvaluator<'a> {
    pub plan: &'a ResNet,
    pub weights: &'a Weights,
    pub scratch: &'a mut Scratch,
}

impl NetworkEvaluator<'_> {
    /// Runs trunk and value head over the first `n` input rows. The results are in the scratch.
    pub fn run(&mut self, n: usize) {
        let Self { plan, weights, scratch } = self;
        let trunk = &mut scratch.trunk[..n * plan.shape().width];
        plan.infer_trunk(weights, &scratch.inputs[..n * OBSERVATION_SIZE], n, &mut scratch.resnet, trunk);
        let outcomes = &mut scratch.outcomes[..n * OUTCOMES];
        plan.infer_head(weights, value_head(plan), trunk, n, &mut scratch.resnet, outcomes);
    }

    /// Runs the policy head over the first `n` rows of the trunk's output. The tables are in the scratch.
    pub fn run_policy(&mut self, n: usize) {
        let Self { plan, weights, scratch } = self;
        let trunk = &scratch.trunk[..n * plan.shape().width];
        let head = policy_head(plan).expect("a network with a policy head");
        plan.infer_head(weights, head, trunk, n, &mut scratch.resnet, &mut scratch.tables[..n * TABLE_SIZE]);
    }

    /// The value head's results for the first `n` rows of the last [`NetworkEvaluator::run`].
    pub fn outcomes(&self, n: usize) -> impl ExactSizeIterator<Item = Outcomes> {
        self.scratch.outcomes[..n * OUTCOMES].as_chunks().0.iter().map(|row| Outcomes(*row))
    }

    /// The values of boards for the side on roll, before its roll: exact where known, else the network's, or
    /// the mean over all rolls if the network only knows positions with a roll.
    pub fn values_before_roll(&mut self, boards: impl Iterator<Item = Board>, out: &mut [Outcomes]) {
        if policy_head(self.plan).is_none() {
            return self.values_of_afterstates(boards, out);
        }
        for (board, out) in boards.zip(out) {
            if let Some(exact) = Outcomes::exact(&board) {
                *out = exact;
                continue;
            }
            // All 21 rolls fit into the input rows.
            for (dice, row) in Dice::ALL.into_iter().zip(self.scratch.rows()) {
                encode_turn(&Turn { board, dice }, row);
            }
            self.run(Dice::ALL.len());
            let mut mean = Outcomes::default();
            for (dice, outcomes) in Dice::ALL.into_iter().zip(self.outcomes(Dice::ALL.len())) {
                let probability = f32::from(dice.ways()) / 36.0;
                mean.0.iter_mut().zip(outcomes.0).for_each(|(sum, p)| *sum += probability * p);
            }
            *out = mean.clamped_to_possible(&board);
        }
    }

    /// The network's values of boards for the side on roll, before its roll; exact where known.
    fn values_of_afterstates(&mut self, boards: impl Iterator<Item = Board>, out: &mut [Outcomes]) {
        // The rows that wait for the network: their boards, and their places in `out`.
        let mut waiting = [(Board::START, 0); ROWS_PER_PASS];
        let mut n = 0;
        for (board, i) in boards.zip(0..out.len()) {
            match Outcomes::exact(&board) {
                Some(exact) => out[i] = exact,
                None => {
                    waiting[n] = (board, i);
                    n += 1;
                }
            }
            if n == ROWS_PER_PASS {
                self.fill_in(&waiting, out);
                n = 0;
            }
        }
        self.fill_in(&waiting[..n], out);
    }

    /// Writes the values of at most [`ROWS_PER_PASS`] boards to their places in `out`.
    fn fill_in(&mut self, boards: &[(Board, usize)], out: &mut [Outcomes]) {
        boards.iter().zip(self.scratch.rows()).for_each(|((board, _), row)| encode_before_roll(board, row));
        self.run(boards.len());
        for ((board, i), outcomes) in boards.iter().zip(self.outcomes(boards.len())) {
            out[*i] = outcomes.clamped_to_possible(board);
        }
    }

    /// Computes the logits of plays from the values of their afterstates.
    fn logits_of_afterstates(&mut self, plays: &[Board], logits: &mut [f32]) {
        let mut values = std::mem::take(&mut self.scratch.values);
        values.clear();
        values.resize(plays.len(), Outcomes::default());
        self.values_of_afterstates(plays.iter().copied(), &mut values);
        logits.iter_mut().zip(&values).for_each(|(logit, value)| *logit = value.policy_logit());
        self.scratch.values = values;
    }
}

impl Evaluator<Backgammon> for NetworkEvaluator<'_> {
    /// The embedding of a state is the trunk's output. The value head runs when a state is new, the policy
    /// head only when the search visits it again. Without a policy head nothing has to be kept.
    fn embedding_size(&self) -> usize {
        embedding_size(self.plan)
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], embeddings: &mut [f32]) {
        let width = self.embedding_size();
        for (turns, (values, first)) in turns
            .chunks(ROWS_PER_PASS)
            .zip(values.chunks_mut(ROWS_PER_PASS).zip((0..).step_by(ROWS_PER_PASS)))
        {
            turns.iter().zip(self.scratch.rows()).for_each(|(turn, row)| encode_turn(turn, row));
            self.run(turns.len());
            embeddings[first * width..][..turns.len() * width]
                .copy_from_slice(&self.scratch.trunk[..turns.len() * width]);
            for (value, outcomes) in values.iter_mut().zip(self.scratch.outcomes.as_chunks().0) {
                *value = search_value(outcomes);
            }
        }
    }

    fn logits(&mut self, request: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        if policy_head(self.plan).is_none() {
            return self.logits_of_afterstates(request.plays, logits);
        }
        let width = self.embedding_size();
        let blocks = request
            .embeddings
            .chunks(ROWS_PER_PASS * width)
            .zip(request.states.chunks(ROWS_PER_PASS))
            .zip(request.ranges.chunks(ROWS_PER_PASS));
        for ((embeddings, turns), ranges) in blocks {
            // The embeddings are the trunk's output from the time when the states were valued.
            self.scratch.trunk[..embeddings.len()].copy_from_slice(embeddings);
            self.run_policy(turns.len());
            let tables = self.scratch.tables.chunks_exact(TABLE_SIZE);
            for ((turn, range), table) in turns.iter().zip(ranges).zip(tables) {
                let plays = request.plays[range.clone()].iter().copied();
                policy::logits(table, &turn.board, plays, &mut logits[range.clone()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_value_is_points_over_three() {
        for points in [-3, -2, -1, 1, 2, 3] {
            assert_eq!(search_value(&Outcomes::from_points(points).0) * 3.0, f32::from(points));
        }
    }

    #[test]
    fn untrained_network_values_every_turn_near_zero() {
        let network = Network::new(PolicyKind::Moves, Stream::new(1, 1));
        let mut scratch = Scratch::new(&network.plan);
        let mut evaluator =
            NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
        // The same turn 70 times: a full block of rows and a part of one.
        let turns = [Turn { board: Board::START, dice: Dice::ALL[0] }; 70];
        let width = evaluator.embedding_size();
        let (mut values, mut embeddings) = ([9.0; 70], vec![9.0; 70 * width]);
        evaluator.values(&turns, &mut values, &mut embeddings);
        assert!(values.iter().all(|v| v.abs() < 0.05 && v.to_bits() == values[0].to_bits()), "{values:?}");
        assert!(embeddings.chunks_exact(width).all(|row| *row == embeddings[..width]));
    }
}
