//! Cross-entropies of logits, with their gradients: for distributions over the columns of a row (softmax) and for
//! columns that each stand alone (sigmoid).

use crate::activation::softmax::{NOTHING, leave_out, log, maximum, shift_for, sum_of_exponentials};
use crate::activation::sparse_row::{SparseRow, room};
use crate::epilogue::relu;
use crate::simd::{
    MAX_LANES, Op, Simd, dispatch, fold, fold_zip, load_padded, map, math, store_partial, sum_partials,
    zip_map, zip2_map,
};

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
            let (row, logits) = (&mut gradient[span.clone()], &logits[span.clone()]);
            let mask = mask.map(|mask| &mask[span.clone()]);
            let target = match targets {
                Targets::Rows(targets) => Target::Row(&targets[span]),
                Targets::Classes(classes) => Target::Class(classes[r] as usize),
            };
            let few = mask.and_then(
                #[inline(always)]
                |mask| SparseRow::of(s, mask),
            );
            if let Some(few) = few {
                *loss = few_values(s, row, logits, &few, target, scale);
                continue;
            }
            row.copy_from_slice(logits);
            if let Some(mask) = mask {
                leave_out(s, row, mask);
            }
            *loss = whole_row(s, row, target, scale);
        }
    }
}

/// What one row should have said.
#[derive(Clone, Copy)]
enum Target<'a> {
    Row(&'a [f32]),
    Class(usize),
}

/// The loss of a row. It holds the logits, minus infinity where there are none, until its gradient takes their place.
#[inline(always)]
fn whole_row<S: Simd>(s: S, row: &mut [f32], target: Target, scale: f32) -> f32 {
    let shift = shift_for(maximum(s, row));
    let sum = sum_of_exponentials(s, row, shift);
    if sum == 0.0 {
        row.fill(0.0);
        return 0.0;
    }
    let level = log(s, sum);
    match target {
        Target::Row(targets) => {
            let zero = s.splat(0.0);
            let [shifts, levels] = [shift, level].map(|v| s.splat(v));
            let losses = fold_zip(
                s,
                row,
                targets,
                #[inline(always)]
                |sum, x, t| s.add(sum, term(s, x, t, shifts, levels)),
            );
            let weights = fold_zip(
                s,
                row,
                targets,
                #[inline(always)]
                |sum, x, t| s.add(sum, s.select(s.eq(x, s.splat(NOTHING)), zero, t)),
            );
            let share = s.splat(scale * sum_partials(s, weights) / sum);
            let scale = s.splat(scale);
            zip_map(
                s,
                row,
                targets,
                #[inline(always)]
                |x, t| slope(s, x, t, shifts, share, scale),
            );
            sum_partials(s, losses)
        }
        Target::Class(class) => {
            let x = row[class];
            let scale = if x == NOTHING { 0.0 } else { scale };
            let [shifts, share] = [shift, scale / sum].map(|v| s.splat(v));
            map(
                s,
                row,
                #[inline(always)]
                |x| s.mul(math::exp(s, s.sub(x, shifts)), share),
            );
            row[class] -= scale;
            if x == NOTHING { 0.0 } else { level - (x - shift) }
        }
    }
}

/// [`whole_row`] of a row of `logits` of which there are only `few`: the same bits with less work.
#[inline(always)]
fn few_values<S: Simd>(
    s: S,
    row: &mut [f32],
    logits: &[f32],
    few: &SparseRow,
    target: Target,
    scale: f32,
) -> f32 {
    let (mut values, mut wanted, mut work) = (room(), room(), room());
    let values = few.gather(logits, &mut values);
    let work = &mut work[..values.len()];
    let shift = shift_for(maximum(s, values));
    let shifts = s.splat(shift);
    zip_map(
        s,
        work,
        values,
        #[inline(always)]
        |_, x| math::exp(s, s.sub(x, shifts)),
    );
    let sum = sum_partials(s, few.parts(s, work));
    if sum == 0.0 {
        row.fill(0.0);
        return 0.0;
    }
    let (level, nothing) = (log(s, sum), s.splat(NOTHING));
    match target {
        Target::Row(targets) => {
            let (zero, levels) = (s.splat(0.0), s.splat(level));
            let wanted = few.gather(targets, &mut wanted);
            zip2_map(
                s,
                work,
                values,
                wanted,
                #[inline(always)]
                |_, x, t| term(s, x, t, shifts, levels),
            );
            let loss = sum_partials(s, few.parts(s, work));
            zip2_map(
                s,
                work,
                values,
                wanted,
                #[inline(always)]
                |_, x, t| s.select(s.eq(x, nothing), zero, t),
            );
            let share = s.splat(scale * sum_partials(s, few.parts(s, work)) / sum);
            let scale = s.splat(scale);
            zip2_map(
                s,
                work,
                values,
                wanted,
                #[inline(always)]
                |_, x, t| slope(s, x, t, shifts, share, scale),
            );
            few.scatter(row, first(s, slope(s, nothing, zero, shifts, share, scale)), work);
            loss
        }
        Target::Class(class) => {
            let there = few.columns().contains(&(class as u32)) && logits[class] != NOTHING;
            let scale = if there { scale } else { 0.0 };
            let share = s.splat(scale / sum);
            map(
                s,
                work,
                #[inline(always)]
                |power| s.mul(power, share),
            );
            few.scatter(row, 0.0 * (scale / sum), work);
            row[class] -= scale;
            if there { level - (logits[class] - shift) } else { 0.0 }
        }
    }
}

/// What a value adds to the loss; nothing where it is not there, or weighs nothing.
#[inline(always)]
fn term<S: Simd>(s: S, x: S::F, t: S::F, shift: S::F, level: S::F) -> S::F {
    let zero = s.splat(0.0);
    let term = s.mul(t, s.sub(level, s.sub(x, shift)));
    // No weight is no loss, whatever the value.
    let term = s.select(s.eq(t, zero), zero, term);
    s.select(s.eq(x, s.splat(NOTHING)), zero, term)
}

/// The gradient at a value: `share` is what the sum of the targets makes of an exponential.
#[inline(always)]
fn slope<S: Simd>(s: S, x: S::F, t: S::F, shift: S::F, share: S::F, scale: S::F) -> S::F {
    let t = s.select(s.eq(x, s.splat(NOTHING)), s.splat(0.0), t);
    s.neg_mul_add(scale, t, s.mul(math::exp(s, s.sub(x, shift)), share))
}

/// The first lane.
#[inline(always)]
fn first<S: Simd>(s: S, x: S::F) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, x);
    lanes[0]
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
                    let (x, t) = (load_padded(s, x, 0.0), load_padded(s, t, 0.0));
                    let e = math::exp(s, s.sub(zero, math::abs(s, x)));
                    let straight = s.neg_mul_add(x, t, relu(s, x));
                    store_partial(s, g, s.add(straight, math::log(s, s.add(one, e))));
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
    assert!(logits.len() == rows * cols && gradient.len() == logits.len(), "not {rows} rows of {cols}");
    assert_eq!(targets.len(), logits.len(), "not {rows} rows of targets");
    if cols > 0 {
        dispatch(Run(losses, gradient, logits, targets, scale));
    }
}
