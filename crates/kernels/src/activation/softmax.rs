//! Row-wise softmax and log-softmax: wide rows in vectors along the row, narrow ones (the actions of a small world)
//! with one row in each lane, so that no lane idles and nothing is summed across lanes.
//!
//! A mask is a byte for each value; where it is zero, the value does not exist: its probability is zero, its logarithm
//! minus infinity. A row without any value, or with nothing but minus infinity, has no distribution: all of its
//! probabilities are zero, their logarithms minus infinity, and so is its log-sum-exp.

use super::sparse_row::{SparseRow, room};
use crate::simd::{
    MAX_LANES, Op, Simd, dispatch, fold, load_padded, map, map_and_sum, math, store_partial, sum_partials,
    zip_map,
};

/// Rows up to this width are taken one to a lane.
const NARROW: usize = 16;

/// What no value can raise, and what adds nothing to a sum of exponentials.
pub(crate) const NOTHING: f32 = f32::NEG_INFINITY;

/// Row-wise softmax of `x` `[rows, cols]`, in place. How a row is summed depends on `cols` alone: one after the other
/// up to a width of sixteen, in sixteen parts beyond; so in all of this family.
pub fn softmax(x: &mut [f32], cols: usize) {
    rows::<false>(x, None, cols);
}

/// [`softmax`] over the values whose byte in `mask` `[rows, cols]` is not zero.
pub fn masked_softmax(x: &mut [f32], mask: &[u8], cols: usize) {
    rows::<false>(x, Some(mask), cols);
}

/// Row-wise log-softmax of `x` `[rows, cols]`, in place.
pub fn log_softmax(x: &mut [f32], cols: usize) {
    rows::<true>(x, None, cols);
}

/// [`log_softmax`] over the values whose byte in `mask` `[rows, cols]` is not zero.
pub fn masked_log_softmax(x: &mut [f32], mask: &[u8], cols: usize) {
    rows::<true>(x, Some(mask), cols);
}

/// `out[r]` is the logarithm of the sum of the exponentials of row r of `x` `[rows, cols]`.
pub fn log_sum_exp(out: &mut [f32], x: &[f32], cols: usize) {
    struct Run<'a>(&'a mut [f32], &'a [f32], usize);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            for (out, row) in self.0.iter_mut().zip(self.1.chunks_exact(self.2)) {
                let max = maximum(s, row);
                *out = shift_for(max) + log(s, sum_of_exponentials(s, row, shift_for(max)));
            }
        }
    }
    assert!(cols > 0 && x.len() == out.len() * cols, "not {} rows of {cols}", out.len());
    dispatch(Run(out, x, cols));
}

fn rows<const LOG: bool>(x: &mut [f32], mask: Option<&[u8]>, cols: usize) {
    struct Run<'a, const LOG: bool>(&'a mut [f32], Option<&'a [u8]>, usize);
    impl<const LOG: bool> Op for Run<'_, LOG> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(x, mask, cols) = self;
            if cols <= NARROW {
                // SparseRow enough at a time to stay in the first cache from one pass to the next.
                let together = S::LANES * cols;
                for (i, rows) in x.chunks_mut(together).enumerate() {
                    if let Some(mask) = mask {
                        leave_out(s, rows, &mask[i * together..][..rows.len()]);
                    }
                    narrow_rows::<S, LOG>(s, rows, cols);
                }
                return;
            }
            for (r, row) in x.chunks_exact_mut(cols).enumerate() {
                if let Some(mask) = mask {
                    let mask = &mask[r * cols..][..cols];
                    if let Some(few) = SparseRow::of(s, mask) {
                        few_values::<S, LOG>(s, row, &few);
                        continue;
                    }
                    leave_out(s, row, mask);
                }
                wide_row::<S, LOG>(s, row);
            }
        }
    }
    assert!(cols > 0 && x.len().is_multiple_of(cols), "{} values are not rows of {cols}", x.len());
    assert!(mask.is_none_or(|mask| mask.len() == x.len()), "a mask of another length");
    dispatch(Run::<LOG>(x, mask, cols));
}

/// Puts [`NOTHING`] where the mask is zero.
#[inline(always)]
pub(crate) fn leave_out<S: Simd>(s: S, x: &mut [f32], mask: &[u8]) {
    let (nothing, zero) = (s.splat(NOTHING), s.splat_u(0));
    let (mut xs, masks) = (x.chunks_exact_mut(S::LANES), mask.chunks_exact(S::LANES));
    let mask_tail = masks.remainder();
    for (x, mask) in (&mut xs).zip(masks) {
        // SAFETY: the mask holds a byte for each lane.
        let absent = s.eq_u(unsafe { s.load_bytes_ptr(mask.as_ptr()) }, zero);
        store_partial(s, x, s.select(absent, nothing, load_padded(s, x, NOTHING)));
    }
    let tail = xs.into_remainder();
    if !tail.is_empty() {
        let mut bytes = [0; MAX_LANES];
        bytes[..mask_tail.len()].copy_from_slice(mask_tail);
        // SAFETY: no vector has more than `MAX_LANES` lanes.
        let absent = s.eq_u(unsafe { s.load_bytes_ptr(bytes.as_ptr()) }, zero);
        store_partial(s, tail, s.select(absent, nothing, load_padded(s, tail, NOTHING)));
    }
}

/// At most as many rows as there are lanes.
#[inline(always)]
fn narrow_rows<S: Simd, const LOG: bool>(s: S, rows: &mut [f32], cols: usize) {
    // columns[j][i] is element j of row i; lanes without a row hold zeros, which do no harm.
    let mut columns = [[0.0; MAX_LANES]; NARROW];
    let columns = &mut columns[..cols];
    for (i, row) in rows.chunks_exact(cols).enumerate() {
        for (column, v) in columns.iter_mut().zip(row) {
            column[i] = *v;
        }
    }
    // A NaN may or may not pass the maximum; it reaches its whole row through the sum.
    let mut max = load_padded(s, &columns[0], 0.0);
    for column in &columns[1..] {
        max = s.max(max, load_padded(s, column, 0.0));
    }
    let shift = s.select(s.eq(max, s.splat(NOTHING)), s.splat(0.0), max);
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

/// Sums in sixteen parts.
#[inline(always)]
pub(crate) fn wide_row<S: Simd, const LOG: bool>(s: S, row: &mut [f32]) {
    let shift = shift_for(maximum(s, row));
    let vector = s.splat(shift);
    if LOG {
        let sum = sum_of_exponentials(s, row, shift);
        let log_sum = s.splat(if sum == 0.0 { 0.0 } else { log(s, sum) });
        // In two steps, because the logarithm would be lost in a large maximum.
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
        NOTHING,
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

/// [`wide_row`] of a row of which there are only `few` values: the same bits with less work.
#[inline(always)]
fn few_values<S: Simd, const LOG: bool>(s: S, row: &mut [f32], few: &SparseRow) {
    let (mut values, mut powers) = (room(), room());
    let values = few.gather(row, &mut values);
    let powers = &mut powers[..values.len()];
    let shift = shift_for(maximum(s, values));
    let vector = s.splat(shift);
    zip_map(
        s,
        powers,
        values,
        #[inline(always)]
        |_, v| math::exp(s, s.sub(v, vector)),
    );
    let sum = sum_partials(s, few.parts(s, powers));
    if LOG {
        let log_sum = if sum == 0.0 { 0.0 } else { log(s, sum) };
        let log_sums = s.splat(log_sum);
        map(
            s,
            values,
            #[inline(always)]
            |v| s.sub(s.sub(v, vector), log_sums),
        );
        // NaN where the sum is.
        few.scatter(row, NOTHING - shift - log_sum, values);
        return;
    }
    let norm = if sum == 0.0 { 0.0 } else { 1.0 / sum };
    let norms = s.splat(norm);
    map(
        s,
        powers,
        #[inline(always)]
        |v| s.mul(v, norms),
    );
    few.scatter(row, 0.0 * norm, powers);
}

/// The sum of `exp(x - shift)`.
#[inline(always)]
pub(crate) fn sum_of_exponentials<S: Simd>(s: S, row: &[f32], shift: f32) -> f32 {
    let (zero, shift) = (s.splat(0.0), s.splat(shift));
    let parts = fold(
        s,
        row,
        NOTHING,
        zero,
        #[inline(always)]
        |sum, x| s.add(sum, math::exp(s, s.sub(x, shift))),
    );
    sum_partials(s, parts)
}

/// The largest value of a row; a NaN may or may not be passed over.
#[inline(always)]
pub(crate) fn maximum<S: Simd>(s: S, row: &[f32]) -> f32 {
    let nothing = s.splat(NOTHING);
    let parts = fold(
        s,
        row,
        NOTHING,
        nothing,
        #[inline(always)]
        |max, x| s.max(max, x),
    );
    let [a, b, c, d] = parts;
    let mut lanes = [NOTHING; MAX_LANES];
    store_partial(s, &mut lanes, s.max(s.max(a, b), s.max(c, d)));
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            lanes[i] = if lanes[i + half] > lanes[i] { lanes[i + half] } else { lanes[i] };
        }
    }
    lanes[0]
}

/// What is subtracted before the exponential: the maximum, where there is one.
#[inline(always)]
pub(crate) fn shift_for(max: f32) -> f32 {
    if max == NOTHING { 0.0 } else { max }
}

/// The logarithm of one number.
#[inline(always)]
pub(crate) fn log<S: Simd>(s: S, x: f32) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, math::log(s, s.splat(x)));
    lanes[0]
}
