//! Element-wise functions and their derivatives, and the row-wise softmax family. The functions themselves, and
//! how exact they are, stand in [`crate::simd::math`].

mod softmax;

pub use softmax::log_softmax;

use crate::simd::{Op, Simd, dispatch, load_or, map, math, store_some, zip_map};

macro_rules! in_place {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(x: &mut [f32]) {
            struct Run<'a>(&'a mut [f32]);
            impl Op for Run<'_> {
                type Output = ();
                #[inline(always)]
                fn run<S: Simd>(self, s: S) {
                    map(s, self.0, #[inline(always)] |v| math::$name(s, v));
                }
            }
            dispatch(Run(x));
        }
    )*};
}

in_place! {
    /// `x = tanh(x)` in place.
    tanh;
    /// `x = exp(x)` in place.
    exp;
    /// `x = log(x)` in place, the natural logarithm.
    log;
    /// `x = 1 / (1 + exp(-x))` in place.
    sigmoid;
    /// `x = sin(x)` in place.
    sin;
    /// `x = cos(x)` in place.
    cos;
}

/// Puts the sines of `x` into `sin` and the cosines into `cos`.
pub fn sin_cos(x: &[f32], sin: &mut [f32], cos: &mut [f32]) {
    struct Run<'a>(&'a [f32], &'a mut [f32], &'a mut [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let outs = self.1.chunks_mut(S::LANES).zip(self.2.chunks_mut(S::LANES));
            for (x, (sin_out, cos_out)) in self.0.chunks(S::LANES).zip(outs) {
                let (sin, cos) = math::sin_cos(s, load_or(s, x, 0.0));
                store_some(s, sin_out, sin);
                store_some(s, cos_out, cos);
            }
        }
    }
    assert!(x.len() == sin.len() && x.len() == cos.len(), "lengths differ");
    dispatch(Run(x, sin, cos));
}

/// Adds `bias` to every row of `x` `[rows, bias.len()]` and applies tanh, in place.
pub fn bias_tanh(x: &mut [f32], bias: &[f32]) {
    struct Run<'a>(&'a mut [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            for row in self.0.chunks_exact_mut(self.1.len()) {
                zip_map(
                    s,
                    row,
                    self.1,
                    #[inline(always)]
                    |x, b| math::tanh(s, s.add(x, b)),
                );
            }
        }
    }
    dispatch(Run(x, bias));
}

/// Adds `bias` to every row of `x` `[rows, bias.len()]`, in place.
pub fn bias_add(x: &mut [f32], bias: &[f32]) {
    struct Run<'a>(&'a mut [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            for row in self.0.chunks_exact_mut(self.1.len()) {
                zip_map(
                    s,
                    row,
                    self.1,
                    #[inline(always)]
                    |x, b| s.add(x, b),
                );
            }
        }
    }
    dispatch(Run(x, bias));
}

/// Turns the gradient after a tanh into the gradient before it: `dy *= 1 - y * y`.
pub fn tanh_backward(dy: &mut [f32], y: &[f32]) {
    struct Run<'a>(&'a mut [f32], &'a [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let one = s.splat(1.0);
            zip_map(
                s,
                self.0,
                self.1,
                #[inline(always)]
                |d, y| s.mul(d, s.neg_mul_add(y, y, one)),
            );
        }
    }
    dispatch(Run(dy, y));
}
