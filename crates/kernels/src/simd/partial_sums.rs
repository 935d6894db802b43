//! Reductions in 16 partial sums: value i of a slice goes to sum i mod 16, whatever the number of lanes, and at the
//! end the upper half of the sums is added to the lower half until one is left. So every instruction set adds in the
//! same order.

use super::{MAX_LANES, Simd, load_padded, store_partial};

/// Vectors that hold 16 partial sums with the shortest vectors (4 lanes).
const VECTORS: usize = 4;

/// 16 partial sums: partial sum k is lane `k % LANES` of vector `k / LANES`. The other vectors are unused.
pub type PartialSums<F> = [F; VECTORS];

/// Folds `f` over `x` in 16 accumulators, which begin with `start`. The last vector is padded with `pad`.
#[inline(always)]
pub fn fold<S: Simd>(
    s: S,
    x: &[f32],
    pad: f32,
    start: S::F,
    f: impl Fn(S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    const { assert!(MAX_LANES / S::LANES <= VECTORS) };
    let mut sums = [start; VECTORS];
    let chunks = x.chunks_exact(MAX_LANES);
    let tail = chunks.remainder();
    for chunk in chunks {
        for (sum, v) in sums.iter_mut().zip(chunk.chunks_exact(S::LANES)) {
            *sum = f(*sum, load_padded(s, v, pad));
        }
    }
    for (sum, v) in sums.iter_mut().zip(tail.chunks(S::LANES)) {
        *sum = f(*sum, load_padded(s, v, pad));
    }
    sums
}

/// Folds `f` over two slices of equal length in 16 accumulators, which begin with zero. The last vectors are padded
/// with zeros.
#[inline(always)]
pub fn fold_zip<S: Simd>(
    s: S,
    x: &[f32],
    y: &[f32],
    f: impl Fn(S::F, S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    let mut sums = [s.splat(0.0); VECTORS];
    let (xs, ys) = (x.chunks_exact(MAX_LANES), y.chunks_exact(MAX_LANES));
    let tails = xs.remainder().chunks(S::LANES).zip(ys.remainder().chunks(S::LANES));
    for (x, y) in xs.zip(ys) {
        let vectors = x.chunks_exact(S::LANES).zip(y.chunks_exact(S::LANES));
        for (sum, (x, y)) in sums.iter_mut().zip(vectors) {
            *sum = f(*sum, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
        }
    }
    for (sum, (x, y)) in sums.iter_mut().zip(tails) {
        *sum = f(*sum, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
    }
    sums
}

/// `x = f(x)`, and the partial sums of the results. The last vector is padded with `pad`, for which `f` must give zero.
#[inline(always)]
pub fn map_and_sum<S: Simd>(s: S, x: &mut [f32], pad: f32, f: impl Fn(S::F) -> S::F) -> PartialSums<S::F> {
    let mut sums = [s.splat(0.0); VECTORS];
    let mut chunks = x.chunks_exact_mut(MAX_LANES);
    for chunk in &mut chunks {
        for (sum, x) in sums.iter_mut().zip(chunk.chunks_exact_mut(S::LANES)) {
            let y = f(load_padded(s, x, pad));
            store_partial(s, x, y);
            *sum = s.add(*sum, y);
        }
    }
    for (sum, x) in sums.iter_mut().zip(chunks.into_remainder().chunks_mut(S::LANES)) {
        let y = f(load_padded(s, x, pad));
        store_partial(s, x, y);
        *sum = s.add(*sum, y);
    }
    sums
}

/// The sum of 16 partial sums, in the fixed order.
#[inline(always)]
pub fn sum_partials<S: Simd>(s: S, sums: PartialSums<S::F>) -> f32 {
    let [a, b, c, d] = sums;
    match MAX_LANES / S::LANES {
        1 => s.sum(a),
        2 => s.sum(s.add(a, b)),
        _ => s.sum(s.add(s.add(a, c), s.add(b, d))),
    }
}
