//! Learning from random walks that begin at the solved puzzle. No table, solver or true distance is used. The
//! methods are
//!
//! - random-walk regression, CayleyPy (Chervov et al., 2025): predict the length of a walk and use it as the
//!   distance;
//! - EfficientCube (Takano, 2021): predict the last turn of a walk, which is the one to undo;
//! - deep approximate value iteration (DAVI; Agostinelli et al., 2019): a state's distance is one more than
//!   the least prediction of a frozen copy of the network, the target network, among its neighbours.
//!
//! Every state of a walk is a sample. After `anneal` updates a network that predicts distances can be
//! distilled: a second network learns to predict, from a state alone, the predictions of the first one for
//! all of the state's neighbours. A search then needs one pass for a state instead of one for each neighbour.

#[cfg(feature = "gpu")]
pub mod gpu;
mod samples;

use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, OnDevice, Row, Status, TRAINS_ON_CPU};
use learnery_nn::loss::{Targets, softmax_cross_entropy, squared_error};
use learnery_nn::{Adam, AdamOptions, GradientShards, Tensors};
use learnery_worlds::puzzle::{State, Turn};

use super::network::{
    MAX_ROWS, Network, Outputs, SQUARED_SCALE, Scratch, Tape, distance_of_output, output_of_distance,
};
use super::residual_replay::ResidualReplay;
use crate::beam::Guide as _;
use crate::config::{CubeConfig, Method};
use crate::counters::checked_updates;
use crate::purpose;
use samples::{Sample, Sampler};

/// Neighbours of each sample that the network in distillation learns from. They are spread evenly over the
/// turns, from a random one on.
const NEIGHBOURS_PER_SAMPLE: usize = 4;

/// The learner.
pub struct Learner {
    adam: Adam,
    walks: Stream,
    neighbours: Stream,
    shards: GradientShards<ShardBuffers>,
    /// Value iteration draws some samples from here; `None` with the other methods.
    residual_replay: Option<ResidualReplay>,
    /// The network that gives target distances: the target network of value iteration, or the one that is
    /// distilled.
    teacher: Option<Network>,
    updates: u64,
    /// The update at which value iteration has last copied its target network.
    copied_at: u64,
    /// Moving average of the loss since that update; NaN before the first loss.
    loss_ema: f64,
    /// Updates in this unit (training iteration).
    unit_updates: u64,
    /// The sums of the losses and of the gradient norms of this unit's updates.
    loss_sum: f64,
    grad_norm_sum: f64,
}

/// What a GPU reads and changes of a run.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub config: &'a CubeConfig,
    pub network: &'a mut Network,
    pub learner: &'a mut Learner,
}

/// The part of a run on the GPU.
pub type Device = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

/// The buffers for one shard of a minibatch, which one thread works on.
struct ShardBuffers {
    tape: Tape,
    samples: Vec<Sample>,
    scratch: Scratch,
    /// The predictions of the teacher, or of the target network, for neighbours.
    /// Shape: `[MAX_ROWS, turns]`.
    predictions: Vec<f32>,
    /// The target turn and the loss of each sample, if the network scores turns.
    /// Shape of each: `[MAX_ROWS]`.
    turns: Vec<u32>,
    losses: Vec<f32>,
    /// The squared error of the distance of each sample, in squared turns. In value iteration it is the
    /// squared Bellman residual.
    squares: Vec<f32>,
    /// The sum of the losses of the shard's samples.
    loss_sum: f64,
}

impl Learner {
    pub fn new(config: &CubeConfig, seed: u32, network: &Network) -> Self {
        Self {
            adam: Adam::new(network.weights.len()),
            walks: Stream::new(seed, purpose::SCRAMBLES),
            neighbours: Stream::new(seed, purpose::NEIGHBOURS),
            shards: make_shards(config, network),
            residual_replay: iterates_values(config, network)
                .then(|| ResidualReplay::new(Stream::new(seed, purpose::RESIDUAL_SAMPLES))),
            teacher: iterates_values(config, network).then(|| network.clone()),
            updates: 0,
            copied_at: 0,
            loss_ema: f64::NAN,
            unit_updates: 0,
            loss_sum: 0.0,
            grad_norm_sum: 0.0,
        }
    }

    /// Updates since the run began.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Sets the number of updates made so far, for a run that continues a trained network. The teacher of a
    /// distilled network is not stored with it, so such a network continues by random-walk regression; see
    /// [`ShardBuffers::learn_from_walks`].
    pub fn set_updates(&mut self, updates: u64) {
        self.updates = updates;
    }

    /// Whether the next update belongs to the distillation.
    pub fn is_distilling(&self, config: &CubeConfig) -> bool {
        config.distil_updates() > 0 && self.updates >= u64::from(config.anneal)
    }

    /// The fraction of the unit that is done.
    pub fn progress(&self, config: &CubeConfig) -> f32 {
        self.unit_updates as f32 / config.updates as f32
    }

    pub fn begin_unit(&mut self) {
        (self.unit_updates, self.loss_sum, self.grad_norm_sum) = (0, 0.0, 0.0);
    }

    /// Makes an update. The unit is finished when all its updates are done.
    pub fn step(&mut self, config: &CubeConfig, network: &mut Network) -> Status {
        // A bundle for GPUs cannot train on the CPU, so the run waits for its device.
        if !TRAINS_ON_CPU {
            return Status::Waiting;
        }
        let is_distilling = self.is_distilling(config);
        if is_distilling && network.outputs() == Outputs::Distance {
            self.begin_distillation(config, network);
        }
        if !is_distilling && iterates_values(config, network) && self.needs_copy(config) {
            self.teacher = Some(network.clone());
            self.copied_at = self.updates;
            self.loss_ema = f64::NAN;
        }
        self.update(config, network, is_distilling);
        if self.unit_updates >= u64::from(config.updates) { Status::UnitFinished } else { Status::Ready }
    }

    /// Makes the network the teacher of another one, with which training goes on.
    fn begin_distillation(&mut self, config: &CubeConfig, network: &mut Network) {
        let student = network.with_distances_after_turns(config);
        self.residual_replay = None;
        self.teacher = Some(std::mem::replace(network, student));
        self.adam = Adam::new(network.weights.len());
        self.shards = make_shards(config, network);
    }

    /// Whether value iteration should copy its target network now: if the copy is old enough and the network
    /// fits its targets, or if the copy is too old. See [`CubeConfig::refresh_every`].
    fn needs_copy(&self, config: &CubeConfig) -> bool {
        let age = self.updates - self.copied_at;
        let (latest, earliest) = (u64::from(config.refresh_every), u64::from(config.earliest_refresh()));
        age >= latest || (age >= earliest && self.loss_ema < config.refresh_below)
    }

    fn update(&mut self, config: &CubeConfig, network: &mut Network, is_distilling: bool) {
        let (batch, update) = (config.batch as usize, self.updates);
        if let Some(residual_replay) = self.residual_replay.as_mut().filter(|_| !is_distilling) {
            residual_replay.draw(update, residual_sample_count(config));
        }
        let residual_replay = self.residual_replay.as_ref().filter(|_| !is_distilling);
        let sampler = Sampler {
            config,
            network,
            walks: self.walks,
            neighbours: self.neighbours,
            residual_replay,
            update,
        };
        let teacher = self.teacher.as_ref();
        let (grads, shards) = self.shards.run(batch, |range, shard, grads| {
            shard.loss_sum = 0.0;
            sampler.draw(range, &mut shard.samples);
            shard.squares.clear();
            for first in (0..shard.samples.len()).step_by(MAX_ROWS) {
                let rows = first..shard.samples.len().min(first + MAX_ROWS);
                match (network.outputs(), teacher) {
                    (Outputs::DistancesAfterTurns, Some(teacher)) => {
                        shard.distil(config, network, teacher, rows, grads);
                    }
                    (Outputs::DistancesAfterTurns, None) => {
                        shard.learn_from_walks(config, network, rows, grads);
                    }
                    (_, target_network) => shard.learn(config, network, target_network, rows, grads),
                }
            }
        });
        let shards: Vec<&ShardBuffers> = shards.collect();
        let loss = shards.iter().map(|shard| shard.loss_sum).sum::<f64>() / batch as f64;
        if let Some(residual_replay) = self.residual_replay.as_mut().filter(|_| !is_distilling) {
            let samples = shards.iter().flat_map(|shard| {
                shard.samples.iter().map(|sample| &sample.state).zip(shard.squares.iter().copied())
            });
            residual_replay.update(samples);
        }
        let options = adam_options(config, update, is_distilling);
        let norm = network.weights.update(|params| self.adam.step(params, grads, &options));
        self.updates += 1;
        self.unit_updates += 1;
        self.record_update(loss, norm);
    }

    /// Adds the loss and the gradient norm of an update to the metrics.
    fn record_update(&mut self, loss: f64, norm: f32) {
        // The newest loss has a weight of a twentieth in the moving average.
        self.loss_ema = if self.loss_ema.is_nan() { loss } else { 0.95 * self.loss_ema + 0.05 * loss };
        self.loss_sum += loss;
        self.grad_norm_sum += f64::from(norm);
    }

    pub fn metrics(&self, out: &mut Row) {
        out.set("loss", self.loss_sum / self.unit_updates as f64);
        out.set("gradNorm", self.grad_norm_sum / self.unit_updates as f64);
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.insert("counters", &[2], &[self.updates, self.copied_at]);
        tensors.insert("recent", &[1], &[self.loss_ema]);
        if let Some(teacher) = &self.teacher {
            tensors.absorb("teacher/", teacher.weights.to_tensors());
        }
        if let Some(residual_replay) = &self.residual_replay {
            tensors.absorb("focus/", residual_replay.to_tensors());
        }
        tensors
    }

    /// Continues from [`Learner::to_tensors`] of a checkpoint.
    pub fn restore(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        tensors: &Tensors,
    ) -> Result<(), LabError> {
        let counters: Vec<u64> = tensors.get("counters", &[2])?;
        let (updates, copied_at) = (checked_updates(counters[0], tensors)?, counters[1]);
        if copied_at > updates {
            return Err(LabError::Checkpoint(format!(
                "its target network was copied at update {copied_at}, but it has made only {updates} updates"
            )));
        }
        let is_distilled = network.outputs() == Outputs::DistancesAfterTurns;
        let weights = tensors.under("teacher/");
        // A run that continues a distilled network has no teacher.
        let has_teacher = weights.iter().next().is_some();
        self.teacher = if iterates_values(config, network) || (is_distilled && has_teacher) {
            Some(Network::from_tensors(config, network.puzzle(), Outputs::Distance, &weights)?)
        } else {
            None
        };
        if let Some(residual_replay) = &mut self.residual_replay {
            residual_replay.restore(network.puzzle(), &tensors.under("focus/"))?;
        }
        self.adam = Adam::from_tensors(network.weights.len(), &tensors.under("adam/"))?;
        self.shards = make_shards(config, network);
        self.updates = updates;
        self.copied_at = copied_at;
        self.loss_ema = tensors.get("recent", &[1])?[0];
        Ok(())
    }
}

/// Whether the network learns by value iteration: not once it is distilled.
fn iterates_values(config: &CubeConfig, network: &Network) -> bool {
    config.learner == Method::Davi && network.outputs() == Outputs::Distance
}

/// Options of the optimiser at an update. The distillation has a falling learning rate of its own, which
/// begins after the `anneal` updates before it.
fn adam_options(config: &CubeConfig, update: u64, is_distilling: bool) -> AdamOptions {
    if is_distilling {
        config.annealed(update - u64::from(config.anneal), config.distil)
    } else {
        config.adam_options(update)
    }
}

/// The number of samples of a minibatch that value iteration draws by residual.
fn residual_sample_count(config: &CubeConfig) -> usize {
    (config.residual_fraction * f64::from(config.batch)).round() as usize
}

fn make_shards(config: &CubeConfig, network: &Network) -> GradientShards<ShardBuffers> {
    let parameters = network.weights.len();
    GradientShards::new(MAX_ROWS, (config.batch as usize).div_ceil(MAX_ROWS), parameters, || ShardBuffers {
        tape: network.tape(),
        samples: Vec::with_capacity(MAX_ROWS),
        scratch: network.scratch(),
        predictions: vec![0.0; MAX_ROWS * network.turns()],
        turns: vec![0; MAX_ROWS],
        losses: vec![0.0; MAX_ROWS],
        squares: Vec::with_capacity(MAX_ROWS),
        loss_sum: 0.0,
    })
}

impl ShardBuffers {
    /// Computes the loss of the samples `rows` of the buffers and adds its gradient to `grads`. The loss is
    /// the squared error for distances, and cross-entropy for turns. Only value iteration has a target
    /// network.
    fn learn(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        target_network: Option<&Network>,
        rows: Range<usize>,
        grads: &mut [f32],
    ) {
        let scale = 1.0 / config.batch as f32;
        let samples = &self.samples[rows];
        let (puzzle, turns) = (network.puzzle(), network.turns());
        let states = || samples.iter().map(|sample| sample.state);
        if let Some(target_network) = target_network {
            let neighbours =
                states().flat_map(|state| (0..turns as Turn).map(move |turn| puzzle.after(&state, turn)));
            target_network.infer(neighbours, &mut self.scratch, &mut self.predictions);
        }
        let (outputs, gradient) = network.forward(states(), &mut self.tape);
        if config.learner == Method::Efficientcube {
            for (target, sample) in self.turns.iter_mut().zip(samples) {
                *target = u32::from(puzzle.inverse(sample.turn));
            }
            let losses = &mut self.losses[..samples.len()];
            let targets = Targets::Classes(&self.turns[..samples.len()]);
            softmax_cross_entropy(losses, gradient, outputs, targets, None, scale);
            self.loss_sum += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        } else {
            let predictions = self.predictions.chunks_exact(turns);
            for (((y, d), sample), predictions) in outputs.iter().zip(gradient).zip(samples).zip(predictions)
            {
                let distance = if sample.state == puzzle.solved() {
                    0.0
                } else if target_network.is_some() {
                    1.0 + least_distance(network, &sample.state, predictions)
                } else {
                    sample.length as f32
                };
                let (loss, slope) = squared_error(y - output_of_distance(distance));
                *d = scale * slope;
                // `squared_error` gives half the squared error of the output.
                let square = 2.0 * loss * SQUARED_SCALE;
                self.squares.push(square);
                self.loss_sum += f64::from(square);
            }
        }
        network.backward(&mut self.tape, grads);
    }

    /// Random-walk regression for a distilled network without a teacher. Two neighbours of each sample are on
    /// the walk: the states before and after the sample. The outputs for these two neighbours learn how many
    /// turns the walk has there.
    fn learn_from_walks(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        rows: Range<usize>,
        grads: &mut [f32],
    ) {
        let scale = 1.0 / config.batch as f32;
        let samples = &self.samples[rows];
        let (puzzle, turns) = (network.puzzle(), network.turns());
        let (outputs, gradient) = network.forward(samples.iter().map(|sample| sample.state), &mut self.tape);
        gradient.fill(0.0);
        for (row, sample) in samples.iter().enumerate() {
            let steps = [(puzzle.inverse(sample.turn), sample.length - 1), (sample.next, sample.length + 1)];
            for (turn, length) in steps {
                let output = row * turns + usize::from(turn);
                let (loss, slope) = squared_error(outputs[output] - output_of_distance(length as f32));
                gradient[output] = scale * slope;
                // Half a squared error: with both neighbours, a sample counts the mean of two squared errors.
                self.loss_sum += f64::from(loss * SQUARED_SCALE);
            }
        }
        network.backward(&mut self.tape, grads);
    }

    /// Like [`ShardBuffers::learn`], for a network in distillation: the targets are the teacher's predictions
    /// for some neighbours of each sample.
    fn distil(
        &mut self,
        config: &CubeConfig,
        network: &Network,
        teacher: &Network,
        rows: Range<usize>,
        grads: &mut [f32],
    ) {
        let samples = &self.samples[rows];
        let (puzzle, turns) = (network.puzzle(), network.turns());
        let scale = 1.0 / config.batch as f32;
        let neighbour = |sample: &Sample, i: usize| {
            (sample.first_neighbour as usize + i * turns / NEIGHBOURS_PER_SAMPLE) % turns
        };
        let states = samples.iter().flat_map(|sample| {
            (0..NEIGHBOURS_PER_SAMPLE).map(move |i| puzzle.after(&sample.state, neighbour(sample, i) as Turn))
        });
        teacher.infer(states, &mut self.scratch, &mut self.predictions);
        let (outputs, gradient) = network.forward(samples.iter().map(|sample| sample.state), &mut self.tape);
        gradient.fill(0.0);
        for (row, sample) in samples.iter().enumerate() {
            for i in 0..NEIGHBOURS_PER_SAMPLE {
                let output = row * turns + neighbour(sample, i);
                let (loss, slope) =
                    squared_error(outputs[output] - self.predictions[row * NEIGHBOURS_PER_SAMPLE + i]);
                gradient[output] = scale * slope;
                self.loss_sum += f64::from(2.0 * loss * SQUARED_SCALE) / NEIGHBOURS_PER_SAMPLE as f64;
            }
        }
        network.backward(&mut self.tape, grads);
    }
}

/// The least distance among the neighbours of a state; `predictions` are the target network's outputs for
/// them. It is zero if the solved state is among them, and never less.
fn least_distance(network: &Network, state: &State, predictions: &[f32]) -> f32 {
    let puzzle = network.puzzle();
    let is_next_to_solved =
        (0..predictions.len() as Turn).any(|turn| puzzle.after(state, turn) == puzzle.solved());
    if is_next_to_solved {
        return 0.0;
    }
    distance_of_output(predictions.iter().copied().fold(f32::INFINITY, f32::min)).max(0.0)
}
