//! Minibatch updates of the afterstate networks: cross-entropy of the five outcome probabilities, minimised
//! by Adam. There are two networks, one for contact positions (the sides can still hit each other) and one
//! for races. A round is a number of self-play turns in every game, then updates.
//!
//! Early targets are soon out of date. So minibatches are sampled from a window: the latest eighth of all
//! positions played, but at least those of the last round. Once the run has played eight times as many
//! positions as the replay buffer holds, the window is the whole buffer. The learning rate falls as one over
//! the square root of the number of updates.

use learnery_backgammon_play::outcomes::OUTCOMES;
use learnery_kernels::loss::sigmoid_cross_entropy;
use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::{Adam, AdamOptions, GradientShards, Tensors, Weights};

use super::body::Tape;
use super::network::{Network, VALUING_BODIES};
use super::replay::ReplayBuffer;
use crate::config::{BackgammonConfig, MAX_REUSE, decayed};
use crate::counters::{check, check_adam_steps, check_at_most, read_tensor_counter};

/// Positions of a shard (a part of a minibatch whose gradient one thread computes), and of one pass through a
/// network.
const ROWS_PER_PASS: usize = 64;
/// The maximum number of shards. Each has a gradient vector of its own, so this bounds the memory.
const MAX_SHARDS: usize = 8;
/// Minibatches are drawn from the latest `1 / WINDOW_DIVISOR` of all positions. When they were drawn from the
/// whole buffer, runs learned from targets of networks that had long been replaced, and some came to nothing
/// (`EXPERIMENTS.md`).
const WINDOW_DIVISOR: u64 = 8;
/// Gradients with a larger norm are scaled down to this norm.
const MAX_GRADIENT_NORM: f32 = 1.0;

/// The trained weights, the state of Adam, and the updates planned for the round.
pub struct Optimiser {
    weights: Weights,
    adam: Adam,
    /// Random numbers that select the positions of minibatches.
    stream: Stream,
    shards: GradientShards<Shard>,
    /// Indices into the replay buffer of the positions of a minibatch.
    // [batch]
    minibatch: Vec<u32>,
    /// Updates since the run began, or since its restart.
    updates: u64,
    done_in_round: u64,
    planned_in_round: u64,
    /// Minibatches are sampled from this many of the latest positions.
    window: u64,
    /// The fraction of an update, from 0 to below 1, by which the planned updates of the last round were
    /// rounded down. It is added to the next round.
    owed: f64,
    /// Sum over the round's updates of the mean loss of a minibatch.
    loss: f64,
    /// Sum over the round's updates of the gradient norm.
    norms: f64,
}

/// The workspace of one shard of a minibatch.
struct Shard {
    /// One for each MLP of the network.
    tapes: Vec<Tape>,
    /// Replay indices of the positions that go through each MLP.
    indices: Vec<Vec<u32>>,
    // [ROWS_PER_PASS]
    losses: Vec<f32>,
    // [ROWS_PER_PASS, OUTCOMES]
    targets: Vec<f32>,
    /// Sum of the losses of the shard's positions.
    loss: f64,
}

impl Optimiser {
    pub fn new(weights: Weights, network: &Network, config: &BackgammonConfig, stream: Stream) -> Self {
        let batch = config.batch as usize;
        let shards = batch.div_ceil(ROWS_PER_PASS).min(MAX_SHARDS);
        let shard = || Shard {
            tapes: (0..network.bodies()).map(|i| network.body(i).tape(ROWS_PER_PASS.min(batch))).collect(),
            indices: (0..network.bodies()).map(|_| Vec::with_capacity(ROWS_PER_PASS)).collect(),
            losses: vec![0.0; ROWS_PER_PASS],
            targets: vec![0.0; ROWS_PER_PASS * OUTCOMES],
            loss: 0.0,
        };
        Self {
            adam: Adam::new(weights.len()),
            shards: GradientShards::new(ROWS_PER_PASS, shards, weights.len(), shard),
            weights,
            stream,
            minibatch: vec![0; batch],
            updates: 0,
            done_in_round: 0,
            planned_in_round: 0,
            window: 0,
            owed: 0.0,
            loss: 0.0,
            norms: 0.0,
        }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Plans the updates of a round. `fresh` positions were played in the round, `all` since the run began.
    pub fn begin(&mut self, config: &BackgammonConfig, fresh: u64, all: u64) {
        self.window = (all / WINDOW_DIVISOR).max(fresh);
        let due = self.owed + config.reuse * fresh as f64 / f64::from(config.batch);
        // Every round makes at least one update, even if less than one is due.
        let planned = due.floor().max(1.0);
        self.owed = (due - planned).max(0.0);
        (self.done_in_round, self.planned_in_round) = (0, planned as u64);
        (self.loss, self.norms) = (0.0, 0.0);
    }

    /// Makes one update, and returns whether it was the last of the round.
    pub fn step(&mut self, network: &Network, replay: &ReplayBuffer, config: &BackgammonConfig) -> bool {
        let Self { weights, shards, minibatch, stream, updates, .. } = self;
        let window = self.window.min(replay.len() as u64) as u32;
        for (i, index) in minibatch.iter_mut().enumerate() {
            *index = replay.index_by_age(stream.below(*updates, i as u64, window) as usize) as u32;
        }
        let scale = 1.0 / minibatch.len() as f32;
        let (grads, shards) = shards.run(minibatch.len(), |range, shard, grads| {
            shard.loss_and_gradient(network, weights, replay, &minibatch[range], scale, grads);
        });
        self.loss += shards.map(|shard| shard.loss).sum::<f64>() / minibatch.len() as f64;
        let options = AdamOptions {
            lr: decayed(config.learning_rate, config.slowdown, *updates),
            max_norm: MAX_GRADIENT_NORM,
            ..AdamOptions::default()
        };
        let adam = &mut self.adam;
        self.norms += f64::from(weights.update(|params| adam.step(params, grads, &options)));
        *updates += 1;
        self.done_in_round += 1;
        self.done_in_round == self.planned_in_round
    }

    /// The completed fraction of the round's updates, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.done_in_round as f32 / self.planned_in_round.max(1) as f32
    }

    /// Means over the round's updates.
    pub fn metrics(&self, out: &mut Row) {
        let n = self.done_in_round as f64;
        out.set("loss", self.loss / n);
        out.set("gradNorm", self.norms / n);
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("weights/", self.weights.to_tensors());
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("updates", &[1], &[self.updates]);
        tensors.insert("owed", &[1], &[self.owed]);
        tensors
    }

    /// Restores what [`Optimiser::to_tensors`] saved after `rounds` rounds.
    pub fn restore(
        &mut self,
        config: &BackgammonConfig,
        tensors: &Tensors,
        rounds: u64,
        positions_per_round: u64,
    ) -> Result<(), LabError> {
        let layout = self.weights.layout().clone();
        self.weights.copy_from(&Weights::from_tensors(layout, &tensors.under("weights/"))?);
        self.updates = read_tensor_counter(tensors, "updates")?;
        // A round makes at least one update, and at most as many as the maximum of `reuse` gives.
        let planned = (MAX_REUSE * positions_per_round as f64 / f64::from(config.batch)).max(1.0);
        check_at_most("updates", self.updates, (rounds as f64 * planned).ceil())?;
        check_at_most("rounds", rounds, self.updates as f64)?;
        self.owed = tensors.get("owed", &[1])?[0];
        check((0.0..1.0).contains(&self.owed), || {
            format!("it owes {} of an update, which must be a fraction of one", self.owed)
        })?;
        check_adam_steps(&tensors.under("adam/"), self.updates)?;
        self.adam = Adam::from_tensors(self.weights.len(), &tensors.under("adam/"))?;
        Ok(())
    }
}

impl Shard {
    /// Adds the gradient of the positions at `indices` to `grads` and sums up their losses. `scale` is one
    /// over the size of the minibatch, because the loss is a mean.
    fn loss_and_gradient(
        &mut self,
        network: &Network,
        weights: &Weights,
        replay: &ReplayBuffer,
        indices: &[u32],
        scale: f32,
        grads: &mut [f32],
    ) {
        self.loss = 0.0;
        for indices in indices.chunks(ROWS_PER_PASS) {
            self.indices.iter_mut().for_each(Vec::clear);
            // Each position goes to the MLP that values it, and to the pruning network.
            for index in indices {
                let board = replay.board(*index as usize);
                self.indices[Network::body_for(&board)].push(*index);
                if let Some(i) = network.pruning_body_for(&board) {
                    self.indices[i].push(*index);
                }
            }
            for (i, (tape, indices)) in self.tapes.iter_mut().zip(&self.indices).enumerate() {
                if indices.is_empty() {
                    continue;
                }
                let rows = indices.len();
                let (targets, losses) = (&mut self.targets[..rows * OUTCOMES], &mut self.losses[..rows]);
                for (target, index) in targets.as_chunks_mut().0.iter_mut().zip(indices) {
                    *target = replay.target(*index as usize).0;
                }
                let body = network.body(i);
                let boards = indices.iter().map(|index| replay.board(*index as usize));
                let (logits, gradients) = body.forward(weights, boards, tape);
                sigmoid_cross_entropy(losses, gradients, logits, targets, scale);
                // The loss that is reported leaves out the pruning network, which values positions a second
                // time.
                if i < VALUING_BODIES {
                    self.loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
                }
                body.backward(weights, rows, tape, grads);
            }
        }
    }
}
