//! What happens to the rows of a table between its products: softmax over what a row may see, and its way back.

use crate::activation::softmax::{NOTHING, log, maximum, shift_for};
use crate::simd::{Op, Simd, dispatch, load_padded, map, map_and_sum, math, store_partial, sum_partials};

/// Turns products of queries and keys into weights. Row r of `table` `[levels.len(), cols]` sees the keys up to
/// `first + r`; the others get zero. The logarithm of the sum that its exponentials were divided by goes to `levels`.
pub(super) fn weigh(table: &mut [f32], cols: usize, first: usize, scale: f32, levels: &mut [f32]) {
    struct Run<'a>(&'a mut [f32], usize, usize, f32, &'a mut [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(table, cols, first, scale, levels) = self;
            let scales = s.splat(scale);
            for (r, (row, level)) in table.chunks_exact_mut(cols).zip(levels).enumerate() {
                let (row, hidden) = row.split_at_mut(first + r + 1);
                let shift = shift_for(maximum(s, row));
                let shifts = s.splat(shift);
                let parts = map_and_sum(
                    s,
                    row,
                    NOTHING,
                    #[inline(always)]
                    |x| math::exp(s, s.mul(s.sub(x, shifts), scales)),
                );
                let sum = sum_partials(s, parts);
                let share = s.splat(1.0 / sum);
                map(
                    s,
                    row,
                    #[inline(always)]
                    |x| s.mul(x, share),
                );
                hidden.fill(0.0);
                *level = scale * shift + log(s, sum);
            }
        }
    }
    if cols > 0 {
        dispatch(Run(table, cols, first, scale, levels));
    }
}

/// The way back. In the first `cols` places of row r, of which those up to `first + r` count, `weights` holds products of
/// queries and keys and becomes what [`weigh`] made of them; `slopes` holds the gradients at those weights, whose mean
/// under the weights is `means[r]`, and becomes the gradients at the products. The other places become zero.
pub(super) fn slopes(
    weights: &mut [f32],
    slopes: &mut [f32],
    stride: usize,
    cols: usize,
    first: usize,
    scale: f32,
    levels: &[f32],
    means: &[f32],
) {
    struct Run<'a> {
        weights: &'a mut [f32],
        slopes: &'a mut [f32],
        stride: usize,
        cols: usize,
        first: usize,
        scale: f32,
        levels: &'a [f32],
        means: &'a [f32],
    }
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self { weights, slopes, stride, cols, first, scale, levels, means } = self;
            let scales = s.splat(scale);
            let rows = weights.chunks_mut(stride).zip(slopes.chunks_mut(stride));
            for (r, ((weights, slopes), (level, mean))) in rows.zip(levels.iter().zip(means)).enumerate() {
                let (level, mean) = (s.splat(*level), s.splat(*mean));
                let seen = first + r + 1;
                let lanes = weights[..seen].chunks_mut(S::LANES).zip(slopes[..seen].chunks_mut(S::LANES));
                for (weight, slope) in lanes {
                    // e^x = weight, since the level holds the division.
                    let x = s.sub(s.mul(load_padded(s, weight, 0.0), scales), level);
                    let w = math::exp(s, x);
                    let d = s.mul(s.mul(w, scales), s.sub(load_padded(s, slope, 0.0), mean));
                    store_partial(s, weight, w);
                    store_partial(s, slope, d);
                }
                weights[seen..cols].fill(0.0);
                slopes[seen..cols].fill(0.0);
            }
        }
    }
    if stride > 0 {
        dispatch(Run { weights, slopes, stride, cols, first, scale, levels, means });
    }
}
