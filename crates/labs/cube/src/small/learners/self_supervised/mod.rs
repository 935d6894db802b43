//! Three methods whose only training data are random scrambles:
//!
//! - deep approximate value iteration (DAVI), see [`value_iteration`];
//! - EfficientCube (Takano, "Self-supervision is all you need for solving Rubik's cube", 2021): predict the
//!   last turn of a scramble, which is the one to undo;
//! - random-walk regression, CayleyPy (Chervov et al., "A machine learning approach that beats large Rubik's
//!   cubes", 2025): predict the length of a scramble and use it as the distance.

#[cfg(feature = "gpu")]
pub mod gpu;
mod residual_sampler;
mod value_iteration;

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, OnDevice, Row};
use learnery_nn::loss::{Targets, softmax_cross_entropy, squared_error};
use learnery_nn::{Adam, GradientShards, Tensors};
use learnery_worlds::cube::{Turns, inverse, turns};

use crate::config::{CubeConfig, Method};
use crate::counters::checked_updates;
use crate::purpose;
use crate::small::network::{MAX_ROWS, Network, Tape, distance_of_output, output_of_distance};
use crate::small::scramble::scramble_up_to;
use crate::small::state_space::{SOLVED_NODE, StateSpace};
use value_iteration::{TargetValues, update_loss_ema};

/// The learner. A sample of a minibatch is a node of the state space: a state, or a class of symmetric
/// states.
pub struct SelfSupervised {
    adam: Adam,
    scrambles: Stream,
    residual_samples: Stream,
    shards: GradientShards<ShardBuffers>,
    /// `None` unless the method is value iteration.
    target_values: Option<TargetValues>,
    updates: u64,
    /// Moving average of the loss since the target values were refreshed; NaN before the first loss.
    loss_ema: f64,
    /// Updates in this unit (training iteration).
    unit_updates: u64,
    /// The sum of the mean losses of this unit's updates.
    loss_sum: f64,
    /// The sum of the gradient norms of this unit's updates.
    grad_norm_sum: f64,
}

/// What a GPU reads and changes of a run.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub config: &'a CubeConfig,
    pub network: &'a mut Network,
    pub learner: &'a mut SelfSupervised,
}

/// The part of a run on the GPU.
pub type Device = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

/// The buffers for one shard of a minibatch, which one thread works on. Each has `MAX_ROWS` entries.
struct ShardBuffers {
    tape: Tape,
    states: Vec<u32>,
    /// Target distances, if the network predicts distances.
    distances: Vec<f32>,
    /// Target turns, if the network scores turns.
    turns: Vec<u32>,
    losses: Vec<f32>,
    /// The sum of the losses of the shard's samples.
    loss_sum: f64,
}

impl SelfSupervised {
    pub fn new(config: &CubeConfig, seed: u32, network: &Network, space: &StateSpace) -> Self {
        let buffers = || ShardBuffers {
            tape: network.tape(),
            states: vec![0; MAX_ROWS],
            distances: vec![0.0; MAX_ROWS],
            turns: vec![0; MAX_ROWS],
            losses: vec![0.0; MAX_ROWS],
            loss_sum: 0.0,
        };
        let parameters = network.weights.len();
        let is_value_iteration = config.learner == Method::Davi;
        Self {
            adam: Adam::new(parameters),
            scrambles: Stream::new(seed, purpose::SCRAMBLES),
            residual_samples: Stream::new(seed, purpose::RESIDUAL_SAMPLES),
            shards: GradientShards::new(
                MAX_ROWS,
                (config.batch as usize).div_ceil(MAX_ROWS),
                parameters,
                buffers,
            ),
            target_values: is_value_iteration.then(|| TargetValues::new(config, network, space)),
            updates: 0,
            loss_ema: f64::NAN,
            unit_updates: 0,
            loss_sum: 0.0,
            grad_norm_sum: 0.0,
        }
    }

    /// Sets the number of updates made so far, for a run that continues a trained network. Target values
    /// count as refreshed at update 0, so they are too old now, and the next step refreshes them.
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
        (self.unit_updates, self.loss_sum, self.grad_norm_sum) = (0, 0.0, 0.0);
    }

    /// Runs one step, which is an update or a part of a refresh of the target values. Returns whether all
    /// updates of the unit are done.
    pub fn step(&mut self, config: &CubeConfig, network: &mut Network, space: &StateSpace) -> bool {
        if let Some(target_values) = &mut self.target_values
            && target_values.needs_refresh(config, self.updates, self.loss_ema)
        {
            if target_values.refresh_step(network, space, self.updates) {
                self.loss_ema = f64::NAN;
            }
            return false;
        }
        self.update(config, network, space);
        self.unit_updates >= u64::from(config.updates)
    }

    fn update(&mut self, config: &CubeConfig, network: &mut Network, space: &StateSpace) {
        let (batch, update) = (config.batch as usize, self.updates);
        let sampling = Sampling {
            config,
            space,
            turns: turns(),
            scrambles: self.scrambles,
            residual_samples: self.residual_samples,
            target_values: self.target_values.as_ref(),
            residual_count: residual_sample_count(config),
        };
        let (grads, shards) = self.shards.run(batch, |range, shard, grads| {
            shard.loss_sum = 0.0;
            for first in range.clone().step_by(MAX_ROWS) {
                let rows = first..range.end.min(first + MAX_ROWS);
                shard.draw(&sampling, update, rows.clone());
                shard.loss_and_gradient(config, network, rows.len(), grads);
            }
        });
        let loss = shards.map(|shard| shard.loss_sum).sum::<f64>() / batch as f64;
        let options = config.adam_options(update);
        let norm = network.weights.update(|params| self.adam.step(params, grads, &options));
        self.updates += 1;
        self.unit_updates += 1;
        self.record_update(loss, norm);
    }

    /// Adds the loss and the gradient norm of an update to the metrics.
    fn record_update(&mut self, loss: f64, norm: f32) {
        self.loss_ema = update_loss_ema(self.loss_ema, loss);
        self.loss_sum += loss;
        self.grad_norm_sum += f64::from(norm);
    }

    pub fn metrics(&self, out: &mut Row) {
        out.set("loss", self.loss_sum / self.unit_updates as f64);
        out.set("gradNorm", self.grad_norm_sum / self.unit_updates as f64);
    }

    /// The learner as tensors of a checkpoint. `guesses` are the target values, and `recent` is the moving
    /// average of the loss.
    pub fn to_tensors(&self) -> Tensors {
        let (values, refreshed_at) = match &self.target_values {
            Some(target_values) => (target_values.values(), target_values.refreshed_at()),
            None => (&[][..], 0),
        };
        let mut tensors = Tensors::new();
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("guesses", &[values.len()], values);
        tensors.insert("counters", &[2], &[self.updates, refreshed_at]);
        tensors.insert("recent", &[1], &[self.loss_ema]);
        tensors
    }

    /// Continues from [`SelfSupervised::to_tensors`] of a checkpoint.
    pub fn restore(
        &mut self,
        network: &Network,
        space: &StateSpace,
        tensors: &Tensors,
    ) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(network.weights.len(), &tensors.under("adam/"))?;
        let count = self.target_values.as_ref().map_or(0, |target_values| target_values.values().len());
        let values: Vec<f32> = tensors.get("guesses", &[count])?;
        let counters: Vec<u64> = tensors.get("counters", &[2])?;
        let (updates, refreshed_at) = (checked_updates(counters[0], tensors)?, counters[1]);
        if refreshed_at > updates {
            return Err(LabError::Checkpoint(format!(
                "its target values were refreshed at update {refreshed_at}, but it has made only {updates} updates"
            )));
        }
        self.updates = updates;
        self.loss_ema = tensors.get("recent", &[1])?[0];
        if let Some(target_values) = &mut self.target_values {
            target_values.restore(space, values, refreshed_at);
        }
        Ok(())
    }
}

/// The number of samples of a minibatch that value iteration draws by residual.
fn residual_sample_count(config: &CubeConfig) -> usize {
    (config.residual_fraction * f64::from(config.batch)).round() as usize
}

/// The inputs of sampling a minibatch.
struct Sampling<'a> {
    config: &'a CubeConfig,
    space: &'a StateSpace,
    turns: &'a Turns,
    scrambles: Stream,
    residual_samples: Stream,
    target_values: Option<&'a TargetValues>,
    /// The number of samples of each minibatch that are drawn where the Bellman residual is large (how far an
    /// estimate contradicts the estimates of its neighbours). They are the first samples of the minibatch;
    /// the others are random scrambles.
    residual_count: usize,
}

impl Sampling<'_> {
    /// Returns the node of sample `row` if it is sampled by residual; otherwise `None`. Sampling is
    /// stratified: one sample from each of `residual_count` equal parts of the sum of squared residuals.
    fn node_by_residual(&self, update: u64, row: usize) -> Option<u32> {
        let target_values = self.target_values.filter(|_| row < self.residual_count)?;
        let offset = self.residual_samples.uniform(update, row as u64);
        target_values.sample_at((row as f64 + f64::from(offset)) / self.residual_count as f64)
    }
}

impl ShardBuffers {
    /// Writes the samples `rows` of a minibatch into the buffers.
    fn draw(&mut self, sampling: &Sampling, update: u64, rows: Range<usize>) {
        let Sampling { config, space, .. } = sampling;
        for (i, row) in rows.enumerate() {
            let (state, last_turn, length) = scramble_up_to(
                sampling.turns,
                sampling.scrambles,
                update * u64::from(config.batch) + row as u64,
                config.scramble,
                config.metric.to_rules(),
            );
            let node = sampling.node_by_residual(update, row).unwrap_or_else(|| space.node(state));
            self.states[i] = space.state(node);
            self.turns[i] = u32::from(inverse(last_turn));
            self.distances[i] = match sampling.target_values {
                _ if node == SOLVED_NODE => 0.0,
                Some(target_values) => target_values.target(space, node),
                None => length as f32,
            };
        }
    }

    /// Computes the loss of the first `n` samples in the buffers and adds its gradient to `grads`. The loss
    /// is the squared error for distances, and cross-entropy for turns.
    fn loss_and_gradient(&mut self, config: &CubeConfig, network: &Network, n: usize, grads: &mut [f32]) {
        let scale = 1.0 / config.batch as f32;
        let (outputs, gradient) = network.forward(self.states[..n].iter().copied(), &mut self.tape);
        if network.predicts_distance() {
            for ((y, d), distance) in outputs.iter().zip(gradient).zip(&self.distances) {
                // The gradient is that of the squared error of the normalised output. The reported loss is in
                // squared turns.
                let (_, slope) = squared_error(y - output_of_distance(*distance));
                *d = scale * slope;
                let error = f64::from(distance_of_output(*y) - distance);
                self.loss_sum += error * error;
            }
        } else {
            let losses = &mut self.losses[..n];
            let targets = Targets::Classes(&self.turns[..n]);
            softmax_cross_entropy(losses, gradient, outputs, targets, None, scale);
            self.loss_sum += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        }
        network.backward(&mut self.tape, grads);
    }
}
