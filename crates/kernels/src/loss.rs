//! Cross-entropies of logits, with their gradients: for distributions over the columns of a row (softmax) and for
//! columns that each stand alone (sigmoid).

use crate::activation::softmax::{
    NOTHING, exponential, leave_out, log, maximum, shift_for, sum_of_exponentials,
};
use crate::simd::{Op, Simd, dispatch, fold, fold_zip, load_or, map, math, store_some, total, zip_map};
use crate::tail::relu;

/// What a row of logits should have said.
#[derive(Clone, Copy, Debug)]
pub enum Targets<'a> {
    /// A distribution (or any weights) for each row, `[rows, cols]`.
    Rows(&'a [f32]),
    /// The one right column of each row.
    Classes(&'a [u32]),
}

/// Softmax cross-entropy `-sum(t log softmax(x))` of each row of `logits` `[rows, cols]` in `losses`, and in `gradient` its
/// derivative times `scale`. With a `mask` (see [`crate::activation::masked_softmax`]) only the values whose byte is not
/// zero exist. Targets where there is none, or where the logit is minus infinity, count for nothing; a row without any
/// value has no loss and no gradient.
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
    assert!(logits.len() == rows * cols && gradient.len() == logits.len(), "not {rows} rows of {cols}");
    match targets {
        Targets::Rows(t) => assert_eq!(t.len(), logits.len(), "not {rows} rows of targets"),
        Targets::Classes(classes) => {
            assert_eq!(classes.len(), rows, "not {rows} classes");
            assert!(classes.iter().all(|&c| (c as usize) < cols), "a class beyond the {cols} columns");
        }
    }
    assert!(mask.is_none_or(|mask| mask.len() == logits.len()), "a mask of another length");
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
            let span = r * cols..(r + 1) * cols;
            // The row holds the logits, minus infinity where there are none, until its gradient takes their place.
            let row = &mut gradient[span.clone()];
            row.copy_from_slice(&logits[span.clone()]);
            if let Some(mask) = mask {
                leave_out(s, row, &mask[span.clone()]);
            }
            let shift = shift_for(maximum(s, row));
            let sum = sum_of_exponentials(s, row, shift);
            if sum == 0.0 {
                *loss = 0.0;
                row.fill(0.0);
                continue;
            }
            let level = log(s, sum);
            match targets {
                Targets::Rows(targets) => {
                    let targets = &targets[span];
                    let weight;
                    (*loss, weight) = weigh(s, row, targets, shift, level);
                    let (nothing, zero) = (s.splat(NOTHING), s.splat(0.0));
                    let [shift, share, scale] = [shift, scale * weight / sum, scale].map(|v| s.splat(v));
                    zip_map(
                        s,
                        row,
                        targets,
                        #[inline(always)]
                        |x, t| {
                            let t = s.select(s.eq(x, nothing), zero, t);
                            s.neg_mul_add(scale, t, s.mul(exponential(s, x, shift), share))
                        },
                    );
                }
                Targets::Classes(classes) => {
                    let class = classes[r] as usize;
                    let there = row[class] != NOTHING;
                    *loss = if there { level - (row[class] - shift) } else { 0.0 };
                    let scale = if there { scale } else { 0.0 };
                    let [shift, share] = [shift, scale / sum].map(|v| s.splat(v));
                    map(
                        s,
                        row,
                        #[inline(always)]
                        |x| s.mul(exponential(s, x, shift), share),
                    );
                    row[class] -= scale;
                }
            }
        }
    }
}

/// The loss of a row and the sum of the targets that count.
#[inline(always)]
fn weigh<S: Simd>(s: S, row: &[f32], targets: &[f32], shift: f32, level: f32) -> (f32, f32) {
    let (nothing, zero) = (s.splat(NOTHING), s.splat(0.0));
    let (shift, level) = (s.splat(shift), s.splat(level));
    let losses = fold_zip(
        s,
        row,
        targets,
        #[inline(always)]
        |sum, x, t| {
            let term = s.mul(t, s.sub(level, s.sub(x, shift)));
            // No weight is no loss, whatever the value.
            let term = s.select(s.eq(t, zero), zero, term);
            s.add(sum, s.select(s.eq(x, nothing), zero, term))
        },
    );
    let weights = fold_zip(
        s,
        row,
        targets,
        #[inline(always)]
        |sum, x, t| s.add(sum, s.select(s.eq(x, nothing), zero, t)),
    );
    (total(s, losses), total(s, weights))
}

/// Sigmoid cross-entropy `-sum(t log sigmoid(x) + (1 - t) log(1 - sigmoid(x)))` of each row of `logits` `[rows, cols]`
/// in `losses`, and in `gradient` its derivative times `scale`.
pub fn sigmoid_cross_entropy(
    losses: &mut [f32],
    gradient: &mut [f32],
    logits: &[f32],
    targets: &[f32],
    scale: f32,
) {
    struct Run<'a>(&'a mut [f32], &'a mut [f32], &'a [f32], &'a [f32], f32);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(losses, gradient, logits, targets, scale) = self;
            let cols = logits.len() / losses.len();
            let (zero, one, scale) = (s.splat(0.0), s.splat(1.0), s.splat(scale));
            for (r, loss) in losses.iter_mut().enumerate() {
                let span = r * cols..(r + 1) * cols;
                let (x, t, g) = (&logits[span.clone()], &targets[span.clone()], &mut gradient[span]);
                // First the loss of every value, max(x, 0) - x t + log(1 + exp(-|x|)).
                let inputs = x.chunks(S::LANES).zip(t.chunks(S::LANES));
                for (g, (x, t)) in g.chunks_mut(S::LANES).zip(inputs) {
                    let (x, t) = (load_or(s, x, 0.0), load_or(s, t, 0.0));
                    let e = math::exp(s, s.sub(zero, math::abs(s, x)));
                    let straight = s.neg_mul_add(x, t, relu(s, x));
                    store_some(s, g, s.add(straight, math::log(s, s.add(one, e))));
                }
                let parts = fold(
                    s,
                    g,
                    0.0,
                    zero,
                    #[inline(always)]
                    |sum, v| s.add(sum, v),
                );
                *loss = total(s, parts);
                let inputs = x.chunks(S::LANES).zip(t.chunks(S::LANES));
                for (g, (x, t)) in g.chunks_mut(S::LANES).zip(inputs) {
                    let error = s.sub(math::sigmoid(s, load_or(s, x, 0.0)), load_or(s, t, 0.0));
                    store_some(s, g, s.mul(error, scale));
                }
            }
        }
    }
    let rows = losses.len();
    let cols = logits.len().checked_div(rows).unwrap_or(0);
    assert!(logits.len() == rows * cols && gradient.len() == logits.len(), "not {rows} rows of {cols}");
    assert_eq!(targets.len(), logits.len(), "not {rows} rows of targets");
    if cols > 0 {
        dispatch(Run(losses, gradient, logits, targets, scale));
    }
}
