//! AdamW over a flat parameter vector: Adam (Kingma and Ba, "Adam: a method for stochastic
//! optimization", 2014) with decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay
//! regularization", 2017), and gradient clipping by global norm.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::optim::{AdamStep, adam};
use learnery_kernels::reduce;
use rayon::prelude::*;

use crate::{TensorError, Tensors};

/// Hyperparameters of an optimiser step. They may change from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamOptions {
    /// The learning rate.
    pub lr: f32,
    /// Decay rates of the moving averages of gradients (beta1) and of their squares (beta2).
    pub betas: (f32, f32),
    /// Added to the denominator (the square root of the second moment), so that it is not zero.
    pub eps: f32,
    /// Decoupled weight decay, which is multiplied by the learning rate; zero gives plain Adam.
    pub weight_decay: f32,
    /// The gradient is scaled down to this Euclidean norm if its own is larger; infinity disables clipping.
    pub max_norm: f32,
}

impl Default for AdamOptions {
    fn default() -> Self {
        Self { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0, max_norm: f32::INFINITY }
    }
}

/// Parameters per parallel chunk. It determines the order of the sum of squares in [`gradient_norm`], so
/// another value changes bits.
const CHUNK: usize = 1 << 19;

/// The Euclidean norm of a gradient, computed on all threads. The chunks' sums of squares are added in order,
/// so the number of threads changes no bit.
pub(crate) fn gradient_norm(grads: &[f32]) -> f32 {
    /// Chunks that are summed in parallel. Their sums are in an array of fixed size, so nothing is allocated.
    const PARALLEL_CHUNKS: usize = 16;
    let sum = grads.chunks(PARALLEL_CHUNKS * CHUNK).fold(0.0, |sum, grads| {
        let mut sums = [0.0; PARALLEL_CHUNKS];
        if grads.len() <= CHUNK {
            sums[0] = reduce::sum_squares(grads);
        } else {
            // Every chunk is a task of its own (`with_max_len(1)`): chunks are few and large.
            let chunks = sums.par_iter_mut().zip(grads.par_chunks(CHUNK)).with_max_len(1);
            chunks.for_each(|(sum, grads)| *sum = reduce::sum_squares(grads));
        }
        sums.iter().fold(sum, |sum, chunk| sum + chunk)
    });
    sum.sqrt() as f32
}

/// The factor by which a gradient of norm `norm` is multiplied to clip it to `max_norm`.
pub(crate) fn clip_factor(norm: f32, max_norm: f32) -> f32 {
    if norm > max_norm { max_norm / norm } else { 1.0 }
}

/// The state of the optimiser: the moving averages of the gradients (`m`) and of their squares (`v`), with a
/// value for each parameter, and the number of steps `t`. A checkpoint saves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    m: Buffer,
    v: Buffer,
    t: u64,
}

impl Adam {
    pub fn new(parameters: usize) -> Self {
        Self { m: Buffer::new(parameters), v: Buffer::new(parameters), t: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.m.len()
    }

    /// One optimiser step on the calling thread. Returns the norm of the gradient before clipping. If that is
    /// not finite, nothing changes.
    pub fn step(&mut self, params: &mut [f32], grads: &[f32], options: &AdamOptions) -> f32 {
        // The same sums in the same order as in the function `gradient_norm`, so the result is bit-identical.
        let squares = grads.chunks(CHUNK).map(reduce::sum_squares).fold(0.0, |sum, chunk| sum + chunk);
        let norm = squares.sqrt() as f32;
        if norm.is_finite() {
            self.begin_step();
            let step = self.kernel_step(options, clip_factor(norm, options.max_norm));
            adam(params, grads, &mut self.m, &mut self.v, &step);
        }
        norm
    }

    /// [`Adam::step`] on all threads, for large networks. `groups` are parameter groups: consecutive ranges
    /// that cover all parameters, each with a weight decay, which replaces the one in `options`.
    pub fn step_groups(
        &mut self,
        params: &mut [f32],
        grads: &[f32],
        options: &AdamOptions,
        groups: &[(Range<usize>, f32)],
    ) -> f32 {
        let norm = gradient_norm(grads);
        if norm.is_finite() {
            let scale = clip_factor(norm, options.max_norm);
            self.begin_step();
            let mut end = 0;
            for (group, weight_decay) in groups {
                assert_eq!(group.start, end, "parameter groups must be consecutive");
                end = group.end;
                let options = AdamOptions { weight_decay: *weight_decay, ..*options };
                self.update(group.start, &mut params[group.clone()], &grads[group.clone()], &options, scale);
            }
            assert_eq!(end, params.len(), "parameter groups must cover all parameters");
        }
        norm
    }

    /// Updates the part `params` of the parameters on all threads. Its moments begin at index `first` of `m`
    /// and `v`.
    pub(crate) fn update(
        &mut self,
        first: usize,
        params: &mut [f32],
        grads: &[f32],
        options: &AdamOptions,
        grad_scale: f32,
    ) {
        let step = self.kernel_step(options, grad_scale);
        let (m, v) = (&mut self.m[first..][..params.len()], &mut self.v[first..][..params.len()]);
        let moments = m.par_chunks_mut(CHUNK).zip(v.par_chunks_mut(CHUNK));
        let chunks = params.par_chunks_mut(CHUNK).zip(grads.par_chunks(CHUNK)).zip(moments);
        chunks.for_each(|((p, g), (m, v))| adam(p, g, m, v, &step));
    }

    /// The kernel's arguments for the current step.
    fn kernel_step(&self, options: &AdamOptions, grad_scale: f32) -> AdamStep {
        AdamStep {
            lr: options.lr,
            beta1: options.betas.0,
            beta2: options.betas.1,
            eps: options.eps,
            weight_decay: options.weight_decay,
            grad_scale,
            t: self.t,
        }
    }

    /// Increments the step counter. A caller of [`Adam::update`] calls this once per step, before the first
    /// update.
    pub(crate) fn begin_step(&mut self) {
        self.t += 1;
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("m", &[self.m.len()], &self.m);
        tensors.insert("v", &[self.v.len()], &self.v);
        tensors.insert("t", &[1], &[self.t]);
        tensors
    }

    /// Restores the state of an optimiser for `parameters` parameters.
    pub fn from_tensors(parameters: usize, tensors: &Tensors) -> Result<Self, TensorError> {
        Ok(Self {
            m: tensors.get("m", &[parameters])?[..].into(),
            v: tensors.get("v", &[parameters])?[..].into(),
            t: tensors.get("t", &[1])?[0],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adam_minimises_a_quadratic() {
        let options = AdamOptions { lr: 0.05, max_norm: 1.0, ..Default::default() };
        let (mut adam, mut p) = (Adam::new(2), vec![3.0f32, -2.0]);
        for _ in 0..500 {
            let grads = [2.0 * p[0], 20.0 * p[1]];
            adam.step(&mut p, &grads, &options);
        }
        assert!(p.iter().all(|x| x.abs() < 1e-2), "{p:?}");
    }

    #[test]
    fn weight_decay_applies_where_the_gradient_is_zero() {
        let options = AdamOptions { lr: 0.1, weight_decay: 0.5, ..Default::default() };
        // One parameter with the value 2.
        let (mut adam, mut p) = (Adam::new(1), vec![2.0f32]);
        adam.step(&mut p, &[0.0], &options);
        assert_eq!(p, [2.0 - 0.1 * 0.5 * 2.0]);
    }

    #[test]
    fn step_with_a_gradient_that_is_not_finite_changes_nothing() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        assert!(adam.step(&mut p, &[f32::NAN, 0.0], &AdamOptions::default()).is_nan());
        assert_eq!((p, adam), (vec![1.0, 2.0], Adam::new(2)));
    }

    #[test]
    fn state_round_trips_through_tensors() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        adam.step(&mut p, &[0.5, 0.25], &AdamOptions::default());
        assert_eq!(Adam::from_tensors(2, &adam.to_tensors()).unwrap(), adam);
        assert!(Adam::from_tensors(3, &adam.to_tensors()).is_err());
    }
}
