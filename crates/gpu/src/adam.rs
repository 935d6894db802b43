//! The optimiser AdamW as compute dispatches, after the norm of the gradient. Its saved state has the tensors
//! of [`learnery_nn::Adam`], so either loads what the other has saved.

use std::ops::Range;

use learnery_nn::{TensorError, Tensors};

use crate::GpuError;
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::plan::PlanBuilder;

/// The elements of the gradient whose squares one workgroup sums.
const ELEMENTS_PER_WORKGROUP: usize = 1 << 14;

/// Passes of the kernel `gradient_norm`: sums of squares for each workgroup, then the norm.
const PASS_SUMS: u32 = 0;
const PASS_NORM: u32 = 1;

/// The size of `OptimiserState` (`wgsl/optimiser_state.wgsl`) in 32-bit words, rounded up to a multiple of 16
/// bytes.
const STATE_WORDS: usize = 8;

/// A larger number of steps is loaded as this one. Adam's bias corrections are 1 long before.
const MAX_STEPS: u64 = 1 << 31;

/// The buffers of a network that an optimiser's step reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct StepBuffers<'a> {
    /// The learning rate and the other numbers of the update, see [`crate::update::Update`].
    pub update: &'a Buffer,
    /// All parameters of the network.
    pub weights: &'a Buffer,
    /// Their gradient, in the same order.
    pub grads: &'a Buffer,
    /// Two values for each update: its loss, which the network writes, and the norm of its gradient, which
    /// the step writes.
    pub metrics: &'a Buffer,
}

/// The state of AdamW on the device.
#[derive(Debug)]
pub struct Adam {
    gpu: Gpu,
    /// The moments (mean gradient and mean squared gradient), one group of parameters after the other.
    first_moments: Buffer,
    second_moments: Buffer,
    /// `OptimiserState` of the kernels: the number of steps, and what is computed from it and from the norm.
    state: Buffer,
    /// For each group of parameters: the index of its first element in the moments, the index of its first
    /// parameter, its weight decay, and a word of padding.
    groups: Buffer,
}

/// The size of a group in `wgsl/adam.wgsl` in words.
const GROUP_WORDS: usize = 4;
/// The index of the weight decay among the words of a group.
const DECAY_WORD: usize = 2;

impl Adam {
    /// An optimiser of groups of parameters, whose moments and number of steps are zero. A group is a range
    /// of the parameters with its weight decay.
    pub fn new(gpu: &Gpu, groups: &[(Range<usize>, f32)]) -> Result<Self, GpuError> {
        let mut table: Vec<[u32; GROUP_WORDS]> = Vec::new();
        let mut count = 0;
        for (group, decay) in groups {
            table.push([count as u32, group.start as u32, decay.to_bits(), 0]);
            count += group.len();
        }
        let groups = gpu.buffer(GROUP_WORDS * table.len())?;
        gpu.write(&groups, 0, table.as_flattened());
        Ok(Self {
            gpu: gpu.clone(),
            first_moments: gpu.buffer(count)?,
            second_moments: gpu.buffer(count)?,
            state: gpu.buffer(STATE_WORDS)?,
            groups,
        })
    }

    /// Changes the weight decay of a group.
    pub fn set_decay(&self, group: usize, decay: f32) {
        self.gpu.write(&self.groups, GROUP_WORDS * group + DECAY_WORD, &[decay]);
    }

    /// `OptimiserState` of the kernels.
    pub fn state(&self) -> &Buffer {
        &self.state
    }

    /// Appends the norm of the whole gradient, the factor that clips it, and the update of the parameters in
    /// all groups.
    pub fn append_step(&self, plan: &mut PlanBuilder, buffers: StepBuffers) -> Result<(), GpuError> {
        self.append_norm(plan, buffers)?;
        let Self { first_moments, second_moments, state, groups, .. } = self;
        let StepBuffers { update, weights, grads, .. } = buffers;
        let count = first_moments.words();
        let parameters = [count.into(), (groups.words() / GROUP_WORDS).into()];
        let buffers = [update, state, groups, grads, weights, first_moments, second_moments];
        plan.dispatch_elements("adam", &[], &parameters, &buffers, count, 64);
        Ok(())
    }

    /// Appends the norm of the whole gradient and the factor that clips it.
    fn append_norm(&self, plan: &mut PlanBuilder, buffers: StepBuffers) -> Result<(), GpuError> {
        let StepBuffers { update, grads, metrics, .. } = buffers;
        let length = grads.words();
        let workgroups = length.div_ceil(ELEMENTS_PER_WORKGROUP);
        let sums = self.gpu.buffer(workgroups)?;
        let constants = [("PASS", PASS_SUMS), ("THREADS", 256), ("ELEMENTS", ELEMENTS_PER_WORKGROUP as u32)];
        let cost = 4.0 * length as f64;
        let parameters = [length.into()];
        plan.dispatch("gradient_norm", &constants, &parameters, &[grads, &sums], [workgroups, 1, 1], cost);
        let constants = [("PASS", PASS_NORM), ("THREADS", 256), ("ELEMENTS", ELEMENTS_PER_WORKGROUP as u32)];
        let buffers = [update, &sums, &self.state, metrics];
        plan.dispatch("gradient_norm", &constants, &[workgroups.into()], &buffers, [1, 1, 1], 1.0);
        Ok(())
    }

    /// Writes a state to the device, from the tensors of [`learnery_nn::Adam`].
    pub fn load(&self, tensors: &Tensors) -> Result<(), TensorError> {
        let first = tensors.get::<f32>("m", &[self.first_moments.words()])?;
        let second = tensors.get::<f32>("v", &[self.second_moments.words()])?;
        let steps = tensors.get::<u64>("t", &[1])?[0];
        self.gpu.write(&self.first_moments, 0, &first);
        self.gpu.write(&self.second_moments, 0, &second);
        // The steps are the first word. What follows is computed again before it is used.
        self.gpu.write(&self.state, 0, &[steps.min(MAX_STEPS) as u32]);
        Ok(())
    }

    /// Starts to read the state back from the device.
    pub fn read_back(&self) -> AdamReadBack {
        let read = |buffer: &Buffer| self.gpu.read_back(buffer, 0, buffer.words());
        AdamReadBack {
            first_moments: read(&self.first_moments),
            second_moments: read(&self.second_moments),
            state: self.gpu.read_back(&self.state, 0, 1),
        }
    }
}

/// A pending read-back of the state of AdamW.
#[derive(Debug)]
pub struct AdamReadBack {
    first_moments: ReadBack,
    second_moments: ReadBack,
    state: ReadBack,
}

impl AdamReadBack {
    /// The state as tensors, or `None` until it has been read.
    pub fn poll(&self) -> Result<Option<Tensors>, GpuError> {
        let mut tensors = Tensors::new();
        for (name, reading) in [("m", &self.first_moments), ("v", &self.second_moments)] {
            let Some(values) = reading.poll::<f32>()? else { return Ok(None) };
            tensors.insert(name, &[values.len()], &values);
        }
        let Some(state) = self.state.poll::<u32>()? else { return Ok(None) };
        tensors.insert("t", &[1], &[u64::from(state[0])]);
        Ok(Some(tensors))
    }
}
