//! Elementary functions of single numbers, bit-identical to the vector versions on the same target. So a
//! simulation of one environment at a time gives the same bits as a simulation of one environment per lane.

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, math, store_partial};

/// Evaluates `$value` with `$x` in every lane of a vector, and `$lanes` on its result. `$first` takes the
/// first lane of a vector.
macro_rules! first_lane_of {
    ($x:expr, $output:ty, |$simd:ident, $vector:ident| $value:expr, |$first:ident, $result:ident| $lanes:expr) => {{
        struct Run(f32);
        impl Op for Run {
            type Output = $output;
            #[inline(always)]
            fn run<S: Simd>(self, $simd: S) -> $output {
                let $vector = $simd.splat(self.0);
                let $result = $value;
                let $first = |v: S::F| {
                    let mut lanes = [0.0; MAX_LANES];
                    store_partial($simd, &mut lanes, v);
                    lanes[0]
                };
                $lanes
            }
        }
        dispatch(Run($x))
    }};
}

/// Hyperbolic tangent; see [`math::tanh`].
pub fn tanh(x: f32) -> f32 {
    first_lane_of!(x, f32, |s, v| math::tanh(s, v), |first, y| first(y))
}

/// The exponential function; see [`math::exp`].
pub fn exp(x: f32) -> f32 {
    first_lane_of!(x, f32, |s, v| math::exp(s, v), |first, y| first(y))
}

/// The natural logarithm; see [`math::log`].
pub fn log(x: f32) -> f32 {
    first_lane_of!(x, f32, |s, v| math::log(s, v), |first, y| first(y))
}

/// Double precision, for numbers that are computed seldom. The standard library calls the C library of the
/// platform, whose last bits differ from one platform to another. The crate `libm` computes the same bits
/// everywhere.
pub mod double {
    pub use libm::{cos, exp, log, log2, pow, sin};

    /// `base` to a power, by repeated squaring. The precision of `f64::powi` differs between platforms.
    pub fn integer_power(base: f64, exponent: u32) -> f64 {
        let (mut power, mut square) = (1.0, base);
        let mut rest = exponent;
        while rest > 0 {
            if rest % 2 == 1 {
                power *= square;
            }
            square *= square;
            rest /= 2;
        }
        power
    }
}

/// Sine and cosine; see [`math::sin_cos`].
pub fn sin_cos(x: f32) -> (f32, f32) {
    first_lane_of!(x, (f32, f32), |s, v| math::sin_cos(s, v), |first, y| (first(y.0), first(y.1)))
}
