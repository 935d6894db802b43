//! Adam over a flat parameter vector, with clipping by global norm.

use learnery_kernels::optim::{AdamStep, adam};
use learnery_kernels::reduce;

use crate::{TensorError, Tensors};

/// The state of Adam (Kingma & Ba, 2014): both moments and the number of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    m: Vec<f32>,
    v: Vec<f32>,
    t: u64,
}

const BETAS: (f32, f32) = (0.9, 0.999);
/// As in the PPO reference code; the usual 1e-8 makes early steps of tiny gradients too bold.
const EPS: f32 = 1e-5;

impl Adam {
    /// No step taken yet.
    pub fn new(parameters: usize) -> Self {
        Self { m: vec![0.0; parameters], v: vec![0.0; parameters], t: 0 }
    }

    /// One step down the gradient, shortened to `max_norm` where it is longer. Returns its full length.
    /// A gradient that is not finite is not followed at all.
    pub fn step(&mut self, params: &mut [f32], grads: &[f32], lr: f32, max_norm: f32) -> f32 {
        let norm = reduce::sum_squares(grads).sqrt() as f32;
        if !norm.is_finite() {
            return norm;
        }
        self.t += 1;
        let step = AdamStep {
            lr,
            beta1: BETAS.0,
            beta2: BETAS.1,
            eps: EPS,
            weight_decay: 0.0,
            grad_scale: if norm > max_norm { max_norm / norm } else { 1.0 },
            t: self.t,
        };
        adam(params, grads, &mut self.m, &mut self.v, &step);
        norm
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
            m: tensors.get("m", &[parameters])?,
            v: tensors.get("v", &[parameters])?,
            t: tensors.get("t", &[1])?[0],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_walks_down_a_bowl() {
        let (mut adam, mut p) = (Adam::new(2), vec![3.0f32, -2.0]);
        for _ in 0..500 {
            let grads = [2.0 * p[0], 20.0 * p[1]];
            adam.step(&mut p, &grads, 0.05, 1.0);
        }
        assert!(p.iter().all(|x| x.abs() < 1e-2), "{p:?}");
    }

    #[test]
    fn a_gradient_that_is_not_finite_changes_nothing() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        assert!(adam.step(&mut p, &[f32::NAN, 0.0], 0.1, 1.0).is_nan());
        assert_eq!((p, adam), (vec![1.0, 2.0], Adam::new(2)));
    }

    #[test]
    fn the_state_round_trips() {
        let (mut adam, mut p) = (Adam::new(2), vec![1.0f32, 2.0]);
        adam.step(&mut p, &[0.5, 0.25], 0.1, 1.0);
        assert_eq!(Adam::from_tensors(2, &adam.to_tensors()).unwrap(), adam);
        assert!(Adam::from_tensors(3, &adam.to_tensors()).is_err());
    }
}
