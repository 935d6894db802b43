//! A tile of cells in registers, which the widest set alone has enough of.

use super::TILE;
use crate::simd::{MAX_LANES, Simd};

/// Vectors of the widest set in a tile.
pub(super) const VECTORS: usize = TILE / MAX_LANES;

/// # Safety
/// A tile must be readable at `p`, and vectors as wide as the widest.
#[inline(always)]
pub(super) unsafe fn read<S: Simd>(s: S, p: *const f32) -> [S::F; VECTORS] {
    // SAFETY: the caller vouches for it.
    unsafe {
        let mut x = [s.load_ptr(p); VECTORS];
        for (i, x) in x.iter_mut().enumerate().skip(1) {
            *x = s.load_ptr(p.add(i * MAX_LANES));
        }
        x
    }
}

/// # Safety
/// A tile must be writable at `p`, and vectors as wide as the widest.
#[inline(always)]
pub(super) unsafe fn write<S: Simd>(s: S, p: *mut f32, x: [S::F; VECTORS]) {
    // SAFETY: the caller vouches for it.
    unsafe {
        for (i, x) in x.into_iter().enumerate() {
            s.store_ptr(p.add(i * MAX_LANES), x);
        }
    }
}
