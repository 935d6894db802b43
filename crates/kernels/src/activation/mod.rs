//! Element-wise activation functions and their derivatives, and row-wise softmax and log-softmax. The
//! functions themselves and their error bounds are in [`crate::simd::math`]. GELU: Hendrycks and Gimpel,
//! "Gaussian error linear units", 2016, in its tanh approximation.

pub(crate) mod softmax;
pub(crate) mod sparse_row;

pub use softmax::{log_softmax, log_sum_exp, masked_log_softmax, masked_softmax, softmax};

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, load_padded, map, math, store_partial, zip_map};

/// An activation function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    #[default]
    Identity,
    /// `max(x, 0)`; NaN stays NaN.
    Relu,
    Tanh,
    /// `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`
    Gelu,
    /// `1 / (1 + exp(-x))`
    Sigmoid,
}

/// Applies `activation` to every element of `x`.
#[inline(always)]
pub(crate) fn apply<S: Simd>(s: S, x: &mut [f32], activation: Activation) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => map(
            s,
            x,
            #[inline(always)]
            |v| math::relu(s, v),
        ),
        Activation::Tanh => map(
            s,
            x,
            #[inline(always)]
            |v| math::tanh(s, v),
        ),
        Activation::Gelu => map(
            s,
            x,
            #[inline(always)]
            |v| math::gelu(s, v),
        ),
        Activation::Sigmoid => map(
            s,
            x,
            #[inline(always)]
            |v| math::sigmoid(s, v),
        ),
    }
}

/// Defines functions that apply a function of [`crate::simd::math`] to a slice in place.
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
    /// GELU in place (Gaussian error linear unit), in its tanh approximation.
    gelu;
    /// `x = sin(x)` in place.
    sin;
    /// `x = cos(x)` in place.
    cos;
}

/// Writes the sines of `x` to `sin` and the cosines to `cos`.
pub fn sin_cos(x: &[f32], sin: &mut [f32], cos: &mut [f32]) {
    struct Run<'a>(&'a [f32], &'a mut [f32], &'a mut [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(x, sin, cos) = self;
            let outs = sin.chunks_mut(S::LANES).zip(cos.chunks_mut(S::LANES));
            for (x, (sin_out, cos_out)) in x.chunks(S::LANES).zip(outs) {
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
            let Self(x, bias) = self;
            for row in x.chunks_exact_mut(bias.len()) {
                zip_map(
                    s,
                    row,
                    bias,
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
            let Self(x, bias) = self;
            for row in x.chunks_exact_mut(bias.len()) {
                zip_map(
                    s,
                    row,
                    bias,
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

/// Defines backward passes in place, from the gradient at the output and a value saved by the forward pass.
macro_rules! backward {
    ($($(#[$doc:meta])* $name:ident: |$s:ident, $d:ident, $saved:ident| $gradient:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(dy: &mut [f32], saved: &[f32]) {
            struct Run<'a>(&'a mut [f32], &'a [f32]);
            impl Op for Run<'_> {
                type Output = ();
                #[inline(always)]
                fn run<S: Simd>(self, $s: S) {
                    zip_map($s, self.0, self.1, #[inline(always)] |$d, $saved| $gradient);
                }
            }
            assert!(saved.len() >= dy.len(), "{} gradients but only {} saved values", dy.len(), saved.len());
            dispatch(Run(dy, saved));
        }
    )*};
}

backward! {
    /// Backward pass of tanh in place, from its output y: `dy *= 1 - y * y`.
    tanh_backward: |s, d, y| s.mul(d, s.neg_mul_add(y, y, s.splat(1.0)));
    /// Backward pass of the logistic function in place, from its output y: `dy *= y (1 - y)`.
    sigmoid_backward: |s, d, y| s.mul(d, s.mul(y, s.sub(s.splat(1.0), y)));
    /// Backward pass of ReLU in place, from its output or its input: `dy` becomes zero where `saved` is not
    /// positive.
    relu_backward: |s, d, y| s.select(s.lt(s.splat(0.0), y), d, s.splat(0.0));
    /// Backward pass of GELU in place, from its *input*.
    gelu_backward: |s, d, x| s.mul(d, math::gelu_derivative(s, x));
}

impl Activation {
    /// Backward pass in place: `dy` is the gradient at the output and becomes the gradient at the input. The
    /// first `dy.len()` values of `saved` are the outputs of the activation, or its inputs for
    /// [`Activation::Gelu`].
    pub fn backward(self, dy: &mut [f32], saved: &[f32]) {
        match self {
            Self::Identity => {}
            Self::Relu => relu_backward(dy, saved),
            Self::Tanh => tanh_backward(dy, saved),
            Self::Gelu => gelu_backward(dy, saved),
            Self::Sigmoid => sigmoid_backward(dy, saved),
        }
    }
}
