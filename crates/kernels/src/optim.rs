//! The Adam step, fused into one pass over flat slices of parameters, gradients and moments.

use crate::math::double::integer_power;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, load_padded, store_partial};

/// One step of Adam (Kingma & Ba, 2014) with decoupled weight decay (Loshchilov & Hutter, 2017).
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// The learning rate.
    pub lr: f32,
    /// Decay rate of the first moment.
    pub beta1: f32,
    /// Decay rate of the second moment.
    pub beta2: f32,
    /// Added to the square root of the second moment.
    pub eps: f32,
    /// Decoupled weight decay; zero gives plain Adam.
    pub weight_decay: f32,
    /// The factor by which every gradient is multiplied first, for clipping by global norm.
    pub grad_scale: f32,
    /// The number of the step, from 1.
    pub t: u64,
}

impl AdamStep {
    /// The bias corrections `1 / (1 - beta^t)` of the mean and of the mean square, which start at zero.
    pub fn bias_corrections(&self) -> (f32, f32) {
        // With the usual betas, both powers are negligible long before the millionth step, so the exponent
        // need not grow further.
        let t = self.t.min(1_000_000) as u32;
        let c = |beta: f32| (1.0 / (1.0 - integer_power(f64::from(beta), t))) as f32;
        (c(self.beta1), c(self.beta2))
    }
}

/// Applies one step to the parameters `p` with gradients `g` and moments `m` and `v`. The operations and
/// their order are the same as in [`crate::reference::adam`], without fused multiply-adds, so that the bits
/// are the same on every target.
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    assert!(p.len() == g.len() && p.len() == m.len() && p.len() == v.len(), "lengths differ");
    dispatch(Adam { p, g, m, v, step });
}

/// The arguments of [`adam`], checked.
struct Adam<'a> {
    p: &'a mut [f32],
    g: &'a [f32],
    m: &'a mut [f32],
    v: &'a mut [f32],
    step: &'a AdamStep,
}

impl Op for Adam<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { p, g, m, v, step } = self;
        let (mean_correction, square_correction) = step.bias_corrections();
        let [mean_correction, square_correction] = [mean_correction, square_correction].map(|x| s.splat(x));
        let (lr, eps) = (s.splat(step.lr), s.splat(step.eps));
        let (decay, grad_scale) = (s.splat(step.weight_decay), s.splat(step.grad_scale));
        let (beta1, one_minus_beta1) = (s.splat(step.beta1), s.splat(1.0 - step.beta1));
        let (beta2, one_minus_beta2) = (s.splat(step.beta2), s.splat(1.0 - step.beta2));
        let moments = m.chunks_mut(S::LANES).zip(v.chunks_mut(S::LANES));
        for ((p, g), (m, v)) in p.chunks_mut(S::LANES).zip(g.chunks(S::LANES)).zip(moments) {
            let grad = s.mul(load_padded(s, g, 0.0), grad_scale);
            let mean = s.add(s.mul(beta1, load_padded(s, m, 0.0)), s.mul(one_minus_beta1, grad));
            let square =
                s.add(s.mul(beta2, load_padded(s, v, 0.0)), s.mul(s.mul(one_minus_beta2, grad), grad));
            store_partial(s, m, mean);
            store_partial(s, v, square);
            let root = s.add(s.sqrt(s.mul(square, square_correction)), eps);
            let old = load_padded(s, p, 0.0);
            let update = s.add(s.div(s.mul(mean, mean_correction), root), s.mul(decay, old));
            store_partial(s, p, s.sub(old, s.mul(lr, update)));
        }
    }
}
