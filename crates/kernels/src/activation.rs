//! Element-wise functions and their derivatives, and the row-wise softmax family. The functions themselves, and
//! how exact they are, stand in [`crate::simd::math`].

use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_or, map, math, store_some, zip_map};

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

/// Row-wise log-softmax of `x` `[rows, cols]`, in place. The exponentials of a row are summed in sixteen parts.
pub fn log_softmax(x: &mut [f32], cols: usize) {
    struct Run<'a>(&'a mut [f32], usize);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            for row in self.0.chunks_exact_mut(self.1) {
                log_softmax_row(s, row);
            }
        }
    }
    dispatch(Run(x, cols));
}

#[inline(always)]
fn log_softmax_row<S: Simd>(s: S, row: &mut [f32]) {
    // The padding is neutral for the maximum, and its exponential is zero.
    const PAD: f32 = f32::NEG_INFINITY;
    let mut max = s.splat(PAD);
    for chunk in row.chunks(S::LANES) {
        // A NaN in the row may or may not pass here; it reaches the whole row through the sum.
        max = s.max(max, load_or(s, chunk, PAD));
    }
    let mut lanes = [PAD; MAX_LANES];
    store_some(s, &mut lanes, max);
    let max = lanes.into_iter().fold(PAD, f32::max);
    let mut parts = [0.0; MAX_LANES];
    for block in row.chunks(MAX_LANES) {
        for (chunk, part) in block.chunks(S::LANES).zip(parts.chunks_exact_mut(S::LANES)) {
            let e = math::exp(s, s.sub(load_or(s, chunk, PAD), s.splat(max)));
            let sum = s.add(load_or(s, part, 0.0), e);
            store_some(s, part, sum);
        }
    }
    // Two steps, because the logarithm would be lost in a large maximum.
    let (max, log_sum) = (s.splat(max), s.splat(ln(s, sum16(parts))));
    map(
        s,
        row,
        #[inline(always)]
        |v| s.sub(s.sub(v, max), log_sum),
    );
}

/// The sum of sixteen parts, always in the same order: halves onto halves.
#[inline(always)]
fn sum16(mut parts: [f32; MAX_LANES]) -> f32 {
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            parts[i] += parts[i + half];
        }
    }
    parts[0]
}

#[inline(always)]
fn ln<S: Simd>(s: S, x: f32) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_some(s, &mut lanes, math::log(s, s.splat(x)));
    lanes[0]
}
