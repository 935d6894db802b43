//! The PPO learner (Schulman et al., 2017): several epochs of shuffled minibatches over one rollout, updated
//! with Adam. A rollout is what the policy did in all worlds since the last update; a sample is one step of
//! it in one world.
//!
//! A *unit* is one training iteration: collect a rollout, learn from it, evaluate. A minibatch is split into
//! *shards*, whose gradients are computed in parallel and summed in order. The shards depend on the size of
//! the minibatch alone ([`GradientShards`]), so the result is bit-identical for any number of threads.

use learnery_kernels::rng::Stream;
use learnery_lab::Row;
use learnery_nn::{Adam, AdamOptions, GradientShards, TensorError, Tensors};

use crate::config::{ControlConfig, MAX_EPOCHS};
use crate::network::{Network, Tapes};
use crate::objective::{Columns, LossStats, Objective, Outputs};
use crate::policy::MAX_NUMBERS;
use crate::purpose;
use crate::rollout::{Records, Sample};

/// The maximum number of samples in one forward pass, and the size of a shard. It decides the shards, and so
/// the bits.
const MAX_ROWS: usize = 256;
/// The maximum number of shards of a minibatch. Each has a gradient vector of its own, so this bounds the
/// memory. The shards of a larger minibatch are larger.
const MAX_SHARDS: usize = 64;
/// Adam's epsilon, as in OpenAI's implementation of PPO. With the usual 1e-8, tiny gradients would cause
/// large first updates.
const ADAM_EPSILON: f32 = 1e-5;

/// Shuffles are numbered by `unit * SHUFFLES_PER_UNIT + epoch`. A unit has fewer epochs, so every shuffle has
/// a number of its own. Random numbers, and so the bits of runs, depend on this value.
pub const SHUFFLES_PER_UNIT: u64 = 64;
const _: () = assert!(SHUFFLES_PER_UNIT > MAX_EPOCHS as u64);

/// Turns a rollout into updates of the network, one minibatch a step.
pub struct Learner {
    pub adam: Adam,
    /// The number of parameters of the network.
    parameters: usize,
    /// The stream of the random numbers that shuffle the samples.
    shuffle: Stream,
    /// Samples of a rollout.
    samples: usize,
    /// Indices of the samples that are not learned from, ascending: steps of external environments that are
    /// no transitions, such as a reset. None in the lab's own worlds and in those that a text describes.
    left_out: Vec<u32>,
    /// Indices of the other samples in the shuffled order of the current epoch.
    order: Vec<u32>,
    shards: GradientShards<Shard>,
    schedule: Schedule,
    /// Minibatches learned from in this unit.
    minibatches_done: usize,
    /// Sums over the samples of this unit's minibatches; a sample counts once in each epoch.
    stats: LossStats,
    /// `stats` at the end of this unit's last completed epoch.
    stats_at_epoch_end: LossStats,
    /// Sum of gradient norms over this unit.
    grad_norms: f64,
}

/// What a unit derives from its settings when it starts. Settings change between units only, so those that
/// [`Learner::step`] is given (of the loss, `max_grad_norm`, `target_kl`) are the same in all steps of a unit.
#[derive(Clone, Copy, Default)]
struct Schedule {
    unit: u64,
    epochs: usize,
    minibatches: usize,
    learning_rate: f32,
}

/// Workspace for one shard of a minibatch.
struct Shard {
    tapes: Tapes,
    /// Observations of the current rows.
    /// Shape: `[rows, inputs]`.
    observations: Vec<f32>,
    /// The actions, log-probabilities and so on of the current rows.
    columns: Columns,
    /// Sums over the samples of the shard.
    stats: LossStats,
}

impl Learner {
    /// A learner for rollouts of `samples` samples.
    pub fn new(seed: u32, network: &Network, samples: usize) -> Self {
        let parameters = network.weights.len();
        let rows = MAX_ROWS.min(samples);
        let shard = || Shard {
            tapes: network.tapes(rows),
            observations: vec![0.0; rows * network.inputs()],
            columns: Columns::new(rows),
            stats: LossStats::default(),
        };
        Self {
            adam: Adam::new(parameters),
            parameters,
            shuffle: Stream::new(seed, purpose::SHUFFLE),
            samples,
            left_out: Vec::new(),
            order: vec![0; samples],
            shards: GradientShards::new(
                MAX_ROWS,
                samples.div_ceil(MAX_ROWS).min(MAX_SHARDS),
                parameters,
                shard,
            ),
            schedule: Schedule::default(),
            minibatches_done: 0,
            stats: LossStats::default(),
            stats_at_epoch_end: LossStats::default(),
            grad_norms: 0.0,
        }
    }

    /// Leaves these samples, in ascending order, out of all units until the next call.
    #[cfg(not(target_family = "wasm"))]
    pub fn leave_out(&mut self, samples: impl Iterator<Item = u32>) {
        self.left_out.clear();
        self.left_out.extend(samples);
        self.order.resize(self.samples - self.left_out.len(), 0);
    }

    /// Whether there is anything to learn from.
    #[cfg(not(target_family = "wasm"))]
    pub fn has_samples(&self) -> bool {
        !self.order.is_empty()
    }

    /// Writes the samples to learn from in the order of the rollout.
    fn reset_order(&mut self) {
        if self.left_out.is_empty() {
            self.order.iter_mut().enumerate().for_each(|(i, sample)| *sample = i as u32);
            return;
        }
        let mut left_out = self.left_out.iter().peekable();
        let kept = (0..self.samples as u32).filter(|i| left_out.next_if_eq(&i).is_none());
        self.order.iter_mut().zip(kept).for_each(|(to, sample)| *to = sample);
    }

    /// Starts learning from the full rollout of iteration `unit`, counted from 0.
    pub fn start_unit(&mut self, config: &ControlConfig, unit: u64) {
        let minibatches = (config.minibatches as usize).min(self.order.len());
        self.schedule = Schedule {
            unit,
            epochs: config.epochs as usize,
            minibatches,
            learning_rate: learning_rate(config, unit),
        };
        self.minibatches_done = 0;
        self.stats = LossStats::default();
        self.stats_at_epoch_end = LossStats::default();
        self.grad_norms = 0.0;
    }

    /// Learns from one minibatch, and returns whether it was the unit's last. There must be something to
    /// learn from (`has_samples`).
    pub fn step(&mut self, network: &mut Network, records: Records, config: &ControlConfig) -> bool {
        let Schedule { unit, epochs, minibatches, learning_rate } = self.schedule;
        let (epoch, minibatch) = (self.minibatches_done / minibatches, self.minibatches_done % minibatches);
        if minibatch == 0 {
            // Each shuffle starts from the order of the rollout, so it depends on its number alone.
            self.reset_order();
            self.shuffle.shuffle(unit * SHUFFLES_PER_UNIT + epoch as u64, &mut self.order);
        }
        let total = self.order.len();
        // Minibatches differ by at most one sample if the samples do not divide evenly.
        let batch = &self.order[minibatch * total / minibatches..(minibatch + 1) * total / minibatches];
        let advantages = advantage_mean_and_std(batch, records);
        let objective = Objective::new(config, network.policy(), batch.len(), advantages);

        let (grads, shards) = self.shards.run(batch.len(), |range, shard, grads| {
            shard.add_gradient(network, records, &batch[range], &objective, grads);
        });
        shards.for_each(|shard| self.stats.add(&shard.stats));
        let options = AdamOptions {
            lr: learning_rate,
            max_norm: config.max_grad_norm as f32,
            eps: ADAM_EPSILON,
            ..AdamOptions::default()
        };
        // Adam returns the norm of the gradient before clipping.
        let norm = network.weights.update(|params| self.adam.step(params, grads, &options));
        self.grad_norms += f64::from(norm);
        self.minibatches_done += 1;
        let is_end_of_epoch = self.minibatches_done.is_multiple_of(minibatches);
        self.minibatches_done == epochs * minibatches || (is_end_of_epoch && self.end_epoch(config.target_kl))
    }

    /// Ends an epoch that another one may follow, and notes where that begins. Returns whether the unit
    /// should end early, because the mean KL divergence of the epoch exceeds `target`; 0 switches this off.
    fn end_epoch(&mut self, target: f64) -> bool {
        let samples = self.stats.samples - self.stats_at_epoch_end.samples;
        let kl = self.stats.kl - self.stats_at_epoch_end.kl;
        self.stats_at_epoch_end = self.stats;
        target > 0.0 && kl / samples > target
    }

    /// The completed fraction of the unit's minibatches.
    pub fn fraction_done(&self) -> f32 {
        // Before the first unit the schedule is empty; `max` avoids 0 / 0.
        self.minibatches_done as f32 / (self.schedule.epochs * self.schedule.minibatches).max(1) as f32
    }

    /// Takes over the metrics of a unit whose updates the GPU has computed. Each update comes with the terms
    /// of its loss and the norm of its gradient.
    #[cfg(feature = "gpu")]
    pub fn finish_unit_on_device(&mut self, updates: impl Iterator<Item = (LossStats, f32)>) {
        (self.stats, self.grad_norms, self.minibatches_done) = (LossStats::default(), 0.0, 0);
        for (stats, norm) in updates {
            self.stats.add(&stats);
            self.grad_norms += f64::from(norm);
            self.minibatches_done += 1;
        }
    }

    /// Minibatches learned from in this unit.
    pub fn updates_of_unit(&self) -> u64 {
        self.minibatches_done as u64
    }

    /// Restores the state of the optimiser.
    pub fn set_adam(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        self.adam = Adam::from_tensors(self.parameters, tensors)?;
        Ok(())
    }

    /// Reports the means over the unit.
    pub fn metrics(&self, out: &mut Row) {
        let n = self.stats.samples;
        out.set("policyLoss", self.stats.policy_loss / n);
        out.set("valueLoss", self.stats.value_loss / n);
        out.set("entropy", self.stats.entropy / n);
        out.set("kl", self.stats.kl / n);
        out.set("clipped", self.stats.clipped / n);
        out.set("gradNorm", self.grad_norms / self.minibatches_done as f64);
    }
}

/// The learning rate of iteration `unit`: constant, or annealed linearly over the first `anneal` iterations.
pub fn learning_rate(config: &ControlConfig, unit: u64) -> f32 {
    /// The final learning rate, as a fraction of the initial one.
    const FINAL_FRACTION: f64 = 0.1;
    let annealed = match config.anneal {
        0 => 0.0,
        units => (unit as f64 / f64::from(units)).min(1.0),
    };
    (config.learning_rate * (1.0 - (1.0 - FINAL_FRACTION) * annealed)) as f32
}

/// Mean and standard deviation of the advantages of a minibatch, whose samples have the indices in `batch`.
fn advantage_mean_and_std(batch: &[u32], records: Records) -> [f64; 2] {
    let (mut sum, mut squares, n) = (0.0, 0.0, batch.len() as f64);
    for index in batch {
        let advantage = f64::from(Sample::from_record(records.get(*index as usize)).advantage);
        sum += advantage;
        squares += advantage * advantage;
    }
    let mean = sum / n;
    // Rounding could make the variance negative.
    [mean, (squares / n - mean * mean).max(0.0).sqrt()]
}

impl Shard {
    /// Copies the samples with these indices into the workspace. The width of an observation is a const
    /// generic, so that the compiler copies the few floats in registers; with a width known at run time only,
    /// it calls `memcpy`, which is slower.
    fn gather<const INPUTS: usize>(&mut self, records: Records, indices: &[u32], numbers: usize) {
        let observations = self.observations.as_chunks_mut::<INPUTS>().0;
        for (row, (to, index)) in observations.iter_mut().zip(indices).enumerate() {
            let record = records.get(*index as usize);
            // A record begins with the observation and is longer, so there always is a first chunk.
            if let Some(observation) = record.first_chunk() {
                *to = *observation;
            }
            self.columns.put(row, &record[INPUTS..INPUTS + numbers], &Sample::from_record(record));
        }
    }

    /// [`Shard::gather`] for any width.
    fn gather_any(&mut self, records: Records, indices: &[u32], inputs: usize, numbers: usize) {
        for (row, (to, index)) in self.observations.chunks_exact_mut(inputs).zip(indices).enumerate() {
            let record = records.get(*index as usize);
            to.copy_from_slice(&record[..inputs]);
            self.columns.put(row, &record[inputs..inputs + numbers], &Sample::from_record(record));
        }
    }

    /// Adds the gradient of the loss over these samples to `grads`.
    fn add_gradient(
        &mut self,
        network: &Network,
        records: Records,
        indices: &[u32],
        objective: &Objective,
        grads: &mut [f32],
    ) {
        self.stats = LossStats::default();
        let inputs = network.inputs();
        // Names that begin with `d_` are gradients of the loss. There is a log-std for each number of an
        // action.
        let mut d_log_stds = [0.0; MAX_NUMBERS];
        let numbers = network.numbers();
        for rows in indices.chunks(MAX_ROWS) {
            let n = rows.len();
            // The widths of the observations of the lab's own worlds, and any other.
            match inputs {
                2 => self.gather::<2>(records, rows, numbers),
                3 => self.gather::<3>(records, rows, numbers),
                4 => self.gather::<4>(records, rows, numbers),
                6 => self.gather::<6>(records, rows, numbers),
                _ => self.gather_any(records, rows, inputs, numbers),
            }
            let x = &self.observations[..n * inputs];
            network.forward(x, n, &mut self.tapes);
            let (actor, d_actor) = self.tapes.actor.outputs_and_gradients(n);
            let (values, d_values) = self.tapes.critic.outputs_and_gradients(n);
            let outputs = Outputs { actor, d_actor, values, d_values };
            let d = objective.loss_and_gradient(&mut self.columns, n, outputs, &mut self.stats);
            d_log_stds.iter_mut().zip(d).for_each(|(sum, d)| *sum += d);
            network.backward(x, n, &mut self.tapes, grads);
        }
        if let Some(range) = network.log_std_range() {
            grads[range].iter_mut().zip(d_log_stds).for_each(|(grad, d)| *grad += d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learning_rate_anneals_to_a_tenth() {
        let config = ControlConfig { learning_rate: 1e-3, anneal: 10, ..ControlConfig::default() };
        let rates = [0, 5, 10, 99].map(|unit| learning_rate(&config, unit));
        for (rate, expected) in rates.iter().zip([1e-3, 5.5e-4, 1e-4, 1e-4]) {
            assert!((rate - expected).abs() < 1e-9, "{rates:?}");
        }
        assert_eq!(learning_rate(&ControlConfig { anneal: 0, ..config }, 99), 1e-3);
    }
}
