//! The way back through activations whose derivative follows from what came out of them.

use learnery_kernels::activation::tanh_backward;
use learnery_kernels::simd::{Op, Simd, dispatch, zip_map};
use learnery_kernels::tail::Activation;

/// Turns the gradient after an activation that gave `y` into the one before it, in place.
pub fn backward(activation: Activation, dy: &mut [f32], y: &[f32]) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => dispatch(Relu(dy, y)),
        Activation::Tanh => tanh_backward(dy, y),
        Activation::Sigmoid => dispatch(Sigmoid(dy, y)),
        Activation::Gelu => panic!("the derivative of GELU needs what went in"),
    }
}

struct Relu<'a>(&'a mut [f32], &'a [f32]);

impl Op for Relu<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let zero = s.splat(0.0);
        zip_map(
            s,
            self.0,
            self.1,
            #[inline(always)]
            |d, y| s.select(s.eq(y, zero), zero, d),
        );
    }
}

struct Sigmoid<'a>(&'a mut [f32], &'a [f32]);

impl Op for Sigmoid<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        zip_map(
            s,
            self.0,
            self.1,
            #[inline(always)]
            |d, y| s.mul(d, s.neg_mul_add(y, y, y)),
        );
    }
}
