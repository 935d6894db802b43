//! Row-wise softmax, log-softmax and log-sum-exp, with optional masks.
//!
//! Wide rows are processed in vectors along the row. Narrow rows (the actions of a small environment) are
//! processed with one row per lane, so that all lanes work and no sum crosses lanes.
//!
//! A mask has one byte per value. A value whose byte is zero is excluded: its probability is zero and its
//! log-probability minus infinity. In a row whose values are all excluded or minus infinity, all
//! probabilities are zero, and all log-probabilities and the log-sum-exp are minus infinity.
//!
//! The const parameter `LOG` selects log-softmax instead of softmax.

use super::sparse_row::{SparseRow, gather_buffer};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{
    MAX_LANES, Op, Simd, dispatch, fold, load_padded, map, map_and_sum, math, store_partial, sum_partials,
    zip_map,
};

/// Rows up to this width are processed one per lane.
const NARROW: usize = 16;

/// The value that replaces excluded values: it does not change the maximum, and its exponential is zero.
pub(crate) const EXCLUDED: f32 = f32::NEG_INFINITY;

/// Row-wise softmax of `x` `[rows, cols]`, in place. The order of a row's sum depends only on `cols`: up to
/// 16 columns are added one after the other; in wider rows, column j is added to partial sum j mod 16. The
/// masked and the logarithmic versions below add in the same order.
pub fn softmax(x: &mut [f32], cols: usize) {
    let mask = None;
    rows::<false>(x, mask, cols);
}

/// [`softmax`] over the values whose byte in `mask` `[rows, cols]` is not zero.
pub fn masked_softmax(x: &mut [f32], mask: &[u8], cols: usize) {
    rows::<false>(x, Some(mask), cols);
}

/// Row-wise log-softmax of `x` `[rows, cols]`, in place.
pub fn log_softmax(x: &mut [f32], cols: usize) {
    let mask = None;
    rows::<true>(x, mask, cols);
}

/// [`log_softmax`] over the values whose byte in `mask` `[rows, cols]` is not zero.
pub fn masked_log_softmax(x: &mut [f32], mask: &[u8], cols: usize) {
    rows::<true>(x, Some(mask), cols);
}

/// Log-sum-exp of each row: `out[r] = log(sum(exp(x[r])))`. Whatever the width of the row, column j is added
/// to partial sum j mod 16.
/// Shapes: `x [rows, cols] -> out [rows]`.
pub fn log_sum_exp(out: &mut [f32], x: &[f32], cols: usize) {
    struct Run<'a>(&'a mut [f32], &'a [f32], usize);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(out, x, cols) = self;
            for (out, row) in out.iter_mut().zip(x.chunks_exact(cols)) {
                let shift = shift_for(maximum(s, row));
                *out = shift + log(s, sum_of_exponentials(s, row, shift));
            }
        }
    }
    assert!(cols > 0 && x.len() == out.len() * cols, "not {} rows of {cols}", out.len());
    dispatch(Run(out, x, cols));
}

/// Softmax or log-softmax of all rows.
fn rows<const LOG: bool>(x: &mut [f32], mask: Option<&[u8]>, cols: usize) {
    struct Run<'a, const LOG: bool>(&'a mut [f32], Option<&'a [u8]>, usize);
    impl<const LOG: bool> Op for Run<'_, LOG> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(x, mask, cols) = self;
            if cols <= NARROW {
                // One block of rows at a time, so that it stays in the L1 cache between the passes.
                let block = S::LANES * cols;
                for (i, rows) in x.chunks_mut(block).enumerate() {
                    if let Some(mask) = mask {
                        exclude_masked(s, rows, &mask[i * block..][..rows.len()]);
                    }
                    narrow_rows::<S, LOG>(s, rows, cols);
                }
                return;
            }
            for (r, row) in x.chunks_exact_mut(cols).enumerate() {
                if let Some(mask) = mask {
                    let mask = &mask[r * cols..][..cols];
                    if let Some(sparse) = SparseRow::from_mask(s, mask) {
                        sparse_row::<S, LOG>(s, row, &sparse);
                        continue;
                    }
                    exclude_masked(s, row, mask);
                }
                wide_row::<S, LOG>(s, row);
            }
        }
    }
    assert!(cols > 0 && x.len().is_multiple_of(cols), "{} values are not rows of {cols}", x.len());
    assert!(mask.is_none_or(|mask| mask.len() == x.len()), "a mask of another length");
    dispatch(Run::<LOG>(x, mask, cols));
}

/// Replaces the values whose mask byte is zero by [`EXCLUDED`].
#[inline(always)]
pub(crate) fn exclude_masked<S: Simd>(s: S, x: &mut [f32], mask: &[u8]) {
    let (excluded, zero) = (s.splat(EXCLUDED), s.splat_u(0));
    let (mut xs, masks) = (x.chunks_exact_mut(S::LANES), mask.chunks_exact(S::LANES));
    let mask_tail = masks.remainder();
    for (x, mask) in (&mut xs).zip(masks) {
        // SAFETY: `mask` is a chunk of `LANES` bytes.
        let absent = s.eq_u(unsafe { s.load_bytes_ptr(mask.as_ptr()) }, zero);
        store_partial(s, x, s.select(absent, excluded, load_padded(s, x, EXCLUDED)));
    }
    let tail = xs.into_remainder();
    if !tail.is_empty() {
        let mut bytes = [0; MAX_LANES];
        bytes[..mask_tail.len()].copy_from_slice(mask_tail);
        // SAFETY: no vector has more than `MAX_LANES` lanes.
        let absent = s.eq_u(unsafe { s.load_bytes_ptr(bytes.as_ptr()) }, zero);
        store_partial(s, tail, s.select(absent, excluded, load_padded(s, tail, EXCLUDED)));
    }
}

/// Softmax or log-softmax of at most `LANES` rows of at most [`NARROW`] columns, one row per lane.
#[inline(always)]
fn narrow_rows<S: Simd, const LOG: bool>(s: S, rows: &mut [f32], cols: usize) {
    // columns[j][i] is element j of row i. Lanes without a row hold zeros, and their results are ignored.
    let mut columns = [[0.0; MAX_LANES]; NARROW];
    let columns = &mut columns[..cols];
    for (i, row) in rows.chunks_exact(cols).enumerate() {
        for (column, v) in columns.iter_mut().zip(row) {
            column[i] = *v;
        }
    }
    // `max` may drop a NaN, but the sum propagates it to the whole row.
    let mut max = load_padded(s, &columns[0], 0.0);
    for column in &columns[1..] {
        max = s.max(max, load_padded(s, column, 0.0));
    }
    let shift = s.select(s.eq(max, s.splat(EXCLUDED)), s.splat(0.0), max);
    let mut sum = s.splat(0.0);
    for column in columns.iter_mut() {
        let shifted = s.sub(load_padded(s, column, 0.0), shift);
        let exp = math::exp(s, shifted);
        sum = s.add(sum, exp);
        store_partial(s, column, if LOG { shifted } else { exp });
    }
    let empty = s.eq(sum, s.splat(0.0));
    let norm = if LOG { math::log(s, sum) } else { s.div(s.splat(1.0), sum) };
    let norm = s.select(empty, s.splat(0.0), norm);
    for column in columns.iter_mut() {
        let v = load_padded(s, column, 0.0);
        store_partial(s, column, if LOG { s.sub(v, norm) } else { s.mul(v, norm) });
    }
    for (i, row) in rows.chunks_exact_mut(cols).enumerate() {
        for (column, v) in columns.iter().zip(row) {
            *v = column[i];
        }
    }
}

/// Softmax or log-softmax of one row, summed in 16 partial sums.
#[inline(always)]
pub(crate) fn wide_row<S: Simd, const LOG: bool>(s: S, row: &mut [f32]) {
    let shift = shift_for(maximum(s, row));
    let vector = s.splat(shift);
    if LOG {
        let sum = sum_of_exponentials(s, row, shift);
        let log_sum = s.splat(if sum == 0.0 { 0.0 } else { log(s, sum) });
        // Two subtractions, because `shift + log_sum` would round the logarithm away where the maximum is
        // large.
        map(
            s,
            row,
            #[inline(always)]
            |v| s.sub(s.sub(v, vector), log_sum),
        );
        return;
    }
    let parts = map_and_sum(
        s,
        row,
        EXCLUDED,
        #[inline(always)]
        |v| math::exp(s, s.sub(v, vector)),
    );
    let sum = sum_partials(s, parts);
    let norm = s.splat(if sum == 0.0 { 0.0 } else { 1.0 / sum });
    map(
        s,
        row,
        #[inline(always)]
        |v| s.mul(v, norm),
    );
}

/// [`wide_row`] for a row of which a mask selects few columns. The result is bit-identical and needs less
/// work.
#[inline(always)]
fn sparse_row<S: Simd, const LOG: bool>(s: S, row: &mut [f32], sparse: &SparseRow) {
    let (mut values, mut exponentials) = (gather_buffer(), gather_buffer());
    let values = sparse.gather(row, &mut values);
    let exponentials = &mut exponentials[..values.len()];
    let shift = shift_for(maximum(s, values));
    let vector = s.splat(shift);
    zip_map(
        s,
        exponentials,
        values,
        #[inline(always)]
        |_, v| math::exp(s, s.sub(v, vector)),
    );
    let sum = sum_partials(s, sparse.partial_sums(s, exponentials));
    if LOG {
        let log_sum = if sum == 0.0 { 0.0 } else { log(s, sum) };
        let log_sums = s.splat(log_sum);
        map(
            s,
            values,
            #[inline(always)]
            |v| s.sub(s.sub(v, vector), log_sums),
        );
        // `log_sum` is part of the fill value so that a NaN reaches the excluded columns too, as in
        // `wide_row`.
        sparse.scatter(row, EXCLUDED - shift - log_sum, values);
        return;
    }
    let norm = if sum == 0.0 { 0.0 } else { 1.0 / sum };
    let norms = s.splat(norm);
    map(
        s,
        exponentials,
        #[inline(always)]
        |v| s.mul(v, norms),
    );
    // Zero, but NaN if `norm` is NaN, so that a NaN reaches the excluded columns too, as in `wide_row`.
    sparse.scatter(row, 0.0 * norm, exponentials);
}

/// `sum(exp(x - shift))`
#[inline(always)]
pub(crate) fn sum_of_exponentials<S: Simd>(s: S, row: &[f32], shift: f32) -> f32 {
    let (zero, shift) = (s.splat(0.0), s.splat(shift));
    let parts = fold(
        s,
        row,
        EXCLUDED,
        zero,
        #[inline(always)]
        |sum, x| s.add(sum, math::exp(s, s.sub(x, shift))),
    );
    sum_partials(s, parts)
}

/// The largest value of a row. A NaN may or may not be ignored.
#[inline(always)]
pub(crate) fn maximum<S: Simd>(s: S, row: &[f32]) -> f32 {
    let excluded = s.splat(EXCLUDED);
    let parts = fold(
        s,
        row,
        EXCLUDED,
        excluded,
        #[inline(always)]
        |max, x| s.max(max, x),
    );
    let [a, b, c, d] = parts;
    let mut lanes = [EXCLUDED; MAX_LANES];
    store_partial(s, &mut lanes, s.max(s.max(a, b), s.max(c, d)));
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            lanes[i] = if lanes[i + half] > lanes[i] { lanes[i + half] } else { lanes[i] };
        }
    }
    lanes[0]
}

/// The number that is subtracted from a row before the exponential: its maximum, or zero if all values are
/// excluded (to avoid inf - inf).
#[inline(always)]
pub(crate) fn shift_for(max: f32) -> f32 {
    if max == EXCLUDED { 0.0 } else { max }
}

/// The natural logarithm of one number.
#[inline(always)]
pub(crate) fn log<S: Simd>(s: S, x: f32) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, math::log(s, s.splat(x)));
    lanes[0]
}
