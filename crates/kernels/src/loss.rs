//! Cross-entropy losses of logits and their gradients: softmax (one distribution per row) and sigmoid (an
//! independent probability per column).

use crate::activation::softmax::{EXCLUDED, exclude_masked, log, maximum, shift_for, sum_of_exponentials};
use crate::activation::sparse_row::{SparseRow, gather_buffer};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{
    MAX_LANES, Op, Simd, dispatch, fold, fold_zip, load_padded, map, math, store_partial, sum_partials,
    zip_map, zip2_map,
};

/// The targets of a batch of logits.
#[derive(Clone, Copy, Debug)]
pub enum Targets<'a> {
    /// Soft targets: a weight for each column, usually a probability. The weights of a row need not sum to
    /// one.
    /// Shape: `[rows, cols]`.
    Rows(&'a [f32]),
    /// The index of the correct column of each row.
    /// Shape: `[rows]`.
    Classes(&'a [u32]),
}

/// Softmax cross-entropy of each row, `losses[r] = -sum(t log softmax(x))`, and its derivative times `scale`
/// in `gradient`.
///
/// A `mask` excludes the values whose byte is zero (see [`crate::activation::masked_softmax`]). Targets of
/// excluded values, and of logits that are minus infinity, are ignored. A row in which all values are
/// excluded has loss and gradient zero.
/// Shapes: `logits, gradient [rows, cols], losses [rows]`.
pub fn softmax_cross_entropy(
    losses: &mut [f32],
    gradient: &mut [f32],
    logits: &[f32],
    targets: Targets,
    mask: Option<&[u8]>,
    scale: f32,
) {
    let rows = losses.len();
    let cols = logits.len().checked_div(rows).unwrap_or(0);
    assert!(
        logits.len() == rows * cols && gradient.len() == logits.len(),
        "logits and gradient must have {rows} rows of equal length"
    );
    match targets {
        Targets::Rows(t) => {
            assert_eq!(t.len(), logits.len(), "the targets must have the shape of the logits");
        }
        Targets::Classes(classes) => {
            assert_eq!(classes.len(), rows, "there must be one class for each row");
            assert!(classes.iter().all(|&c| (c as usize) < cols), "each class must be below {cols}");
        }
    }
    assert!(mask.is_none_or(|mask| mask.len() == logits.len()), "the mask must have the shape of the logits");
    if cols > 0 {
        dispatch(Softmax { losses, gradient, logits, targets, mask, scale, cols });
    }
}

/// The arguments of [`softmax_cross_entropy`], checked.
struct Softmax<'a> {
    losses: &'a mut [f32],
    gradient: &'a mut [f32],
    logits: &'a [f32],
    targets: Targets<'a>,
    mask: Option<&'a [u8]>,
    scale: f32,
    cols: usize,
}

impl Op for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { losses, gradient, logits, targets, mask, scale, cols } = self;
        for (r, loss) in losses.iter_mut().enumerate() {
            let range = r * cols..(r + 1) * cols;
            let (row, logits) = (&mut gradient[range.clone()], &logits[range.clone()]);
            let mask = mask.map(|mask| &mask[range.clone()]);
            let target = match targets {
                Targets::Rows(targets) => Target::Row(&targets[range]),
                Targets::Classes(classes) => Target::Class(classes[r] as usize),
            };
            let sparse = mask.and_then(
                #[inline(always)]
                |mask| SparseRow::from_mask(s, mask),
            );
            if let Some(sparse) = sparse {
                *loss = sparse_row_loss(s, row, logits, &sparse, target, scale);
                continue;
            }
            row.copy_from_slice(logits);
            if let Some(mask) = mask {
                exclude_masked(s, row, mask);
            }
            *loss = dense_row_loss(s, row, target, scale);
        }
    }
}

/// The target of one row.
#[derive(Clone, Copy)]
enum Target<'a> {
    Row(&'a [f32]),
    Class(usize),
}

/// Loss and gradient of one row. `row` holds the logits, minus infinity where excluded, and is overwritten by
/// the gradient.
///
/// The row's maximum, the *shift*, is subtracted from the logits, so that no exponential overflows. `sum` is
/// the sum of the shifted exponentials, and `log_sum` its logarithm, so the log-softmax of a logit x is `x -
/// shift - log_sum`.
#[inline(always)]
fn dense_row_loss<S: Simd>(s: S, row: &mut [f32], target: Target, scale: f32) -> f32 {
    let shift = shift_for(maximum(s, row));
    let sum = sum_of_exponentials(s, row, shift);
    if sum == 0.0 {
        row.fill(0.0);
        return 0.0;
    }
    let log_sum = log(s, sum);
    match target {
        Target::Row(targets) => {
            let zero = s.splat(0.0);
            let [shifts, log_sums] = [shift, log_sum].map(|v| s.splat(v));
            let losses = fold_zip(
                s,
                row,
                targets,
                #[inline(always)]
                |sum, x, t| s.add(sum, loss_term(s, x, t, shifts, log_sums)),
            );
            let target_sums = fold_zip(
                s,
                row,
                targets,
                #[inline(always)]
                |sum, x, t| s.add(sum, s.select(s.eq(x, s.splat(EXCLUDED)), zero, t)),
            );
            let factor = s.splat(scale * sum_partials(s, target_sums) / sum);
            let scale = s.splat(scale);
            zip_map(
                s,
                row,
                targets,
                #[inline(always)]
                |x, t| gradient_at(s, x, t, shifts, factor, scale),
            );
            sum_partials(s, losses)
        }
        Target::Class(class) => {
            let x = row[class];
            let scale = if x == EXCLUDED { 0.0 } else { scale };
            let [shifts, factor] = [shift, scale / sum].map(|v| s.splat(v));
            map(
                s,
                row,
                #[inline(always)]
                |x| s.mul(math::exp(s, s.sub(x, shifts)), factor),
            );
            row[class] -= scale;
            if x == EXCLUDED { 0.0 } else { log_sum - (x - shift) }
        }
    }
}

/// The same as [`dense_row_loss`], to the bit, for a row of which a mask selects few columns. Only the
/// selected columns are gathered and computed. The gradient is written to `row`.
#[inline(always)]
fn sparse_row_loss<S: Simd>(
    s: S,
    row: &mut [f32],
    logits: &[f32],
    sparse: &SparseRow,
    target: Target,
    scale: f32,
) -> f32 {
    let (mut values, mut selected_targets, mut scratch) = (gather_buffer(), gather_buffer(), gather_buffer());
    let values = sparse.gather(logits, &mut values);
    let scratch = &mut scratch[..values.len()];
    let shift = shift_for(maximum(s, values));
    let shifts = s.splat(shift);
    zip_map(
        s,
        scratch,
        values,
        #[inline(always)]
        |_, x| math::exp(s, s.sub(x, shifts)),
    );
    let sum = sum_partials(s, sparse.partial_sums(s, scratch));
    if sum == 0.0 {
        row.fill(0.0);
        return 0.0;
    }
    let (log_sum, excluded) = (log(s, sum), s.splat(EXCLUDED));
    match target {
        Target::Row(targets) => {
            let (zero, log_sums) = (s.splat(0.0), s.splat(log_sum));
            let selected_targets = sparse.gather(targets, &mut selected_targets);
            zip2_map(
                s,
                scratch,
                values,
                selected_targets,
                #[inline(always)]
                |_, x, t| loss_term(s, x, t, shifts, log_sums),
            );
            let loss = sum_partials(s, sparse.partial_sums(s, scratch));
            zip2_map(
                s,
                scratch,
                values,
                selected_targets,
                #[inline(always)]
                |_, x, t| s.select(s.eq(x, excluded), zero, t),
            );
            let factor = s.splat(scale * sum_partials(s, sparse.partial_sums(s, scratch)) / sum);
            let scale = s.splat(scale);
            zip2_map(
                s,
                scratch,
                values,
                selected_targets,
                #[inline(always)]
                |_, x, t| gradient_at(s, x, t, shifts, factor, scale),
            );
            // The gradient at an excluded column is zero, but NaN if the sum is NaN, as in `dense_row_loss`.
            sparse.scatter(
                row,
                first_lane(s, gradient_at(s, excluded, zero, shifts, factor, scale)),
                scratch,
            );
            loss
        }
        Target::Class(class) => {
            let present = sparse.columns().contains(&(class as u32)) && logits[class] != EXCLUDED;
            let scale = if present { scale } else { 0.0 };
            let factor = s.splat(scale / sum);
            map(
                s,
                scratch,
                #[inline(always)]
                |exponential| s.mul(exponential, factor),
            );
            // Zero in the excluded columns, but NaN if the sum is NaN, as in `dense_row_loss`.
            sparse.scatter(row, 0.0 * (scale / sum), scratch);
            row[class] -= scale;
            if present { log_sum - (logits[class] - shift) } else { 0.0 }
        }
    }
}

/// The contribution of a value to the loss: `t (log_sum - (x - shift))`, or zero for an excluded value or a
/// zero target.
#[inline(always)]
fn loss_term<S: Simd>(s: S, x: S::F, t: S::F, shift: S::F, log_sum: S::F) -> S::F {
    let zero = s.splat(0.0);
    let term = s.mul(t, s.sub(log_sum, s.sub(x, shift)));
    // Zero times the infinite term of an infinite logit would be NaN.
    let term = s.select(s.eq(t, zero), zero, term);
    s.select(s.eq(x, s.splat(EXCLUDED)), zero, term)
}

/// The gradient at a value: `exp(x - shift) factor - scale t`, where `factor` is `scale sum(t) / sum(exp)`.
#[inline(always)]
fn gradient_at<S: Simd>(s: S, x: S::F, t: S::F, shift: S::F, factor: S::F, scale: S::F) -> S::F {
    let t = s.select(s.eq(x, s.splat(EXCLUDED)), s.splat(0.0), t);
    s.neg_mul_add(scale, t, s.mul(math::exp(s, s.sub(x, shift)), factor))
}

/// The first lane of a vector.
#[inline(always)]
fn first_lane<S: Simd>(s: S, x: S::F) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, x);
    lanes[0]
}

/// Sigmoid cross-entropy of each row, `losses[r] = -sum(t log sigmoid(x) + (1 - t) log(1 - sigmoid(x)))`, and
/// its derivative times `scale` in `gradient`.
/// Shapes: `logits, targets, gradient [rows, cols], losses [rows]`.
pub fn sigmoid_cross_entropy(
    losses: &mut [f32],
    gradient: &mut [f32],
    logits: &[f32],
    targets: &[f32],
    scale: f32,
) {
    struct Sigmoid<'a> {
        losses: &'a mut [f32],
        gradient: &'a mut [f32],
        logits: &'a [f32],
        targets: &'a [f32],
        scale: f32,
    }
    impl Op for Sigmoid<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self { losses, gradient, logits, targets, scale } = self;
            let cols = logits.len() / losses.len();
            let (zero, one, scale) = (s.splat(0.0), s.splat(1.0), s.splat(scale));
            for (r, loss) in losses.iter_mut().enumerate() {
                let range = r * cols..(r + 1) * cols;
                let (x, t, g) = (&logits[range.clone()], &targets[range.clone()], &mut gradient[range]);
                // First `gradient` holds the loss of each value, max(x, 0) - x t + log(1 + exp(-|x|)), a form
                // in which nothing overflows. After the losses are summed, the gradient overwrites them.
                let inputs = x.chunks(S::LANES).zip(t.chunks(S::LANES));
                for (g, (x, t)) in g.chunks_mut(S::LANES).zip(inputs) {
                    let (x, t) = (load_padded(s, x, 0.0), load_padded(s, t, 0.0));
                    let e = math::exp(s, s.sub(zero, math::abs(s, x)));
                    let linear = s.neg_mul_add(x, t, math::relu(s, x));
                    store_partial(s, g, s.add(linear, math::log(s, s.add(one, e))));
                }
                let parts = fold(
                    s,
                    g,
                    0.0,
                    zero,
                    #[inline(always)]
                    |sum, v| s.add(sum, v),
                );
                *loss = sum_partials(s, parts);
                let inputs = x.chunks(S::LANES).zip(t.chunks(S::LANES));
                for (g, (x, t)) in g.chunks_mut(S::LANES).zip(inputs) {
                    let error = s.sub(math::sigmoid(s, load_padded(s, x, 0.0)), load_padded(s, t, 0.0));
                    store_partial(s, g, s.mul(error, scale));
                }
            }
        }
    }
    let rows = losses.len();
    let cols = logits.len().checked_div(rows).unwrap_or(0);
    assert!(
        logits.len() == rows * cols && gradient.len() == logits.len(),
        "logits and gradient must have {rows} rows of equal length"
    );
    assert_eq!(targets.len(), logits.len(), "the targets must have the shape of the logits");
    if cols > 0 {
        dispatch(Sigmoid { losses, gradient, logits, targets, scale });
    }
}
