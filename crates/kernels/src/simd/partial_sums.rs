//! Reductions of slices (sums, maxima, dot products) in 16 partial results, whatever the number of lanes.
//! Value i of a slice is reduced into partial result i mod 16. The 16 partial sums are added up in a fixed
//! order too: the upper half is added to the lower half until one is left. So every instruction set adds in
//! the same order.

use super::{MAX_LANES, Simd, load_padded, store_partial};

/// The number of vectors that hold 16 partial results if vectors have 4 lanes, the smallest number of lanes
/// of any instruction set. With 8 lanes two of them are used, with 16 lanes one.
const VECTORS: usize = 4;

/// 16 partial results (sums or maxima): partial result k is lane `k % LANES` of vector `k / LANES`. The other
/// vectors keep the initial value.
pub type PartialSums<F> = [F; VECTORS];

/// Folds `f(accumulator, values)` over `x` in 16 accumulators, whose initial value is `initial`. The last
/// vector is padded with `pad`, which must leave an accumulator unchanged (zero for a sum, minus infinity for
/// a maximum).
#[inline(always)]
pub fn fold<S: Simd>(
    s: S,
    x: &[f32],
    pad: f32,
    initial: S::F,
    f: impl Fn(S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    const { assert!(MAX_LANES / S::LANES <= VECTORS) };
    let mut partials = [initial; VECTORS];
    let chunks = x.chunks_exact(MAX_LANES);
    let tail = chunks.remainder();
    for chunk in chunks {
        for (sum, v) in partials.iter_mut().zip(chunk.chunks_exact(S::LANES)) {
            *sum = f(*sum, load_padded(s, v, pad));
        }
    }
    for (sum, v) in partials.iter_mut().zip(tail.chunks(S::LANES)) {
        *sum = f(*sum, load_padded(s, v, pad));
    }
    partials
}

/// Folds `f(accumulator, values of x, values of y)` over two slices of equal length in 16 accumulators, whose
/// initial value is zero. The last vectors are padded with zeros.
#[inline(always)]
pub fn fold_zip<S: Simd>(
    s: S,
    x: &[f32],
    y: &[f32],
    f: impl Fn(S::F, S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    let mut partials = [s.splat(0.0); VECTORS];
    let (xs, ys) = (x.chunks_exact(MAX_LANES), y.chunks_exact(MAX_LANES));
    let tails = xs.remainder().chunks(S::LANES).zip(ys.remainder().chunks(S::LANES));
    for (x, y) in xs.zip(ys) {
        let vectors = x.chunks_exact(S::LANES).zip(y.chunks_exact(S::LANES));
        for (sum, (x, y)) in partials.iter_mut().zip(vectors) {
            *sum = f(*sum, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
        }
    }
    for (sum, (x, y)) in partials.iter_mut().zip(tails) {
        *sum = f(*sum, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
    }
    partials
}

/// Replaces `x` by `f(x)` and returns the partial sums of the results. The last vector is padded with `pad`;
/// `f(pad)` must be zero.
#[inline(always)]
pub fn map_and_sum<S: Simd>(s: S, x: &mut [f32], pad: f32, f: impl Fn(S::F) -> S::F) -> PartialSums<S::F> {
    let mut partials = [s.splat(0.0); VECTORS];
    let mut chunks = x.chunks_exact_mut(MAX_LANES);
    for chunk in &mut chunks {
        for (sum, x) in partials.iter_mut().zip(chunk.chunks_exact_mut(S::LANES)) {
            let y = f(load_padded(s, x, pad));
            store_partial(s, x, y);
            *sum = s.add(*sum, y);
        }
    }
    for (sum, x) in partials.iter_mut().zip(chunks.into_remainder().chunks_mut(S::LANES)) {
        let y = f(load_padded(s, x, pad));
        store_partial(s, x, y);
        *sum = s.add(*sum, y);
    }
    partials
}

/// Adds up 16 partial sums in the fixed order: upper half to lower half, until one is left.
#[inline(always)]
pub fn sum_partials<S: Simd>(s: S, partials: PartialSums<S::F>) -> f32 {
    let [a, b, c, d] = partials;
    match MAX_LANES / S::LANES {
        1 => s.sum(a),
        2 => s.sum(s.add(a, b)),
        // Partial sums 8..16 are in c and d, 0..8 in a and b.
        _ => s.sum(s.add(s.add(a, c), s.add(b, d))),
    }
}
