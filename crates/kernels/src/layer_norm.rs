//! Layer normalisation of rows (Ba, Kiros and Hinton, "Layer normalization", 2016), forward and backward.
//!
//! The mean is computed in a first pass and the variance of the deviations in a second, so a large mean costs
//! no precision. Each sum is computed in 16 partial sums ([`crate::simd::fold`]), so that its bits do not
//! depend on the instruction set. `xhat` is a normalised row before scale and shift, `rstd` the reciprocal of
//! its standard deviation.

use crate::activation::{Activation, apply};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{
    MAX_LANES, Op, PartialSums, Simd, dispatch, fold, load_padded, store_partial, sum_partials, zip_map,
    zip2_map, zip3,
};

/// Layer normalisation of a row: `gamma (x - mean) / sqrt(variance + eps) + beta`.
#[derive(Clone, Copy, Debug)]
pub struct LayerNorm<'a> {
    pub gamma: &'a [f32],
    pub beta: &'a [f32],
    /// Added to the variance.
    pub eps: f32,
}

impl LayerNorm<'_> {
    /// Panics unless the norm is of rows of `cols`.
    pub(crate) fn check(&self, cols: usize) {
        assert!(
            self.gamma.len() == cols && self.beta.len() == cols,
            "a layer norm for another width than {cols}"
        );
    }
}

/// What the backward pass of layer norm needs.
#[derive(Debug)]
pub struct LayerNormSaved<'a> {
    /// The normalised rows before `gamma` and `beta`: `(x - mean) rstd`.
    /// Shape: `[rows, cols]`.
    pub xhat: &'a mut [f32],
    /// `1 / sqrt(variance + eps)` of each row.
    /// Shape: `[rows]`.
    pub rstd: &'a mut [f32],
}

impl LayerNormSaved<'_> {
    /// Panics unless there is room for the rows `[rows, cols]` of a product.
    pub(crate) fn check(&self, rows: usize, cols: usize) {
        assert_eq!(self.xhat.len(), rows * cols, "no room to save {rows} rows of {cols}");
        assert_eq!(self.rstd.len(), rows, "no room to save the deviations of {rows} rows");
    }
}

/// `out = activation(norm(x))`. What the backward pass needs is written to `saved`.
/// Shapes: `x [rows, cols] -> out [rows, cols]`.
pub fn layer_norm(
    out: &mut [f32],
    x: &[f32],
    norm: LayerNorm,
    activation: Activation,
    saved: Option<LayerNormSaved>,
) {
    struct Run<'a> {
        out: &'a mut [f32],
        x: &'a [f32],
        norm: LayerNorm<'a>,
        activation: Activation,
        saved: Option<LayerNormSaved<'a>>,
    }
    impl Op for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let saved = self.saved.map(|saved| (saved.xhat, saved.rstd));
            forward_rows(s, Some(self.x), self.out, self.norm, self.activation, saved);
        }
    }
    let cols = norm.gamma.len();
    assert!(out.len() == x.len() && cols > 0 && x.len().is_multiple_of(cols), "not whole rows of {cols}");
    norm.check(cols);
    if let Some(saved) = &saved {
        saved.check(x.len() / cols, cols);
    }
    dispatch(Run { out, x, norm, activation, saved });
}

/// Backward pass of layer norm, optionally followed by a ReLU, whose output is then passed as `relu`. Writes
/// the gradient at the input to `dx`, and adds the gradients of `gamma` and `beta` to `dgamma` and `dbeta`,
/// row by row. `dy` is the gradient at the output (of the ReLU, if there is one); `xhat` and `rstd` were
/// saved by the forward pass.
///
/// With `d = dy` where the ReLU's output is positive, else zero, and `g = d gamma`: `dx = rstd (g - mean(g) -
/// xhat mean(g xhat))`.
pub fn layer_norm_backward(
    dx: &mut [f32],
    dy: &[f32],
    relu: Option<&[f32]>,
    xhat: &[f32],
    rstd: &[f32],
    gamma: &[f32],
    dgamma: &mut [f32],
    dbeta: &mut [f32],
) {
    Backward { dx, dy, relu, residual: None, xhat, rstd, gamma, dgamma, dbeta }.check_and_run();
}

/// [`layer_norm_backward`] without a ReLU, for the norm at the beginning of a residual branch, `s +
/// branch(norm(s))`. Adds `residual`, the gradient at the sum, to `dx`, because it reaches `s` directly too.
pub fn layer_norm_backward_residual(
    dx: &mut [f32],
    dy: &[f32],
    residual: &[f32],
    xhat: &[f32],
    rstd: &[f32],
    gamma: &[f32],
    dgamma: &mut [f32],
    dbeta: &mut [f32],
) {
    Backward { dx, dy, relu: None, residual: Some(residual), xhat, rstd, gamma, dgamma, dbeta }
        .check_and_run();
}

/// Rows processed together, so that the latencies of their independent sums overlap.
const GROUP: usize = 4;

/// `activation(norm(row))` of some rows, read from `from` and written to `out`, or in place if `from` is
/// `None`. `saved` receives `xhat` and `rstd`.
#[inline(always)]
pub(crate) fn forward_rows<S: Simd>(
    s: S,
    from: Option<&[f32]>,
    out: &mut [f32],
    norm: LayerNorm,
    activation: Activation,
    saved: Option<(&mut [f32], &mut [f32])>,
) {
    // A ReLU is applied with the norm, every other activation in a second pass.
    let with_relu = activation == Activation::Relu;
    normalise_rows(s, from, out, norm, with_relu, saved);
    if !with_relu {
        apply(s, out, activation);
    }
}

/// `norm(row)`, or `max(norm(row), 0)` if `with_relu`.
#[inline(always)]
fn normalise_rows<S: Simd>(
    s: S,
    from: Option<&[f32]>,
    out: &mut [f32],
    norm: LayerNorm,
    with_relu: bool,
    mut saved: Option<(&mut [f32], &mut [f32])>,
) {
    let LayerNorm { gamma, beta, eps } = norm;
    let cols = gamma.len();
    let floor = s.splat(if with_relu { 0.0 } else { f32::NEG_INFINITY });
    for (group, out) in out.chunks_mut(GROUP * cols).enumerate() {
        let first = group * GROUP;
        let from = from.map(|from| &from[first * cols..][..out.len()]);
        let (means, rstds) = moments(s, from.unwrap_or(out), cols, eps);
        if let Some((xhat, rstd_saved)) = &mut saved {
            let count = out.len() / cols;
            rstd_saved[first..first + count].copy_from_slice(&rstds[..count]);
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

/// `max(floor, xhat gamma + beta)`. `floor` is zero for a ReLU and minus infinity without, because in
/// WebAssembly, a branch on whether there is a ReLU would be executed for every vector.
#[inline(always)]
fn affine<S: Simd>(s: S, xhat: S::F, gamma: S::F, beta: S::F, floor: S::F) -> S::F {
    s.max(floor, s.mul_add(xhat, gamma, beta))
}

/// Mean and `1 / sqrt(variance + eps)` of each row of a group.
#[inline(always)]
fn moments<S: Simd>(s: S, x: &[f32], cols: usize, eps: f32) -> ([f32; GROUP], [f32; GROUP]) {
    let (zero, inverse_cols) = (s.splat(0.0), 1.0 / cols as f32);
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
        *mean = sum_partials(s, sums) * inverse_cols;
    }
    // Rows are padded with their mean, whose deviation is zero.
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
        *square = sum_partials(s, sums);
    }
    // From the sum of squares to `rstd`.
    for square in &mut squares {
        *square = 1.0 / (*square * inverse_cols + eps).sqrt();
    }
    (means, squares)
}

/// `xhat = (x - mean) rstd`
#[inline(always)]
fn center_and_scale<S: Simd>(s: S, xhat: &mut [f32], x: &[f32], mean: f32, rstd: f32) {
    let (mean, rstd) = (s.splat(mean), s.splat(rstd));
    // `zip_map` reads the old values of `xhat`, which are ignored.
    zip_map(
        s,
        xhat,
        x,
        #[inline(always)]
        |_, x| s.mul(s.sub(x, mean), rstd),
    );
}

/// The arguments of [`layer_norm_backward`] and [`layer_norm_backward_residual`].
struct Backward<'a> {
    dx: &'a mut [f32],
    dy: &'a [f32],
    relu: Option<&'a [f32]>,
    residual: Option<&'a [f32]>,
    xhat: &'a [f32],
    rstd: &'a [f32],
    gamma: &'a [f32],
    dgamma: &'a mut [f32],
    dbeta: &'a mut [f32],
}

impl Op for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let rows = self.rstd.len();
        // With vectors of four lanes, the partial sums of one row take all registers.
        let rows_per_group = if S::LANES < 8 { 1 } else { GROUP };
        let groups = rows / rows_per_group;
        for group in 0..groups {
            if rows_per_group == GROUP {
                self.backward_rows::<S, GROUP>(s, group * GROUP);
            } else {
                self.backward_rows::<S, 1>(s, group);
            }
        }
        for row in groups * rows_per_group..rows {
            self.backward_rows::<S, 1>(s, row);
        }
    }
}

impl Backward<'_> {
    fn check_and_run(self) {
        let (cols, rows, dy) = (self.gamma.len(), self.rstd.len(), self.dy);
        let Self { dgamma, dbeta, .. } = &self;
        assert!(dgamma.len() == cols && dbeta.len() == cols, "gradients are not of width {cols}");
        let lengths = [self.dx.len(), self.xhat.len()]
            .into_iter()
            .chain([self.relu, self.residual].map(|x| x.unwrap_or(dy).len()));
        assert!(lengths.chain([dy.len()]).all(|len| len == rows * cols), "not {rows} rows of {cols}");
        if rows * cols > 0 {
            dispatch(self);
        }
    }

    /// The backward pass of `ROWS` rows from row `first` on. The gradients of `gamma` and `beta` are loaded
    /// and stored once for all of them.
    #[inline(always)]
    fn backward_rows<S: Simd, const ROWS: usize>(&mut self, s: S, first: usize) {
        let cols = self.gamma.len();
        let span = first * cols..(first + ROWS) * cols;
        let (dx, dy, xhat) = (&mut self.dx[span.clone()], &self.dy[span.clone()], &self.xhat[span.clone()]);
        let relu = self.relu.map(|relu| &relu[span.clone()]);
        let residual = self.residual.map(|residual| &residual[span]);
        let zero = s.splat(0.0);
        let mut sums: [PartialSums<S::F>; ROWS] = [[zero; _]; ROWS];
        let mut products = sums;
        for (j, column) in (0..cols).step_by(S::LANES).enumerate() {
            let end = cols.min(column + S::LANES);
            let part = j % (MAX_LANES / S::LANES);
            let gamma = load_padded(s, &self.gamma[column..end], 0.0);
            let mut dgamma = load_padded(s, &self.dgamma[column..end], 0.0);
            let mut dbeta = load_padded(s, &self.dbeta[column..end], 0.0);
            for r in 0..ROWS {
                let here = r * cols + column..r * cols + end;
                let mut d = load_padded(s, &dy[here.clone()], 0.0);
                if let Some(relu) = relu {
                    d = s.select(s.lt(zero, load_padded(s, &relu[here.clone()], 0.0)), d, zero);
                }
                let (x, g) = (load_padded(s, &xhat[here.clone()], 0.0), s.mul(d, gamma));
                // `dx` holds `g` until the second pass.
                store_partial(s, &mut dx[here], g);
                sums[r][part] = s.add(sums[r][part], g);
                products[r][part] = s.mul_add(g, x, products[r][part]);
                dbeta = s.add(dbeta, d);
                dgamma = s.mul_add(d, x, dgamma);
            }
            store_partial(s, &mut self.dgamma[column..end], dgamma);
            store_partial(s, &mut self.dbeta[column..end], dbeta);
        }
        for (r, (dx, xhat)) in dx.chunks_exact_mut(cols).zip(xhat.chunks_exact(cols)).enumerate() {
            let mean = s.splat(sum_partials(s, sums[r]) / cols as f32);
            let slope = s.splat(sum_partials(s, products[r]) / cols as f32);
            let rstd = s.splat(self.rstd[first + r]);
            match residual {
                None => zip_map(
                    s,
                    dx,
                    xhat,
                    #[inline(always)]
                    |g, x| s.mul(rstd, s.neg_mul_add(x, slope, s.sub(g, mean))),
                ),
                Some(residual) => zip2_map(
                    s,
                    dx,
                    xhat,
                    &residual[r * cols..][..cols],
                    #[inline(always)]
                    |g, x, residual| s.mul_add(rstd, s.neg_mul_add(x, slope, s.sub(g, mean)), residual),
                ),
            }
        }
    }
}
