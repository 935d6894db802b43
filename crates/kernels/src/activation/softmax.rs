//! Row-wise log-softmax: wide rows in vectors along the row, narrow ones (the actions of a small world) with one row
//! in each lane, so that no lane idles and nothing is summed across lanes.

use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_or, map, math, store_some};

/// Rows up to this width are taken one to a lane.
const NARROW: usize = 16;

/// Row-wise log-softmax of `x` `[rows, cols]`, in place. How a row is summed depends on `cols` alone: one after the
/// other up to a width of sixteen, in sixteen parts beyond.
pub fn log_softmax(x: &mut [f32], cols: usize) {
    struct Run<'a>(&'a mut [f32], usize);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(x, cols) = self;
            if cols <= NARROW {
                let whole = x.len() / cols * cols;
                for rows in x[..whole].chunks_mut(S::LANES * cols) {
                    narrow_rows(s, rows, cols);
                }
            } else {
                for row in x.chunks_exact_mut(cols) {
                    wide_row(s, row);
                }
            }
        }
    }
    dispatch(Run(x, cols));
}

/// At most as many rows as there are lanes.
#[inline(always)]
fn narrow_rows<S: Simd>(s: S, rows: &mut [f32], cols: usize) {
    // columns[j][i] is element j of row i; lanes without a row hold zeros, which do no harm.
    let mut columns = [[0.0; MAX_LANES]; NARROW];
    let columns = &mut columns[..cols];
    for (i, row) in rows.chunks_exact(cols).enumerate() {
        for (column, v) in columns.iter_mut().zip(row) {
            column[i] = *v;
        }
    }
    // A NaN may or may not pass the maximum; it reaches its whole row through the sum.
    let mut max = load_or(s, &columns[0], 0.0);
    for column in &columns[1..] {
        max = s.max(max, load_or(s, column, 0.0));
    }
    let mut sum = s.splat(0.0);
    for column in columns.iter_mut() {
        let shifted = s.sub(load_or(s, column, 0.0), max);
        sum = s.add(sum, math::exp(s, shifted));
        store_some(s, column, shifted);
    }
    let log_sum = math::log(s, sum);
    for column in columns.iter_mut() {
        let result = s.sub(load_or(s, column, 0.0), log_sum);
        store_some(s, column, result);
    }
    for (i, row) in rows.chunks_exact_mut(cols).enumerate() {
        for (column, v) in columns.iter().zip(row) {
            *v = column[i];
        }
    }
}

#[inline(always)]
fn wide_row<S: Simd>(s: S, row: &mut [f32]) {
    // The padding is neutral for the maximum, and its exponential is zero.
    const PAD: f32 = f32::NEG_INFINITY;
    // Sixteen parts, in as many vectors as that takes.
    const VECTORS: usize = 4;
    let used = MAX_LANES / S::LANES;
    const { assert!(MAX_LANES / S::LANES <= VECTORS) };
    let (mut maxima, mut sums) = ([s.splat(PAD); VECTORS], [s.splat(0.0); VECTORS]);
    for block in row.chunks(MAX_LANES) {
        for (max, chunk) in maxima[..used].iter_mut().zip(block.chunks(S::LANES)) {
            *max = s.max(*max, load_or(s, chunk, PAD));
        }
    }
    let max = halve(
        s,
        maxima,
        #[inline(always)]
        |a, b| if a > b { a } else { b },
    );
    let shift = s.splat(max);
    for block in row.chunks(MAX_LANES) {
        for (sum, chunk) in sums[..used].iter_mut().zip(block.chunks(S::LANES)) {
            *sum = s.add(*sum, math::exp(s, s.sub(load_or(s, chunk, PAD), shift)));
        }
    }
    let mut log_sum = [0.0; MAX_LANES];
    let sum = s.splat(halve(
        s,
        sums,
        #[inline(always)]
        |a, b| a + b,
    ));
    store_some(s, &mut log_sum, math::log(s, sum));
    let log_sum = s.splat(log_sum[0]);
    // In two steps, because the logarithm would be lost in a large maximum.
    map(
        s,
        row,
        #[inline(always)]
        |v| s.sub(s.sub(v, shift), log_sum),
    );
}

/// Folds sixteen parts onto one: the upper half onto the lower, until one is left.
#[inline(always)]
fn halve<S: Simd, const N: usize>(s: S, vectors: [S::F; N], fold: impl Fn(f32, f32) -> f32) -> f32 {
    let mut parts = [0.0; MAX_LANES];
    for (part, vector) in parts.chunks_exact_mut(S::LANES).zip(vectors) {
        store_some(s, part, vector);
    }
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            parts[i] = fold(parts[i], parts[i + half]);
        }
    }
    parts[0]
}
