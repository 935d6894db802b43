//! AdamW as dispatches, with the norm of the gradient. The state has the layout of [`learnery_nn::Adam`], so a checkpoint's
//! tensors fit both.

use std::ops::Range;

use learnery_nn::{TensorError, Tensors};

use crate::GpuError;
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::plan::PlanBuilder;

/// Values per workgroup in the sum of the gradient's squares.
const ELEMENTS: usize = 1 << 14;

/// Words of `OptimiserState` in `wgsl/optimiser_state.wgsl`, rounded up.
const STATE_WORDS: usize = 8;

/// The buffers of a network that an optimiser's step reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct StepBuffers<'a> {
    /// The numbers of the update, see [`crate::update::Update`].
    pub update: &'a Buffer,
    /// Parameters and their gradient, in the order of the layout.
    pub weights: &'a Buffer,
    pub grads: &'a Buffer,
    /// Two for each update: the second becomes the norm of the gradient.
    pub figures: &'a Buffer,
}

/// The state of AdamW on the device.
#[derive(Debug)]
pub struct Adam {
    gpu: Gpu,
    /// The moments, one group of parameters after the other.
    first_moments: Buffer,
    second_moments: Buffer,
    /// The number of steps and other small values.
    state: Buffer,
    /// For each group: its first moment, its first parameter, and its weight decay.
    groups: Buffer,
}

/// Words of a group in `wgsl/adam.wgsl`, and the index of the weight decay among them.
const GROUP_WORDS: usize = 4;
#[cfg(feature = "resnet")]
const DECAY_WORD: usize = 2;

impl Adam {
    /// The optimiser of the parameters in `groups`, each with its weight decay.
    pub fn new(gpu: &Gpu, groups: &[(Range<usize>, f32)]) -> Result<Self, GpuError> {
        let mut table: Vec<[u32; GROUP_WORDS]> = Vec::new();
        let mut moments = 0;
        for (group, decay) in groups {
            table.push([moments as u32, group.start as u32, decay.to_bits(), 0]);
            moments += group.len();
        }
        let groups = gpu.buffer(GROUP_WORDS * table.len())?;
        gpu.write(&groups, 0, table.as_flattened());
        Ok(Self {
            gpu: gpu.clone(),
            first_moments: gpu.buffer(moments)?,
            second_moments: gpu.buffer(moments)?,
            state: gpu.buffer(STATE_WORDS)?,
            groups,
        })
    }

    /// Changes the weight decay of a group.
    #[cfg(feature = "resnet")]
    pub fn set_decay(&self, group: usize, decay: f32) {
        self.gpu.write(&self.groups, GROUP_WORDS * group + DECAY_WORD, &[decay]);
    }

    /// `OptimiserState` of the kernels.
    #[cfg(feature = "transformer")]
    pub fn state(&self) -> &Buffer {
        &self.state
    }

    /// Appends the norm of the gradient with what depends on it, and the step of all groups.
    pub fn append_step(&self, plan: &mut PlanBuilder, buffers: StepBuffers) -> Result<(), GpuError> {
        self.append_norm(plan, buffers)?;
        let Self { first_moments, second_moments, state, groups, .. } = self;
        let StepBuffers { update, weights, grads, .. } = buffers;
        let moments = first_moments.words();
        let parameters = [moments.into(), (groups.words() / GROUP_WORDS).into()];
        let buffers = [update, state, groups, grads, weights, first_moments, second_moments];
        plan.dispatch_elements("adam", &[], &parameters, &buffers, moments, 64);
        Ok(())
    }

    fn append_norm(&self, plan: &mut PlanBuilder, buffers: StepBuffers) -> Result<(), GpuError> {
        let StepBuffers { update, grads, figures, .. } = buffers;
        let length = grads.words();
        let groups = length.div_ceil(ELEMENTS);
        let sums = self.gpu.buffer(groups)?;
        let constants = [("PASS", 0), ("THREADS", 256), ("ELEMENTS", ELEMENTS as u32)];
        let cost = 4.0 * length as f64;
        let parameters = [length.into()];
        plan.dispatch("gradient_norm", &constants, &parameters, &[grads, &sums], [groups, 1, 1], cost);
        let constants = [("PASS", 1), ("THREADS", 256), ("ELEMENTS", ELEMENTS as u32)];
        let buffers = [update, &sums, &self.state, figures];
        plan.dispatch("gradient_norm", &constants, &[groups.into()], &buffers, [1, 1, 1], 1.0);
        Ok(())
    }

    /// Writes a state to the device, from the tensors of [`learnery_nn::Adam`].
    pub fn load(&self, tensors: &Tensors) -> Result<(), TensorError> {
        for (name, buffer) in [("m", &self.first_moments), ("v", &self.second_moments)] {
            self.gpu.write(buffer, 0, &tensors.get::<f32>(name, &[buffer.words()])?);
        }
        let steps = tensors.get::<u64>("t", &[1])?[0];
        // The corrections that depend on the steps are computed before they are used.
        self.gpu.write(&self.state, 0, &[u32::try_from(steps).unwrap_or(u32::MAX), 0, 0, 0]);
        Ok(())
    }

    /// Begins to read the state.
    pub fn read_back(&self) -> AdamReadBack {
        let read = |buffer: &Buffer| self.gpu.read_back(buffer, 0, buffer.words());
        AdamReadBack {
            first_moments: read(&self.first_moments),
            second_moments: read(&self.second_moments),
            state: self.gpu.read_back(&self.state, 0, 4),
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
    /// The state as tensors, once it has arrived.
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
