//! The buffers of a learner, and the plans that collect a rollout and learn from it.

use std::sync::Arc;

use crate::collector::WORLDS_PER_CHUNK;
use crate::gpu::ppo::SOURCES;
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::shader::{Constant, Shader};
use learnery_gpu::{Kernel, Plan, PlanBuilder};
use learnery_kernels::product;

use super::layout::Layout;
use super::{OwnSizes, Shape, unit};

/// Words of `State` in `wgsl/ppo_state.wgsl`.
const STATE_WORDS: usize = 8;
/// The first words of `State`, which are set to zero when a unit (training iteration) begins.
pub(super) const RESET_STATE_WORDS: usize = 3;
/// The index of the word with the number of Adam's steps.
pub(super) const STEPS_WORD: usize = 3;

/// Worlds that a workgroup of the kernel `advantages` works on.
const WORLDS_PER_WORKGROUP: usize = 64;
/// Floats of the metrics of such a workgroup, without the sums over its observations.
const METRICS_PER_WORKGROUP: usize = 7;

/// Floats of the metrics of an update: the five terms of the loss, the gradient's norm, and two unused ones.
pub(super) const UPDATE_METRICS: usize = 8;

/// Floats of the statistics of rewards.
pub(super) const REWARD_STATISTICS: usize = 3;

/// The fewest tiles of a workgroup that computes gradients. A tile is the samples that it processes at a
/// time. Each workgroup sums the gradients of its tiles into a slot of its own, which is as large as the
/// networks; with more tiles in each there are fewer slots to add.
const MIN_TILES_PER_WORKGROUP: usize = 2;
/// The most workgroups that compute gradients. The number limits the memory of the slots, and is large enough
/// to occupy large devices.
const MAX_WORKGROUPS: usize = 512;

/// The most workgroups in the first dimension of a dispatch: a power of two that WebGPU allows (65,535).
const MAX_WORKGROUPS_PER_DIMENSION: usize = 1 << 15;

/// Numbers that a workgroup of `ppo_sum` adds.
const NUMBERS_PER_WORKGROUP: usize = 32;

/// Parameters that a workgroup of `ppo_adam` updates.
const PARAMETERS_PER_WORKGROUP: usize = 64;

// Rough costs in floating-point operations, by which a plan is cut into submissions.

/// A step of a world, without its networks.
pub(super) const STEP_OPERATIONS: f64 = 1500.0;
/// The advantage of a sample.
const ADVANTAGE_OPERATIONS: f64 = 50.0;
/// A sample's part in the statistics of an epoch, with its place in the shuffled order.
const STATISTICS_OPERATIONS: f64 = 100.0;
/// Adding one number of a slot.
const SUM_OPERATIONS: f64 = 4.0;
/// The kernel `ppo_update`, a single workgroup.
const UPDATE_OPERATIONS: f64 = 1e4;
/// A step of Adam for one parameter.
const ADAM_OPERATIONS: f64 = 50.0;
/// A forward and a backward pass, as multiples of a forward pass of one network: both networks, and a
/// backward pass costs two forward passes.
const TRAINING_PASSES: f64 = 6.0;

/// The kernels that step worlds: compiled from the generated text of a world of the user's own, otherwise
/// those of [`SOURCES`].
#[derive(Clone, Debug, Default)]
pub(super) struct WorldKernels {
    /// `own_rollout` and `own_evaluate`.
    generated: Option<[Arc<Kernel>; 2]>,
}

impl WorldKernels {
    pub fn new(gpu: &Gpu, shape: &Shape, layout: &Layout, rules: &str) -> Self {
        let own = layout.own.is_some();
        let kernel = |name, layout: &Layout| {
            let constants = layout.constants(shape);
            let shader = Shader::with_part(&SOURCES, name, &constants, ("world_rules", rules));
            gpu.generated_kernel(name, shader)
        };
        let kernels = || [kernel("own_rollout", layout), kernel("own_evaluate", &layout.with_small_tiles())];
        Self { generated: own.then(kernels) }
    }

    /// Waits until a GPU has compiled generated kernels. A software adapter compiles them when they are
    /// needed. A browser, which must not wait, compiles them in the background: there this fails with
    /// [`GpuError::Compiling`] until they are compiled.
    pub fn compile(&self, gpu: &Gpu) -> Result<(), GpuError> {
        let Some(kernels) = &self.generated else { return Ok(()) };
        if gpu.compiles_in_background().is_some() {
            kernels.iter().for_each(|kernel| kernel.begin_to_compile(gpu));
            return if gpu.compiles_in_background() == Some(true) {
                Err(GpuError::Compiling)
            } else {
                Ok(())
            };
        }
        #[cfg(not(target_family = "wasm"))]
        Kernel::compile_within(gpu, kernels, learnery_gpu::COMPILER_SECONDS)?;
        Ok(())
    }

    /// The kernel of a rollout.
    pub fn rollout(&self, plan: &PlanBuilder, constants: &[Constant]) -> Arc<Kernel> {
        let generated = self.generated.as_ref().map(|[kernel, _]| kernel.clone());
        generated.unwrap_or_else(|| plan.kernel("rollout", constants))
    }

    /// The kernel of an evaluation.
    pub fn evaluation(&self, plan: &PlanBuilder, constants: &[Constant]) -> Arc<Kernel> {
        let generated = self.generated.as_ref().map(|[_, kernel]| kernel.clone());
        generated.unwrap_or_else(|| plan.kernel("evaluate", constants))
    }
}

/// The buffers whose sizes follow from the shape.
#[derive(Debug)]
pub(super) struct Buffers {
    pub unit: Buffer,
    pub state: Buffer,
    /// The packed networks.
    pub net: Buffer,
    /// The parameters in the CPU's order, their gradient (and the terms of the loss after it), and Adam's
    /// moments.
    pub weights: Buffer,
    pub gradient: Buffer,
    pub moments: Buffer,
    /// The two places of each parameter in `net` (different for the weights of layer 2 only, which are stored
    /// transposed too).
    places: Buffer,
    /// Where the gradient of each parameter, and after them the terms of the loss, lie in slots.
    slot_places: Buffer,
    /// Sums of squares of the gradient, one for each workgroup of `ppo_sum`.
    squares: Buffer,
    /// The worlds, see `wgsl/rollout.wgsl`.
    pub states: Buffer,
    pub counters: Buffer,
    pub totals: Buffer,
    /// Floats of the totals of a world.
    pub totals_of_world: usize,
    /// Floats of the state of a world.
    pub state_floats: usize,
    /// Where the totals of a world of the user's own have the discounted return.
    pub discounted_place: Option<usize>,
    /// The parameters of a world of the user's own.
    pub parameters: Buffer,
    /// The factor of rewards, and what it is made of, see `wgsl/own_rewards.wgsl`.
    pub reward_statistics: Buffer,
    /// The faults of a unit, see `wgsl/own_faults.wgsl`.
    pub faults: Buffer,
    /// The rollout.
    pub observations: Buffer,
    pub steps: Buffer,
    pub values: Buffer,
    pub targets: Buffer,
    /// Metrics of groups of worlds.
    pub world_metrics: Buffer,
    /// Metrics of the updates of a unit, and the statistics of their advantages; their sizes follow from live
    /// settings.
    pub update_metrics: Buffer,
    statistics: Buffer,
}

impl Buffers {
    pub fn new(gpu: &Gpu, shape: &Shape, layout: &Layout) -> Result<Self, GpuError> {
        let Shape { worlds, horizon, .. } = *shape;
        let (places, slot_places) = (layout.places(), layout.slot_places());
        let parameters = places.len();
        let state_floats = shape.world.state_floats();
        // The totals of a world: the episode's return so far, the sum of the returns of finished episodes,
        // and for each component of the observations a sum and a sum of squares.
        let discounted_place = layout.own.map(|_| 2 + 2 * layout.inputs);
        // A world of the user's own has three more: the discounted return so far, and the mean and the sum of
        // squared deviations of such returns (see `wgsl/own_rollout.wgsl`).
        let totals_of_world = discounted_place.map_or(2 + 2 * layout.inputs, |place| place + 3);
        // Vectors in which a world of the user's own notes its faults, after its counters.
        let fault_vectors = layout.own.map_or(0, OwnSizes::fault_vectors);
        let rows = observation_rows(shape);
        let buffers = Self {
            unit: gpu.buffer(unit::WORDS)?,
            state: gpu.buffer(STATE_WORDS)?,
            net: gpu.buffer(layout.networks())?,
            weights: gpu.buffer(parameters)?,
            gradient: gpu.buffer(slot_places.len())?,
            moments: gpu.buffer(2 * parameters)?,
            places: gpu.buffer(2 * parameters)?,
            slot_places: gpu.buffer(slot_places.len())?,
            squares: gpu.buffer(slot_places.len().div_ceil(NUMBERS_PER_WORKGROUP))?,
            states: gpu.buffer(state_floats * worlds)?,
            state_floats,
            discounted_place,
            parameters: gpu.buffer(layout.own.map_or(0, |own| own.parameters))?,
            reward_statistics: gpu.buffer(REWARD_STATISTICS)?,
            faults: gpu.buffer(layout.own.map_or(0, |_| 1 + 4 * fault_vectors))?,
            counters: gpu.buffer(4 * worlds * (1 + fault_vectors))?,
            totals: gpu.buffer(totals_of_world * worlds)?,
            totals_of_world,
            observations: gpu.buffer(rows * layout.inputs)?,
            steps: gpu.buffer(4 * layout.step_vectors * worlds * horizon)?,
            values: gpu.buffer(rows)?,
            targets: gpu.buffer(4 * worlds * horizon)?,
            world_metrics: gpu
                .buffer(worlds.div_ceil(WORLDS_PER_WORKGROUP) * group_metrics(layout.inputs))?,
            // `learning_plans` allocates these two.
            update_metrics: gpu.buffer(0)?,
            statistics: gpu.buffer(0)?,
        };
        gpu.write(&buffers.places, 0, places.as_flattened());
        gpu.write(&buffers.slot_places, 0, &slot_places);
        Ok(buffers)
    }

    /// The plan of a rollout, its values and its advantages.
    pub fn collect_plan(
        &self,
        gpu: &Gpu,
        shape: &Shape,
        layout: &Layout,
        kernels: &WorldKernels,
        slice_cost: f64,
    ) -> Result<Plan, GpuError> {
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let constants = layout.constants(shape);
        let Shape { worlds, horizon, .. } = *shape;
        let step_cost = worlds as f64 * (layout.operations() + STEP_OPERATIONS);
        let steps_of_dispatch = ((slice_cost / step_cost) as usize).clamp(1, horizon);
        let Self { unit, net, states, counters, totals, observations, steps, values, targets, .. } = self;
        let rollout = kernels.rollout(&plan, &constants);
        let mut worlds_and_steps = vec![unit, net, states, counters, totals, observations, steps];
        worlds_and_steps.extend(layout.own.map(|_| &self.parameters));
        for first in (0..horizon).step_by(steps_of_dispatch) {
            let end = (first + steps_of_dispatch).min(horizon);
            plan.dispatch_kernel(
                rollout.clone(),
                &[first.into(), end.into()],
                &worlds_and_steps,
                [worlds.div_ceil(layout.rows), 1, 1],
                step_cost * (end - first) as f64,
            );
        }
        let rows = observation_rows(shape);
        let tiles = rows.div_ceil(layout.rows);
        let columns = tiles.min(MAX_WORKGROUPS_PER_DIMENSION);
        plan.dispatch(
            "values",
            &constants,
            &[rows.into()],
            &[net, observations, values],
            [columns, tiles.div_ceil(columns), 1],
            rows as f64 * layout.operations(),
        );
        let own = ("OWN", u32::from(layout.own.is_some()));
        let mut constants = vec![inputs_constant(layout), own];
        let mut buffers = vec![unit, steps, values, counters, totals, targets, &self.world_metrics];
        if let Some(own) = layout.own {
            plan.dispatch(
                "own_faults",
                &[("FAULT_VECTORS", own.fault_vectors() as u32), ("CHUNK", WORLDS_PER_CHUNK as u32)],
                &[],
                &[unit, counters, &self.faults],
                [1, 1, 1],
                ADVANTAGE_OPERATIONS * worlds as f64,
            );
            plan.dispatch(
                "own_rewards",
                &[inputs_constant(layout)],
                &[],
                &[unit, totals, &self.reward_statistics],
                [1, 1, 1],
                ADVANTAGE_OPERATIONS * worlds as f64,
            );
            constants.push(("STEP_VECTORS", layout.step_vectors as u32));
            buffers.push(&self.reward_statistics);
        }
        plan.dispatch(
            "advantages",
            &constants,
            &[],
            &buffers,
            [worlds.div_ceil(WORLDS_PER_WORKGROUP), 1, 1],
            ADVANTAGE_OPERATIONS * product([worlds, horizon]),
        );
        plan.build()
    }

    /// The plans of the statistics of a unit's minibatches, and of one update. Allocates what depends on the
    /// number of epochs and minibatches.
    pub fn learning_plans(
        &mut self,
        gpu: &Gpu,
        shape: &Shape,
        layout: &Layout,
        slice_cost: f64,
        [epochs, minibatches]: [usize; 2],
    ) -> Result<[Plan; 2], GpuError> {
        self.update_metrics = gpu.buffer(UPDATE_METRICS * epochs * minibatches)?;
        self.statistics = gpu.buffer(2 * epochs * minibatches)?;
        let samples = shape.worlds * shape.horizon;
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        plan.dispatch(
            "advantage_statistics",
            &[],
            &[],
            &[&self.unit, &self.targets, &self.statistics],
            [minibatches, epochs, 1],
            STATISTICS_OPERATIONS * product([samples, epochs]),
        );
        let statistics = plan.build()?;

        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let rows = samples.div_ceil(minibatches);
        let tiles = rows.div_ceil(layout.rows);
        let groups = tiles.div_ceil(MIN_TILES_PER_WORKGROUP).min(MAX_WORKGROUPS);
        let slots = gpu.buffer(groups * layout.slots())?;
        let Self { unit, state, net, observations, steps, targets, .. } = self;
        let cost = TRAINING_PASSES * rows as f64 * layout.operations();
        let groups_of_dispatch = ((slice_cost / cost * groups as f64) as usize).clamp(1, groups);
        for first in (0..groups).step_by(groups_of_dispatch) {
            let count = groups_of_dispatch.min(groups - first);
            plan.dispatch(
                "ppo_gradient",
                &layout.constants(shape),
                &[first.into(), groups.into()],
                &[unit, state, net, observations, steps, targets, &self.statistics, &slots],
                // The second dimension is the network: actor or critic.
                [count, 2, 1],
                cost * count as f64 / groups as f64,
            );
        }
        let (numbers, parameters) = (self.slot_places.words(), self.weights.words());
        let sums = numbers.div_ceil(NUMBERS_PER_WORKGROUP);
        plan.dispatch(
            "ppo_sum",
            &[],
            &[numbers.into(), parameters.into(), groups.into(), layout.slots().into()],
            &[state, &slots, &self.slot_places, &self.gradient, &self.squares],
            [sums, 1, 1],
            SUM_OPERATIONS * product([numbers, groups]),
        );
        plan.dispatch(
            "ppo_update",
            &[],
            &[parameters.into(), sums.into()],
            &[unit, &self.squares, &self.gradient, state, &self.update_metrics],
            [1, 1, 1],
            UPDATE_OPERATIONS,
        );
        plan.dispatch(
            "ppo_adam",
            &[],
            &[parameters.into()],
            &[unit, state, &self.gradient, &self.places, &self.weights, net, &self.moments],
            [parameters.div_ceil(PARAMETERS_PER_WORKGROUP), 1, 1],
            ADAM_OPERATIONS * parameters as f64,
        );
        Ok([statistics, plan.build()?])
    }
}

/// The most observations of a rollout: before each step, after the last, and at the end of the episodes that
/// the time limit truncates, of which a world has at most one in every `step_limit` steps.
fn observation_rows(shape: &Shape) -> usize {
    let truncations = shape.world.step_limit().map_or(0, |limit| shape.horizon.div_ceil(limit));
    shape.worlds * (shape.horizon + 1 + truncations)
}

/// Floats of the metrics of a group of worlds.
pub(super) fn group_metrics(inputs: usize) -> usize {
    METRICS_PER_WORKGROUP + 2 * inputs
}

fn inputs_constant(layout: &Layout) -> Constant {
    ("INPUTS", layout.inputs as u32)
}
