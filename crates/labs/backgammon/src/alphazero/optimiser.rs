//! Minibatch updates of AlphaZero's network: the policy learns the visits of the searches, the value learns
//! the lambda returns (Silver et al., "Mastering the game of Go without human knowledge", 2017).
//!
//! A minibatch is cut into fixed shards, whose gradients are computed in parallel and summed in order
//! ([`GradientShards`]), so the result is bit-identical for any number of threads. The policy head gives a
//! table, and the logit of a play is a sum of entries of this table (see `policy.rs`).

use learnery_backgammon_play::outcomes::OUTCOMES;
use learnery_kernels::activation::log_softmax;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::math;
use learnery_kernels::rng::Stream;
use learnery_nn::loss::sigmoid_cross_entropy;
use learnery_nn::{Adam, AdamOptions, GradientShards, ResNetTape};
use learnery_worlds::backgammon::{OBSERVATION_SIZE, Plays};

use super::network::{Network, encode_before_roll, encode_turn, policy_head, value_head};
use super::policy::{MAX_ENTRIES, entries_of_play, logit};
use super::replay::ReplayBuffer;
use super::sample::INITIAL_PLAYS;
use super::settings::AlphaZeroSettings;

/// Positions of a shard. Each shard has a gradient of its own, which takes more than a megabyte.
const POSITIONS_PER_SHARD: usize = 128;
/// The maximum number of shards, which bounds the memory for the gradients.
const MAX_SHARDS: usize = 16;
/// Positions of one pass through the network, so that their activations stay in the second-level cache.
const POSITIONS_PER_PASS: usize = 64;

/// Losses of a unit, summed over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Relative entropy of the searches' policies (their visits, or Gumbel AlphaZero's improved policy) with
    /// respect to the network's.
    pub policy: f64,
    /// Cross-entropy of the outcome probabilities.
    pub value: f64,
    /// Entropy of the policy.
    pub entropy: f64,
    /// Number of positions.
    pub positions: f64,
    /// Number of positions with a policy target.
    pub policies: f64,
}

impl Losses {
    pub fn add(&mut self, other: &Self) {
        self.policy += other.policy;
        self.value += other.value;
        self.entropy += other.entropy;
        self.positions += other.positions;
        self.policies += other.policies;
    }
}

/// Makes updates. Owns the state of Adam and the workspaces of the shards.
pub struct Optimiser {
    pub adam: Adam,
    /// Random numbers that select the positions of minibatches.
    stream: Stream,
    shards: GradientShards<Shard>,
    /// Indices into the replay buffer.
    // [batch]
    minibatch: Vec<u32>,
    /// Losses of the unit under way.
    pub losses: Losses,
    /// The gradient norms of the updates in the unit under way.
    pub gradient_norms: GradientNorms,
}

/// The mean of the gradient norms of some updates.
#[derive(Clone, Copy, Debug, Default)]
pub struct GradientNorms {
    sum: f64,
    updates: u64,
}

impl GradientNorms {
    pub fn add(&mut self, norm: f64) {
        self.sum += norm;
        self.updates += 1;
    }

    /// NaN without updates.
    pub fn mean(&self) -> f64 {
        if self.updates > 0 { self.sum / self.updates as f64 } else { f64::NAN }
    }
}

/// The workspace of one shard of a minibatch.
struct Shard {
    tape: ResNetTape,
    // [POSITIONS_PER_PASS, OBSERVATION_SIZE]
    inputs: Buffer,
    // [POSITIONS_PER_PASS, OUTCOMES]
    value_targets: Vec<f32>,
    plays: Plays,
    /// For each play of a turn, the indices of the outputs of the policy head that its logit is the sum of,
    /// and their number.
    entries: Vec<([u16; MAX_ENTRIES], usize)>,
    /// The logit of each play of a turn, later replaced by its log-probability.
    logits: Vec<f32>,
    /// The target probability of each play of a turn.
    policy_target: Vec<f32>,
    value_losses: [f32; POSITIONS_PER_PASS],
    losses: Losses,
}

impl Optimiser {
    pub fn new(settings: &AlphaZeroSettings, network: &Network, stream: Stream) -> Self {
        let shard = || Shard {
            tape: network.plan.tape(POSITIONS_PER_PASS),
            inputs: Buffer::new(POSITIONS_PER_PASS * OBSERVATION_SIZE),
            value_targets: vec![0.0; POSITIONS_PER_PASS * OUTCOMES],
            plays: Plays::new(),
            entries: Vec::with_capacity(INITIAL_PLAYS),
            logits: Vec::with_capacity(INITIAL_PLAYS),
            policy_target: Vec::with_capacity(INITIAL_PLAYS),
            value_losses: [0.0; POSITIONS_PER_PASS],
            losses: Losses::default(),
        };
        let parameters = network.weights.len();
        let shards = settings.batch.div_ceil(POSITIONS_PER_SHARD).clamp(1, MAX_SHARDS);
        Self {
            adam: Adam::new(parameters),
            stream,
            shards: GradientShards::new(POSITIONS_PER_SHARD, shards, parameters, shard),
            minibatch: vec![0; settings.batch],
            losses: Losses::default(),
            gradient_norms: GradientNorms::default(),
        }
    }

    pub fn begin_unit(&mut self) {
        self.losses = Losses::default();
        self.gradient_norms = GradientNorms::default();
    }

    /// Draws the minibatch of update number `update` of the run: indices into the replay buffer.
    pub fn draw(&mut self, update: u64, replay: &ReplayBuffer) -> &[u32] {
        for (i, index) in self.minibatch.iter_mut().enumerate() {
            *index = self.stream.below(update, i as u64, replay.len() as u32);
        }
        &self.minibatch
    }

    /// Makes update number `update` of the run.
    pub fn step(
        &mut self,
        network: &mut Network,
        replay: &ReplayBuffer,
        settings: &AlphaZeroSettings,
        update: u64,
    ) {
        self.draw(update, replay);
        let Self { shards, minibatch, .. } = self;
        let (plan, weights) = (&network.plan, &network.weights);
        let scale = 1.0 / minibatch.len() as f32;
        let (grads, shards) = shards.run(minibatch.len(), |range, shard, grads| {
            shard.losses = Losses::default();
            for (rows, first) in
                minibatch[range.clone()].chunks(POSITIONS_PER_PASS).zip(range.step_by(POSITIONS_PER_PASS))
            {
                match policy_head(plan) {
                    Some(_) => shard.encode(rows, replay),
                    // Adding the number of the update lets a minibatch of a single position alternate too.
                    None => shard.encode_half_before_roll(update + first as u64, rows, replay),
                }
                let inputs = &shard.inputs[..rows.len() * OBSERVATION_SIZE];
                plan.forward(weights, inputs, rows.len(), &mut shard.tape);
                if let Some(head) = policy_head(plan) {
                    shard.policy_loss_and_gradient(head, rows, replay, scale);
                }
                shard.value_loss_and_gradient(value_head(plan), rows, replay, scale * settings.value_weight);
                shard.losses.positions += rows.len() as f64;
                let inputs = &shard.inputs[..rows.len() * OBSERVATION_SIZE];
                plan.backward(weights, inputs, rows.len(), &mut shard.tape, grads);
            }
        });
        shards.for_each(|shard| self.losses.add(&shard.losses));
        let options = AdamOptions {
            lr: settings.learning_rate_after(update),
            weight_decay: settings.weight_decay,
            max_norm: settings.max_grad_norm,
            ..AdamOptions::default()
        };
        let norm = network.weights.update(|params| self.adam.step(params, grads, &options));
        self.gradient_norms.add(f64::from(norm));
    }
}

impl Shard {
    /// Writes the network's inputs of the samples with the indices `rows`.
    fn encode(&mut self, rows: &[u32], replay: &ReplayBuffer) {
        for (row, inputs) in rows.iter().zip(self.inputs.chunks_exact_mut(OBSERVATION_SIZE)) {
            encode_turn(&replay.get(*row as usize).turn, inputs);
        }
    }

    /// Writes the network's inputs of the samples with the indices `rows`, which are numbered from `first`:
    /// the even ones with their roll, the odd ones before it. The target of a turn is also one of the
    /// position before its roll, only with the luck of the roll in it.
    fn encode_half_before_roll(&mut self, first: u64, rows: &[u32], replay: &ReplayBuffer) {
        let rows = rows.iter().zip(self.inputs.chunks_exact_mut(OBSERVATION_SIZE));
        for (i, (row, inputs)) in (first..).zip(rows) {
            let turn = &replay.get(*row as usize).turn;
            if i.is_multiple_of(2) {
                encode_turn(turn, inputs);
            } else {
                encode_before_roll(&turn.board, inputs);
            }
        }
    }

    /// Writes the gradient of the policy loss with respect to the policy table. `rows` are indices into the
    /// replay buffer; `scale` is one over the size of the minibatch. Samples without a policy, of turns
    /// without a full search, do not count.
    fn policy_loss_and_gradient(&mut self, head: usize, rows: &[u32], replay: &ReplayBuffer, scale: f32) {
        let (tables, gradients) = self.tape.outputs_and_gradients(head, rows.len());
        gradients.fill(0.0);
        let width = tables.len() / rows.len();
        let tables = tables.chunks_exact(width).zip(gradients.chunks_exact_mut(width));
        for (row, (table, gradient)) in rows.iter().zip(tables) {
            let sample = replay.get(*row as usize);
            if sample.count == 0 {
                continue;
            }
            self.losses.policies += 1.0;
            self.plays.find(&sample.turn.board, sample.turn.dice);
            self.entries.clear();
            self.logits.clear();
            for afterstate in self.plays.iter() {
                let mut entries = [0; MAX_ENTRIES];
                let n = entries_of_play(&sample.turn.board, &afterstate, &mut entries);
                self.logits.push(logit(table, &entries[..n]));
                self.entries.push((entries, n));
            }
            let plays = self.logits.len();
            log_softmax(&mut self.logits, plays);
            self.policy_target.resize(plays, 0.0);
            sample.policy(&mut self.policy_target);
            let plays = self.logits.iter().zip(&self.policy_target).zip(&self.entries);
            for ((log_p, target), (entries, n)) in plays {
                let p = math::exp(*log_p);
                if *target > 0.0 {
                    self.losses.policy += f64::from(target * (math::log(*target) - log_p));
                }
                self.losses.entropy -= f64::from(p * log_p);
                // The derivative of the cross-entropy with respect to the logit. The logit is the sum of its
                // entries, so each entry has the same derivative.
                let slope = scale * (p - target);
                entries[..*n].iter().for_each(|entry| gradient[usize::from(*entry)] += slope);
            }
        }
    }

    /// Writes the gradient of the value loss with respect to the outcome logits. `scale` is the weight of a
    /// sample.
    fn value_loss_and_gradient(&mut self, head: usize, rows: &[u32], replay: &ReplayBuffer, scale: f32) {
        for (row, target) in rows.iter().zip(self.value_targets.chunks_exact_mut(OUTCOMES)) {
            target.copy_from_slice(&replay.get(*row as usize).target().0);
        }
        let (logits, gradients) = self.tape.outputs_and_gradients(head, rows.len());
        let (losses, targets) = (&mut self.value_losses[..rows.len()], &self.value_targets[..logits.len()]);
        sigmoid_cross_entropy(losses, gradients, logits, targets, scale);
        self.losses.value += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
    }
}
