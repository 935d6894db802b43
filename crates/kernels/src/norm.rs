//! Layer normalisation of rows, forward and backward.
//!
//! Mean and variance are taken in two passes, so a large mean costs no digits; the sums run in sixteen parts
//! ([`crate::simd::fold`]), and the square root and the divisions are rounded correctly.

use crate::simd::{Op, Simd, dispatch, fold, fold_zip, total, zip_map, zip2_map, zip3};
use crate::tail::{Activation, Keep, Norm, Normalised, Tail};

/// `out = activation(norm(x))` for `x` and `out` `[rows, cols]`. What the backward pass needs goes to `keep`.
pub fn layer_norm(out: &mut [f32], x: &[f32], norm: Norm, activation: Activation, keep: Option<Normalised>) {
    struct Run<'a>(&'a mut [f32], &'a [f32], Tail<'a>, usize);
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(mut self, s: S) {
            self.2.finish(s, Some(self.1), self.0, 0, self.3);
        }
    }
    let cols = norm.gamma.len();
    assert!(out.len() == x.len() && cols > 0 && x.len().is_multiple_of(cols), "not whole rows of {cols}");
    let keep = keep.map_or(Keep::Nothing, Keep::Normalised);
    let tail = Tail { norm: Some(norm), activation, keep, ..Tail::default() };
    tail.check(x.len() / cols, cols);
    dispatch(Run(out, x, tail, cols));
}

/// The way back through layer norm. From the gradient `dy` after it, and what the forward pass kept, the gradient
/// before it goes to `dx`, and those of `gamma` and `beta` are added to theirs, row by row.
///
/// With `g = dy gamma`: `dx = rstd (g - mean(g) - xhat mean(g xhat))`.
pub fn layer_norm_backward(
    dx: &mut [f32],
    dy: &[f32],
    xhat: &[f32],
    rstd: &[f32],
    gamma: &[f32],
    dgamma: &mut [f32],
    dbeta: &mut [f32],
) {
    let (cols, rows) = (gamma.len(), rstd.len());
    assert!(dgamma.len() == cols && dbeta.len() == cols, "gradients of another width than {cols}");
    assert!(
        [dx.len(), dy.len(), xhat.len()].iter().all(|&len| len == rows * cols),
        "not {rows} rows of {cols}"
    );
    if rows * cols > 0 {
        dispatch(Backward { dx, dy, xhat, rstd, gamma, dgamma, dbeta });
    }
}

/// Rows that go through each step together: their sums do not wait for each other.
const GROUP: usize = 4;

/// The rows of a forward pass: from `from` to `out`, or in place, with what follows at once.
#[inline(always)]
pub(crate) fn forward_rows<S: Simd>(
    s: S,
    from: Option<&[f32]>,
    out: &mut [f32],
    norm: Norm,
    with_relu: bool,
    mut keep: Option<(&mut [f32], &mut [f32])>,
) {
    let Norm { gamma, beta, eps } = norm;
    let cols = gamma.len();
    let floor = s.splat(if with_relu { 0.0 } else { f32::NEG_INFINITY });
    for (group, out) in out.chunks_mut(GROUP * cols).enumerate() {
        let first = group * GROUP;
        let from = from.map(|from| &from[first * cols..][..out.len()]);
        let (means, rstds) = moments(s, from.unwrap_or(out), cols, eps);
        if let Some((xhat, kept)) = &mut keep {
            let count = out.len() / cols;
            kept[first..first + count].copy_from_slice(&rstds[..count]);
            let rows = xhat[first * cols..][..out.len()].chunks_exact_mut(cols);
            for ((xhat, x), (mean, rstd)) in
                rows.zip(from.unwrap_or(out).chunks_exact(cols)).zip(means.iter().zip(&rstds))
            {
                center_and_scale(s, xhat, x, *mean, *rstd);
            }
        }
        for (r, out) in out.chunks_exact_mut(cols).enumerate() {
            let (mean, rstd) = (s.splat(means[r]), s.splat(rstds[r]));
            match from {
                Some(from) => zip3(
                    s,
                    out,
                    [&from[r * cols..][..cols], gamma, beta],
                    #[inline(always)]
                    |x, gamma, beta| affine(s, s.mul(s.sub(x, mean), rstd), gamma, beta, floor),
                ),
                None => zip2_map(
                    s,
                    out,
                    gamma,
                    beta,
                    #[inline(always)]
                    |x, gamma, beta| affine(s, s.mul(s.sub(x, mean), rstd), gamma, beta, floor),
                ),
            }
        }
    }
}

/// `xhat gamma + beta`, and none of it below `floor`: not a question whether there is one, which WebAssembly would ask
/// at every vector.
#[inline(always)]
fn affine<S: Simd>(s: S, xhat: S::F, gamma: S::F, beta: S::F, floor: S::F) -> S::F {
    s.max(floor, s.mul_add(xhat, gamma, beta))
}

/// Mean and `1 / sqrt(variance + eps)` of each row of a group.
#[inline(always)]
fn moments<S: Simd>(s: S, x: &[f32], cols: usize, eps: f32) -> ([f32; GROUP], [f32; GROUP]) {
    let (zero, share) = (s.splat(0.0), 1.0 / cols as f32);
    let [mut means, mut squares] = [[0.0; GROUP]; 2];
    for (mean, row) in means.iter_mut().zip(x.chunks_exact(cols)) {
        let sums = fold(
            s,
            row,
            0.0,
            zero,
            #[inline(always)]
            |sum, x| s.add(sum, x),
        );
        *mean = total(s, sums) * share;
    }
    for ((mean, square), row) in means.iter().zip(&mut squares).zip(x.chunks_exact(cols)) {
        let center = s.splat(*mean);
        let sums = fold(
            s,
            row,
            *mean,
            zero,
            #[inline(always)]
            |sum, x| {
                let d = s.sub(x, center);
                s.mul_add(d, d, sum)
            },
        );
        *square = total(s, sums);
    }
    for square in &mut squares {
        *square = 1.0 / (*square * share + eps).sqrt();
    }
    (means, squares)
}

/// `xhat = (x - mean) rstd`
#[inline(always)]
fn center_and_scale<S: Simd>(s: S, xhat: &mut [f32], x: &[f32], mean: f32, rstd: f32) {
    let (mean, rstd) = (s.splat(mean), s.splat(rstd));
    // The old values of xhat are read and not used.
    zip_map(
        s,
        xhat,
        x,
        #[inline(always)]
        |_, x| s.mul(s.sub(x, mean), rstd),
    );
}

/// The arguments of [`layer_norm_backward`], checked.
struct Backward<'a> {
    dx: &'a mut [f32],
    dy: &'a [f32],
    xhat: &'a [f32],
    rstd: &'a [f32],
    gamma: &'a [f32],
    dgamma: &'a mut [f32],
    dbeta: &'a mut [f32],
}

impl Op for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { dx, dy, xhat, rstd, gamma, dgamma, dbeta } = self;
        let cols = gamma.len();
        let zero = s.splat(0.0);
        let rows =
            dx.chunks_exact_mut(cols).zip(dy.chunks_exact(cols)).zip(xhat.chunks_exact(cols)).zip(rstd);
        for (((dx, dy), xhat), rstd) in rows {
            // dx holds g for a moment.
            zip3(
                s,
                dx,
                [dy, gamma, gamma],
                #[inline(always)]
                |d, gamma, _| s.mul(d, gamma),
            );
            let sums = fold(
                s,
                dx,
                0.0,
                zero,
                #[inline(always)]
                |sum, g| s.add(sum, g),
            );
            let mean = s.splat(total(s, sums) / cols as f32);
            let products = fold_zip(
                s,
                dx,
                xhat,
                #[inline(always)]
                |sum, g, x| s.mul_add(g, x, sum),
            );
            let slope = s.splat(total(s, products) / cols as f32);
            let rstd = s.splat(*rstd);
            zip_map(
                s,
                dx,
                xhat,
                #[inline(always)]
                |g, x| s.mul(rstd, s.neg_mul_add(x, slope, s.sub(g, mean))),
            );
            zip_map(
                s,
                dbeta,
                dy,
                #[inline(always)]
                |sum, d| s.add(sum, d),
            );
            zip2_map(
                s,
                dgamma,
                dy,
                xhat,
                #[inline(always)]
                |sum, d, x| s.mul_add(d, x, sum),
            );
        }
    }
}
