//! Element-wise functions and their derivatives, and the row-wise softmax family. The functions themselves, and
//! how exact they are, stand in [`crate::simd::math`].

pub(crate) mod softmax;
pub(crate) mod sparse_row;

pub use softmax::{log_softmax, log_sum_exp, masked_log_softmax, masked_softmax, softmax};

use crate::epilogue::{Activation, apply};
use crate::simd::{Op, Simd, dispatch, load_padded, map, math, store_partial, zip_map};

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
    /// The Gaussian error linear unit in place, in its form with tanh.
    gelu;
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
                let (sin, cos) = math::sin_cos(s, load_padded(s, x, 0.0));
                store_partial(s, sin_out, sin);
                store_partial(s, cos_out, cos);
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

/// `x = max(x, 0)` in place; NaN stays NaN.
pub fn relu(x: &mut [f32]) {
    struct Run<'a>(&'a mut [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            apply(s, self.0, Activation::Relu);
        }
    }
    dispatch(Run(x));
}

macro_rules! backward {
    ($($(#[$doc:meta])* $name:ident: |$s:ident, $d:ident, $kept:ident| $gradient:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(dy: &mut [f32], kept: &[f32]) {
            struct Run<'a>(&'a mut [f32], &'a [f32]);
            impl Op for Run<'_> {
                type Output = ();
                #[inline(always)]
                fn run<S: Simd>(self, $s: S) {
                    zip_map($s, self.0, self.1, #[inline(always)] |$d, $kept| $gradient);
                }
            }
            assert!(kept.len() >= dy.len(), "{} gradients and only {} values kept", dy.len(), kept.len());
            dispatch(Run(dy, kept));
        }
    )*};
}

backward! {
    /// Turns the gradient after a tanh into the gradient before it, from the output y: `dy *= 1 - y * y`.
    tanh_backward: |s, d, y| s.mul(d, s.neg_mul_add(y, y, s.splat(1.0)));
    /// The same for the logistic function: `dy *= y (1 - y)`.
    sigmoid_backward: |s, d, y| s.mul(d, s.mul(y, s.sub(s.splat(1.0), y)));
    /// The same for `max(x, 0)`, from the output or the input: zero where that is not above zero.
    relu_backward: |s, d, y| s.select(s.lt(s.splat(0.0), y), d, s.splat(0.0));
    /// The same for the Gaussian error linear unit, from the *input*.
    gelu_backward: |s, d, x| s.mul(d, math::gelu_derivative(s, x));
}

impl Activation {
    /// Turns the gradient after the activation into the gradient before it. `kept` begins with the output, but for
    /// [`Activation::Gelu`] with the input.
    pub fn backward(self, dy: &mut [f32], kept: &[f32]) {
        match self {
            Self::Identity => {}
            Self::Relu => relu_backward(dy, kept),
            Self::Tanh => tanh_backward(dy, kept),
            Self::Gelu => gelu_backward(dy, kept),
            Self::Sigmoid => sigmoid_backward(dy, kept),
        }
    }
}
