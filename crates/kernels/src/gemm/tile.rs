//! The innermost loops: a tile of the output stays in registers while it runs along the inner size.

use crate::simd::{Op, Simd};

/// A column of equal tiles of the output, one below the other, and where their factors lie.
#[derive(Clone, Copy)]
pub struct Tiles {
    /// How many tiles.
    pub count: usize,
    /// The left matrix; element (i, k) is at `i * left_row + k * left_step`.
    pub left: *const f32,
    pub left_row: usize,
    pub left_step: usize,
    /// The right matrix; row k begins at `k * right_step` and holds whole vectors.
    pub right: *const f32,
    pub right_step: usize,
    /// The inner size.
    pub depth: usize,
    /// The output; row i begins at `i * out_row`.
    pub out: *mut f32,
    pub out_row: usize,
    /// Columns to be written; they end in the tile's last vector.
    pub columns: usize,
    /// Whether to add to the output instead of replacing it.
    pub accumulate: bool,
}

/// Runs `tiles`, each `rows` by `vectors`.
///
/// # Safety
/// `left`, `right` and `out` must be valid for all elements that the sizes and strides in `tiles` name.
#[inline(always)]
pub unsafe fn run<S: Simd>(s: S, rows: usize, vectors: usize, tiles: Tiles) {
    macro_rules! choose {
        ($($rows:literal)*) => {
            match (rows, vectors) {
                $(
                    ($rows, 1) if $rows <= S::TILE_ROWS => s.vectorize(Sized::<$rows, 1>(tiles)),
                    ($rows, 2) if $rows <= S::TILE_ROWS && 2 <= S::TILE_VECTORS => {
                        s.vectorize(Sized::<$rows, 2>(tiles));
                    }
                    ($rows, 3) if $rows <= S::TILE_ROWS && 3 <= S::TILE_VECTORS => {
                        s.vectorize(Sized::<$rows, 3>(tiles));
                    }
                )*
                _ => unreachable!("no tile of {rows} rows and {vectors} vectors"),
            }
        };
    }
    choose!(1 2 3 4 5 6 7 8);
}

/// Tiles of a size known when compiling.
struct Sized<const ROWS: usize, const VECTORS: usize>(Tiles);

impl<const ROWS: usize, const VECTORS: usize> Op for Sized<ROWS, VECTORS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let t = self.0;
        for i in 0..t.count {
            // SAFETY: whoever made the tiles vouched for all their elements, in `run`.
            unsafe {
                let left = t.left.add(i * ROWS * t.left_row);
                let sums = multiply::<S, ROWS, VECTORS>(s, left, &t);
                store(s, t.out.add(i * ROWS * t.out_row), sums, &t);
            }
        }
    }
}

#[inline(always)]
unsafe fn multiply<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    left: *const f32,
    t: &Tiles,
) -> [[S::F; VECTORS]; ROWS] {
    let mut sums = [[s.splat(0.0); VECTORS]; ROWS];
    // SAFETY: row pointers and offsets stay inside the factors, as the caller vouches.
    unsafe {
        let mut rows = [left; ROWS];
        for (i, row) in rows.iter_mut().enumerate() {
            *row = left.add(i * t.left_row);
        }
        let mut right = t.right;
        let mut step = 0;
        for _ in 0..t.depth {
            let mut b = [s.splat(0.0); VECTORS];
            for (j, b) in b.iter_mut().enumerate() {
                *b = s.load_ptr(right.add(j * S::LANES));
            }
            for i in 0..ROWS {
                let a = s.splat(*rows[i].add(step));
                for j in 0..VECTORS {
                    sums[i][j] = s.mul_add(a, b[j], sums[i][j]);
                }
            }
            // The last step may leave the slices, where only `wrapping_add` may go.
            right = right.wrapping_add(t.right_step);
            step += t.left_step;
        }
    }
    sums
}

#[inline(always)]
unsafe fn store<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    out: *mut f32,
    sums: [[S::F; VECTORS]; ROWS],
    t: &Tiles,
) {
    for (i, row) in sums.into_iter().enumerate() {
        for (j, sum) in row.into_iter().enumerate() {
            let lanes = t.columns - j * S::LANES;
            // SAFETY: only the `columns` first values of each row are touched, as the caller vouches.
            unsafe {
                let p = out.add(i * t.out_row + j * S::LANES);
                if lanes >= S::LANES {
                    s.store_ptr(p, if t.accumulate { s.add(s.load_ptr(p), sum) } else { sum });
                } else if t.accumulate {
                    s.store_some_ptr(p, s.add(s.load_some_ptr(p, lanes, 0.0), sum), lanes);
                } else {
                    s.store_some_ptr(p, sum, lanes);
                }
            }
        }
    }
}
