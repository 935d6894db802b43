//! Adam over a flat parameter vector, with decoupled weight decay and clipping by global norm.
//!
//! Kingma and Ba, "Adam: a method for stochastic optimization", 2014; Loshchilov and Hutter, "Decoupled weight decay
//! regularization", 2017.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::optim::{AdamStep, adam};
use learnery_kernels::reduce;
use rayon::prelude::*;

use crate::{TensorError, Tensors};

/// The dials of a step. They may change from one to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamOptions {
    /// Learning rate.
    pub lr: f32,
    /// How slowly the means of gradients and of their squares forget.
    pub betas: (f32, f32),
    /// Added to the root of the mean square.
    pub eps: f32,
    /// How much of every parameter goes in a step, times the learning rate; zero gives plain Adam.
    pub weight_decay: f32,
    /// A longer gradient is shortened to this; infinite for no limit.
    pub max_norm: f32,
}

impl Default for AdamOptions {
    fn default() -> Self {
        Self { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0, max_norm: f32::INFINITY }
    }
}

/// Parameters that one thread changes at a time, and whose squares are summed by themselves where there are more.
const STRETCH: usize = 1 << 19;

/// The length of a gradient. The sums of stretches are added in their order, whoever made them.
pub(crate) fn norm(grads: &[f32]) -> f32 {
    /// Stretches whose sums are waited for together.
    const AT_ONCE: usize = 16;
    let sum = grads.chunks(AT_ONCE * STRETCH).fold(0.0, |sum, grads| {
        let mut sums = [0.0; AT_ONCE];
        if grads.len() <= STRETCH {
            sums[0] = reduce::sum_squares(grads);
        } else {
            let stretches = sums.par_iter_mut().zip(grads.par_chunks(STRETCH)).with_max_len(1);
            stretches.for_each(|(sum, grads)| *sum = reduce::sum_squares(grads));
        }
        sums.iter().fold(sum, |sum, more| sum + more)
    });
    sum.sqrt() as f32
}

/// What a gradient of length `norm` is multiplied by, so that it is no longer than `most`.
pub(crate) fn clip(norm: f32, most: f32) -> f32 {
    if norm > most { most / norm } else { 1.0 }
}

/// The state of Adam: both moments and the number of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    m: Buffer,
    v: Buffer,
    t: u64,
}

impl Adam {
    /// No step taken yet.
    pub fn new(parameters: usize) -> Self {
        Self { m: Buffer::new(parameters), v: Buffer::new(parameters), t: 0 }
    }

    /// How many parameters it is for.
    pub(crate) fn len(&self) -> usize {
        self.m.len()
    }

    /// One step down the gradient. Returns the gradient's length before it was shortened. A gradient that is not
    /// finite is not followed at all.
    pub fn step(&mut self, params: &mut [f32], grads: &[f32], options: &AdamOptions) -> f32 {
        // The sum that threads would come to, by one of them.
        let squares = grads.chunks(STRETCH).map(reduce::sum_squares).fold(0.0, |sum, more| sum + more);
        let norm = squares.sqrt() as f32;
        if norm.is_finite() {
            self.begin();
            let step = self.rule(options, clip(norm, options.max_norm));
            adam(params, grads, &mut self.m, &mut self.v, &step);
        }
        norm
    }

    /// The same on all threads, for large networks, with a weight decay of its own for each part: `parts` follow one
    /// another and are all there is.
    pub fn step_groups(
        &mut self,
        params: &mut [f32],
        grads: &[f32],
        options: &AdamOptions,
        parts: &[(Range<usize>, f32)],
    ) -> f32 {
        let norm = norm(grads);
        if norm.is_finite() {
            let scale = clip(norm, options.max_norm);
            self.begin();
            let mut end = 0;
            for (part, weight_decay) in parts {
                assert_eq!(part.start, end, "parts that do not follow one another");
                end = part.end;
                let options = AdamOptions { weight_decay: *weight_decay, ..*options };
                self.change(part.start, &mut params[part.clone()], &grads[part.clone()], &options, scale);
            }
            assert_eq!(end, params.len(), "parts that are not all there is");
        }
        norm
    }

    /// Changes the parameters from `first` on that `params` holds. Threads take stretches; no value depends on another.
    pub(crate) fn change(
        &mut self,
        first: usize,
        params: &mut [f32],
        grads: &[f32],
        options: &AdamOptions,
        grad_scale: f32,
    ) {
        let step = self.rule(options, grad_scale);
        let (m, v) = (&mut self.m[first..][..params.len()], &mut self.v[first..][..params.len()]);
        let moments = m.par_chunks_mut(STRETCH).zip(v.par_chunks_mut(STRETCH));
        let stretches = params.par_chunks_mut(STRETCH).zip(grads.par_chunks(STRETCH)).zip(moments);
        stretches.for_each(|((p, g), (m, v))| adam(p, g, m, v, &step));
    }

    /// What the present step does to each parameter.
    fn rule(&self, options: &AdamOptions, grad_scale: f32) -> AdamStep {
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

    /// Counts a step that [`Adam::change`] is about to take.
    pub(crate) fn begin(&mut self) {
        self.t += 1;
    }

    /// The state as tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("m", &[self.m.len()], &self.m);
        tensors.insert("v", &[self.v.len()], &self.v);
        tensors.insert("t", &[1], &[self.t]);
        tensors
    }

    /// The state of a network of `parameters` parameters from tensors.
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
    fn it_walks_down_a_bowl() {
        let options = AdamOptions { lr: 0.05, max_norm: 1.0, ..Default::default() };
        let (mut adam, mut p) = (Adam::new(2), vec![3.0f32, -2.0]);
        for _ in 0..500 {
            let grads = [2.0 * p[0], 20.0 * p[1]];
            adam.step(&mut p, &grads, &options);
        }
        assert!(p.iter().all(|x| x.abs() < 1e-2), "{p:?}");
    }

    #[test]
    fn weights_decay_where_nothing_else_pulls() {
        let options = AdamOptions { lr: 0.1, weight_decay: 0.5, ..Default::default() };
        let (mut adam, mut p) = (Adam::new(1), vec![2.0f32]);
        adam.step(&mut p, &[0.0], &options);
        assert_eq!(p, [2.0 - 0.1 * 0.5 * 2.0]);
    }

    #[test]
    fn a_gradient_that_is_not_finite_changes_nothing() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        assert!(adam.step(&mut p, &[f32::NAN, 0.0], &AdamOptions::default()).is_nan());
        assert_eq!((p, adam), (vec![1.0, 2.0], Adam::new(2)));
    }

    #[test]
    fn the_state_round_trips() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        adam.step(&mut p, &[0.5, 0.25], &AdamOptions::default());
        assert_eq!(Adam::from_tensors(2, &adam.to_tensors()).unwrap(), adam);
        assert!(Adam::from_tensors(3, &adam.to_tensors()).is_err());
    }
}
