//! Elementary functions on vectors, generic over the instruction set, without branches or tables.
//!
//! Range reductions and polynomial coefficients of `exp`, `log`, `sin` and `cos` come from Moshier's Cephes
//! library. `tanh` is a rational minimax approximation found with the Remez exchange algorithm. The tests
//! check the stated error bound of each function over its whole range against `f64`. Bounds in ULP refer to
//! the ULP of the exact result.

use crate::math::double;

use super::{MAX_LANES, Simd};

/// Adding and then subtracting this constant rounds a number below 2^22 in magnitude to an integer. After the
/// addition, the low bits of the sum hold that integer.
const ROUNDER: f32 = 12_582_912.0; // 1.5 * 2^23

/// ln 2 in two parts (Cody-Waite reduction). The first has so few bits that its product with a small integer
/// is exact.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Evaluates a polynomial by Horner's rule; the coefficient of the highest power comes first.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(s: S, x: S::F, coefficients: &'static [f32; N]) -> S::F {
    let mut sum = s.constant(&coefficients[0]);
    for c in &coefficients[1..] {
        sum = s.mul_add(sum, x, s.constant(c));
    }
    sum
}

/// `x * by` rounded to an integer, as a float and as a word.
#[inline(always)]
fn round_product<S: Simd>(s: S, x: S::F, by: &'static f32) -> (S::F, S::U) {
    let rounder = s.constant(&ROUNDER);
    let rounded = s.mul_add(x, s.constant(by), rounder);
    (s.sub(rounded, rounder), s.sub_u(s.to_bits(rounded), s.to_bits(rounder)))
}

/// `x` clamped to `low..=high`; NaN stays NaN.
#[inline(always)]
fn clamp<S: Simd>(s: S, x: S::F, low: &'static f32, high: &'static f32) -> S::F {
    s.min(s.constant(high), s.max(s.constant(low), x))
}

/// `|x|`
#[inline(always)]
pub fn abs<S: Simd>(s: S, x: S::F) -> S::F {
    s.bits_to_f(s.and(s.to_bits(x), s.splat_u(!(1 << 31))))
}

/// `max(x, 0)`; NaN stays NaN.
#[inline(always)]
pub fn relu<S: Simd>(s: S, x: S::F) -> S::F {
    s.max(s.splat(0.0), x)
}

/// Hyperbolic tangent, within 6 ULP (4e-7) and never beyond ±1.
#[inline(always)]
pub fn tanh<S: Simd>(s: S, x: S::F) -> S::F {
    // Beyond ±9 the result rounds to ±1.
    let x = clamp(s, x, &-9.0, &9.0);
    let square = s.mul(x, x);
    let numerator = polynomial(
        s,
        square,
        &[-1.120_815_5e-11, 2.916_669_4e-8, 2.739_618e-5, 3.837_535e-3, 0.136_552_42, 1.0],
    );
    let denominator =
        polynomial(s, square, &[1.245_303_6e-6, 3.884_667e-4, 2.713_280_7e-2, 0.469_885_74, 1.0]);
    clamp(s, s.div(s.mul(x, numerator), denominator), &-1.0, &1.0)
}

/// The exponential function, within 1.1 ULP, denormal results included.
#[inline(always)]
pub fn exp<S: Simd>(s: S, x: S::F) -> S::F {
    // Outside this range, the result is zero or infinite.
    let x = clamp(s, x, &-105.0, &90.0);
    // x = n ln 2 + r
    let (n, n_word) = round_product(s, x, &std::f32::consts::LOG2_E);
    let r = s.neg_mul_add(n, s.constant(&LN_2_HIGH), x);
    let r = s.neg_mul_add(n, s.constant(&LN_2_LOW), r);
    let p = polynomial(
        s,
        r,
        &[1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1],
    );
    let p = s.add(s.mul_add(p, s.mul(r, r), r), s.constant(&1.0));
    s.scale(p, n, n_word)
}

/// The natural logarithm, within 1 ULP. Minus infinity for zero, NaN for negative numbers.
#[inline(always)]
pub fn log<S: Simd>(s: S, x: S::F) -> S::F {
    /// The bits of sqrt(1/2).
    const ROOT_HALF: u32 = 0x3f35_04f3;
    // Denormal numbers are scaled up by 2^23 first.
    let tiny = s.lt(x, s.constant(&f32::MIN_POSITIVE));
    let scaled = s.select(tiny, s.mul(x, s.constant(&8_388_608.0)), x);
    // scaled = 2^e (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
    let offset = s.sub_u(s.to_bits(scaled), s.splat_u(ROOT_HALF));
    let e = s.sub(s.to_f(s.sar(offset, 23)), s.select(tiny, s.constant(&23.0), s.splat(0.0)));
    let mantissa = s.add_u(s.and(offset, s.splat_u(0x007f_ffff)), s.splat_u(ROOT_HALF));
    let f = s.sub(s.bits_to_f(mantissa), s.constant(&1.0));
    let square = s.mul(f, f);
    let p = polynomial(
        s,
        f,
        &[
            7.037_683_6e-2,
            -1.151_461e-1,
            1.167_699_84e-1,
            -1.242_014_1e-1,
            1.424_932_3e-1,
            -1.666_805_8e-1,
            2.000_071_4e-1,
            -2.499_999_4e-1,
            3.333_333e-1,
        ],
    );
    let p = s.mul(s.mul(p, f), square);
    let p = s.mul_add(e, s.constant(&LN_2_LOW), p);
    let p = s.neg_mul_add(square, s.constant(&0.5), p);
    let y = s.mul_add(e, s.constant(&LN_2_HIGH), s.add(f, p));
    // Infinity and NaN are returned unchanged.
    let y = s.select(s.lt(x, s.constant(&f32::INFINITY)), y, x);
    let y = s.select(s.eq(x, s.splat(0.0)), s.constant(&f32::NEG_INFINITY), y);
    s.select(s.lt(x, s.splat(0.0)), s.constant(&f32::NAN), y)
}

/// The logistic function `1 / (1 + exp(-x))`, within 3 ULP.
#[inline(always)]
pub fn sigmoid<S: Simd>(s: S, x: S::F) -> S::F {
    // e = exp(-|x|), which never overflows: `1 << 31` sets the sign bit.
    let e = exp(s, s.bits_to_f(s.or(s.to_bits(x), s.splat_u(1 << 31))));
    let numerator = s.select(s.lt(x, s.splat(0.0)), e, s.constant(&1.0));
    s.div(numerator, s.add(s.constant(&1.0), e))
}

/// GELU in its tanh approximation, `x / 2 (1 + tanh(u)) = x sigmoid(2 u)` with `u = sqrt(2 / pi) (x +
/// 0.044715 x^3)`.
#[inline(always)]
pub fn gelu<S: Simd>(s: S, x: S::F) -> S::F {
    s.mul(x, sigmoid(s, gelu_argument(s, x)))
}

/// The derivative of [`gelu`].
#[inline(always)]
pub fn gelu_derivative<S: Simd>(s: S, x: S::F) -> S::F {
    // gelu(x) = x g with g = sigmoid(v) and v = `gelu_argument(x)`, so the derivative is g + x g (1 - g) v'.
    let g = sigmoid(s, gelu_argument(s, x));
    let v_slope =
        s.mul_add(s.mul(x, x), s.constant(&(3.0 * GELU_CUBE * GELU_SCALE)), s.constant(&GELU_SCALE));
    // For large |x|, g (1 - g) is zero and x v' is infinite; the clamp keeps their product from being NaN.
    let x_v_slope = clamp(s, s.mul(x, v_slope), &-1e30, &1e30);
    s.mul_add(s.mul(g, s.sub(s.constant(&1.0), g)), x_v_slope, g)
}

/// `2 sqrt(2 / pi)`
const GELU_SCALE: f32 = 1.595_769;
const GELU_CUBE: f32 = 0.044_715;

/// The argument of the sigmoid in [`gelu`].
#[inline(always)]
fn gelu_argument<S: Simd>(s: S, x: S::F) -> S::F {
    let cubic = s.mul_add(s.mul(x, x), s.constant(&(GELU_CUBE * GELU_SCALE)), s.constant(&GELU_SCALE));
    s.mul(x, cubic)
}

/// Wraps an angle to -pi..=pi, with an absolute error below 3e-7. Angles in that range are returned
/// unchanged.
#[inline(always)]
pub fn wrap_angle<S: Simd>(s: S, x: S::F) -> S::F {
    // x - n 2 pi, with 2 pi in three parts: four times the parts of pi / 2 in `near_sin_cos`.
    let (n, _) = round_product(s, x, &(1.0 / std::f32::consts::TAU));
    let r = s.neg_mul_add(n, s.constant(&(201.0 / 32.0)), x);
    let r = s.neg_mul_add(n, s.constant(&(2029.0 / 1_048_576.0)), r);
    let r = s.neg_mul_add(n, s.constant(&(4.0 * 7.549_79e-8)), r);
    let far = s.lt(s.constant(&FAR), abs(s, x));
    if s.any(far) {
        #[cold]
        fn one_by_one(x: &mut [f32; MAX_LANES]) {
            const TURN: f64 = std::f64::consts::TAU;
            x.iter_mut().for_each(|x| *x = (f64::from(*x) - TURN * (f64::from(*x) / TURN).round()) as f32);
        }
        let mut lanes = [0.0; MAX_LANES];
        // SAFETY: no vector has more than `MAX_LANES` lanes.
        unsafe {
            s.store_ptr(lanes.as_mut_ptr(), x);
            one_by_one(&mut lanes);
            return s.select(far, s.load_ptr(lanes.as_ptr()), r);
        }
    }
    r
}

/// The largest argument for which the three-part argument reduction of [`sin_cos`] is exact.
const FAR: f32 = 8192.0;

/// Sine and cosine, with an absolute error below 1e-7 for every finite argument; NaN for infinities and NaN.
#[inline(always)]
pub fn sin_cos<S: Simd>(s: S, x: S::F) -> (S::F, S::F) {
    let result = near_sin_cos(s, x);
    let near = s.lt(abs(s, x), s.constant(&FAR));
    if s.mask_bits(near) != u32::MAX >> (32 - S::LANES) {
        let far = far_sin_cos(s, x);
        return (s.select(near, result.0, far.0), s.select(near, result.1, far.1));
    }
    result
}

/// [`sin_cos`] for arguments in -8192..=8192; for other arguments, the results are unspecified.
#[inline(always)]
pub fn near_sin_cos<S: Simd>(s: S, x: S::F) -> (S::F, S::F) {
    // x = n pi/2 + r, with pi/2 in three parts whose products with n are exact below `FAR` (Cody-Waite
    // reduction).
    let (n, quadrant) = round_product(s, x, &std::f32::consts::FRAC_2_PI);
    let r = s.neg_mul_add(n, s.constant(&(201.0 / 128.0)), x);
    let r = s.neg_mul_add(n, s.constant(&(2029.0 / 4_194_304.0)), r);
    let r = s.neg_mul_add(n, s.constant(&7.549_79e-8), r);
    quadrant_sin_cos(s, r, quadrant)
}

/// Sine and cosine of `2 pi u` for `u` in 0..=1, with an absolute error below 1e-7.
#[inline(always)]
pub fn sin_cos_of_turns<S: Simd>(s: S, u: S::F) -> (S::F, S::F) {
    // 4 u = n + r is exact.
    let (n, quadrant) = round_product(s, u, &4.0);
    let r = s.sub(s.mul(u, s.constant(&4.0)), n);
    quadrant_sin_cos(s, s.mul(r, s.constant(&std::f32::consts::FRAC_PI_2)), quadrant)
}

/// Sine and cosine of `quadrant * pi / 2 + r` for `r` in -pi/4..=pi/4.
#[inline(always)]
fn quadrant_sin_cos<S: Simd>(s: S, r: S::F, quadrant: S::U) -> (S::F, S::F) {
    let square = s.mul(r, r);
    let sin = polynomial(s, square, &[-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1]);
    let sin = s.mul_add(s.mul(sin, square), r, r);
    let cos = polynomial(s, square, &[2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2]);
    let cos =
        s.mul_add(s.mul(cos, square), square, s.neg_mul_add(s.constant(&0.5), square, s.constant(&1.0)));
    // In odd-numbered quadrants, sine and cosine are swapped. The sine is negative if bit 1 of the quadrant
    // is set, the cosine if bit 1 of the quadrant plus one is set. Shifted by 30, bit 1 becomes the sign bit.
    let even = s.eq_u(s.and(quadrant, s.splat_u(1)), s.splat_u(0));
    let flip = |quadrant| s.shl(s.and(quadrant, s.splat_u(2)), 30);
    let sin_flip = flip(quadrant);
    let cos_flip = flip(s.add_u(quadrant, s.splat_u(1)));
    (
        s.bits_to_f(s.xor(s.to_bits(s.select(even, sin, cos)), sin_flip)),
        s.bits_to_f(s.xor(s.to_bits(s.select(even, cos, sin)), cos_flip)),
    )
}

/// Sine; see [`sin_cos`].
#[inline(always)]
pub fn sin<S: Simd>(s: S, x: S::F) -> S::F {
    sin_cos(s, x).0
}

/// Cosine; see [`sin_cos`].
#[inline(always)]
pub fn cos<S: Simd>(s: S, x: S::F) -> S::F {
    sin_cos(s, x).1
}

/// [`sin_cos`] for arguments of any size, one lane at a time in `f64`.
#[inline(always)]
fn far_sin_cos<S: Simd>(s: S, x: S::F) -> (S::F, S::F) {
    #[cold]
    /// `sin` holds the arguments at first.
    fn one_by_one(sin: &mut [f32; MAX_LANES], cos: &mut [f32; MAX_LANES]) {
        for (sin, cos) in sin.iter_mut().zip(cos) {
            let x = f64::from(*sin);
            (*sin, *cos) = (double::sin(x) as f32, double::cos(x) as f32);
        }
    }
    let (mut sin, mut cos) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    // SAFETY: no vector has more than `MAX_LANES` lanes.
    unsafe {
        s.store_ptr(sin.as_mut_ptr(), x);
        one_by_one(&mut sin, &mut cos);
        (s.load_ptr(sin.as_ptr()), s.load_ptr(cos.as_ptr()))
    }
}
