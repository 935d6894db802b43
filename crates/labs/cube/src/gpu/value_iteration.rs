//! The state of value iteration on the device: a replay buffer of states with their squared Bellman
//! residuals, from which some samples are drawn, and when the target network was copied.

use super::rules::{PackedState, STATE_WORDS};
use super::{WORKGROUP_SIZE, sampling};
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::PlanBuilder;
use learnery_gpu::{Buffer, ReadBack};
use learnery_kernels::product;

/// The most states in the replay buffer.
const MAX_KEPT: usize = 1 << 16;

/// How many values one workgroup sums, the length of a block of prefix sums.
pub const VALUES_PER_BLOCK: usize = 256;

/// Words of the buffer with `ValueIteration` of `wgsl/value_iteration.wgsl`: seven fields and an unused word.
const PROGRESS_WORDS: usize = 8;

/// The state of value iteration, as a checkpoint holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueIterationState {
    pub states: Vec<PackedState>,
    /// The squared Bellman residual of each state.
    pub squares: Vec<f32>,
    /// The place of the next state, once all places are taken.
    pub next: usize,
    /// Updates since the target network was copied.
    pub age: u32,
    /// The moving average of the loss since then; `None` before the first loss.
    pub mean_loss: Option<f32>,
}

/// The buffers of value iteration.
#[derive(Debug)]
pub struct ValueIterationBuffers {
    gpu: Gpu,
    /// The states of the replay buffer, and their squared residuals. Shape of each: `[MAX_KEPT]`.
    kept: Buffer,
    squares: Buffer,
    /// Prefix sums, see `wgsl/prefix_sums.wgsl`.
    running: Buffer,
    blocks: Buffer,
    /// The indices in `kept` of the states that were drawn for the current update.
    places: Buffer,
    /// `ValueIteration` of `wgsl/value_iteration.wgsl`.
    pub progress: Buffer,
}

impl ValueIterationBuffers {
    pub fn new(gpu: &Gpu, samples: usize) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            kept: gpu.buffer(STATE_WORDS * MAX_KEPT)?,
            squares: gpu.buffer(MAX_KEPT)?,
            running: gpu.buffer(MAX_KEPT)?,
            blocks: gpu.buffer(MAX_KEPT / VALUES_PER_BLOCK + 1)?,
            places: gpu.buffer(samples)?,
            progress: gpu.buffer(PROGRESS_WORDS)?,
        })
    }

    /// Appends the decision whether the target network is copied before an update, and the copy.
    pub fn append_copy(&self, plan: &mut PlanBuilder, sampling: &Buffer, weights: &Buffer, target: &Buffer) {
        plan.dispatch("copy_due", &[], &[], &[sampling, &self.progress], [1, 1, 1], 1.0);
        let length = weights.words();
        let buffers = [&self.progress, weights, target];
        plan.dispatch_elements("copy_target", &[], &[length.into()], &buffers, length, WORKGROUP_SIZE);
    }

    /// Appends the kernels that draw `wanted` samples by residual. They replace the first samples.
    pub fn append_draw(&self, plan: &mut PlanBuilder, sampling: &Buffer, states: &Buffer, wanted: usize) {
        debug_assert_eq!(sampling.words(), sampling::SAMPLING_WORDS);
        if wanted == 0 {
            return;
        }
        let Self { kept, squares, running, blocks, places, progress, .. } = self;
        append_prefix_sums(plan, [squares, running, blocks]);
        let parameters = [wanted.into(), (MAX_KEPT / VALUES_PER_BLOCK).into()];
        plan.dispatch("residual_total", &[], &parameters, &[blocks, progress], [1, 1, 1], 1.0);
        let buffers = [sampling, progress, running, blocks, kept, states, places];
        let constants = [("KEPT", MAX_KEPT as u32), ("BLOCK", VALUES_PER_BLOCK as u32)];
        plan.dispatch(
            "residual_draw",
            &constants,
            &[],
            &buffers,
            [wanted.div_ceil(WORKGROUP_SIZE), 1, 1],
            1.0,
        );
    }

    /// Appends the kernel that stores the states of a minibatch with their squared residuals, which are the
    /// losses of the minibatch.
    pub fn append_store(&self, plan: &mut PlanBuilder, states: &Buffer, losses: &Buffer, samples: usize) {
        let buffers = [&self.progress, states, losses, &self.places, &self.kept, &self.squares];
        let workgroups = [samples.div_ceil(WORKGROUP_SIZE), 1, 1];
        plan.dispatch("residual_store", &[Self::KEPT], &[samples.into()], &buffers, workgroups, 1.0);
    }

    /// The constant with the capacity of the replay buffer, for the kernels that need it.
    pub const KEPT: learnery_gpu::shader::Constant = ("KEPT", MAX_KEPT as u32);

    /// Writes a state.
    ///
    /// # Panics
    /// If there are more states than are kept.
    pub fn load(&self, state: &ValueIterationState) {
        assert!(state.states.len() <= MAX_KEPT && state.next < MAX_KEPT, "{MAX_KEPT} states are kept");
        self.gpu.write(&self.kept, 0, state.states.as_flattened());
        // The squares of missing states must be zero, because they are summed too.
        let mut squares = state.squares.clone();
        squares.resize(MAX_KEPT, 0.0);
        self.gpu.write(&self.squares, 0, &squares);
        let (kept, next) = (state.states.len() as u32, state.next as u32);
        // The fields of `ValueIteration` in order. A mean loss of -1 means that there is none yet. The zeros
        // are `copies`, `drawn` and `total`, which belong to an update, and none is under way.
        let progress = [state.mean_loss.unwrap_or(-1.0).to_bits(), state.age, 0, kept, next, 0, 0];
        self.gpu.write(&self.progress, 0, &progress);
    }

    /// Begins to read the state.
    pub fn read_back(&self) -> ValueIterationReadBack {
        ValueIterationReadBack {
            states: self.gpu.read_back(&self.kept, 0, STATE_WORDS * MAX_KEPT),
            squares: self.gpu.read_back(&self.squares, 0, MAX_KEPT),
            progress: self.gpu.read_back(&self.progress, 0, PROGRESS_WORDS),
        }
    }
}

/// Appends prefix sums of `values`, in two levels: see `wgsl/prefix_sums.wgsl`.
pub fn append_prefix_sums(plan: &mut PlanBuilder, [values, running, blocks]: [&Buffer; 3]) {
    let (length, count) = (values.words(), values.words().div_ceil(VALUES_PER_BLOCK));
    let constants = |pass| [("PASS", pass), ("THREADS", VALUES_PER_BLOCK as u32)];
    let cost = product([4, length]);
    let buffers = [values, running, blocks];
    plan.dispatch("prefix_sums", &constants(0), &[length.into()], &buffers, [count, 1, 1], cost);
    plan.dispatch("prefix_sums", &constants(1), &[count.into()], &[blocks], [1, 1, 1], 1.0);
}

/// A pending read-back of the state of value iteration.
#[derive(Debug)]
pub struct ValueIterationReadBack {
    states: ReadBack,
    squares: ReadBack,
    progress: ReadBack,
}

impl ValueIterationReadBack {
    /// The state, once it has arrived.
    pub fn poll(&self) -> Result<Option<ValueIterationState>, GpuError> {
        let (Some(mut states), Some(mut squares), Some(progress)) =
            (self.states.poll::<PackedState>()?, self.squares.poll::<f32>()?, self.progress.poll::<u32>()?)
        else {
            return Ok(None);
        };
        let [mean_loss, age, _, kept, next, ..] = progress[..] else { return Ok(None) };
        states.truncate(kept as usize);
        squares.truncate(kept as usize);
        let mean_loss = Some(f32::from_bits(mean_loss)).filter(|loss| *loss >= 0.0);
        Ok(Some(ValueIterationState { states, squares, next: next as usize, age, mean_loss }))
    }
}
