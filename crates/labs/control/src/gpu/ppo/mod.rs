//! PPO (proximal policy optimisation; Schulman et al., 2017) wholly on the device: the worlds of classic
//! control, the rollout, advantages, minibatches, gradients and Adam, and evaluations of the policy. Per unit
//! (a training iteration) a few numbers go up, and metrics come back. It computes what the control lab
//! computes on the processor, whose tests compare it.

mod evaluation;
mod layout;
mod metrics;
mod plans;
mod state;
#[cfg(not(target_family = "wasm"))]
mod steps;
mod unit;
mod world;

use evaluation::Evaluation;
pub use evaluation::{Episodes, EvaluationReadBack, EvaluationStart};
use layout::Layout;
use learnery_gpu::shader::Constant;
use learnery_gpu::{Gpu, GpuError, Plan, Progress, ReadBack, Sources};
use plans::{Buffers, WorldKernels};

pub use layout::MAX_HIDDEN;
pub use metrics::{Faults, UnitMetrics, UnitReadBack, UpdateMetrics, WorldMetrics};
pub use state::{Adam, AdamReadBack, BROKEN, Worlds, WorldsReadBack};
#[cfg(not(target_family = "wasm"))]
pub use steps::{step_rate, step_worlds};
pub use unit::{MAX_INPUTS, Normaliser, Unit};
#[cfg(feature = "own-worlds")]
pub use world::OwnRules;
pub use world::{OwnSizes, World};

/// The kernels.
pub const SOURCES: Sources = learnery_gpu::kernel_sources!(
    "wgsl":
    "acrobot_fast",
    "advantage_statistics",
    "advantages",
    "angles",
    "bounds",
    "episode_ends",
    "evaluate",
    "loss",
    "networks",
    #[cfg(feature = "own-worlds")]
    "own_evaluate",
    #[cfg(feature = "own-worlds")]
    "own_faults",
    #[cfg(feature = "own-worlds")]
    "own_loss",
    #[cfg(feature = "own-worlds")]
    "own_policy",
    #[cfg(feature = "own-worlds")]
    "own_rewards",
    #[cfg(feature = "own-worlds")]
    "own_rollout",
    #[cfg(feature = "own-worlds")]
    "own_world",
    "policy",
    "ppo_adam",
    "ppo_gradient",
    "ppo_state",
    "ppo_sum",
    "ppo_unit",
    "ppo_update",
    "rollout",
    "rollout_words",
    "shuffle",
    "values",
    "worlds",
    #[cfg(not(target_family = "wasm"))]
    "world_steps",
);

/// The most updates in one submission. Every submission is encoded anew on the CPU, at a cost that grows with
/// the number of its updates.
const MAX_REPEATS: usize = 32;

/// Dispatches are cut anew when submissions should be this many times smaller or larger than when they were cut
/// last. Larger submissions hold several dispatches meanwhile.
const CUT_ANEW: f64 = 4.0;

/// What fixes the sizes of all buffers, and the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub world: World,
    pub worlds: usize,
    /// Steps of a rollout in each world.
    pub horizon: usize,
    /// Neurons of each hidden layer.
    pub hidden: usize,
    /// Whether the numbers of a continuous action are squashed into their bounds, not clipped by the worlds.
    pub is_squashed: bool,
}

/// The constants of the networks' kernels of training, or of an evaluation, in every world and width, for
/// the test that checks all kernels.
pub fn kernel_constants(evaluation: bool) -> Vec<Vec<Constant>> {
    let widths = [32, 64, MAX_HIDDEN];
    let shapes = World::ALL.into_iter().flat_map(|world| {
        let is_squashed = world.continuous_numbers() > 0;
        widths.into_iter().flat_map(move |hidden| {
            let shape = Shape { world, worlds: 1, horizon: 1, hidden, is_squashed: false };
            [Some(shape), is_squashed.then_some(Shape { is_squashed, ..shape })].into_iter().flatten()
        })
    });
    let layout = |shape: &Shape| match evaluation {
        true => Layout::new(shape).with_small_tiles(),
        false => Layout::new(shape),
    };
    shapes.map(|shape| layout(&shape).constants(&shape)).collect()
}

/// A learner with its worlds on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    shape: Shape,
    layout: Layout,
    /// The most that one submission should cost.
    slice_cost: f64,
    /// What it was when the dispatches of the plans were cut.
    cut_cost: f64,
    kernels: WorldKernels,
    buffers: Buffers,
    collect: Plan,
    learning: Option<Learning>,
    /// The unit that is being submitted, or was submitted last.
    current: Option<Current>,
    /// From the first evaluation on.
    evaluation: Option<Evaluation>,
}

/// The plans that depend on live settings.
#[derive(Debug)]
struct Learning {
    epochs: usize,
    minibatches: usize,
    /// The statistics of all minibatches of a unit.
    statistics: Plan,
    /// One update. The device counts them, so the plan can be repeated.
    update: Plan,
}

/// A unit on its way to the device.
#[derive(Clone, Copy, Debug)]
struct Current {
    updates: usize,
    place: Place,
}

/// A part of a unit, with the fraction of it that was submitted.
#[derive(Clone, Copy, Debug)]
pub enum UnitProgress {
    Collecting(f32),
    Learning(f32),
}

/// What is submitted next.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The dispatch with this index, of the plan that collects.
    Collecting(usize),
    /// The dispatch with the index `dispatch`, of the update with the index `update`.
    Learning { update: usize, dispatch: usize },
    /// Nothing.
    Done,
}

impl Trainer {
    /// A learner of this shape. [`Trainer::set_weights`], [`Trainer::set_adam`] and [`Trainer::set_worlds`]
    /// must follow.
    ///
    /// `rules` is the WGSL text of a world of the user's own, empty for the lab's own worlds. For the former,
    /// [`Trainer::set_parameters`] must follow too.
    pub fn new(gpu: &Gpu, shape: Shape, rules: &str) -> Result<Self, GpuError> {
        Self::with_slice_cost(gpu, shape, rules, gpu.slice_cost())
    }

    /// [`Trainer::new`] with submissions of another size, which changes no bit.
    pub fn with_slice_cost(gpu: &Gpu, shape: Shape, rules: &str, slice_cost: f64) -> Result<Self, GpuError> {
        if shape.hidden > MAX_HIDDEN {
            return Err(GpuError::Unsupported(format!(
                "hidden layers of {} neurons; the most are {MAX_HIDDEN}",
                shape.hidden
            )));
        }
        let layout = Layout::new(&shape);
        layout.check_memory(gpu)?;
        let kernels = WorldKernels::new(gpu, &shape, &layout, rules);
        kernels.compile(gpu)?;
        let buffers = Buffers::new(gpu, &shape, &layout)?;
        let collect = buffers.collect_plan(gpu, &shape, &layout, &kernels, slice_cost)?;
        Ok(Self {
            gpu: gpu.clone(),
            shape,
            layout,
            slice_cost,
            cut_cost: slice_cost,
            kernels,
            buffers,
            collect,
            learning: None,
            current: None,
            evaluation: None,
        })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// From now on, submissions should cost this much, which changes no bit. No unit and no evaluation may be
    /// under way, and the results of the last ones must have been read.
    pub fn set_slice_cost(&mut self, slice_cost: f64) -> Result<(), GpuError> {
        self.slice_cost = slice_cost;
        if (self.cut_cost / CUT_ANEW..=self.cut_cost * CUT_ANEW).contains(&slice_cost) {
            return Ok(());
        }
        let Self { gpu, shape, layout, kernels, buffers, .. } = self;
        self.collect = buffers.collect_plan(gpu, shape, layout, kernels, slice_cost)?;
        // The next unit and the next evaluation make these.
        (self.learning, self.evaluation) = (None, None);
        self.cut_cost = slice_cost;
        Ok(())
    }

    /// Writes the parameters: actor, critic, and the logarithm of the standard deviation if actions are
    /// continuous.
    pub fn set_weights(&self, weights: &[f32]) {
        let mut packed = vec![0.0; self.layout.networks()];
        // The two places differ only for weights that are also stored transposed.
        for ([first, second], weight) in self.layout.places().into_iter().zip(weights) {
            packed[first as usize] = *weight;
            packed[second as usize] = *weight;
        }
        self.gpu.write(&self.buffers.weights, 0, weights);
        self.gpu.write(&self.buffers.net, 0, &packed);
    }

    /// Writes the state of Adam.
    pub fn set_adam(&self, adam: &Adam) {
        let moments: Vec<[f32; 2]> =
            adam.first_moments.iter().zip(&adam.second_moments).map(|(m, v)| [*m, *v]).collect();
        self.gpu.write(&self.buffers.moments, 0, moments.as_flattened());
        self.gpu.write(&self.buffers.state, plans::STEPS_WORD, &[adam.steps]);
    }

    /// Writes the worlds from number `first` on.
    pub fn set_worlds(&self, first: usize, worlds: &Worlds) {
        // The last two counters count within a unit, and each unit starts them anew; see `wgsl/rollout.wgsl`.
        let counters: Vec<[u32; 4]> = worlds
            .steps
            .iter()
            .zip(&worlds.episodes)
            .map(|(steps, episodes)| [*steps, *episodes, 0, 0])
            .collect();
        // Of each world's totals, the first is the return so far. The others are sums over a unit.
        let totals_of_world = self.buffers.totals_of_world;
        let mut totals = vec![0.0; totals_of_world * worlds.returns.len()];
        totals.iter_mut().step_by(totals_of_world).zip(&worlds.returns).for_each(|(to, from)| *to = *from);
        if let Some(place) = self.buffers.discounted_place {
            let rows = totals.chunks_exact_mut(totals_of_world);
            rows.zip(&worlds.discounted).for_each(|(row, from)| row[place] = *from);
        }
        self.gpu.write(&self.buffers.states, self.buffers.state_floats * first, &worlds.states);
        self.gpu.write(&self.buffers.counters, 4 * first, counters.as_flattened());
        self.gpu.write(&self.buffers.totals, totals_of_world * first, &totals);
    }

    /// Writes the parameters of a world of the user's own.
    pub fn set_parameters(&self, values: &[f32]) {
        self.gpu.write(&self.buffers.parameters, 0, values);
    }

    /// Begins a unit. [`Trainer::advance`] submits it.
    pub fn begin(&mut self, unit: &Unit) -> Result<(), GpuError> {
        let (epochs, minibatches) = (unit.epochs as usize, unit.minibatches as usize);
        if self.learning.as_ref().is_none_or(|l| (l.epochs, l.minibatches) != (epochs, minibatches)) {
            let Self { gpu, shape, layout, cut_cost, buffers, .. } = self;
            // Frees the buffers of the old plans, so that the new ones can use the same memory.
            self.learning = None;
            let [statistics, update] =
                buffers.learning_plans(gpu, shape, layout, *cut_cost, [epochs, minibatches])?;
            self.learning = Some(Learning { epochs, minibatches, statistics, update });
        }
        unit.write(&self.gpu, &self.buffers.unit, self.shape.worlds, self.shape.horizon);
        self.gpu.write(&self.buffers.state, 0, &[0u32; plans::RESET_STATE_WORDS]);
        self.current = Some(Current { updates: epochs * minibatches, place: Place::Collecting(0) });
        Ok(())
    }

    /// Submits the next part of the unit unless the device is busy.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        let (Some(current), Some(learning)) = (&mut self.current, &self.learning) else {
            return Ok(Progress::Finished);
        };
        if matches!(current.place, Place::Done) {
            return Ok(Progress::Finished);
        }
        if self.gpu.is_busy()? {
            return Ok(Progress::Waiting);
        }
        current.place = match current.place {
            Place::Collecting(dispatch) => {
                let next = self.collect.submit(dispatch, self.slice_cost);
                if next < self.collect.len() {
                    Place::Collecting(next)
                } else {
                    learning.statistics.submit_all();
                    Place::Learning { update: 0, dispatch: 0 }
                }
            }
            Place::Learning { update, dispatch } => {
                let Learning { update: plan, .. } = learning;
                // As many whole updates as fit into a submission; if not even one does, a part of one.
                let fitting_updates = (self.slice_cost / plan.cost()) as usize;
                let (update, dispatch) = if dispatch == 0 && fitting_updates > 0 {
                    let repeats = fitting_updates.min(MAX_REPEATS).min(current.updates - update);
                    plan.submit_repeated(repeats);
                    (update + repeats, 0)
                } else {
                    match plan.submit(dispatch, self.slice_cost) {
                        next if next < plan.len() => (update, next),
                        _ => (update + 1, 0),
                    }
                };
                if update < current.updates { Place::Learning { update, dispatch } } else { Place::Done }
            }
            Place::Done => Place::Done,
        };
        Ok(if matches!(current.place, Place::Done) { Progress::Finished } else { Progress::Submitted })
    }

    /// The part of the unit that is being submitted, and the submitted fraction of it.
    pub fn unit_progress(&self) -> UnitProgress {
        match self.current {
            None => UnitProgress::Collecting(0.0),
            Some(Current { place: Place::Collecting(dispatch), .. }) => {
                UnitProgress::Collecting(dispatch as f32 / self.collect.len() as f32)
            }
            Some(Current { place: Place::Learning { update, .. }, updates }) => {
                UnitProgress::Learning(update as f32 / updates as f32)
            }
            Some(Current { place: Place::Done, .. }) => UnitProgress::Learning(1.0),
        }
    }

    /// Begins an evaluation: the greedy policy plays an episode from each of these states.
    /// [`Trainer::advance_evaluation`] submits it. No unit may be under way.
    pub fn begin_evaluation(&mut self, start: &EvaluationStart) -> Result<(), GpuError> {
        let Self { gpu, shape, layout, cut_cost, kernels, buffers, .. } = self;
        let mut evaluation = match self.evaluation.take() {
            Some(evaluation) if evaluation.episodes() == start.ended.len() => evaluation,
            _ => Evaluation::new(gpu, shape, layout, kernels, buffers, *cut_cost, start.ended.len())?,
        };
        unit::write_evaluation(gpu, &buffers.unit, start);
        evaluation.begin(gpu, start);
        self.evaluation = Some(evaluation);
        Ok(())
    }

    /// Submits the next part of the evaluation unless the device is busy.
    pub fn advance_evaluation(&mut self) -> Result<Progress, GpuError> {
        let Some(evaluation) = &mut self.evaluation else { return Ok(Progress::Finished) };
        evaluation.advance(&self.gpu, self.slice_cost)
    }

    /// The submitted fraction of the evaluation.
    pub fn evaluation_progress(&self) -> f32 {
        self.evaluation.as_ref().map_or(0.0, Evaluation::fraction_done)
    }

    /// Begins to read the results of the submitted evaluation; `None` if none has begun.
    pub fn read_returns(&self) -> Option<EvaluationReadBack> {
        self.evaluation.as_ref().map(|evaluation| evaluation.read_returns(&self.gpu))
    }

    /// Begins to read the metrics of the submitted unit.
    pub fn read_unit(&self) -> UnitReadBack {
        let updates = self.current.map_or(0, |current| current.updates);
        UnitReadBack::new(&self.gpu, &self.buffers, &self.layout, updates)
    }

    /// Begins to read the parameters.
    pub fn read_weights(&self) -> ReadBack {
        self.gpu.read_back(&self.buffers.weights, 0, self.buffers.weights.words())
    }

    /// Begins to read the first `count` worlds.
    pub fn read_worlds(&self, count: usize) -> WorldsReadBack {
        WorldsReadBack::new(&self.gpu, &self.buffers, count)
    }

    /// Begins to read the state of Adam.
    pub fn read_adam(&self) -> AdamReadBack {
        AdamReadBack::new(&self.gpu, &self.buffers)
    }

    /// The number of parameters.
    pub fn parameters(&self) -> usize {
        self.buffers.weights.words()
    }

    /// Floating-point operations of a forward pass of both networks, for a step of one world.
    pub fn operations_of_step(&self) -> f64 {
        2.0 * self.layout.operations()
    }

    /// The minimum duration of a rollout in seconds over a few repetitions; a unit must have begun.
    #[cfg(not(target_family = "wasm"))]
    pub fn seconds_of_rollout(&self) -> f64 {
        learnery_gpu::bench::min_seconds(&self.gpu, &self.collect)
    }

    /// The times of the kernels of collecting and of one update.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<[Vec<learnery_gpu::KernelTime>; 2], GpuError> {
        let update = self.learning.as_ref().map_or(Ok(Vec::new()), |learning| learning.update.profile());
        Ok([self.collect.profile()?, update?])
    }

    /// The dispatches into which a rollout is cut.
    #[cfg(test)]
    pub fn rollout_dispatches(&self) -> usize {
        self.collect.len()
    }

    /// The rollout of the submitted unit, for tests: normalised observations, the four numbers of each step
    /// (action, log-probability, reward, ending), the critic's values, and value, advantage and return of
    /// each step.
    #[cfg(not(target_family = "wasm"))]
    pub fn read_rollout(&self) -> Result<[Vec<f32>; 4], GpuError> {
        let Buffers { observations, steps, values, targets, .. } = &self.buffers;
        let read = |buffer: &learnery_gpu::Buffer| self.gpu.read(buffer, 0, buffer.words());
        Ok([read(observations)?, read(steps)?, read(values)?, read(targets)?])
    }

    /// The gradient of the last update, for tests.
    #[cfg(not(target_family = "wasm"))]
    pub fn read_gradient(&self) -> Result<Vec<f32>, GpuError> {
        self.gpu.read(&self.buffers.gradient, 0, self.buffers.weights.words())
    }
}
