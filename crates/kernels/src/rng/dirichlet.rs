//! Dirichlet noise: gamma variates divided by their sum (Marsaglia and Tsang, "A simple method for generating gamma
//! variables", 2000), each in its own lane and with its own counters.
//!
//! Variates are handled by their logarithms, since with the small concentrations of tree search most of them are
//! below the smallest float. Attempts are bounded: with eight, one variate in 10^10 is replaced by the mode of its
//! distribution.

use super::Stream;
use super::fill::{normal_pair, open_unit, words};
use crate::activation::softmax;
use crate::simd::{Op, Simd, Unfused, dispatch, math, store_partial};

/// The most attempts at a variate.
const ATTEMPTS: u32 = 8;

/// Fills `out` with one draw. See [`Stream::fill_dirichlet`].
pub(super) fn fill(stream: Stream, index: u64, alpha: f32, out: &mut [f32]) {
    struct Fill<'a>(Stream, u64, f32, &'a mut [f32]);
    impl Op for Fill<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(stream, index, alpha, out) = self;
            let s = Unfused(s);
            for (i, chunk) in out.chunks_mut(S::LANES).enumerate() {
                store_partial(s, chunk, log_gamma(s, stream, index, (i * S::LANES) as u32, alpha));
            }
            softmax::wide_row::<_, false>(s, out);
        }
    }
    assert!(alpha > 0.0 && alpha.is_finite(), "a concentration of {alpha}");
    dispatch(Fill(stream, index, alpha, out));
}

/// The logarithms of gamma variates of shape `alpha`, number `first` and following. Number i takes word by word what
/// it needs from the blocks (`index`, i + 2^32 attempt).
#[inline(always)]
fn log_gamma<S: Simd>(s: S, stream: Stream, index: u64, first: u32, alpha: f32) -> S::F {
    // Below one, a variate of alpha + 1 is multiplied by u^(1 / alpha).
    let shape = if alpha < 1.0 { alpha + 1.0 } else { alpha };
    let d = shape - 1.0 / 3.0;
    let (zero, one, open) = (s.splat(0.0), s.splat(1.0), s.splat(f32::INFINITY));
    let (depth, slope) = (s.splat(d), s.splat(1.0 / (9.0 * d).sqrt()));
    // The logarithm of the variate over d; infinite while there is none.
    let mut log_v = open;
    let mut boost = zero;
    for attempt in 0..ATTEMPTS {
        let [a, b, c, last] = words(s, stream, index, first, attempt);
        let [x, _] = normal_pair(s, a, b);
        let root = s.add(one, s.mul(slope, x));
        let log = s.mul(s.splat(3.0), math::log(s, root));
        let v = s.mul(s.mul(root, root), root);
        // log u < x^2 / 2 + d (1 - v + log v), which is false where the root is negative and its logarithm NaN.
        let bend = s.mul(depth, s.add(s.sub(one, v), log));
        let bound = s.add(s.mul(s.mul(s.splat(0.5), x), x), bend);
        let tried = s.select(s.lt(math::log(s, open_unit(s, c)), bound), log, open);
        log_v = s.select(s.eq(log_v, open), tried, log_v);
        if attempt == 0 && alpha < 1.0 {
            boost = s.div(math::log(s, open_unit(s, last)), s.splat(alpha));
        }
        if !s.any(s.eq(log_v, open)) {
            break;
        }
    }
    // What the variates have in common, d itself, divides out.
    s.add(s.select(s.eq(log_v, open), zero, log_v), boost)
}
