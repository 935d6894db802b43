//! Loops over slices in vectors. A tail shorter than a vector is padded and goes through the same
//! instructions, so a result does not depend on a value's position in the slice.

use super::Simd;

/// The largest number of lanes of any instruction set, and the number of partial sums of reductions on every
/// instruction set.
pub const MAX_LANES: usize = 16;

/// Loads a vector from the front of `x`, with `pad` in the lanes beyond its end.
#[inline(always)]
pub fn load_padded<S: Simd>(s: S, x: &[f32], pad: f32) -> S::F {
    // SAFETY: the length is checked here.
    unsafe {
        if x.len() >= S::LANES {
            s.load_ptr(x.as_ptr())
        } else {
            s.load_partial_ptr(x.as_ptr(), x.len(), pad)
        }
    }
}

/// Loads a vector of words from the front of `x`, which must have at least `LANES` words.
#[inline(always)]
pub fn load_words<S: Simd>(s: S, x: &[u32]) -> S::U {
    assert!(x.len() >= S::LANES, "too few words for a vector");
    // SAFETY: the length is checked here, and words are as large and as aligned as floats.
    s.to_bits(unsafe { s.load_ptr(x.as_ptr().cast()) })
}

/// Compress-store: stores the lanes of `v` whose bit in `bits` is set, without gaps, to the front of `x`, and
/// returns their number. The remaining words of the first `LANES` words of `x` are unspecified.
#[inline(always)]
pub fn store_compressed<S: Simd>(s: S, x: &mut [u32], bits: u32, v: S::U) -> usize {
    assert!(x.len() >= S::LANES, "no room for a vector");
    // SAFETY: the length is checked here.
    unsafe { s.compress_ptr(x.as_mut_ptr(), bits, v) }
}

/// Stores as many lanes of `v` as fit into `x`.
#[inline(always)]
pub fn store_partial<S: Simd>(s: S, x: &mut [f32], v: S::F) {
    // SAFETY: the length is checked here.
    unsafe {
        if x.len() >= S::LANES {
            s.store_ptr(x.as_mut_ptr(), v);
        } else {
            s.store_partial_ptr(x.as_mut_ptr(), v, x.len());
        }
    }
}

/// `x = f(x)`, vector by vector.
#[inline(always)]
pub fn map<S: Simd>(s: S, x: &mut [f32], f: impl Fn(S::F) -> S::F) {
    let mut chunks = x.chunks_exact_mut(S::LANES);
    for chunk in &mut chunks {
        store_partial(s, chunk, f(load_padded(s, chunk, 0.0)));
    }
    let tail = chunks.into_remainder();
    if !tail.is_empty() {
        store_partial(s, tail, f(load_padded(s, tail, 0.0)));
    }
}

/// `x = f(x, y)`, vector by vector, over the length of the shorter slice.
#[inline(always)]
pub fn zip_map<S: Simd>(s: S, x: &mut [f32], y: &[f32], f: impl Fn(S::F, S::F) -> S::F) {
    let len = x.len().min(y.len());
    let (mut xs, ys) = (x[..len].chunks_exact_mut(S::LANES), y[..len].chunks_exact(S::LANES));
    let y_tail = ys.remainder();
    for (x, y) in (&mut xs).zip(ys) {
        store_partial(s, x, f(load_padded(s, x, 0.0), load_padded(s, y, 0.0)));
    }
    let tail = xs.into_remainder();
    if !tail.is_empty() {
        store_partial(s, tail, f(load_padded(s, tail, 0.0), load_padded(s, y_tail, 0.0)));
    }
}

/// `x = f(x, y, z)`, vector by vector; all three have the same length.
#[inline(always)]
pub fn zip2_map<S: Simd>(s: S, x: &mut [f32], y: &[f32], z: &[f32], f: impl Fn(S::F, S::F, S::F) -> S::F) {
    let (mut xs, ys, zs) = (x.chunks_exact_mut(S::LANES), y.chunks_exact(S::LANES), z.chunks_exact(S::LANES));
    let (y_tail, z_tail) = (ys.remainder(), zs.remainder());
    for (x, (y, z)) in (&mut xs).zip(ys.zip(zs)) {
        store_partial(s, x, f(load_padded(s, x, 0.0), load_padded(s, y, 0.0), load_padded(s, z, 0.0)));
    }
    let tail = xs.into_remainder();
    if !tail.is_empty() {
        let (y, z) = (load_padded(s, y_tail, 0.0), load_padded(s, z_tail, 0.0));
        store_partial(s, tail, f(load_padded(s, tail, 0.0), y, z));
    }
}

/// `out = f(x, y, z)`, vector by vector; all four have the same length.
#[inline(always)]
pub fn zip3<S: Simd>(s: S, out: &mut [f32], [x, y, z]: [&[f32]; 3], f: impl Fn(S::F, S::F, S::F) -> S::F) {
    let mut outs = out.chunks_exact_mut(S::LANES);
    let (xs, ys, zs) = (x.chunks_exact(S::LANES), y.chunks_exact(S::LANES), z.chunks_exact(S::LANES));
    let tails = [xs.remainder(), ys.remainder(), zs.remainder()];
    for (out, (x, (y, z))) in (&mut outs).zip(xs.zip(ys.zip(zs))) {
        store_partial(s, out, f(load_padded(s, x, 0.0), load_padded(s, y, 0.0), load_padded(s, z, 0.0)));
    }
    let tail = outs.into_remainder();
    if !tail.is_empty() {
        let [x, y, z] = tails;
        store_partial(s, tail, f(load_padded(s, x, 0.0), load_padded(s, y, 0.0), load_padded(s, z, 0.0)));
    }
}
