//! The microkernel of the matrix product: a tile of the output (some rows by some vectors) stays in registers
//! while the loop runs along the inner dimension.

use std::mem::MaybeUninit;

use super::pack;
use crate::simd::{MAX_LANES, Op, Simd, load_padded, store_partial};

/// The largest number of rows of a tile on any instruction set.
pub const MAX_ROWS: usize = 8;

/// The largest number of columns of a tile: three vectors of the widest instruction set.
const MAX_WIDTH: usize = 3 * MAX_LANES;

/// The largest inner dimension of one call.
pub const MAX_DEPTH: usize = 512;

/// A block of equal tiles of the output, `count` tiles high and `panels` tiles wide, and where its operands
/// are.
#[derive(Clone, Copy)]
pub struct Tiles<'a> {
    /// Height of the block in tiles.
    pub count: usize,
    /// The left matrix; element (i, k) is at `i * left_row + k * left_step`.
    pub left: *const f32,
    pub left_row: usize,
    pub left_step: usize,
    /// The right matrix in panels of a tile's width, `panel_step` apart; row k of a panel begins at
    /// `k * right_step` and holds whole vectors. With [`Simd::PACK_LEFT`], rows follow without gaps.
    pub right: *const f32,
    pub right_step: usize,
    pub panels: usize,
    pub panel_step: usize,
    /// The inner dimension, at most [`MAX_DEPTH`].
    pub depth: usize,
    /// The output; element (i, j) is at `i * out_row + j * out_col`.
    pub out: *mut f32,
    pub out_row: usize,
    pub out_col: usize,
    /// The number of columns to write. The last of them is in the last vector of the last panel.
    pub columns: usize,
    /// The initial value of the sums in each column (the bias). Columns beyond the end of this slice begin
    /// with zero.
    pub initial: &'a [f32],
    /// Whether to add to the output instead of overwriting it.
    pub accumulate: bool,
}

/// Computes `tiles`, each of `rows` rows and `vectors` vectors.
///
/// # Safety
/// `left`, `right` and `out` must be valid for all elements that the sizes and strides in `tiles` name.
#[inline(always)]
pub unsafe fn run<S: Simd>(s: S, rows: usize, vectors: usize, tiles: Tiles) {
    macro_rules! choose {
        ($($rows:literal)*) => {
            match (rows, vectors) {
                $(
                    ($rows, 1) if $rows <= S::TILE_ROWS => s.vectorize(FixedSize::<$rows, 1>(tiles)),
                    ($rows, 2) if $rows <= S::TILE_ROWS && 2 <= S::TILE_VECTORS => {
                        s.vectorize(FixedSize::<$rows, 2>(tiles));
                    }
                    ($rows, 3) if $rows <= S::TILE_ROWS && 3 <= S::TILE_VECTORS => {
                        s.vectorize(FixedSize::<$rows, 3>(tiles));
                    }
                )*
                _ => unreachable!("no tile of {rows} rows and {vectors} vectors"),
            }
        };
    }
    choose!(1 2 3 4 5 6 7 8);
}

/// Tiles of a size known at compile time.
struct FixedSize<'a, const ROWS: usize, const VECTORS: usize>(Tiles<'a>);

impl<const ROWS: usize, const VECTORS: usize> Op for FixedSize<'_, ROWS, VECTORS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut packed = Packed(MaybeUninit::uninit());
        let packed: *mut f32 = packed.0.as_mut_ptr().cast();
        let t = self.0;
        for i in 0..t.count {
            // SAFETY: the caller of `run` guarantees that all elements of the tiles are valid; `packed` has
            // room for `MAX_DEPTH` steps of `MAX_ROWS` rows.
            unsafe {
                let left = t.left.add(i * ROWS * t.left_row);
                let out = t.out.add(i * ROWS * t.out_row);
                if S::PACK_LEFT {
                    pack::rows::<S, ROWS>(s, packed, left, t.left_row, t.left_step, t.depth);
                }
                for panel in 0..t.panels {
                    let right = t.right.add(panel * t.panel_step);
                    let first = panel * VECTORS * S::LANES;
                    let mut sums = initial_sums::<S, ROWS, VECTORS>(s, t.initial.get(first..).unwrap_or(&[]));
                    if S::PACK_LEFT {
                        multiply_packed(s, &mut sums, packed, right, t.depth);
                    } else {
                        multiply(s, &mut sums, left, right, &t);
                    }
                    store(s, out.add(first * t.out_col), sums, t.columns - first, &t);
                }
            }
        }
    }
}

/// Space for the packed left rows of one tile.
#[repr(C, align(64))]
struct Packed(MaybeUninit<[f32; MAX_DEPTH * MAX_ROWS]>);

/// The initial sums of a tile: every row is `initial`, padded with zeros.
#[inline(always)]
fn initial_sums<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    initial: &[f32],
) -> [[S::F; VECTORS]; ROWS] {
    let mut row = [s.splat(0.0); VECTORS];
    if !initial.is_empty() {
        for (j, v) in row.iter_mut().enumerate() {
            *v = load_padded(s, initial.get(j * S::LANES..).unwrap_or(&[]), 0.0);
        }
    }
    [row; ROWS]
}

/// Adds the product of packed rows and a panel to the sums. In both, the values of one step directly follow
/// the values of the step before.
#[inline(always)]
unsafe fn multiply_packed<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    sums: &mut [[S::F; VECTORS]; ROWS],
    mut left: *const f32,
    mut right: *const f32,
    depth: usize,
) {
    for _ in 0..depth {
        // SAFETY: both hold `depth` steps, as the caller guarantees.
        unsafe {
            step(s, sums, left, 1, right);
            left = left.add(ROWS);
            right = right.add(VECTORS * S::LANES);
        }
    }
}

/// Adds the product of rows and a panel of any strides to the sums.
#[inline(always)]
unsafe fn multiply<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    sums: &mut [[S::F; VECTORS]; ROWS],
    mut left: *const f32,
    mut right: *const f32,
    t: &Tiles,
) {
    for _ in 0..t.depth {
        // SAFETY: both hold `depth` steps, as the caller guarantees.
        unsafe { step(s, sums, left, t.left_row, right) };
        // After the last step the pointers may leave the slices, which only `wrapping_add` allows.
        left = left.wrapping_add(t.left_step);
        right = right.wrapping_add(t.right_step);
    }
}

/// One step along the inner dimension: adds the outer product of a column of the left and a row of the right
/// matrix to the sums.
#[inline(always)]
unsafe fn step<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    sums: &mut [[S::F; VECTORS]; ROWS],
    left: *const f32,
    left_row: usize,
    right: *const f32,
) {
    let mut b = [s.splat(0.0); VECTORS];
    for (j, b) in b.iter_mut().enumerate() {
        // SAFETY: a row of the right matrix holds `VECTORS` whole vectors, as the caller guarantees.
        *b = unsafe { s.load_ptr(right.add(j * S::LANES)) };
    }
    for (i, sums) in sums.iter_mut().enumerate() {
        // SAFETY: the left matrix has `ROWS` rows, as the caller guarantees.
        let a = s.splat(unsafe { *left.add(i * left_row) });
        for (sum, b) in sums.iter_mut().zip(b) {
            *sum = s.mul_add(a, b, *sum);
        }
    }
}

/// Writes the first `columns` columns of a tile to the output, or adds them to it. If `columns` exceeds the
/// width of the tile, all columns are written.
#[inline(always)]
unsafe fn store<S: Simd, const ROWS: usize, const VECTORS: usize>(
    s: S,
    out: *mut f32,
    sums: [[S::F; VECTORS]; ROWS],
    columns: usize,
    t: &Tiles,
) {
    if t.out_col == 1 && columns >= VECTORS * S::LANES {
        for (i, row) in sums.into_iter().enumerate() {
            for (j, sum) in row.into_iter().enumerate() {
                // SAFETY: the whole tile lies inside the output.
                unsafe {
                    let p = out.add(i * t.out_row + j * S::LANES);
                    s.store_ptr(p, if t.accumulate { s.add(s.load_ptr(p), sum) } else { sum });
                }
            }
        }
        return;
    }
    let mut values = [0.0; MAX_ROWS * MAX_WIDTH];
    for (row, values) in sums.into_iter().zip(values.chunks_exact_mut(MAX_WIDTH)) {
        for (sum, values) in row.into_iter().zip(values.chunks_exact_mut(S::LANES)) {
            store_partial(s, values, sum);
        }
    }
    // SAFETY: only elements in the first `columns` columns are touched, as the caller guarantees.
    unsafe { store_partial_tile(&values, ROWS, columns.min(VECTORS * S::LANES), out, t) };
}

/// Writes or adds the first `columns` columns of `rows` rows of `values`. It is not inlined because its
/// address computations would take registers from the loops over whole tiles.
/// Shapes: `values [MAX_ROWS, MAX_WIDTH]`.
///
/// # Safety
/// The output must have room for those rows and columns.
#[inline(never)]
unsafe fn store_partial_tile(
    values: &[f32; MAX_ROWS * MAX_WIDTH],
    rows: usize,
    columns: usize,
    out: *mut f32,
    t: &Tiles,
) {
    for (i, row) in values.chunks_exact(MAX_WIDTH).take(rows).enumerate() {
        for (j, value) in row[..columns].iter().enumerate() {
            // SAFETY: the caller guarantees every row and column.
            unsafe {
                let element = out.add(i * t.out_row + j * t.out_col);
                *element = if t.accumulate { *element + value } else { *value };
            }
        }
    }
}
