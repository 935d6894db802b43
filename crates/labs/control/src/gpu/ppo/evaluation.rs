//! Evaluations of the policy on the device: in each of some worlds, which are not those of training, the
//! greedy policy plays one episode.

use crate::gpu::ppo::SOURCES;
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::ReadBack;
use learnery_gpu::{Plan, PlanBuilder, Progress};

use super::Shape;
use super::layout::Layout;
use super::plans::{Buffers, STEP_OPERATIONS, WorldKernels};
use super::unit::Normaliser;

/// On hardware a step of few worlds takes about as long as one of this many: it is a chain of operations that
/// leaves most of the device idle.
const MIN_WORLDS_OF_STEP: usize = 1024;

/// How an evaluation begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluationStart {
    /// The states of the worlds one after the other, as in [`super::Worlds`].
    pub states: Vec<f32>,
    /// Of each world: 1 if its episode ends without a reward, because it began with an error of the rules.
    pub ended: Vec<u32>,
    /// The seed of the run, and the index of the first world, for the random numbers of steps.
    pub seed: u32,
    pub first: u64,
    /// How observations are normalised, as in [`super::Unit`].
    pub normaliser: Option<Normaliser>,
}

/// The return of each episode of an evaluation, and whether it has ended as a success.
pub type Episodes = (Vec<f32>, Vec<bool>);

/// Pending results of an evaluation.
#[derive(Debug)]
pub struct EvaluationReadBack {
    returns: ReadBack,
    ended: ReadBack,
}

impl EvaluationReadBack {
    /// The results once they have arrived.
    pub fn poll(&self) -> Result<Option<Episodes>, GpuError> {
        let (Some(returns), Some(ended)) = (self.returns.poll::<f32>()?, self.ended.poll::<u32>()?) else {
            return Ok(None);
        };
        Ok(Some((returns, ended.into_iter().map(|end| end == 2).collect())))
    }
}

/// The buffers and the plan of evaluations, and how much of the last one has been submitted.
#[derive(Debug)]
pub(super) struct Evaluation {
    episodes: usize,
    /// The worlds, see `wgsl/evaluate.wgsl`.
    states: Buffer,
    returns: Buffer,
    ended: Buffer,
    plan: Plan,
    /// The dispatch of the plan that is submitted next.
    next: usize,
}

impl Evaluation {
    /// Evaluations of `episodes` episodes.
    pub fn new(
        gpu: &Gpu,
        shape: &Shape,
        layout: &Layout,
        kernels: &WorldKernels,
        buffers: &Buffers,
        slice_cost: f64,
        episodes: usize,
    ) -> Result<Self, GpuError> {
        let (states, returns, ended) =
            (gpu.buffer(buffers.state_floats * episodes)?, gpu.buffer(episodes)?, gpu.buffer(episodes)?);
        let layout = layout.with_small_tiles();
        let tiles = episodes.div_ceil(layout.rows);
        let computed = tiles * layout.rows;
        let counted = if gpu.info().software { computed } else { computed.max(MIN_WORLDS_OF_STEP) };
        let step_cost = counted as f64 * (layout.operations() + STEP_OPERATIONS);
        let steps = shape.world.evaluation_steps();
        let steps_of_dispatch = ((slice_cost / step_cost) as usize).clamp(1, steps);
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let kernel = kernels.evaluation(&plan, &layout.constants(shape));
        let mut worlds = vec![&buffers.unit, &buffers.net, &states, &returns, &ended];
        worlds.extend(layout.own.map(|_| &buffers.parameters));
        for first in (0..steps).step_by(steps_of_dispatch) {
            let end = (first + steps_of_dispatch).min(steps);
            plan.dispatch_kernel(
                kernel.clone(),
                &[first.into(), end.into(), episodes.into()],
                &worlds,
                [tiles, 1, 1],
                step_cost * (end - first) as f64,
            );
        }
        let plan = plan.build()?;
        let next = plan.len();
        Ok(Self { episodes, states, returns, ended, plan, next })
    }

    pub fn episodes(&self) -> usize {
        self.episodes
    }

    /// Begins an evaluation.
    pub fn begin(&mut self, gpu: &Gpu, start: &EvaluationStart) {
        gpu.write(&self.states, 0, &start.states);
        gpu.write(&self.returns, 0, &vec![0u32; self.episodes]);
        gpu.write(&self.ended, 0, &start.ended);
        self.next = 0;
    }

    /// Submits the next part of the evaluation unless the device is busy.
    pub fn advance(&mut self, gpu: &Gpu, slice_cost: f64) -> Result<Progress, GpuError> {
        if self.next == self.plan.len() {
            return Ok(Progress::Finished);
        }
        if gpu.is_busy()? {
            return Ok(Progress::Waiting);
        }
        self.next = self.plan.submit(self.next, slice_cost);
        Ok(if self.next == self.plan.len() { Progress::Finished } else { Progress::Submitted })
    }

    /// The submitted fraction of the evaluation.
    pub fn fraction_done(&self) -> f32 {
        self.next as f32 / self.plan.len() as f32
    }

    /// Begins to read the results.
    pub fn read_returns(&self, gpu: &Gpu) -> EvaluationReadBack {
        EvaluationReadBack {
            returns: gpu.read_back(&self.returns, 0, self.episodes),
            ended: gpu.read_back(&self.ended, 0, self.episodes),
        }
    }
}
