//! A transformer that learns on the device: forward and backward pass, loss and optimiser. Per update only
//! tokens go up, and per unit only the metrics come back. It computes what [`learnery_nn::Trainer`] and the
//! optimisers compute on the processor, which the tests compare it with.

mod generator;
mod network;
mod optimiser;

use std::ops::Range;

use learnery_kernels::product;
use learnery_nn::transformer::IGNORE;
use learnery_nn::{Precision, TensorError, Tensors, Transformer};

use crate::GpuError;
use crate::Sources;
use crate::buffer::ReadBack;
use crate::device::Gpu;
use crate::plan::{Plan, Progress};
use network::Passes;
use optimiser::Optimiser;

pub use crate::update::Update;
pub use generator::{Generated, Generator, Prompt, Sampling};
pub use optimiser::{Algorithm, OptimiserReadBack};

/// The kernels.
pub const SOURCES: Sources = crate::kernel_sources!(
    "wgsl":
    "attention",
    "embedding",
    "loss",
    "muon",
    "rotary",
    "cached_attention",
    "few_rows",
    "generator_embedding",
    "generator_row",
    "sampler",
);

/// The bytes of activations that a micro-batch may have on a graphics card with memory of its own: larger
/// micro-batches occupy more of its cores. With the language lab's largest preset, for which this counts, a
/// run takes 5 GB.
const MAX_ACTIVATION_BYTES_ON_CARD: f64 = (1u64 << 32) as f64;

/// The same on other GPUs, and in browsers, which do not tell what a GPU is.
const MAX_ACTIVATION_BYTES: f64 = (1u64 << 30) as f64;

/// The most rows of a micro-batch.
const MAX_ROWS: usize = 1 << 14;

/// A transformer with its optimiser on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    passes: Passes,
    optimiser: Optimiser,
    /// Plans, see the functions of [`Passes`]: to set the gradient to zero; to add the gradient, or only the
    /// losses, of a micro-batch; to find the likeliest tokens; and the optimiser's step.
    clear: Plan,
    gradient: Plan,
    loss: Plan,
    likeliest: Plan,
    step: Plan,
    /// Tokens of a micro-batch.
    rows: usize,
    vocabulary: usize,
    /// The update that is being submitted.
    current: Option<Current>,
}

/// An update on its way to the device.
#[derive(Debug)]
struct Current {
    inputs: Vec<u16>,
    targets: Vec<u16>,
    update: Update,
    /// The first row of the micro-batch. Once the gradient is complete, no row is left.
    row: usize,
    /// The next dispatch of the plan.
    dispatch: usize,
}

impl Trainer {
    /// A trainer of `net`, whose layout has `parameters` parameters, on batches of `sequences` sequences of
    /// `length` tokens. `groups` are ranges that cover all parameters, each with its weight decay. A unit has
    /// at most `updates` updates. In f16, the products of the passes and most of Muon's have operands of 16
    /// bits.
    pub fn new(
        gpu: &Gpu,
        precision: Precision,
        net: &Transformer,
        parameters: usize,
        [length, sequences]: [usize; 2],
        algorithm: Algorithm,
        groups: &[(Range<usize>, f32)],
        updates: usize,
    ) -> Result<Self, GpuError> {
        gpu.check_precision(precision)?;
        let bytes_of_sequence = product([Passes::bytes_per_row(net), length]);
        let sequences = micro_batch(gpu.info().discrete, bytes_of_sequence, [length, sequences]);
        let passes = Passes::new(gpu, precision, net, length, sequences, parameters, updates)?;
        let (optimiser, step) = Optimiser::new(gpu, net, &passes, algorithm, groups)?;
        Ok(Self {
            gpu: gpu.clone(),
            clear: passes.clear_plan(gpu)?,
            gradient: passes.gradient_plan(gpu)?,
            loss: passes.loss_plan(gpu)?,
            likeliest: passes.likeliest_plan(gpu)?,
            step,
            rows: passes.rows,
            vocabulary: net.shape().vocabulary,
            passes,
            optimiser,
            current: None,
        })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    pub fn precision(&self) -> Precision {
        self.passes.precision
    }

    /// A generator of `sequences` texts at a time by the network that is being trained. Each step computes
    /// with the present parameters, but the cache holds what earlier parameters gave: start texts anew after
    /// an update. Only the first `tokens` tokens of the vocabulary are sampled.
    pub fn generator(
        &self,
        net: &Transformer,
        sequences: usize,
        tokens: usize,
    ) -> Result<Generator, GpuError> {
        Generator::of_parameters(&self.gpu, net, self.passes.weights.clone(), sequences, tokens)
    }

    /// Tokens of a full micro-batch.
    pub fn micro_batch(&self) -> usize {
        self.rows
    }

    /// Writes the parameters.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.passes.weights, 0, weights);
    }

    /// Writes the state of the optimiser.
    pub fn load_optimiser(&self, tensors: &Tensors) -> Result<(), TensorError> {
        self.optimiser.load(tensors)
    }

    /// Sets the metrics of all updates to zero. Losses are added to them, so call it at the start of a unit.
    pub fn clear_metrics(&self) {
        self.gpu.write(&self.passes.metrics, 0, &vec![0u32; self.passes.metrics.words()]);
    }

    /// Begins to read the metrics of the first `updates` updates: for each the sum of the losses in nats and
    /// the norm of the gradient.
    pub fn read_metrics(&self, updates: usize) -> ReadBack {
        self.gpu.read_back(&self.passes.metrics, 0, 2 * updates)
    }

    /// Begins to read the parameters.
    pub fn read_weights(&self) -> ReadBack {
        self.gpu.read_back(&self.passes.weights, 0, self.passes.weights.words())
    }

    /// Begins to read the gradient, which has the factor [`Update::loss_scale`].
    pub fn read_gradient(&self) -> ReadBack {
        self.gpu.read_back(&self.passes.grads, 0, self.passes.grads.words())
    }

    /// Begins to read the state of the optimiser.
    pub fn read_optimiser(&self) -> OptimiserReadBack {
        self.optimiser.read_back()
    }

    /// Begins an update on a batch. [`Trainer::advance`] submits it.
    pub fn begin(&mut self, inputs: &[u16], targets: &[u16], update: Update) {
        assert!(self.current.is_none(), "the update before is not finished");
        assert_eq!(inputs.len(), targets.len(), "inputs and targets differ in length");
        let (inputs, targets) = (inputs.to_vec(), targets.to_vec());
        self.current = Some(Current { inputs, targets, update, row: 0, dispatch: 0 });
    }

    /// Submits the next part of the update unless the device is busy.
    pub fn advance(&mut self) -> Result<Progress, GpuError> {
        if self.current.is_none() {
            return Ok(Progress::Finished);
        }
        if self.gpu.is_busy()? {
            return Ok(Progress::Waiting);
        }
        let Some(mut current) = self.current.take() else { return Ok(Progress::Finished) };
        let cost = self.gpu.slice_cost();
        if current.row < current.inputs.len() {
            if current.dispatch == 0 {
                if current.row == 0 {
                    self.clear.submit_all();
                }
                let end = (current.row + self.rows).min(current.inputs.len());
                self.write_batch(&current.inputs[current.row..end], &current.targets[current.row..end]);
                self.passes.write_update(&self.gpu, current.update, current.row);
            }
            current.dispatch = self.gradient.submit(current.dispatch, cost);
            if current.dispatch == self.gradient.len() {
                (current.row, current.dispatch) = (current.row + self.rows, 0);
            }
        } else {
            current.dispatch = self.step.submit(current.dispatch, cost);
            if current.dispatch == self.step.len() {
                return Ok(Progress::Finished);
            }
        }
        self.current = Some(current);
        Ok(Progress::Submitted)
    }

    /// The times of the kernels of one micro-batch's gradient and of one step of the optimiser.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<[Vec<crate::KernelTime>; 2], GpuError> {
        Ok([self.gradient.profile()?, self.step.profile()?])
    }

    /// Submits the gradient of one micro-batch without an optimiser step. Its loss is added to the metrics at
    /// the update's slot.
    pub fn submit_gradient(&self, inputs: &[u16], targets: &[u16], update: Update) {
        self.clear.submit_all();
        self.write_batch(inputs, targets);
        self.passes.write_update(&self.gpu, update, 0);
        self.gradient.submit_all();
    }

    /// Submits the sum of the losses of at most one micro-batch, which is added to the metrics at `slot`.
    pub fn submit_loss(&self, inputs: &[u16], targets: &[u16], slot: u32) {
        self.write_batch(inputs, targets);
        self.passes.write_update(&self.gpu, Update { slot, ..Update::default() }, 0);
        self.loss.submit_sliced(self.gpu.slice_cost());
    }

    /// Submits the search for the most likely token after each of `inputs`, at most one micro-batch of
    /// tokens, and begins to read the tokens found.
    pub fn submit_likeliest(&self, inputs: &[u16]) -> ReadBack {
        self.write_batch(inputs, &vec![IGNORE; inputs.len()]);
        self.likeliest.submit_sliced(self.gpu.slice_cost());
        self.gpu.read_back(&self.passes.likeliest, 0, inputs.len())
    }

    /// Writes the tokens of a micro-batch. Missing rows are filled with tokens that have no target.
    fn write_batch(&self, inputs: &[u16], targets: &[u16]) {
        assert!(inputs.len() <= self.rows, "{} tokens in a micro-batch of {}", inputs.len(), self.rows);
        let words = |values: &[u16], padding: u16| -> Vec<u32> {
            let padded = values.iter().copied().chain(std::iter::repeat(padding));
            padded.take(self.rows).map(u32::from).collect()
        };
        let inputs = words(inputs, 0);
        assert!(
            inputs.iter().all(|token| (*token as usize) < self.vocabulary),
            "a token beyond the vocabulary"
        );
        // The rows in the order of their tokens (counting sort), so that each token's gradient is summed in
        // order.
        let mut starts = vec![0u32; self.vocabulary + 1];
        inputs.iter().for_each(|token| starts[*token as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let (mut next, mut order) = (starts.clone(), vec![0u32; self.rows]);
        for (row, token) in (0..).zip(&inputs) {
            order[next[*token as usize] as usize] = row;
            next[*token as usize] += 1;
        }
        let Passes { tokens, targets: target_buffer, order: order_buffer, first_of_token, .. } = &self.passes;
        self.gpu.write(tokens, 0, &inputs);
        self.gpu.write(target_buffer, 0, &words(targets, IGNORE));
        self.gpu.write(order_buffer, 0, &order);
        self.gpu.write(first_of_token, 0, &starts);
    }
}

/// The sequences of a micro-batch, of `sequences` sequences of `length` tokens: as many as fit into the memory
/// that is meant for activations, of which each takes `bytes_of_sequence`, but at least one.
fn micro_batch(is_card: bool, bytes_of_sequence: f64, [length, sequences]: [usize; 2]) -> usize {
    let bytes = if is_card { MAX_ACTIVATION_BYTES_ON_CARD } else { MAX_ACTIVATION_BYTES };
    let fitting = (bytes / bytes_of_sequence) as usize;
    sequences.min(fitting).min(MAX_ROWS / length).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn micro_batches_fit_into_the_memory_of_a_gpu() {
        let of_sequences = |is_card, megabytes: u32, shape| {
            micro_batch(is_card, f64::from(megabytes) * f64::from(1 << 20), shape)
        };
        let shape = [256, 64];
        // A GPU that shares the memory of its processor gets a quarter of a card's.
        assert_eq!([false, true].map(|is_card| of_sequences(is_card, 100, shape)), [10, 40]);
        assert_eq!([false, true].map(|is_card| of_sequences(is_card, 4, shape)), [64, 64], "all fit");
        assert_eq!(of_sequences(false, 2000, shape), 1, "too large, which the device refuses");
        assert_eq!(of_sequences(true, 1, [1024, 64]), 16, "the limit of rows");
    }
}
