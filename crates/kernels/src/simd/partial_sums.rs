//! Sums along a slice in sixteen parts: value i goes to part i mod 16, whatever the number of lanes, and at the end
//! the upper half of the parts is added to the lower until one is left. So every instruction set adds in the same
//! order.

use super::{MAX_LANES, Simd, load_padded, store_partial};

/// Vectors that hold sixteen parts where a vector is shortest.
const VECTORS: usize = 4;

/// Sixteen parts, in as many vectors as that takes; the others are not used.
pub type PartialSums<F> = [F; VECTORS];

/// `part = f(part, value)` along `x`. The last vector is filled up with `pad`.
#[inline(always)]
pub fn fold<S: Simd>(
    s: S,
    x: &[f32],
    pad: f32,
    start: S::F,
    f: impl Fn(S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    const { assert!(MAX_LANES / S::LANES <= VECTORS) };
    let mut parts = [start; VECTORS];
    let chunks = x.chunks_exact(MAX_LANES);
    let tail = chunks.remainder();
    for chunk in chunks {
        for (part, v) in parts.iter_mut().zip(chunk.chunks_exact(S::LANES)) {
            *part = f(*part, load_padded(s, v, pad));
        }
    }
    for (part, v) in parts.iter_mut().zip(tail.chunks(S::LANES)) {
        *part = f(*part, load_padded(s, v, pad));
    }
    parts
}

/// `part = f(part, x, y)` along two slices of one length, from zero on. The last vectors are filled up with zeros.
#[inline(always)]
pub fn fold_zip<S: Simd>(
    s: S,
    x: &[f32],
    y: &[f32],
    f: impl Fn(S::F, S::F, S::F) -> S::F,
) -> PartialSums<S::F> {
    let mut parts = [s.splat(0.0); VECTORS];
    let (xs, ys) = (x.chunks_exact(MAX_LANES), y.chunks_exact(MAX_LANES));
    let tails = xs.remainder().chunks(S::LANES).zip(ys.remainder().chunks(S::LANES));
    for (x, y) in xs.zip(ys) {
        let vectors = x.chunks_exact(S::LANES).zip(y.chunks_exact(S::LANES));
        for (part, (x, y)) in parts.iter_mut().zip(vectors) {
            *part = f(*part, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
        }
    }
    for (part, (x, y)) in parts.iter_mut().zip(tails) {
        *part = f(*part, load_padded(s, x, 0.0), load_padded(s, y, 0.0));
    }
    parts
}

/// `x = f(x)` and the sum of that. The last vector is filled up with `pad`, of which `f` makes zero.
#[inline(always)]
pub fn map_and_sum<S: Simd>(s: S, x: &mut [f32], pad: f32, f: impl Fn(S::F) -> S::F) -> PartialSums<S::F> {
    let mut parts = [s.splat(0.0); VECTORS];
    let mut chunks = x.chunks_exact_mut(MAX_LANES);
    for chunk in &mut chunks {
        for (part, x) in parts.iter_mut().zip(chunk.chunks_exact_mut(S::LANES)) {
            let y = f(load_padded(s, x, pad));
            store_partial(s, x, y);
            *part = s.add(*part, y);
        }
    }
    for (part, x) in parts.iter_mut().zip(chunks.into_remainder().chunks_mut(S::LANES)) {
        let y = f(load_padded(s, x, pad));
        store_partial(s, x, y);
        *part = s.add(*part, y);
    }
    parts
}

/// The sum of sixteen parts.
#[inline(always)]
pub fn sum_partials<S: Simd>(s: S, parts: PartialSums<S::F>) -> f32 {
    let [a, b, c, d] = parts;
    match MAX_LANES / S::LANES {
        1 => s.sum(a),
        2 => s.sum(s.add(a, b)),
        _ => s.sum(s.add(s.add(a, c), s.add(b, d))),
    }
}
