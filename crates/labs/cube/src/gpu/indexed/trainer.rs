//! Updates on the device of a network that learns a puzzle whose states have an index, each from its
//! scrambles to the optimiser's step, and refreshes of the table of target values.

use learnery_kernels::product;
use learnery_nn::{TensorError, Tensors};

use super::{Indexed, state_words};
use crate::gpu::learning::{Learning, Method, Samples, Setup};
use crate::gpu::network::{PuzzleTable, Tape, forward, widest};
use crate::gpu::sampling::SamplingParameters;
use crate::gpu::value_iteration::{VALUES_PER_BLOCK, append_prefix_sums};
use crate::gpu::{SAMPLE_OPERATIONS, SOURCES, WORKGROUP_SIZE, inference_rows};
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::layers::Pass;
use learnery_gpu::update::Update;
use learnery_gpu::{Buffer, ReadBack};
use learnery_gpu::{Plan, PlanBuilder, Progress};

/// A network with its optimiser on the device, and with value iteration the table of target values.
#[derive(Debug)]
pub struct IndexedTrainer {
    gpu: Gpu,
    samples: Samples,
    learning: Learning,
    update: Plan,
    table: Option<ValueTable>,
    /// The plan that is being submitted; `None` if there is none.
    current: Option<Submission>,
}

/// A plan that is being submitted in parts.
#[derive(Clone, Copy, Debug)]
struct Submission {
    /// Whether the plan is a refresh of the table; otherwise it is an update.
    is_refresh: bool,
    /// The index of the next dispatch.
    next: usize,
}

/// The target value of each node.
#[derive(Debug)]
struct ValueTable {
    values: Buffer,
    /// Estimates the values of all nodes with the present weights of the network, then computes the
    /// residuals.
    refresh: Plan,
    /// Computes the residuals of given values; `None` if no samples are drawn by residual.
    residuals: Option<Plan>,
}

/// The buffers of sampling by residual.
#[derive(Debug)]
struct Residuals {
    squares: Buffer,
    /// Prefix sums, see `wgsl/prefix_sums.wgsl`.
    running: Buffer,
    blocks: Buffer,
}

impl IndexedTrainer {
    /// A trainer of a network. With [`Method::TableTargets`], `residual_count` samples of each minibatch are
    /// drawn by residual. [`IndexedTrainer::set_weights`] and [`IndexedTrainer::load_adam`] must follow, with
    /// a table also [`IndexedTrainer::set_values`].
    pub fn new(gpu: &Gpu, setup: &Setup, puzzle: &Indexed, residual_count: usize) -> Result<Self, GpuError> {
        let Setup { rules, batch, method, .. } = *setup;
        let tables = puzzle.upload(gpu)?;
        let nodes = puzzle.nodes();
        let samples = Samples::new(gpu, rules, batch)?;
        let learning = Learning::new(gpu, setup)?;
        let sample_nodes = gpu.buffer(batch)?;
        let mut update = PlanBuilder::with_sources(gpu, SOURCES);
        let [places, _] = rules.constants();
        let with_places = [&puzzle.constants()[..], &[places]].concat();
        let Samples { table: words, sampling, states, labels, .. } = &samples;
        let buffers = [words, &tables, sampling, &sample_nodes, states, labels];
        let (workgroups, cost) =
            ([batch.div_ceil(WORKGROUP_SIZE), 1, 1], product([SAMPLE_OPERATIONS, batch]));
        update.dispatch("scrambles", &with_places, &[batch.into()], &buffers, workgroups, cost);
        let mut table = None;
        if method == Method::TableTargets {
            let values = gpu.buffer(nodes)?;
            let residuals = match residual_count {
                0 => None,
                _ => Some(Residuals {
                    squares: gpu.buffer(nodes)?,
                    running: gpu.buffer(nodes)?,
                    blocks: gpu.buffer(nodes.div_ceil(VALUES_PER_BLOCK) + 1)?,
                }),
            };
            if let Some(Residuals { running, blocks, .. }) = &residuals {
                let constants = [&puzzle.constants()[..], &[("BLOCK", VALUES_PER_BLOCK as u32)]].concat();
                let buffers = [&tables, sampling, running, blocks, &sample_nodes, states];
                let workgroups = [residual_count.div_ceil(WORKGROUP_SIZE), 1, 1];
                update.dispatch(
                    "node_draw",
                    &constants,
                    &[residual_count.into()],
                    &buffers,
                    workgroups,
                    cost,
                );
            }
            let buffers = [&tables, &values, &sample_nodes, labels];
            update.dispatch("node_targets", &puzzle.constants(), &[batch.into()], &buffers, workgroups, cost);
            let mut refresh = PlanBuilder::with_sources(gpu, SOURCES);
            append_values(&mut refresh, setup, puzzle, [words, &tables, &learning.weights, &values])?;
            let mut only_residuals = PlanBuilder::with_sources(gpu, SOURCES);
            for plan in [&mut refresh, &mut only_residuals] {
                residuals.iter().for_each(|residuals| residuals.append(plan, puzzle, [&tables, &values]));
            }
            let residuals = residuals.is_some().then(|| only_residuals.build()).transpose()?;
            table = Some(ValueTable { values, refresh: refresh.build()?, residuals });
        }
        learning.append_update(&mut update, setup, &samples, None, None)?;
        Ok(Self { gpu: gpu.clone(), update: update.build()?, samples, learning, table, current: None })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes the parameters.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.learning.weights, 0, weights);
    }

    /// Writes the state of the optimiser.
    pub fn load_adam(&self, tensors: &Tensors) -> Result<(), TensorError> {
        self.learning.adam.load(tensors)
    }

    /// Writes the target value of each node.
    ///
    /// # Panics
    /// If the method has no table of target values.
    pub fn set_values(&self, values: &[f32]) {
        let table = self.table.as_ref().expect("a table of target values");
        self.gpu.write(&table.values, 0, values);
        // There is at most one plan of residuals.
        table.residuals.iter().for_each(Plan::submit_all);
    }

    /// Begins an update. [`IndexedTrainer::advance`] submits it.
    pub fn begin_update(&mut self, sampling: &SamplingParameters, update: &Update) {
        assert!(self.current.is_none(), "the plan before is not submitted");
        sampling.write(&self.gpu, &self.samples.sampling);
        self.learning.write_update(&self.gpu, update);
        self.current = Some(Submission { is_refresh: false, next: 0 });
    }

    /// Begins to refresh the target values with the present weights of the network.
    /// [`IndexedTrainer::advance`] submits the refresh.
    pub fn begin_refresh(&mut self) {
        assert!(self.current.is_none(), "the plan before is not submitted");
        self.current = Some(Submission { is_refresh: true, next: 0 });
    }

    /// Submits the next part of the update or the refresh unless the device is busy.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        let Some(Submission { is_refresh, next }) = self.current else { return Ok(Progress::Finished) };
        if self.gpu.is_busy()? {
            return Ok(Progress::Waiting);
        }
        let plan = match &self.table {
            Some(table) if is_refresh => &table.refresh,
            _ => &self.update,
        };
        let next = plan.submit(next, self.gpu.slice_cost());
        let is_last = next == plan.len();
        self.current = (!is_last).then_some(Submission { is_refresh, next });
        Ok(if is_last { Progress::Finished } else { Progress::Submitted })
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

    /// Begins to read the state of the optimiser.
    pub fn read_adam(&self) -> AdamReadBack {
        self.learning.adam.read_back()
    }

    /// Begins to read the target values, if there are any.
    pub fn read_values(&self) -> Option<ReadBack> {
        let values = &self.table.as_ref()?.values;
        Some(self.gpu.read_back(values, 0, values.words()))
    }

    /// The minibatch of the last update, for tests: packed states, and the four words of labels of each
    /// sample (the last turn; the length, or with a table of target values the bits of the target; two unused
    /// words).
    #[cfg(not(target_family = "wasm"))]
    pub fn read_samples(&self) -> Result<[Vec<u32>; 2], GpuError> {
        let Samples { states, labels, .. } = &self.samples;
        Ok([self.gpu.read(states, 0, states.words())?, self.gpu.read(labels, 0, labels.words())?])
    }
}

impl Residuals {
    /// Appends the squared residuals of all nodes and their prefix sums.
    fn append(&self, plan: &mut PlanBuilder, puzzle: &Indexed, [tables, values]: [&Buffer; 2]) {
        let Self { squares, running, blocks } = self;
        let buffers = [tables, values, squares];
        plan.dispatch_elements(
            "node_residuals",
            &puzzle.constants(),
            &[],
            &buffers,
            puzzle.nodes(),
            WORKGROUP_SIZE,
        );
        append_prefix_sums(plan, [squares, running, blocks]);
    }
}

/// Appends the estimated distances of all nodes.
fn append_values(
    plan: &mut PlanBuilder,
    setup: &Setup,
    puzzle: &Indexed,
    [words, tables, weights, values]: [&Buffer; 4],
) -> Result<(), GpuError> {
    let Setup { rules, net, scale, .. } = *setup;
    let gpu = plan.gpu().clone();
    let nodes = puzzle.nodes();
    let rows = inference_rows(nodes, widest(net));
    let states = gpu.buffer(state_words(rows))?;
    let tape = Tape::for_inference(&gpu, net, rows)?;
    for first in (0..nodes).step_by(rows) {
        let rows = rows.min(nodes - first);
        let parameters = [rows.into(), first.into()];
        let workgroups = [rows.div_ceil(WORKGROUP_SIZE), 1, 1];
        let cost = product([SAMPLE_OPERATIONS, rows]);
        let constants = puzzle.constants();
        plan.dispatch("node_states", &constants, &parameters, &[tables, &states], workgroups, cost);
        let table = PuzzleTable { rules, words };
        forward(plan, net, table, Pass { rows, weights }, [&states, values], [0, first], &tape);
    }
    let parameters = [nodes.into(), scale.mean.into(), scale.deviation.into()];
    plan.dispatch_elements("node_values", &[], &parameters, &[values], nodes, WORKGROUP_SIZE);
    Ok(())
}
