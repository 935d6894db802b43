//! The causal softmax over rows of attention scores, forward and backward. In attention, it stands between
//! the product of queries and keys and the product with the values.

use crate::activation::softmax::{EXCLUDED, log, maximum, shift_for};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{Op, Simd, dispatch, load_padded, map, map_and_sum, math, store_partial, sum_partials};

/// Turns products of queries and keys into attention weights in place. Row r attends to the keys up to
/// `first + r`; the weights of later keys become zero. The log-sum-exp of each row's scores is written to
/// `log_sums`.
/// Shapes: `table [log_sums.len(), cols]`.
pub(super) fn scores_to_weights(
    table: &mut [f32],
    cols: usize,
    first: usize,
    scale: f32,
    log_sums: &mut [f32],
) {
    struct Run<'a>(&'a mut [f32], usize, usize, f32, &'a mut [f32]);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(table, cols, first, scale, log_sums) = self;
            let scales = s.splat(scale);
            for (r, (row, log_sum)) in table.chunks_exact_mut(cols).zip(log_sums).enumerate() {
                let (row, masked) = row.split_at_mut(first + r + 1);
                let shift = shift_for(maximum(s, row));
                let shifts = s.splat(shift);
                let parts = map_and_sum(
                    s,
                    row,
                    EXCLUDED,
                    #[inline(always)]
                    |x| math::exp(s, s.mul(s.sub(x, shifts), scales)),
                );
                let sum = sum_partials(s, parts);
                let inverse_sum = s.splat(1.0 / sum);
                map(
                    s,
                    row,
                    #[inline(always)]
                    |x| s.mul(x, inverse_sum),
                );
                masked.fill(0.0);
                *log_sum = scale * shift + log(s, sum);
            }
        }
    }
    if cols > 0 {
        dispatch(Run(table, cols, first, scale, log_sums));
    }
}

/// Backward pass of [`scores_to_weights`] in place. `weights` holds products of queries and keys and becomes
/// the attention weights. `grads` holds the gradients at the weights and becomes the gradients at the
/// products. `means[r]` is the mean of row r of `grads`, weighted by the attention weights. In row r, columns
/// up to `first + r` are used and the others of the first `cols` columns become zero.
/// Shapes: `weights, grads [rows, stride]`.
pub(super) fn score_gradients(
    weights: &mut [f32],
    grads: &mut [f32],
    stride: usize,
    cols: usize,
    first: usize,
    scale: f32,
    log_sums: &[f32],
    means: &[f32],
) {
    struct Run<'a> {
        weights: &'a mut [f32],
        grads: &'a mut [f32],
        stride: usize,
        cols: usize,
        first: usize,
        scale: f32,
        log_sums: &'a [f32],
        means: &'a [f32],
    }
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self { weights, grads, stride, cols, first, scale, log_sums, means } = self;
            let scales = s.splat(scale);
            let rows = weights.chunks_mut(stride).zip(grads.chunks_mut(stride));
            for (r, ((weights, grads), (log_sum, mean))) in rows.zip(log_sums.iter().zip(means)).enumerate() {
                let (log_sum, mean) = (s.splat(*log_sum), s.splat(*mean));
                let visible = first + r + 1;
                let lanes =
                    weights[..visible].chunks_mut(S::LANES).zip(grads[..visible].chunks_mut(S::LANES));
                for (weight, grad) in lanes {
                    // The weight is exp(score - log_sum): subtracting the log-sum-exp divides by the sum.
                    let x = s.sub(s.mul(load_padded(s, weight, 0.0), scales), log_sum);
                    let w = math::exp(s, x);
                    let d = s.mul(s.mul(w, scales), s.sub(load_padded(s, grad, 0.0), mean));
                    store_partial(s, weight, w);
                    store_partial(s, grad, d);
                }
                weights[visible..cols].fill(0.0);
                grads[visible..cols].fill(0.0);
            }
        }
    }
    if stride > 0 {
        dispatch(Run { weights, grads, stride, cols, first, scale, log_sums, means });
    }
}
