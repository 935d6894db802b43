//! Updates of a network on the device, each from its random walks to the optimiser's step. Only the numbers
//! of the update go up; metrics and parameters come back when they are asked for.

use learnery_kernels::product;
use learnery_nn::{OneHotMlp, TensorError, Tensors};

use super::learning::{Learning, Method, NEIGHBOURS_PER_SAMPLE, NeighbourPredictions, Samples, Setup};
use super::network::{PuzzleTable, Tape, forward, widest};
use super::rules::STATE_WORDS;
use super::sampling::SamplingParameters;
use super::value_iteration::{ValueIterationBuffers, ValueIterationReadBack, ValueIterationState};
use super::{SAMPLE_OPERATIONS, WORKGROUP_SIZE, inference_rows};
use crate::gpu::SOURCES;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::layers::Pass;
use learnery_gpu::update::Update;
use learnery_gpu::{Buffer, ReadBack};
use learnery_gpu::{Plan, PlanBuilder, Progress};

/// A network with its optimiser on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    samples: Samples,
    learning: Learning,
    teacher: Option<Teacher>,
    value_iteration: Option<ValueIterationBuffers>,
    plan: Plan,
    /// The index of the next dispatch of the plan; its length if no update is being submitted.
    next: usize,
}

/// The network that gives targets.
#[derive(Debug)]
struct Teacher {
    weights: Buffer,
    /// The neighbours of the samples, and its predictions for them.
    neighbours: Buffer,
    predictions: Buffer,
}

impl Trainer {
    /// A trainer of a network. [`Trainer::set_weights`] and [`Trainer::load_adam`] must follow; with a
    /// teacher also [`Trainer::set_teacher`], with value iteration [`Trainer::load_value_iteration`].
    pub fn new(gpu: &Gpu, setup: &Setup) -> Result<Self, GpuError> {
        let Setup { rules, method, batch, .. } = *setup;
        let samples = Samples::new(gpu, rules, batch)?;
        let learning = Learning::new(gpu, setup)?;
        let value_iteration = match method {
            Method::ValueIteration { .. } => Some(ValueIterationBuffers::new(gpu, batch)?),
            _ => None,
        };
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let walks = [&samples.table, &samples.sampling, &samples.states, &samples.labels];
        let (workgroups, cost) =
            ([batch.div_ceil(WORKGROUP_SIZE), 1, 1], product([SAMPLE_OPERATIONS, batch]));
        plan.dispatch("walks", &rules.constants(), &[batch.into()], &walks, workgroups, cost);
        let teacher = match setup.teacher {
            Some((net, parameters)) => {
                let weights = gpu.buffer(parameters)?;
                if let (Some(value_iteration), Method::ValueIteration { residual_count }) =
                    (&value_iteration, method)
                {
                    // The device copies the weights to the target network when that is due. Then states with
                    // large residuals replace the first samples of the walks. Targets are computed after
                    // both.
                    value_iteration.append_copy(&mut plan, &samples.sampling, &learning.weights, &weights);
                    value_iteration.append_draw(
                        &mut plan,
                        &samples.sampling,
                        &samples.states,
                        residual_count,
                    );
                }
                Some(append_teacher(&mut plan, setup, net, weights, &samples)?)
            }
            None => None,
        };
        let predictions = teacher
            .as_ref()
            .map(|Teacher { predictions, neighbours, .. }| NeighbourPredictions { predictions, neighbours });
        learning.append_update(&mut plan, setup, &samples, predictions, value_iteration.as_ref())?;
        let plan = plan.build()?;
        Ok(Self { gpu: gpu.clone(), samples, learning, teacher, value_iteration, next: plan.len(), plan })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes the parameters.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.learning.weights, 0, weights);
    }

    /// Writes the parameters of the network that gives targets.
    ///
    /// # Panics
    /// If the method has no such network.
    pub fn set_teacher(&self, weights: &[f32]) {
        self.gpu.write(&self.teacher.as_ref().expect("a teacher").weights, 0, weights);
    }

    /// Writes the state of the optimiser.
    pub fn load_adam(&self, tensors: &Tensors) -> Result<(), TensorError> {
        self.learning.adam.load(tensors)
    }

    /// Writes the state of value iteration.
    ///
    /// # Panics
    /// If the method is another.
    pub fn load_value_iteration(&self, state: &ValueIterationState) {
        self.value_iteration.as_ref().expect("value iteration").load(state);
    }

    /// Begins an update. [`Trainer::advance`] submits it.
    ///
    /// # Panics
    /// If the update before is not submitted.
    pub fn begin(&mut self, sampling: &SamplingParameters, update: &Update) {
        assert_eq!(self.next, self.plan.len(), "the update before is not submitted");
        sampling.write(&self.gpu, &self.samples.sampling);
        self.learning.write_update(&self.gpu, update);
        self.next = 0;
    }

    /// Submits the next part of the update unless the device is busy.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        if self.next == self.plan.len() {
            return Ok(Progress::Finished);
        }
        if self.gpu.is_busy()? {
            return Ok(Progress::Waiting);
        }
        self.next = self.plan.submit(self.next, self.gpu.slice_cost());
        Ok(if self.next == self.plan.len() { Progress::Finished } else { Progress::Submitted })
    }

    /// Begins to read the metrics of the first `updates` updates: for each the mean loss and the norm of the
    /// gradient.
    pub fn read_metrics(&self, updates: usize) -> ReadBack {
        self.gpu.read_back(&self.learning.metrics, 0, 2 * updates)
    }

    /// Begins to read the parameters.
    pub fn read_weights(&self) -> ReadBack {
        self.gpu.read_back(&self.learning.weights, 0, self.learning.weights.words())
    }

    /// Begins to read the parameters of the network that gives targets, if there is one.
    pub fn read_teacher(&self) -> Option<ReadBack> {
        let weights = &self.teacher.as_ref()?.weights;
        Some(self.gpu.read_back(weights, 0, weights.words()))
    }

    /// Begins to read the state of the optimiser.
    pub fn read_adam(&self) -> AdamReadBack {
        self.learning.adam.read_back()
    }

    /// Begins to read the state of value iteration, if that is the method.
    pub fn read_value_iteration(&self) -> Option<ValueIterationReadBack> {
        self.value_iteration.as_ref().map(ValueIterationBuffers::read_back)
    }

    /// The times of the kernels of an update.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<Vec<learnery_gpu::KernelTime>, GpuError> {
        self.plan.profile()
    }

    /// The minibatch of the last update, for tests: packed states, and the labels of each sample (last turn,
    /// length, next turn, first neighbour).
    #[cfg(not(target_family = "wasm"))]
    pub fn read_samples(&self) -> Result<[Vec<u32>; 2], GpuError> {
        let Samples { states, labels, .. } = &self.samples;
        Ok([self.gpu.read(states, 0, states.words())?, self.gpu.read(labels, 0, labels.words())?])
    }

    /// The gradient of the last update, for tests.
    #[cfg(not(target_family = "wasm"))]
    pub fn read_gradient(&self) -> Result<Vec<f32>, GpuError> {
        self.gpu.read(&self.learning.grads, 0, self.learning.grads.words())
    }
}

/// Appends the predictions of the network that gives targets, for the neighbours of all samples.
fn append_teacher(
    plan: &mut PlanBuilder,
    setup: &Setup,
    net: &OneHotMlp,
    weights: Buffer,
    samples: &Samples,
) -> Result<Teacher, GpuError> {
    let Setup { rules, method, batch, .. } = *setup;
    let gpu = plan.gpu().clone();
    let per_sample = if method == Method::Distillation { NEIGHBOURS_PER_SAMPLE } else { rules.turns() };
    let count = batch * per_sample;
    let (neighbours, predictions) = (gpu.buffer(STATE_WORDS * count)?, gpu.buffer(count)?);
    let [places, turns] = rules.constants();
    let constants = [places, turns, ("NEIGHBOURS", per_sample as u32)];
    let mut buffers = vec![&samples.table, &samples.states, &neighbours];
    // If only some of the neighbours are needed, the labels say with which turn they begin.
    if per_sample < rules.turns() {
        buffers.push(&samples.labels);
    }
    plan.dispatch_elements("neighbours", &constants, &[count.into()], &buffers, count, WORKGROUP_SIZE);
    let rows = inference_rows(count, widest(net));
    let tape = Tape::for_inference(&gpu, net, rows)?;
    let table = PuzzleTable { rules, words: &samples.table };
    for first in (0..count).step_by(rows) {
        let pass = Pass { rows: rows.min(count - first), weights: &weights };
        forward(plan, net, table, pass, [&neighbours, &predictions], [first, first], &tape);
    }
    Ok(Teacher { weights, neighbours, predictions })
}
