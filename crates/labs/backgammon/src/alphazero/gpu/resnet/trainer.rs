//! Updates of the network on the device. An update learns from one minibatch; metrics and parameters come
//! back when they are asked for.

use learnery_kernels::product;
use learnery_nn::{Precision, ResNet, TensorError, Tensors};

use super::passes::{GradientTape, Tape, backward, head, trunk};
use super::{OUTCOMES, Position};
use crate::alphazero::gpu::resnet::SOURCES;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::adam::{Adam, AdamReadBack, StepBuffers};
use learnery_gpu::layers::{Gradients, Pass, scratch_words};
use learnery_gpu::update::{self, Update};
use learnery_gpu::{Buffer, ReadBack};
use learnery_gpu::{Plan, PlanBuilder};

/// The most rows of one pass. A larger minibatch takes several, whose gradients are added.
const MAX_ROWS: usize = 2048;

/// The most plays of the turns of one pass. A minibatch with more takes more passes.
const MAX_PLAYS: usize = 1 << 16;

/// Invocations of a workgroup of `outcome_loss`.
const OUTCOME_LOSS_THREADS: usize = 64;

/// The cost of a dispatch that is negligible beside the products of a pass.
const NEGLIGIBLE_COST: f64 = 1.0;

/// Words of the struct `Minibatch` in `wgsl/minibatch.wgsl`.
const MINIBATCH_WORDS: usize = 4;

/// Stands for an entry that a play does not have.
const NO_ENTRY: u16 = u16::MAX;

/// The most entries of the policy table (the output of the policy head for a position) whose sum is the logit
/// of a play: one for each of up to four moves, and one for each checker that is hit.
const MAX_POLICY_ENTRIES: usize = 8;

/// The positions of a minibatch with what is to be learned about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Minibatch {
    pub positions: Vec<Position>,
    /// The target probabilities of the outcomes of each position.
    pub outcomes: Vec<[f32; OUTCOMES]>,
    /// For a network with a policy head.
    pub policies: PolicyTargets,
}

/// The policy targets of a minibatch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyTargets {
    /// The number of plays of each position; 0 if it teaches no policy.
    plays: Vec<u32>,
    /// The entries of the policy table whose sum is the logit of each play.
    entries: Vec<[u16; MAX_POLICY_ENTRIES]>,
    /// The target probability of each play.
    probabilities: Vec<f32>,
}

impl PolicyTargets {
    /// The number of positions that teach a policy.
    pub fn positions(&self) -> usize {
        self.plays.iter().filter(|plays| **plays > 0).count()
    }

    /// Begins the next position.
    pub fn begin_position(&mut self) {
        self.plays.push(0);
    }

    /// Adds a play of the position: the entries whose sum is its logit, and its target probability.
    ///
    /// # Panics
    /// If it has more than eight entries, or no position has begun.
    pub fn add_play(&mut self, entries: &[u16], probability: f32) {
        let mut padded = [NO_ENTRY; MAX_POLICY_ENTRIES];
        padded[..entries.len()].copy_from_slice(entries);
        self.entries.push(padded);
        self.probabilities.push(probability);
        *self.plays.last_mut().expect("a position has begun") += 1;
    }
}

impl Minibatch {
    /// Adds the positions of another minibatch.
    pub fn append(&mut self, other: &Self) {
        let Self { positions, outcomes, policies: PolicyTargets { plays, entries, probabilities } } = self;
        positions.extend_from_slice(&other.positions);
        outcomes.extend_from_slice(&other.outcomes);
        plays.extend_from_slice(&other.policies.plays);
        entries.extend_from_slice(&other.policies.entries);
        probabilities.extend_from_slice(&other.policies.probabilities);
    }
}

/// The numbers of an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateOptions {
    /// The place of its metrics, which [`Trainer::clear_metrics`] has set to zero: the losses of several
    /// passes are added there.
    pub slot: usize,
    pub learning_rate: f32,
    /// A gradient with a larger norm is scaled down to this norm.
    pub max_norm: f32,
    /// Decoupled weight decay. The optimiser multiplies it by the learning rate.
    pub weight_decay: f32,
    /// The weight of the value loss; that of the policy loss is 1.
    pub value_weight: f32,
}

/// The metrics of an update. Losses are sums over the positions of its minibatch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UpdateMetrics {
    /// Cross-entropy of the outcome probabilities.
    pub value_loss: f32,
    /// Relative entropy of the policy targets with respect to the policy.
    pub policy_loss: f32,
    /// Entropy of the policy.
    pub entropy: f32,
    pub gradient_norm: f32,
}

/// A network with its optimiser on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    weights: Buffer,
    adam: Adam,
    tape: Tape,
    /// Rows of a pass.
    rows: usize,
    has_policy: bool,
    inputs: LossBuffers,
    update: Buffer,
    /// The norms of the updates, see [`StepBuffers::metrics`].
    metrics: Buffer,
    clear: Plan,
    gradient: Plan,
    step: Plan,
}

/// What the losses read and write.
#[derive(Debug)]
struct LossBuffers {
    minibatch: Buffer,
    targets: Buffer,
    /// Empty without a policy head: the first play of each row, the entries of each play, its target and the
    /// derivative of the loss with respect to its logit.
    first_play: Buffer,
    entries: Buffer,
    plays: Buffer,
    value_losses: Buffer,
    policy_losses: Buffer,
    /// The losses of each update.
    sums: Buffer,
}

impl LossBuffers {
    fn new(gpu: &Gpu, rows: usize, updates: usize, has_policy: bool) -> Result<Self, GpuError> {
        let if_policy = |words: usize| gpu.buffer(if has_policy { words } else { 0 });
        Ok(Self {
            minibatch: gpu.buffer(MINIBATCH_WORDS)?,
            targets: gpu.buffer(rows * OUTCOMES)?,
            // The last row's plays end where those of one more row would begin.
            first_play: if_policy(rows + 1)?,
            // Two entries of 16 bits in a word.
            entries: if_policy(MAX_PLAYS * MAX_POLICY_ENTRIES / 2)?,
            // The targets of all plays, then the derivatives.
            plays: if_policy(2 * MAX_PLAYS)?,
            value_losses: gpu.buffer(rows)?,
            // The policy loss and the entropy of each row.
            policy_losses: if_policy(2 * rows)?,
            // Value loss, policy loss and entropy; the fourth word of each update is not used.
            sums: gpu.buffer(4 * updates)?,
        })
    }
}

impl Trainer {
    /// A trainer of `net`, whose layout has `parameters` parameters, with minibatches of `batch` positions.
    /// At most `updates` updates have metrics at the same time. [`Trainer::set_weights`] and
    /// [`Trainer::load_adam`] must follow.
    pub fn new(
        gpu: &Gpu,
        net: &ResNet,
        parameters: usize,
        batch: usize,
        updates: usize,
    ) -> Result<Self, GpuError> {
        let rows = batch.clamp(1, MAX_ROWS);
        let heads = net.heads().len();
        // The value head is the last one. A policy head stands before it, at index 0.
        let (value_head, has_policy) = (heads - 1, heads > 1);
        let (weights, grads) = (gpu.buffer(parameters)?, gpu.buffer(parameters)?);
        let tape = Tape::for_training(gpu, net, rows)?;
        let gradient_tape = GradientTape::new(gpu, net, rows)?;
        let inputs = LossBuffers::new(gpu, rows, updates, has_policy)?;
        let dense_layers = [&net.entry().dense].into_iter();
        let dense_layers = dense_layers
            .chain(net.blocks().iter().flat_map(|block| [&block.first.dense, &block.second.dense]))
            .chain(net.heads().iter().flat_map(|head| head.layers().map(|(dense, _)| dense)));
        let scratch = gpu.buffer(scratch_words(dense_layers, rows))?;
        let pass = Pass { rows, weights: &weights };
        let gradients = Gradients { rows, grads: &grads, scratch: &scratch };

        let mut clear = PlanBuilder::with_sources(gpu, SOURCES);
        clear.clear(&grads, &scratch);
        let mut gradient = PlanBuilder::with_sources(gpu, SOURCES);
        trunk(&mut gradient, net, pass, &tape);
        for index in 0..heads {
            head(&mut gradient, net, pass, &tape, index);
        }
        append_losses(&mut gradient, &inputs, &tape, &gradient_tape, value_head, rows);
        backward(&mut gradient, net, pass, gradients, &tape, &gradient_tape);
        // All parameters are one group, whose weight decay each update sets.
        let adam = Adam::new(gpu, &[(0..parameters, 0.0)])?;
        let (update, metrics) = (gpu.buffer(update::WORDS)?, gpu.buffer(2 * updates)?);
        let mut step = PlanBuilder::with_sources(gpu, SOURCES);
        let buffers = StepBuffers { update: &update, weights: &weights, grads: &grads, metrics: &metrics };
        adam.append_step(&mut step, buffers)?;
        Ok(Self {
            gpu: gpu.clone(),
            clear: clear.build()?,
            gradient: gradient.build()?,
            step: step.build()?,
            weights,
            adam,
            tape,
            rows,
            has_policy,
            inputs,
            update,
            metrics,
        })
    }

    /// The number of parameters.
    pub fn parameters(&self) -> usize {
        self.weights.words()
    }

    /// Writes the parameters.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.weights, 0, weights);
    }

    /// Writes the state of the optimiser.
    pub fn load_adam(&self, tensors: &Tensors) -> Result<(), TensorError> {
        self.adam.load(tensors)
    }

    /// Sets the metrics of all updates to zero.
    pub fn clear_metrics(&self) {
        for buffer in [&self.inputs.sums, &self.metrics] {
            self.gpu.write(buffer, 0, &vec![0u32; buffer.words()]);
        }
    }

    /// Submits an update.
    pub fn submit(&self, minibatch: &Minibatch, options: UpdateOptions) {
        self.clear.submit_all();
        let (mut row, mut play) = (0, 0);
        while row < minibatch.positions.len() {
            let part = Part::new(minibatch, row, play, self.rows, self.has_policy);
            part.write(&self.gpu, self, minibatch, options);
            self.gradient.submit_all();
            (row, play) = (part.end, part.end_play);
        }
        let update = Update {
            slot: options.slot as u32,
            learning_rate: options.learning_rate,
            max_norm: options.max_norm,
            // As on the CPU, see `learnery_nn::AdamOptions`.
            betas: (0.9, 0.999),
            epsilon: 1e-8,
            ..Update::default()
        };
        update.write(&self.gpu, &self.update, 0, Precision::F32);
        self.adam.set_decay(0, options.weight_decay);
        self.step.submit_all();
    }

    /// Begins to read the metrics of the first `updates` updates.
    pub fn read_metrics(&self, updates: usize) -> MetricsReadBack {
        MetricsReadBack {
            sums: self.gpu.read_back(&self.inputs.sums, 0, 4 * updates),
            norms: self.gpu.read_back(&self.metrics, 0, 2 * updates),
        }
    }

    /// Begins to read the parameters.
    pub fn read_weights(&self) -> ReadBack {
        self.gpu.read_back(&self.weights, 0, self.weights.words())
    }

    /// Begins to read the state of the optimiser.
    pub fn read_adam(&self) -> AdamReadBack {
        self.adam.read_back()
    }
}

/// Appends the losses and the gradients at the outputs of the heads.
fn append_losses(
    plan: &mut PlanBuilder,
    inputs: &LossBuffers,
    tape: &Tape,
    gradient_tape: &GradientTape,
    value_head: usize,
    rows: usize,
) {
    let LossBuffers { minibatch, targets, value_losses, policy_losses, sums, .. } = inputs;
    let buffers = [
        minibatch,
        &tape.heads[value_head].outputs,
        targets,
        &gradient_tape.outputs[value_head],
        value_losses,
    ];
    let groups = rows.div_ceil(OUTCOME_LOSS_THREADS);
    plan.dispatch("outcome_loss", &[], &[rows.into()], &buffers, [groups, 1, 1], NEGLIGIBLE_COST);
    let has_policy = value_head > 0;
    if has_policy {
        let LossBuffers { first_play, entries, plays, .. } = inputs;
        let (tables, gradient) = (&tape.heads[0].outputs, &gradient_tape.outputs[0]);
        let width = tables.words() / rows;
        let buffers = [minibatch, tables, first_play, entries, plays, gradient, policy_losses];
        // About 32 operations for each entry of the table.
        let cost = product([32, rows, width]);
        plan.dispatch("policy_loss", &[], &[width.into(), MAX_PLAYS.into()], &buffers, [rows, 1, 1], cost);
    }
    let mut buffers = vec![minibatch, value_losses, sums];
    if has_policy {
        buffers.push(policy_losses);
    }
    let constants = [("POLICY", has_policy.into())];
    plan.dispatch("loss_sums", &constants, &[rows.into()], &buffers, [1, 1, 1], NEGLIGIBLE_COST);
}

/// A part of a minibatch that one pass learns from.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: usize,
    end: usize,
    first_play: usize,
    end_play: usize,
}

impl Part {
    /// The part from row `first` and play `first_play` on: as many rows as fit.
    fn new(minibatch: &Minibatch, first: usize, first_play: usize, rows: usize, has_policy: bool) -> Self {
        let mut end = minibatch.positions.len().min(first + rows);
        let mut end_play = first_play;
        if has_policy {
            let plays = &minibatch.policies.plays[first..end];
            for (row, plays) in (first..).zip(plays) {
                if end_play + *plays as usize > first_play + MAX_PLAYS {
                    assert!(row > first, "a turn has fewer than {MAX_PLAYS} plays");
                    end = row;
                    break;
                }
                end_play += *plays as usize;
            }
        }
        Self { first, end, first_play, end_play }
    }

    /// Writes what a pass reads.
    fn write(&self, gpu: &Gpu, trainer: &Trainer, minibatch: &Minibatch, options: UpdateOptions) {
        let LossBuffers { minibatch: numbers, targets, first_play, entries, plays, .. } = &trainer.inputs;
        let rows = self.first..self.end;
        let scale = 1.0 / minibatch.positions.len() as f32;
        let words: [u32; MINIBATCH_WORDS] = [
            rows.len() as u32,
            options.slot as u32,
            (scale * options.value_weight).to_bits(),
            scale.to_bits(),
        ];
        gpu.write(numbers, 0, &words);
        gpu.write(&trainer.tape.positions, 0, minibatch.positions[rows.clone()].as_flattened());
        gpu.write(targets, 0, minibatch.outcomes[rows.clone()].as_flattened());
        if !trainer.has_policy {
            return;
        }
        let policies = &minibatch.policies;
        let mut first_plays = vec![0u32];
        for count in &policies.plays[rows] {
            first_plays.push(first_plays[first_plays.len() - 1] + count);
        }
        gpu.write(first_play, 0, &first_plays);
        let range = self.first_play..self.end_play;
        gpu.write(entries, 0, policies.entries[range.clone()].as_flattened());
        gpu.write(plays, 0, &policies.probabilities[range]);
    }
}

/// A pending read-back of metrics.
#[derive(Debug)]
pub struct MetricsReadBack {
    sums: ReadBack,
    norms: ReadBack,
}

impl MetricsReadBack {
    /// The metrics of each update, once they have arrived.
    pub fn poll(&self) -> Result<Option<Vec<UpdateMetrics>>, GpuError> {
        let (Some(sums), Some(norms)) = (self.sums.poll::<[f32; 4]>()?, self.norms.poll::<[f32; 2]>()?)
        else {
            return Ok(None);
        };
        let metrics =
            // The fourth word of the sums is not used. Nor is the first word of a norm: a place for the loss.
            sums.iter().zip(&norms).map(|([value_loss, policy_loss, entropy, _], [_, norm])| UpdateMetrics {
                value_loss: *value_loss,
                policy_loss: *policy_loss,
                entropy: *entropy,
                gradient_norm: *norm,
            });
        Ok(Some(metrics.collect()))
    }
}
