//! Layer normalisation of rows (Ba, Kiros and Hinton, "Layer normalization", 2016), alone or fused behind a layer.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::{self, Activation, Epilogue, LayerNormSaved, Saved};
use learnery_kernels::layer_norm::{layer_norm, layer_norm_backward, layer_norm_backward_residual};

use crate::params::Layout;
use crate::weights::Weights;

/// Added to the variance: PyTorch's value.
const EPS: f32 = 1e-5;

/// Where the parameters of a normalisation lie.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    gamma: Range<usize>,
    beta: Range<usize>,
}

/// What a normalisation leaves behind for its backward pass.
#[derive(Clone, Debug)]
pub struct LayerNormTape {
    /// Rows with mean zero and variance one. // [capacity, width]
    xhat: Buffer,
    /// `1 / sqrt(variance + eps)`. // [capacity]
    rstd: Vec<f32>,
}

impl LayerNormTape {
    /// Room for `capacity` rows of `width`.
    pub fn new(capacity: usize, width: usize) -> Self {
        Self { xhat: Buffer::new(capacity * width), rstd: vec![0.0; capacity] }
    }

    fn normalised(&mut self, rows: usize, width: usize) -> LayerNormSaved<'_> {
        LayerNormSaved { xhat: &mut self.xhat[..rows * width], rstd: &mut self.rstd[..rows] }
    }
}

impl LayerNorm {
    /// A normalisation whose parameters are added to `layout` as `name/gamma` and `name/beta`.
    pub fn new(layout: &mut Layout, name: &str, width: usize) -> Self {
        let gamma = layout.add(format!("{name}/gamma"), &[width]);
        Self { gamma, beta: layout.add(format!("{name}/beta"), &[width]) }
    }

    /// Changes nothing but mean and variance.
    pub fn init(&self, params: &mut [f32]) {
        params[self.gamma.clone()].fill(1.0);
        params[self.beta.clone()].fill(0.0);
    }

    fn width(&self) -> usize {
        self.gamma.len()
    }

    fn values<'a>(&self, weights: &'a Weights) -> epilogue::LayerNorm<'a> {
        let flat = weights.flat();
        epilogue::LayerNorm { gamma: &flat[self.gamma.clone()], beta: &flat[self.beta.clone()], eps: EPS }
    }

    /// Puts it behind the layer whose tail this is.
    pub fn after<'a>(&self, tail: Epilogue<'a>, weights: &'a Weights) -> Epilogue<'a> {
        Epilogue { norm: Some(self.values(weights)), ..tail }
    }

    /// The same, leaving behind what the backward pass of `rows` rows needs.
    pub fn after_kept<'a>(
        &self,
        tail: Epilogue<'a>,
        weights: &'a Weights,
        rows: usize,
        kept: &'a mut LayerNormTape,
    ) -> Epilogue<'a> {
        let keep = Saved::LayerNorm(kept.normalised(rows, self.width()));
        self.after(tail, weights).save(keep)
    }

    /// `out = activation(norm(x))`; what the backward pass needs is left in `kept`. // both [rows, width]
    pub fn forward(
        &self,
        weights: &Weights,
        out: &mut [f32],
        x: &[f32],
        activation: Activation,
        kept: Option<&mut LayerNormTape>,
    ) {
        let rows = x.len() / self.width();
        let keep = kept.map(|kept| kept.normalised(rows, self.width()));
        layer_norm(out, x, self.values(weights), activation, keep);
    }

    /// From the gradient `dy` at what came out, the one at what went in, `dx`; those of the parameters are added to
    /// `grads`. Where a ReLU followed, `relu` begins with what it gave, and `dy` is the gradient at that.
    /// // each [rows, width]
    pub fn backward(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        kept: &LayerNormTape,
    ) {
        self.backward_alone(weights, &mut grads[self.range()], dx, dy, relu, kept);
    }

    /// The same into gradients of this norm alone, gammas before betas. // grads [2, width]
    pub(crate) fn backward_alone(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        kept: &LayerNormTape,
    ) {
        let rows = dy.len() / self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = grads.split_at_mut(self.width());
        let xhat = &kept.xhat[..dy.len()];
        let relu = relu.map(|relu| &relu[..dy.len()]);
        layer_norm_backward(dx, dy, relu, xhat, &kept.rstd[..rows], gamma, dgamma, dbeta);
    }

    /// The same without a ReLU for rows from row `first` on of those kept, where a residual stream went past the norm: `past`, the
    /// gradient at the stream behind it, is added to `dx`. // dx, dy, past [rows, width], grads [2, width]
    pub(crate) fn backward_past(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        past: &[f32],
        kept: &LayerNormTape,
        first: usize,
    ) {
        let width = self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = grads.split_at_mut(width);
        let (xhat, rstd) = (&kept.xhat[first * width..][..dy.len()], &kept.rstd[first..][..dy.len() / width]);
        layer_norm_backward_residual(dx, dy, past, xhat, rstd, gamma, dgamma, dbeta);
    }

    /// Where its gammas and then its betas lie: they were added one after the other.
    pub(crate) fn range(&self) -> Range<usize> {
        self.gamma.start..self.beta.end
    }
}
