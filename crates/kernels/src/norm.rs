//! Layer normalisation of rows, forward and backward.
//!
//! Mean and variance are taken in two passes, so a large mean costs no digits; the sums run in sixteen parts
//! ([`crate::simd::fold`]), and the square root and the divisions are rounded correctly.

use crate::simd::{Op, Simd, dispatch, fold, fold_zip, load_or, store_some, total, zip_map};
use crate::tail::{Activation, Keep, Norm, Normalised, Tail, relu};

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
    for (r, out) in out.chunks_exact_mut(cols).enumerate() {
        let from = from.map(|from| &from[r * cols..][..cols]);
        let (mean, rstd) = moments(s, from.unwrap_or(out), eps);
        if let Some((xhat, rstds)) = &mut keep {
            rstds[r] = rstd;
            center_and_scale(s, &mut xhat[r * cols..][..cols], from.unwrap_or(out), mean, rstd);
        }
        let (mean, rstd) = (s.splat(mean), s.splat(rstd));
        let inputs = gamma.chunks(S::LANES).zip(beta.chunks(S::LANES));
        match from {
            Some(from) => {
                let inputs = from.chunks(S::LANES).zip(inputs);
                for (out, (x, (gamma, beta))) in out.chunks_mut(S::LANES).zip(inputs) {
                    let z = s.mul(s.sub(load_or(s, x, 0.0), mean), rstd);
                    store_some(s, out, affine(s, z, gamma, beta, with_relu));
                }
            }
            None => {
                for (out, (gamma, beta)) in out.chunks_mut(S::LANES).zip(inputs) {
                    let z = s.mul(s.sub(load_or(s, out, 0.0), mean), rstd);
                    store_some(s, out, affine(s, z, gamma, beta, with_relu));
                }
            }
        }
    }
}

/// `z gamma + beta`, and none of it below zero `with_relu`.
#[inline(always)]
fn affine<S: Simd>(s: S, z: S::F, gamma: &[f32], beta: &[f32], with_relu: bool) -> S::F {
    let y = s.mul_add(z, load_or(s, gamma, 0.0), load_or(s, beta, 0.0));
    if with_relu { relu(s, y) } else { y }
}

/// Mean and `1 / sqrt(variance + eps)` of a row.
#[inline(always)]
fn moments<S: Simd>(s: S, x: &[f32], eps: f32) -> (f32, f32) {
    let n = x.len() as f32;
    let zero = s.splat(0.0);
    let sums = fold(
        s,
        x,
        0.0,
        zero,
        #[inline(always)]
        |sum, x| s.add(sum, x),
    );
    let mean = total(s, sums) / n;
    let center = s.splat(mean);
    let squares = fold(
        s,
        x,
        mean,
        zero,
        #[inline(always)]
        |sum, x| {
            let d = s.sub(x, center);
            s.mul_add(d, d, sum)
        },
    );
    (mean, 1.0 / (total(s, squares) / n + eps).sqrt())
}

/// `xhat = (x - mean) rstd`
#[inline(always)]
fn center_and_scale<S: Simd>(s: S, xhat: &mut [f32], x: &[f32], mean: f32, rstd: f32) {
    let (mean, rstd) = (s.splat(mean), s.splat(rstd));
    for (xhat, x) in xhat.chunks_mut(S::LANES).zip(x.chunks(S::LANES)) {
        store_some(s, xhat, s.mul(s.sub(load_or(s, x, 0.0), mean), rstd));
    }
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
            for (dx, (dy, gamma)) in
                dx.chunks_mut(S::LANES).zip(dy.chunks(S::LANES).zip(gamma.chunks(S::LANES)))
            {
                store_some(s, dx, s.mul(load_or(s, dy, 0.0), load_or(s, gamma, 0.0)));
            }
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
            let inputs = dy.chunks(S::LANES).zip(xhat.chunks(S::LANES));
            for (sum, (dy, xhat)) in dgamma.chunks_mut(S::LANES).zip(inputs) {
                let product = s.mul_add(load_or(s, dy, 0.0), load_or(s, xhat, 0.0), load_or(s, sum, 0.0));
                store_some(s, sum, product);
            }
        }
    }
}
