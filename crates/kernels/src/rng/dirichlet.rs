//! Dirichlet samples: gamma variates divided by their sum. Gamma variates are computed by rejection sampling
//! (Marsaglia and Tsang, "A simple method for generating gamma variables", 2000), one variate per lane.
//!
//! Variates are stored as logarithms, because with small concentrations (below 0.05 or so) many would
//! underflow, and their sum could be zero. A softmax of the logarithms divides them by their sum. Rejection
//! sampling stops after eight attempts; at most about one variate in 10^10 is not accepted by then. In its
//! place comes the variate of v = 1, which lies near the median.

use super::Stream;
use super::fill::{normal_pair, open_unit, words_of_blocks};
use crate::activation::softmax;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, Unfused, dispatch, math, store_partial};

/// The largest number of rejection-sampling attempts per variate.
const ATTEMPTS: u32 = 8;

/// See [`Stream::fill_dirichlet`].
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
            // `false`: not the logarithms of the quotients.
            softmax::wide_row::<_, false>(s, out);
        }
    }
    assert!(alpha > 0.0 && alpha.is_finite(), "a concentration of {alpha}");
    dispatch(Fill(stream, index, alpha, out));
}

/// The logarithms of gamma variates number `first`, `first + 1`, ... of shape `alpha`, up to a common
/// constant. Attempt a of variate i takes its random words from the block (`index`, i + 2^32 a).
#[inline(always)]
fn log_gamma<S: Simd>(s: S, stream: Stream, index: u64, first: u32, alpha: f32) -> S::F {
    // For alpha below 1: a variate of shape alpha + 1 times u^(1 / alpha).
    let shape = if alpha < 1.0 { alpha + 1.0 } else { alpha };
    let d = shape - 1.0 / 3.0;
    let (zero, one, pending) = (s.splat(0.0), s.splat(1.0), s.splat(f32::INFINITY));
    let (d_vector, slope) = (s.splat(d), s.splat(1.0 / (9.0 * d).sqrt()));
    // log v = log(variate / d); infinite in lanes where no attempt has been accepted.
    let mut log_v = pending;
    // log(u) / alpha, the logarithm of u^(1 / alpha).
    let mut boost = zero;
    for attempt in 0..ATTEMPTS {
        let [a, b, c, last] = words_of_blocks(s, stream, index, first, attempt);
        let [x, _] = normal_pair(s, a, b);
        let root = s.add(one, s.mul(slope, x));
        let log = s.mul(s.splat(3.0), math::log(s, root));
        let v = s.mul(s.mul(root, root), root);
        // Accept if log u < x^2 / 2 + d (1 - v + log v). False where `root` is negative, because its
        // logarithm is NaN.
        let d_term = s.mul(d_vector, s.add(s.sub(one, v), log));
        let bound = s.add(s.mul(s.mul(s.splat(0.5), x), x), d_term);
        let candidate = s.select(s.lt(math::log(s, open_unit(s, c)), bound), log, pending);
        log_v = s.select(s.eq(log_v, pending), candidate, log_v);
        if attempt == 0 && alpha < 1.0 {
            boost = s.div(math::log(s, open_unit(s, last)), s.splat(alpha));
        }
        if !s.any(s.eq(log_v, pending)) {
            break;
        }
    }
    // A lane that is still pending gets log v = 0, that is v = 1, near the median. The factor d is common to
    // all variates and cancels when they are normalised.
    s.add(s.select(s.eq(log_v, pending), zero, log_v), boost)
}
