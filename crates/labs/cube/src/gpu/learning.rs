//! What every learner of a puzzle does with a minibatch: forward pass, losses, backward pass and the
//! optimiser's step.

use learnery_kernels::product;
use learnery_nn::{OneHotMlp, Precision};

use super::network::{GradientTape, PuzzleTable, Tape, backward, backward_scratch, forward};
use super::rules::{Rules, STATE_WORDS};
use super::value_iteration::ValueIterationBuffers;
use super::{DistanceScale, WORKGROUP_SIZE};
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::PlanBuilder;
use learnery_gpu::adam::{Adam, StepBuffers};
use learnery_gpu::layers::{Gradients, Pass};
use learnery_gpu::update::{self, Update};

/// The most rows of a pass with gradients. A larger minibatch takes several, whose gradients are added.
const MAX_ROWS: usize = 4096;

/// A rough cost of the loss of one output, in floating-point operations.
const OUTPUT_OPERATIONS: usize = 64;

/// Neighbours of each sample that a network in distillation learns from, as many as on the CPU
/// (large/learner.rs).
pub const NEIGHBOURS_PER_SAMPLE: usize = 4;

/// What a network learns from the samples, which are the states of random walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Random-walk regression: how long the walk was.
    WalkLength,
    /// Value iteration: one more than the least prediction of the target network for a neighbour.
    /// `residual_count` samples are drawn by residual instead of from walks.
    ValueIteration { residual_count: usize },
    /// EfficientCube: the turn that undoes the last one.
    LastTurn,
    /// The predictions of a teacher for some neighbours.
    Distillation,
    /// How long the walk was one turn before, and one turn after.
    WalkSteps,
    /// Value iteration with a table of target values.
    TableTargets,
}

impl Method {
    /// The constant METHOD of the kernel `puzzle_loss`.
    fn number(self) -> u32 {
        match self {
            Self::WalkLength => 0,
            Self::ValueIteration { .. } => 1,
            Self::LastTurn => 2,
            Self::Distillation => 3,
            Self::WalkSteps => 4,
            Self::TableTargets => 5,
        }
    }
}

/// What fixes the plan of an update.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    pub rules: &'a Rules,
    pub net: &'a OneHotMlp,
    /// The number of parameters of the network.
    pub parameters: usize,
    /// The network that gives targets, with the number of its parameters: the teacher of distillation, or the
    /// target network of value iteration.
    pub teacher: Option<(&'a OneHotMlp, usize)>,
    pub method: Method,
    /// Samples of a minibatch.
    pub batch: usize,
    pub scale: DistanceScale,
    /// Whether distances below zero are reported as zero.
    pub clamps_distances: bool,
    /// The most updates whose metrics are on the device at the same time.
    pub updates: usize,
}

/// A minibatch.
#[derive(Debug)]
pub struct Samples {
    /// The puzzle's table, see [`Rules`].
    pub table: Buffer,
    /// See [`super::SamplingParameters`].
    pub sampling: Buffer,
    /// The packed states. Shape: `[samples]`.
    pub states: Buffer,
    /// What the losses compare outputs with, four words for each sample, see `wgsl/walks.wgsl` and
    /// `wgsl/scrambles.wgsl`.
    pub labels: Buffer,
    /// The loss of each sample. Shape: `[samples]`.
    pub losses: Buffer,
}

impl Samples {
    pub fn new(gpu: &Gpu, rules: &Rules, batch: usize) -> Result<Self, GpuError> {
        Ok(Self {
            table: rules.upload(gpu)?,
            sampling: gpu.buffer(super::sampling::SAMPLING_WORDS)?,
            states: gpu.buffer(STATE_WORDS * batch)?,
            labels: gpu.buffer(4 * batch)?,
            losses: gpu.buffer(batch)?,
        })
    }
}

/// The neighbours of samples (the states one turn away), and the predictions of another network for them, see
/// [`Setup::teacher`].
#[derive(Clone, Copy, Debug)]
pub struct NeighbourPredictions<'a> {
    pub predictions: &'a Buffer,
    pub neighbours: &'a Buffer,
}

/// A network with its optimiser.
#[derive(Debug)]
pub struct Learning {
    pub weights: Buffer,
    pub grads: Buffer,
    pub adam: Adam,
    /// The mean loss and the norm of the gradient of each update. Shape: `[updates, 2]`.
    pub metrics: Buffer,
    /// The numbers of the current update, see [`Update`].
    update: Buffer,
}

impl Learning {
    pub fn new(gpu: &Gpu, setup: &Setup) -> Result<Self, GpuError> {
        let parameters = setup.parameters;
        Ok(Self {
            weights: gpu.buffer(parameters)?,
            grads: gpu.buffer(parameters)?,
            adam: Adam::new(gpu, &[(0..parameters, 0.0)])?,
            metrics: gpu.buffer(2 * setup.updates)?,
            update: gpu.buffer(update::WORDS)?,
        })
    }

    /// Writes the numbers of the next update.
    pub fn write_update(&self, gpu: &Gpu, update: &Update) {
        update.write(gpu, &self.update, 0, Precision::F32);
    }

    /// Appends an update from the samples of a minibatch. Value iteration needs its buffers and, like
    /// distillation, the predictions of another network.
    pub fn append_update(
        &self,
        plan: &mut PlanBuilder,
        setup: &Setup,
        samples: &Samples,
        predictions: Option<NeighbourPredictions>,
        value_iteration: Option<&ValueIterationBuffers>,
    ) -> Result<(), GpuError> {
        let Self { weights, grads, adam, metrics, update } = self;
        let Setup { rules, net, batch, .. } = *setup;
        let gpu = plan.gpu().clone();
        let rows = batch.min(MAX_ROWS);
        let scratch = gpu.buffer(backward_scratch(net, rows))?;
        plan.clear(grads, &scratch);
        let tape = Tape::for_training(&gpu, net, rows)?;
        let (outputs, d) = (gpu.buffer(rows * net.outputs())?, GradientTape::new(&gpu, net, rows)?);
        let table = PuzzleTable { rules, words: &samples.table };
        for first in (0..batch).step_by(rows) {
            let rows = rows.min(batch - first);
            let pass = Pass { rows, weights };
            let gradients = Gradients { rows, grads, scratch: &scratch };
            forward(plan, net, table, pass, [&samples.states, &outputs], [first, 0], &tape);
            append_loss(plan, setup, samples, predictions, [&outputs, &d.outputs], first, rows);
            backward(plan, net, table, pass, gradients, (&samples.states, first), &tape, &d);
        }
        if let Some(value_iteration) = value_iteration {
            value_iteration.append_store(plan, &samples.states, &samples.losses, batch);
        }
        let mut buffers = vec![update, &samples.losses, metrics];
        buffers.extend(value_iteration.map(|value_iteration| &value_iteration.progress));
        let constants = [("VALUE_ITERATION", value_iteration.is_some().into()), ValueIterationBuffers::KEPT];
        plan.dispatch("update_loss", &constants, &[batch.into()], &buffers, [1, 1, 1], 1.0);
        adam.append_step(plan, StepBuffers { update, weights, grads, metrics })
    }
}

/// Appends the losses of the samples from number `first` on, and the gradients at their outputs.
fn append_loss(
    plan: &mut PlanBuilder,
    setup: &Setup,
    samples: &Samples,
    predictions: Option<NeighbourPredictions>,
    [outputs, gradient]: [&Buffer; 2],
    first: usize,
    rows: usize,
) {
    let Setup { rules, net, method, batch, scale, .. } = *setup;
    let [places, turns] = rules.constants();
    let constants = [
        places,
        turns,
        ("OUTPUTS", net.outputs() as u32),
        ("NEIGHBOURS", NEIGHBOURS_PER_SAMPLE as u32),
        ("METHOD", method.number()),
        ("CLAMPED", setup.clamps_distances.into()),
    ];
    // The loss is a mean over the whole minibatch, of which this pass has a part.
    let share = 1.0 / batch as f32;
    let parameters = [rows.into(), first.into(), share.into(), scale.mean.into(), scale.deviation.into()];
    let Samples { table, states, labels, losses, .. } = samples;
    let mut buffers = vec![table, states, labels, outputs, gradient, losses];
    match (method, predictions) {
        (Method::ValueIteration { .. }, Some(NeighbourPredictions { predictions, neighbours })) => {
            buffers.extend([predictions, neighbours]);
        }
        (Method::Distillation, Some(NeighbourPredictions { predictions, .. })) => buffers.push(predictions),
        // The other methods need no predictions of another network.
        _ => {}
    }
    let cost = product([OUTPUT_OPERATIONS, rows, net.outputs()]);
    plan.dispatch(
        "puzzle_loss",
        &constants,
        &parameters,
        &buffers,
        [rows.div_ceil(WORKGROUP_SIZE), 1, 1],
        cost,
    );
}
