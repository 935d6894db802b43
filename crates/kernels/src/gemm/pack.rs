//! Packing: copies parts of the operands into the order in which the register tiles read them.

use crate::simd::Simd;

/// Packs a panel of the right matrix: `panel[k * width + j] = source[k * row_stride + j * col_stride]` for
/// `depth` rows k and `columns` columns j. The columns from `columns` to `width`, a multiple of the vector
/// length, become zero.
///
/// # Safety
/// Those elements of `source` must be readable, and `depth * width` values from `panel` on writable.
#[inline(always)]
pub unsafe fn columns<S: Simd>(
    s: S,
    panel: *mut f32,
    width: usize,
    source: *const f32,
    row_stride: usize,
    col_stride: usize,
    depth: usize,
    columns: usize,
) {
    // SAFETY: each branch reads `source` at rows below `depth` and columns below `columns` only, and writes
    // `panel` at rows below `depth` and columns below `width` only.
    unsafe {
        if col_stride == 1 {
            for k in 0..depth {
                let (from, to) = (source.add(k * row_stride), panel.add(k * width));
                for j in (0..width).step_by(S::LANES) {
                    let v = if j + S::LANES <= columns {
                        s.load_ptr(from.add(j))
                    } else {
                        s.load_partial_ptr(from.add(j), columns.saturating_sub(j), 0.0)
                    };
                    s.store_ptr(to.add(j), v);
                }
            }
            return;
        }
        // If the columns of the source are contiguous, square blocks of a vector length are transposed; the
        // rest is copied one value at a time.
        let (square_rows, square_columns) = if row_stride == 1 {
            (depth / S::LANES * S::LANES, columns / S::LANES * S::LANES)
        } else {
            (0, 0)
        };
        for j in (0..square_columns).step_by(S::LANES) {
            for k in (0..square_rows).step_by(S::LANES) {
                s.transpose_ptr(source.add(k + j * col_stride), col_stride, panel.add(k * width + j), width);
            }
        }
        for k in 0..depth {
            let first = if k < square_rows { square_columns } else { 0 };
            for j in first..width {
                let value = if j < columns { *source.add(k * row_stride + j * col_stride) } else { 0.0 };
                *panel.add(k * width + j) = value;
            }
        }
    }
}

/// Packs the rows of one tile of the left matrix: `packed[k * ROWS + i] = left[i * row_stride + k *
/// col_stride]` for `depth` steps.
///
/// # Safety
/// Those elements of `left` must be readable, and `depth * ROWS` values from `packed` on writable.
#[inline(always)]
pub unsafe fn rows<S: Simd, const ROWS: usize>(
    s: S,
    packed: *mut f32,
    left: *const f32,
    row_stride: usize,
    col_stride: usize,
    depth: usize,
) {
    // Groups of `LANES` rows. The last group ends with the last row, so it may overlap the group before it,
    // and rows in both are written twice. That takes less time than copying single rows.
    let groups = ROWS.div_ceil(S::LANES);
    let first = |group: usize| (group * S::LANES).min(ROWS - S::LANES);
    let mut k = 0;
    // SAFETY: all branches stay below `ROWS` rows and `depth` steps.
    unsafe {
        if ROWS >= S::LANES && row_stride == 1 {
            while k < depth {
                for i in (0..groups).map(first) {
                    s.store_ptr(packed.add(k * ROWS + i), s.load_ptr(left.add(k * col_stride + i)));
                }
                k += 1;
            }
        } else if ROWS >= S::LANES && col_stride == 1 {
            while k + S::LANES <= depth {
                for i in (0..groups).map(first) {
                    s.transpose_ptr(left.add(i * row_stride + k), row_stride, packed.add(k * ROWS + i), ROWS);
                }
                k += S::LANES;
            }
        }
        for k in k..depth {
            for i in 0..ROWS {
                *packed.add(k * ROWS + i) = *left.add(i * row_stride + k * col_stride);
            }
        }
    }
}
