//! Layer normalisation of rows (Ba, Kiros and Hinton, "Layer normalization", 2016), alone or fused into the epilogue
//! of a layer.

use std::ops::Range;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::{self, Activation, Epilogue, LayerNormSaved, Saved};
use learnery_kernels::layer_norm::{layer_norm, layer_norm_backward, layer_norm_backward_residual};

use crate::params::Layout;
use crate::weights::Weights;

/// Added to the variance; PyTorch's default.
const EPS: f32 = 1e-5;

/// The offsets of the parameters of a layer norm.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    gamma: Range<usize>,
    beta: Range<usize>,
}

/// What the forward pass of a layer norm saves for its backward pass.
#[derive(Clone, Debug)]
pub struct LayerNormTape {
    /// The normalised rows, before gamma and beta. // [capacity, width]
    xhat: Buffer,
    /// `1 / sqrt(variance + eps)`. // [capacity]
    rstd: Vec<f32>,
}

impl LayerNormTape {
    /// A tape for up to `capacity` rows.
    pub fn new(capacity: usize, width: usize) -> Self {
        Self { xhat: Buffer::new(capacity * width), rstd: vec![0.0; capacity] }
    }

    fn saved(&mut self, rows: usize, width: usize) -> LayerNormSaved<'_> {
        LayerNormSaved { xhat: &mut self.xhat[..rows * width], rstd: &mut self.rstd[..rows] }
    }
}

impl LayerNorm {
    /// Adds the parameters to `layout` as `name/gamma` and `name/beta`.
    pub fn new(layout: &mut Layout, name: &str, width: usize) -> Self {
        let gamma = layout.add(format!("{name}/gamma"), &[width]);
        Self { gamma, beta: layout.add(format!("{name}/beta"), &[width]) }
    }

    /// Gammas of one, betas of zero.
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

    /// Adds this norm to a layer's epilogue.
    pub fn append<'a>(&self, epilogue: Epilogue<'a>, weights: &'a Weights) -> Epilogue<'a> {
        Epilogue { norm: Some(self.values(weights)), ..epilogue }
    }

    /// [`LayerNorm::append`], and saves on `tape` what the backward pass of `rows` rows needs.
    pub fn append_and_save<'a>(
        &self,
        epilogue: Epilogue<'a>,
        weights: &'a Weights,
        rows: usize,
        tape: &'a mut LayerNormTape,
    ) -> Epilogue<'a> {
        let saved = Saved::LayerNorm(tape.saved(rows, self.width()));
        self.append(epilogue, weights).save(saved)
    }

    /// `out = activation(norm(x))`. Saves what the backward pass needs on `tape`, if given. // x, out [rows, width]
    pub fn forward(
        &self,
        weights: &Weights,
        out: &mut [f32],
        x: &[f32],
        activation: Activation,
        tape: Option<&mut LayerNormTape>,
    ) {
        let rows = x.len() / self.width();
        let saved = tape.map(|tape| tape.saved(rows, self.width()));
        layer_norm(out, x, self.values(weights), activation, saved);
    }

    /// Backward pass: writes the gradient at the input to `dx` and adds the parameters' gradients to `grads`. `dy` is
    /// the gradient at the output. If a ReLU followed, `relu` is its output, and `dy` the gradient at that.
    /// // dx, dy, relu [rows, width]
    pub fn backward(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        tape: &LayerNormTape,
    ) {
        self.backward_alone(weights, &mut grads[self.range()], dx, dy, relu, tape);
    }

    /// [`LayerNorm::backward`] with `grads` for this norm alone: gammas, then betas. // grads [2, width]
    pub(crate) fn backward_alone(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        tape: &LayerNormTape,
    ) {
        let rows = dy.len() / self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = grads.split_at_mut(self.width());
        let xhat = &tape.xhat[..dy.len()];
        let relu = relu.map(|relu| &relu[..dy.len()]);
        layer_norm_backward(dx, dy, relu, xhat, &tape.rstd[..rows], gamma, dgamma, dbeta);
    }

    /// [`LayerNorm::backward_alone`] for a norm at the beginning of a residual branch, without ReLU: adds `residual`,
    /// the gradient that reaches the stream directly, to `dx`. The rows are those from row `first` of the tape on.
    /// // dx, dy, residual [rows, width], grads [2, width]
    pub(crate) fn backward_residual(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        residual: &[f32],
        tape: &LayerNormTape,
        first: usize,
    ) {
        let width = self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = grads.split_at_mut(width);
        let (xhat, rstd) = (&tape.xhat[first * width..][..dy.len()], &tape.rstd[first..][..dy.len() / width]);
        layer_norm_backward_residual(dx, dy, residual, xhat, rstd, gamma, dgamma, dbeta);
    }

    /// The range of gammas and betas, which are adjacent in the layout.
    pub(crate) fn range(&self) -> Range<usize> {
        self.gamma.start..self.beta.end
    }
}
