//! Deep Q-learning (Mnih et al., 2015): the network learns the Q value of each turn in a state, which is the
//! expected discounted sum of future rewards; higher is better. It is extended by double Q-learning (van
//! Hasselt, Guez and Silver, 2016), n-step returns, prioritised replay, a curriculum of longer and longer
//! scrambles, and optional supervised pretraining on shortest solutions.

mod collector;
mod replay;

use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::loss::{Targets, huber, softmax_cross_entropy};
use learnery_nn::{Adam, GradientShards, Tensors, Weights};
use learnery_worlds::cube::{State, distances, turns};

use crate::config::CubeConfig;
use crate::counters::checked_updates;
use crate::purpose;
use crate::small::network::{MAX_ROWS, Network, Scratch, Tape};
use crate::small::policy::best_turn;
use crate::small::scramble::scramble_up_to;
use collector::Collector;
use replay::{ReplayBuffer, Transition};

/// Added to the absolute error of a transition, so that its priority is never zero and it can be sampled
/// again.
const MIN_PRIORITY: f32 = 0.01;

/// In pretraining the logits of the turns are their Q values times this number. Solving gives a reward of
/// one, so the Q values of a state's turns usually differ by less than one. Without the factor the softmax
/// would be nearly uniform.
const PRETRAINING_SHARPNESS: f32 = 10.0;

pub struct Dqn {
    adam: Adam,
    /// The weights of the target network.
    target: Weights,
    replay: ReplayBuffer,
    collector: Collector,
    replay_samples: Stream,
    pretraining: Stream,
    shards: GradientShards<ShardBuffers>,
    /// The samples of the current update.
    /// Shape: `[batch]`.
    minibatch: Vec<Sample>,
    /// The temporal-difference errors of the minibatch.
    /// Shape: `[batch]`.
    errors: Vec<f32>,
    /// Updates since the run began.
    updates: u64,
    /// Updates in this unit (training iteration).
    unit_updates: u32,
    /// Whether the collector has already made the step (a turn of all cubes) that comes before the next
    /// update.
    has_collected: bool,
    // Sums over this unit: losses and Q values over its `samples` samples, gradient norms over its updates.
    loss_sum: f64,
    q_sum: f64,
    samples: u64,
    grad_norm_sum: f64,
}

/// A transition sampled from the replay buffer.
#[derive(Clone, Copy, Default)]
struct Sample {
    /// The transition's index in the replay buffer.
    index: u32,
    transition: Transition,
    /// The importance weight, which corrects for sampling by priority. The largest of a minibatch is 1.
    weight: f32,
}

/// The buffers for one shard of a minibatch, which one thread works on.
struct ShardBuffers {
    tape: Tape,
    scratch: Scratch,
    /// Target Q values.
    /// Shape: `[MAX_ROWS]`.
    targets: Vec<f32>,
    /// The best turn in each next state, for double Q-learning.
    /// Shape: `[MAX_ROWS]`.
    next_turns: Vec<u8>,
    /// The temporal-difference errors of the shard.
    errors: Vec<f32>,
    // For pretraining: states, target probabilities, logits and losses.
    states: Vec<State>,
    probabilities: Vec<f32>,
    logits: Vec<f32>,
    losses: Vec<f32>,
    loss_sum: f64,
    q_sum: f64,
}

impl Dqn {
    pub fn new(config: &CubeConfig, seed: u32, network: &Network) -> Self {
        let batch = config.batch as usize;
        let parameters = network.weights.len();
        let max_shards = batch.div_ceil(MAX_ROWS);
        let buffers = || ShardBuffers {
            tape: network.tape(),
            scratch: network.scratch(),
            targets: vec![0.0; MAX_ROWS],
            next_turns: vec![0; MAX_ROWS],
            errors: Vec::with_capacity(MAX_ROWS),
            states: vec![0; MAX_ROWS],
            probabilities: vec![0.0; MAX_ROWS * network.outputs()],
            logits: vec![0.0; MAX_ROWS * network.outputs()],
            losses: vec![0.0; MAX_ROWS],
            loss_sum: 0.0,
            q_sum: 0.0,
        };
        Self {
            adam: Adam::new(parameters),
            target: network.weights.clone(),
            replay: ReplayBuffer::new(config.replay as usize),
            collector: Collector::new(config, seed, network),
            replay_samples: Stream::new(seed, purpose::REPLAY_SAMPLES),
            pretraining: Stream::new(seed, purpose::PRETRAINING),
            shards: GradientShards::new(MAX_ROWS, max_shards, parameters, buffers),
            minibatch: vec![Sample::default(); batch],
            errors: vec![0.0; batch],
            updates: 0,
            unit_updates: 0,
            has_collected: false,
            loss_sum: 0.0,
            q_sum: 0.0,
            samples: 0,
            grad_norm_sum: 0.0,
        }
    }

    pub fn collector(&self) -> &Collector {
        &self.collector
    }

    /// Sets the number of updates made so far, for a run that continues a trained network.
    pub fn set_updates(&mut self, updates: u64) {
        self.updates = updates;
    }

    /// Updates since the run began.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// The fraction of the unit that is done.
    pub fn progress(&self, config: &CubeConfig) -> f32 {
        self.unit_updates as f32 / config.updates as f32
    }

    pub fn begin_unit(&mut self) {
        (self.unit_updates, self.has_collected) = (0, false);
        (self.loss_sum, self.q_sum, self.samples, self.grad_norm_sum) = (0.0, 0.0, 0, 0.0);
        self.collector.begin_unit();
    }

    /// Runs one step, which is a turn of all cubes or an update. Returns whether all updates of the unit are
    /// done.
    pub fn step(&mut self, config: &CubeConfig, network: &mut Network) -> bool {
        if self.updates < u64::from(config.pretrain) {
            self.pretrain(config, network);
        } else {
            // A replay buffer that is smaller than the warm-up can only be filled to its capacity.
            let min_transitions = config.warm_up.min(config.replay) as usize;
            let is_due = !self.has_collected && self.unit_updates.is_multiple_of(config.act_every);
            if is_due || self.replay.len() < min_transitions {
                self.collector.step(config, network, self.updates, &mut self.replay);
                self.has_collected = true;
                return false;
            }
            self.update(config, network);
        }
        self.updates += 1;
        self.unit_updates += 1;
        self.has_collected = false;
        // The target network is copied at its interval, and when pretraining ends.
        if self.updates.is_multiple_of(u64::from(config.target_every))
            || self.updates == u64::from(config.pretrain)
        {
            self.target.copy_from(&network.weights);
        }
        self.unit_updates >= config.updates
    }

    /// Samples a minibatch by stratified sampling: one transition from each of `batch` equal parts of the
    /// total priority.
    fn draw_minibatch(&mut self, config: &CubeConfig) {
        let n = self.minibatch.len();
        let progress = (self.updates as f64 / f64::from(config.importance_updates)).min(1.0);
        let beta = config.importance + (1.0 - config.importance) * progress;
        let mut max_weight: f32 = 0.0;
        for (i, sample) in self.minibatch.iter_mut().enumerate() {
            let offset = self.replay_samples.uniform(self.updates, i as u64);
            let (index, probability) = self.replay.sample_at((i as f64 + f64::from(offset)) / n as f64);
            // The importance weight (Schaul et al., 2015): (1 / (size of the buffer * probability))^beta.
            let weight = double::pow(probability * self.replay.len() as f64, -beta) as f32;
            max_weight = max_weight.max(weight);
            *sample = Sample { index: index as u32, transition: *self.replay.get(index), weight };
        }
        self.minibatch.iter_mut().for_each(|sample| sample.weight /= max_weight);
    }

    /// Runs one update on a minibatch from the replay buffer, and updates the priorities of its transitions.
    fn update(&mut self, config: &CubeConfig, network: &mut Network) {
        self.draw_minibatch(config);
        let (minibatch, target) = (&self.minibatch, &self.target);
        let (grads, shards) = self.shards.run(minibatch.len(), |range, shard, grads| {
            shard.clear();
            for rows in minibatch[range].chunks(MAX_ROWS) {
                shard.q_loss_and_gradient(config, network, target, rows, 1.0 / minibatch.len() as f32, grads);
            }
        });
        let mut copied = 0;
        for shard in shards {
            self.errors[copied..copied + shard.errors.len()].copy_from_slice(&shard.errors);
            copied += shard.errors.len();
            self.loss_sum += shard.loss_sum;
            self.q_sum += shard.q_sum;
        }
        self.samples += minibatch.len() as u64;
        let options = config.adam_options(self.updates);
        self.grad_norm_sum +=
            f64::from(network.weights.update(|params| self.adam.step(params, grads, &options)));
        for (sample, error) in self.minibatch.iter().zip(&self.errors) {
            // A NaN or infinite error must not get into the sum tree.
            let error = if error.is_finite() { error.abs() } else { 0.0 };
            let priority = double::pow(f64::from(error + MIN_PRIORITY), config.priority) as f32;
            self.replay.set_priority(sample.index as usize, priority);
        }
    }

    /// Runs one update of supervised pretraining on shortest solutions.
    fn pretrain(&mut self, config: &CubeConfig, network: &mut Network) {
        let (batch, updates, stream) = (self.minibatch.len(), self.updates, self.pretraining);
        let (grads, shards) = self.shards.run(batch, |range, shard, grads| {
            shard.clear();
            for first in range.clone().step_by(MAX_ROWS) {
                let n = MAX_ROWS.min(range.end - first);
                let index = updates * batch as u64 + first as u64;
                shard.pretraining_loss_and_gradient(
                    config,
                    network,
                    stream,
                    index,
                    n,
                    1.0 / batch as f32,
                    grads,
                );
            }
        });
        self.loss_sum += shards.map(|shard| shard.loss_sum).sum::<f64>();
        self.samples += batch as u64;
        let options = config.adam_options(self.updates);
        self.grad_norm_sum +=
            f64::from(network.weights.update(|params| self.adam.step(params, grads, &options)));
    }

    pub fn metrics(&self, out: &mut Row) {
        out.set("loss", self.loss_sum / self.samples as f64);
        out.set("gradNorm", self.grad_norm_sum / f64::from(self.unit_updates));
        out.set("q", self.q_sum / self.samples as f64);
        self.collector.metrics(out);
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.absorb("target/", self.target.to_tensors());
        tensors.absorb("replay/", self.replay.to_tensors());
        tensors.absorb("acting/", self.collector.to_tensors());
        tensors.insert("counters", &[1], &[self.updates]);
        tensors
    }

    /// Continues from [`Dqn::to_tensors`] of a checkpoint.
    pub fn restore(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        tensors: &Tensors,
    ) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(network.weights.len(), &tensors.under("adam/"))?;
        self.target = Weights::from_tensors(network.weights.layout().clone(), &tensors.under("target/"))?;
        let replay = tensors.under("replay/");
        self.replay = ReplayBuffer::from_tensors(config.replay as usize, network.outputs(), &replay)?;
        self.collector.restore(config, &tensors.under("acting/"))?;
        self.updates = checked_updates(tensors.get("counters", &[1])?[0], tensors)?;
        Ok(())
    }
}

impl ShardBuffers {
    fn clear(&mut self) {
        self.errors.clear();
        (self.loss_sum, self.q_sum) = (0.0, 0.0);
    }

    /// Computes the Huber loss of up to [`MAX_ROWS`] samples with the weights `target` of the target network.
    /// Adds its gradient to `grads`, and errors and losses to the buffers. The weight of a sample is `scale`
    /// times its importance weight.
    fn q_loss_and_gradient(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        target: &Weights,
        samples: &[Sample],
        scale: f32,
        grads: &mut [f32],
    ) {
        let count = network.outputs();
        let next = || samples.iter().map(|sample| sample.transition.next);
        if config.double {
            let q_values = network.infer(next(), &mut self.scratch).chunks_exact(count);
            self.next_turns.iter_mut().zip(q_values).for_each(|(turn, q)| *turn = best_turn(q, |_| true));
        }
        let next_values = network.infer_with(target, next(), &mut self.scratch).chunks_exact(count);
        for (i, (q, sample)) in next_values.zip(samples).enumerate() {
            let turn = if config.double { self.next_turns[i] } else { best_turn(q, |_| true) };
            let Transition { reward, discount, .. } = sample.transition;
            self.targets[i] = reward + discount * q[usize::from(turn)];
        }
        let states = samples.iter().map(|sample| sample.transition.state);
        let (q_values, gradient) = network.forward(states, &mut self.tape);
        gradient.fill(0.0);
        for (i, sample) in samples.iter().enumerate() {
            let at = i * count + usize::from(sample.transition.turn);
            let error = q_values[at] - self.targets[i];
            let (loss, slope) = huber(error, config.huber as f32);
            gradient[at] = scale * sample.weight * slope;
            self.errors.push(error);
            self.loss_sum += f64::from(sample.weight * loss);
            self.q_sum += f64::from(q_values[at]);
        }
        network.backward(&mut self.tape, grads);
    }

    /// Computes the pretraining loss of `n` random scrambles, numbered from `first`, and adds its gradient to
    /// `grads`. The loss is cross-entropy against a uniform distribution over all turns that lead closer to
    /// solved. The weight of a sample is `scale`.
    fn pretraining_loss_and_gradient(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        stream: Stream,
        first: u64,
        n: usize,
        scale: f32,
        grads: &mut [f32],
    ) {
        let (metric, count) = (config.metric.to_rules(), network.outputs());
        let (turn_tables, true_distances) = (turns(), distances(metric));
        for i in 0..n {
            let (state, ..) =
                scramble_up_to(turn_tables, stream, first + i as u64, config.pretrain_scramble, metric);
            self.states[i] = state;
            let leads_closer = |turn: usize| {
                true_distances.of(turn_tables.after(state, turn as u8)) < true_distances.of(state)
            };
            // A scramble may end at the solved cube, from which no turn leads closer.
            let closer_count = (0..count).filter(|turn| leads_closer(*turn)).count().max(1);
            let probabilities = &mut self.probabilities[i * count..][..count];
            for (turn, probability) in probabilities.iter_mut().enumerate() {
                *probability = if leads_closer(turn) { 1.0 / closer_count as f32 } else { 0.0 };
            }
        }
        let (q_values, gradient) = network.forward(self.states[..n].iter().copied(), &mut self.tape);
        let logits = &mut self.logits[..n * count];
        logits.iter_mut().zip(q_values).for_each(|(logit, q)| *logit = PRETRAINING_SHARPNESS * q);
        let losses = &mut self.losses[..n];
        let targets = Targets::Rows(&self.probabilities[..n * count]);
        softmax_cross_entropy(losses, gradient, logits, targets, None, scale);
        // From the gradient at the logits to that at the Q values.
        gradient.iter_mut().for_each(|d| *d *= PRETRAINING_SHARPNESS);
        self.loss_sum += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        network.backward(&mut self.tape, grads);
    }
}
