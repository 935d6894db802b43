//! Updates of a network on the device, each from its random walks to the optimiser's step. Only the numbers of the update
//! go up; figures and parameters come back when they are asked for.

use learnery_nn::{OneHotMlp, Precision, TensorError, Tensors};

use super::drawing::{self, Drawing};
use super::focus::{Focus, FocusReadBack, FocusState};
use super::network::{GradientTape, PuzzleTable, Tape, backward, backward_scratch, forward, widest};
use super::rules::{Rules, STATE_WORDS};
use super::{DistanceScale, inference_rows};
use crate::GpuError;
use crate::adam::{Adam, AdamReadBack, StepBuffers};
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::layers::{Gradients, Pass};
use crate::plan::{Plan, PlanBuilder, Progress};
use crate::update::{self, Update};

/// The most rows of a pass with gradients. A larger minibatch takes several, whose gradients are added.
const MAX_ROWS: usize = 4096;

/// Neighbours of each sample that a network in distillation learns from.
const NEIGHBOURS: usize = 4;

/// The submissions under way at the same time.
const MAX_IN_FLIGHT: u32 = 2;

/// What a network learns from the samples, which are the states of random walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Random-walk regression: how long the walk was.
    WalkLength,
    /// Value iteration: one more than the least guess of the target network for a neighbour. So many samples are drawn by
    /// residual instead.
    ValueIteration { by_residual: usize },
    /// EfficientCube: the turn that undoes the last one.
    LastTurn,
    /// The guesses of a teacher for some neighbours.
    Distillation,
    /// How long the walk was one turn before, and one turn after.
    WalkSteps,
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
    /// The network that gives targets, with the number of its parameters: the teacher of distillation, or the target network of
    /// value iteration.
    pub teacher: Option<(&'a OneHotMlp, usize)>,
    pub method: Method,
    /// Samples of a minibatch.
    pub batch: usize,
    pub scale: DistanceScale,
    /// The most updates whose figures are on the device at the same time.
    pub updates: usize,
}

/// A network with its optimiser on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    samples: Samples,
    weights: Buffer,
    grads: Buffer,
    teacher: Option<Teacher>,
    focus: Option<Focus>,
    adam: Adam,
    update: Buffer,
    figures: Buffer,
    plan: Plan,
    /// The next dispatch of the plan.
    next: usize,
}

/// A minibatch.
#[derive(Debug)]
struct Samples {
    table: Buffer,
    drawing: Buffer,
    /// Shape: `[samples]`, packed.
    states: Buffer,
    /// See `wgsl/puzzle/walks.wgsl`.
    facts: Buffer,
    losses: Buffer,
}

/// The network that gives targets.
#[derive(Debug)]
struct Teacher {
    weights: Buffer,
    /// The neighbours that it guesses for, and the guesses.
    neighbours: Buffer,
    guesses: Buffer,
}

impl Trainer {
    /// A trainer of a network. [`Trainer::set_weights`] and [`Trainer::load_adam`] must follow; with a teacher also
    /// [`Trainer::set_teacher`], with value iteration [`Trainer::load_focus`].
    pub fn new(gpu: &Gpu, setup: &Setup) -> Result<Self, GpuError> {
        let Setup { rules, net, parameters, method, batch, updates, .. } = *setup;
        let samples = Samples {
            table: rules.upload(gpu)?,
            drawing: gpu.buffer(drawing::WORDS)?,
            states: gpu.buffer(STATE_WORDS * batch)?,
            facts: gpu.buffer(4 * batch)?,
            losses: gpu.buffer(batch)?,
        };
        let (weights, grads) = (gpu.buffer(parameters)?, gpu.buffer(parameters)?);
        let (update, figures) = (gpu.buffer(update::WORDS)?, gpu.buffer(2 * updates)?);
        let adam = Adam::new(gpu, &[(0..parameters, 0.0)])?;
        let focus = match method {
            Method::ValueIteration { .. } => Some(Focus::new(gpu, batch)?),
            _ => None,
        };

        let mut plan = PlanBuilder::new(gpu);
        let constants = rules.constants();
        let walks = [&samples.table, &samples.drawing, &samples.states, &samples.facts];
        let cost = (64 * batch) as f64;
        plan.dispatch("walks", &constants, &[batch.into()], &walks, [batch.div_ceil(64), 1, 1], cost);
        let teacher = match setup.teacher {
            Some((net, parameters)) => {
                let weights_of_teacher = gpu.buffer(parameters)?;
                if let (Some(focus), Method::ValueIteration { by_residual }) = (&focus, method) {
                    focus.append_copy(&mut plan, &samples.drawing, &weights, &weights_of_teacher);
                    focus.append_draw(&mut plan, &samples.drawing, &samples.states, by_residual);
                }
                Some(append_teacher(&mut plan, setup, net, weights_of_teacher, &samples)?)
            }
            None => None,
        };
        let rows = batch.min(MAX_ROWS);
        let scratch = gpu.buffer(backward_scratch(net, rows))?;
        plan.clear(&grads, &scratch);
        let tape = Tape::for_training(gpu, net, rows)?;
        let (outputs, d) = (gpu.buffer(rows * net.outputs())?, GradientTape::new(gpu, net, rows)?);
        let table = PuzzleTable { rules, words: &samples.table };
        for first in (0..batch).step_by(rows) {
            let rows = rows.min(batch - first);
            let pass = Pass { rows, weights: &weights };
            let gradients = Gradients { rows, grads: &grads, scratch: &scratch };
            forward(&mut plan, net, table, pass, [&samples.states, &outputs], [first, 0], &tape);
            append_loss(&mut plan, setup, &samples, teacher.as_ref(), [&outputs, &d.outputs], first, rows);
            backward(&mut plan, net, table, pass, gradients, (&samples.states, first), &tape, &d);
        }
        if let Some(focus) = &focus {
            focus.append_learn(&mut plan, &samples.states, &samples.losses, batch);
        }
        let mut buffers = vec![&update, &samples.losses, &figures];
        buffers.extend(focus.as_ref().map(|focus| &focus.progress));
        let constants = [("VALUE_ITERATION", focus.is_some().into()), Focus::KEPT];
        plan.dispatch("update_loss", &constants, &[batch.into()], &buffers, [1, 1, 1], 1.0);
        let buffers = StepBuffers { update: &update, weights: &weights, grads: &grads, figures: &figures };
        adam.append_step(&mut plan, buffers)?;
        let plan = plan.build()?;
        Ok(Self {
            gpu: gpu.clone(),
            samples,
            weights,
            grads,
            teacher,
            focus,
            adam,
            update,
            figures,
            next: plan.len(),
            plan,
        })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes the parameters.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.weights, 0, weights);
    }

    /// Writes the parameters of the network that gives targets.
    ///
    /// # Panics
    /// If there is none.
    pub fn set_teacher(&self, weights: &[f32]) {
        self.gpu.write(&self.teacher.as_ref().expect("a teacher").weights, 0, weights);
    }

    /// Writes the state of the optimiser.
    pub fn load_adam(&self, tensors: &Tensors) -> Result<(), TensorError> {
        self.adam.load(tensors)
    }

    /// Writes the states of value iteration.
    ///
    /// # Panics
    /// If the method is another.
    pub fn load_focus(&self, state: &FocusState) {
        self.focus.as_ref().expect("value iteration").load(state);
    }

    /// Begins an update. [`Trainer::advance`] submits it.
    ///
    /// # Panics
    /// If the update before is not submitted.
    pub fn begin(&mut self, drawing: &Drawing, update: &Update) {
        assert_eq!(self.next, self.plan.len(), "the update before is not submitted");
        drawing.write(&self.gpu, &self.samples.drawing);
        update.write(&self.gpu, &self.update, 0, Precision::F32);
        self.next = 0;
    }

    /// Submits the next part of the update unless the device is busy.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        if self.next == self.plan.len() {
            return Ok(Progress::Finished);
        }
        if self.gpu.in_flight()? >= MAX_IN_FLIGHT {
            return Ok(Progress::Waiting);
        }
        self.next = self.plan.submit(self.next, self.gpu.slice_cost());
        Ok(if self.next == self.plan.len() { Progress::Finished } else { Progress::Submitted })
    }

    /// Begins to read the figures of the first `updates` updates: for each the mean loss and the norm of the gradient.
    pub fn read_figures(&self, updates: usize) -> ReadBack {
        self.gpu.read_back(&self.figures, 0, 2 * updates)
    }

    /// Begins to read the parameters.
    pub fn read_weights(&self) -> ReadBack {
        self.gpu.read_back(&self.weights, 0, self.weights.words())
    }

    /// Begins to read the parameters of the network that gives targets, if there is one.
    pub fn read_teacher(&self) -> Option<ReadBack> {
        let weights = &self.teacher.as_ref()?.weights;
        Some(self.gpu.read_back(weights, 0, weights.words()))
    }

    /// Begins to read the state of the optimiser.
    pub fn read_adam(&self) -> AdamReadBack {
        self.adam.read_back()
    }

    /// Begins to read the states of value iteration, if that is the method.
    pub fn read_focus(&self) -> Option<FocusReadBack> {
        self.focus.as_ref().map(Focus::read_back)
    }

    /// The times of the kernels of an update.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<Vec<crate::KernelTime>, GpuError> {
        self.plan.profile()
    }

    /// The minibatch of the last update, for tests: packed states, and the facts of each sample (last turn, length, next turn,
    /// first neighbour).
    #[cfg(not(target_family = "wasm"))]
    pub fn read_samples(&self) -> Result<[Vec<u32>; 2], GpuError> {
        let Samples { states, facts, .. } = &self.samples;
        Ok([self.gpu.read(states, 0, states.words())?, self.gpu.read(facts, 0, facts.words())?])
    }

    /// The gradient of the last update, for tests.
    #[cfg(not(target_family = "wasm"))]
    pub fn read_gradient(&self) -> Result<Vec<f32>, GpuError> {
        self.gpu.read(&self.grads, 0, self.grads.words())
    }
}

/// Appends the guesses of the network that gives targets, for the neighbours of all samples.
fn append_teacher(
    plan: &mut PlanBuilder,
    setup: &Setup,
    net: &OneHotMlp,
    weights: Buffer,
    samples: &Samples,
) -> Result<Teacher, GpuError> {
    let Setup { rules, method, batch, .. } = *setup;
    let gpu = plan.gpu().clone();
    let per_sample = if method == Method::Distillation { NEIGHBOURS } else { rules.turns() };
    let count = batch * per_sample;
    let (neighbours, guesses) = (gpu.buffer(STATE_WORDS * count)?, gpu.buffer(count)?);
    let [places, turns] = rules.constants();
    let constants = [places, turns, ("NEIGHBOURS", per_sample as u32)];
    let mut buffers = vec![&samples.table, &samples.states, &neighbours];
    if per_sample < rules.turns() {
        buffers.push(&samples.facts);
    }
    plan.dispatch_elements("neighbours", &constants, &[count.into()], &buffers, count, 64);
    let rows = inference_rows(count, widest(net));
    let tape = Tape::for_inference(&gpu, net, rows)?;
    let table = PuzzleTable { rules, words: &samples.table };
    for first in (0..count).step_by(rows) {
        let pass = Pass { rows: rows.min(count - first), weights: &weights };
        forward(plan, net, table, pass, [&neighbours, &guesses], [first, first], &tape);
    }
    Ok(Teacher { weights, neighbours, guesses })
}

/// Appends the losses of the samples from number `first` on, and the gradients at their outputs.
fn append_loss(
    plan: &mut PlanBuilder,
    setup: &Setup,
    samples: &Samples,
    teacher: Option<&Teacher>,
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
        ("NEIGHBOURS", NEIGHBOURS as u32),
        ("METHOD", method.number()),
    ];
    let share = 1.0 / batch as f32;
    let parameters = [rows.into(), first.into(), share.into(), scale.mean.into(), scale.deviation.into()];
    let Samples { table, states, facts, losses, .. } = samples;
    let mut buffers = vec![table, states, facts, outputs, gradient, losses];
    match (method, teacher) {
        (Method::ValueIteration { .. }, Some(teacher)) => {
            buffers.extend([&teacher.guesses, &teacher.neighbours]);
        }
        (Method::Distillation, Some(teacher)) => buffers.push(&teacher.guesses),
        _ => {}
    }
    let cost = (64 * rows * net.outputs()) as f64;
    plan.dispatch("puzzle_loss", &constants, &parameters, &buffers, [rows.div_ceil(64), 1, 1], cost);
}
