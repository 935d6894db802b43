//! Loads and stores a row of one tile as an array of vectors of [`MAX_LANES`] lanes. Only AVX-512 has such
//! vectors and enough registers.

use super::TILE;
use crate::simd::{MAX_LANES, Simd};

/// Vectors of [`MAX_LANES`] in a tile.
pub(super) const VECTORS: usize = TILE / MAX_LANES;

/// Loads the row at `p`.
///
/// # Safety
/// [`TILE`] values from `p` on must be readable, and vectors must have [`MAX_LANES`] lanes.
#[inline(always)]
pub(super) unsafe fn read<S: Simd>(s: S, p: *const f32) -> [S::F; VECTORS] {
    // SAFETY: the caller guarantees it.
    unsafe {
        let mut x = [s.load_ptr(p); VECTORS];
        for (i, x) in x.iter_mut().enumerate().skip(1) {
            *x = s.load_ptr(p.add(i * MAX_LANES));
        }
        x
    }
}

/// Stores `x` as the row at `p`.
///
/// # Safety
/// [`TILE`] values from `p` on must be writable, and vectors must have [`MAX_LANES`] lanes.
#[inline(always)]
pub(super) unsafe fn write<S: Simd>(s: S, p: *mut f32, x: [S::F; VECTORS]) {
    // SAFETY: the caller guarantees it.
    unsafe {
        for (i, x) in x.into_iter().enumerate() {
            s.store_ptr(p.add(i * MAX_LANES), x);
        }
    }
}
