//! Layer normalisation of rows (Ba, Kiros and Hinton, "Layer normalization", 2016): the parameters, what the
//! backward pass needs, and both passes. The forward pass runs alone ([`LayerNorm::forward`]) or in the
//! epilogue of a dense layer ([`LayerNorm::attach`]).

use std::ops::Range;

use learnery_kernels::activation::Activation;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::{Epilogue, Saved};
use learnery_kernels::layer_norm::{
    self, LayerNormSaved, layer_norm, layer_norm_backward, layer_norm_backward_residual,
};

use crate::params::Layout;
use crate::weights::Weights;

/// Added to the variance; PyTorch's default.
pub(crate) const EPS: f32 = 1e-5;

/// For [`LayerNorm::forward`] in inference: nothing is saved.
pub(crate) const NO_TAPE: Option<&'static mut LayerNormTape> = None;

/// The offsets of the parameters of a layer norm.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    pub(crate) gamma: Range<usize>,
    pub(crate) beta: Range<usize>,
}

/// What the forward pass of a layer norm saves for its backward pass.
#[derive(Clone, Debug)]
pub struct LayerNormTape {
    /// The normalised rows, before gamma and beta.
    /// Shape: `[capacity, width]`.
    xhat: Buffer,
    /// `1 / sqrt(variance + eps)`.
    /// Shape: `[capacity]`.
    rstd: Vec<f32>,
}

impl LayerNormTape {
    /// A tape for up to `capacity` rows.
    pub fn new(capacity: usize, width: usize) -> Self {
        Self { xhat: Buffer::new(capacity * width), rstd: vec![0.0; capacity] }
    }

    /// Where the forward pass of `rows` rows writes what it saves.
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

    /// The parameters, as the kernels take them.
    fn values<'a>(&self, weights: &'a Weights) -> layer_norm::LayerNorm<'a> {
        let flat = weights.flat();
        layer_norm::LayerNorm { gamma: &flat[self.gamma.clone()], beta: &flat[self.beta.clone()], eps: EPS }
    }

    /// Returns `epilogue` with this norm between bias and activation.
    pub fn attach<'a>(&self, epilogue: Epilogue<'a>, weights: &'a Weights) -> Epilogue<'a> {
        Epilogue { norm: Some(self.values(weights)), ..epilogue }
    }

    /// [`LayerNorm::attach`] for the forward pass of training: the epilogue also saves on `tape` what the
    /// backward pass of `rows` rows needs.
    pub fn attach_and_save<'a>(
        &self,
        epilogue: Epilogue<'a>,
        weights: &'a Weights,
        rows: usize,
        tape: &'a mut LayerNormTape,
    ) -> Epilogue<'a> {
        let saved = Saved::LayerNorm(tape.saved(rows, self.width()));
        self.attach(epilogue, weights).save(saved)
    }

    /// `out = activation(norm(x))`. Saves what the backward pass needs on `tape`, if given.
    /// Shapes: `x, out [rows, width]`.
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

    /// Backward pass: writes the gradient at the input to `dx`, and adds the gradients of gamma and beta to
    /// `grads`, which has the layout of all parameters. `dy` is the gradient at the output. If the norm is
    /// followed by a ReLU, `relu` is the output of that ReLU, and `dy` is the gradient there. Shapes: `dx,
    /// dy, relu [rows, width]`.
    pub fn backward(
        &self,
        weights: &Weights,
        grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        tape: &LayerNormTape,
    ) {
        self.backward_with_own_grads(weights, &mut grads[self.range()], dx, dy, relu, tape);
    }

    /// [`LayerNorm::backward`] with a gradient vector for the parameters of this norm only: gammas, then
    /// betas. Shapes: `own_grads [2, width]`.
    pub(crate) fn backward_with_own_grads(
        &self,
        weights: &Weights,
        own_grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        relu: Option<&[f32]>,
        tape: &LayerNormTape,
    ) {
        let rows = dy.len() / self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = own_grads.split_at_mut(self.width());
        let xhat = &tape.xhat[..dy.len()];
        let relu = relu.map(|relu| &relu[..dy.len()]);
        layer_norm_backward(dx, dy, relu, xhat, &tape.rstd[..rows], gamma, dgamma, dbeta);
    }

    /// [`LayerNorm::backward_with_own_grads`] for the norm at the beginning of a residual branch, `t = s +
    /// branch(norm(s))`, without ReLU. The gradient at `s`, written to `dx`, has two parts: the gradient at
    /// `t`, which reaches `s` unchanged (`residual`), and the gradient through the norm. The rows of `dy` are
    /// the rows of the tape from `first` on. Shapes: `dx, dy, residual [rows, width], own_grads [2, width]`.
    pub(crate) fn backward_residual(
        &self,
        weights: &Weights,
        own_grads: &mut [f32],
        dx: &mut [f32],
        dy: &[f32],
        residual: &[f32],
        tape: &LayerNormTape,
        first: usize,
    ) {
        let width = self.width();
        let gamma = &weights.flat()[self.gamma.clone()];
        let (dgamma, dbeta) = own_grads.split_at_mut(width);
        let (xhat, rstd) = (&tape.xhat[first * width..][..dy.len()], &tape.rstd[first..][..dy.len() / width]);
        layer_norm_backward_residual(dx, dy, residual, xhat, rstd, gamma, dgamma, dbeta);
    }

    /// The range of gammas and betas, which are adjacent in the layout.
    pub fn range(&self) -> Range<usize> {
        self.gamma.start..self.beta.end
    }
}
