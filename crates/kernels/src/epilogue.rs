//! What happens to the rows of a matrix product before anyone else sees them, in words that every implementation of
//! a layer shares: `activation(norm(row + bias))`.
//!
//! Layer norm: Ba, Kiros and Hinton, "Layer normalization", 2016. GELU: Hendrycks and Gimpel, 2016, in the form with
//! tanh.

use crate::layer_norm;
use crate::simd::{Simd, map, math};

/// A function applied to every element at the end of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// None.
    #[default]
    Identity,
    /// `max(x, 0)`; NaN stays NaN.
    Relu,
    /// Hyperbolic tangent.
    Tanh,
    /// `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`
    Gelu,
    /// `1 / (1 + exp(-x))`
    Sigmoid,
}

/// Layer normalisation of a row: `gamma (x - mean) / sqrt(variance + eps) + beta`.
#[derive(Clone, Copy, Debug)]
pub struct LayerNorm<'a> {
    /// Scale of each column.
    pub gamma: &'a [f32],
    /// Shift of each column.
    pub beta: &'a [f32],
    /// Added to the variance.
    pub eps: f32,
}

/// What a forward pass leaves behind for the backward pass.
#[derive(Debug, Default)]
pub enum Saved<'a> {
    /// Nothing: there will be no backward pass, or the output is enough for it.
    #[default]
    Nothing,
    /// What went into the activation `[rows, cols]`; GELU's derivative needs it.
    PreActivation(&'a mut [f32]),
    /// What layer norm needs.
    LayerNorm(LayerNormSaved<'a>),
}

/// What the derivative of layer norm needs.
#[derive(Debug)]
pub struct LayerNormSaved<'a> {
    /// The rows `[rows, cols]` with mean zero and variance one, before `gamma` and `beta`.
    pub xhat: &'a mut [f32],
    /// `1 / sqrt(variance + eps)` of each row.
    pub rstd: &'a mut [f32],
}

/// `activation(norm(row + bias))`. Begin with [`Epilogue::default`], which does nothing, or with [`Epilogue::bias`].
#[derive(Debug, Default)]
pub struct Epilogue<'a> {
    /// Added to every row; none where it is empty.
    pub bias: &'a [f32],
    /// Layer normalisation.
    pub norm: Option<LayerNorm<'a>>,
    /// The last step.
    pub activation: Activation,
    /// What is kept for the backward pass.
    pub keep: Saved<'a>,
}

impl<'a> Epilogue<'a> {
    /// Adds `bias` to every row.
    pub fn bias(bias: &'a [f32]) -> Self {
        Self { bias, ..Self::default() }
    }

    /// Then normalises the row.
    pub fn norm(self, gamma: &'a [f32], beta: &'a [f32], eps: f32) -> Self {
        Self { norm: Some(LayerNorm { gamma, beta, eps }), ..self }
    }

    /// Then applies `activation`.
    pub fn then(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// Keeps what the backward pass needs.
    pub fn keep(self, keep: Saved<'a>) -> Self {
        Self { keep, ..self }
    }

    /// Whether nothing follows the bias.
    pub(crate) fn is_plain(&self) -> bool {
        self.norm.is_none() && self.activation == Activation::Identity && matches!(self.keep, Saved::Nothing)
    }

    /// Panics where a size does not fit `rows` of `cols`.
    pub(crate) fn check(&self, rows: usize, cols: usize) {
        assert!(self.bias.is_empty() || self.bias.len() == cols, "{} biases for {cols}", self.bias.len());
        if let Some(norm) = &self.norm {
            assert!(
                norm.gamma.len() == cols && norm.beta.len() == cols,
                "a norm for another width than {cols}"
            );
        }
        match &self.keep {
            Saved::Nothing => {}
            Saved::PreActivation(z) => {
                assert!(self.norm.is_none(), "behind a norm its normalised rows are kept");
                assert_eq!(z.len(), rows * cols, "no room to keep {rows} rows of {cols}");
            }
            Saved::LayerNorm(kept) => {
                assert!(self.norm.is_some(), "normalised rows without a norm");
                assert_eq!(kept.xhat.len(), rows * cols, "no room to keep {rows} rows of {cols}");
                assert_eq!(kept.rstd.len(), rows, "no room to keep the deviations of {rows} rows");
            }
        }
    }

    /// Does everything but the bias to some rows of `cols`, of which `first` is the first: from `from` to `out`, or in
    /// place. The sizes must have been checked.
    #[inline(always)]
    pub(crate) fn finish<S: Simd>(
        &mut self,
        s: S,
        from: Option<&[f32]>,
        out: &mut [f32],
        first: usize,
        cols: usize,
    ) {
        if let Some(norm) = self.norm {
            let rows = out.len() / cols;
            let keep = match &mut self.keep {
                Saved::LayerNorm(kept) => {
                    Some((&mut kept.xhat[first * cols..][..rows * cols], &mut kept.rstd[first..][..rows]))
                }
                _ => None,
            };
            let relu = self.activation == Activation::Relu;
            layer_norm::forward_rows(s, from, out, norm, relu, keep);
            if !relu {
                apply(s, out, self.activation);
            }
            return;
        }
        if let Some(from) = from {
            out.copy_from_slice(from);
        }
        if let Saved::PreActivation(z) = &mut self.keep {
            z[first * cols..][..out.len()].copy_from_slice(out);
        }
        apply(s, out, self.activation);
    }
}

/// Applies `activation` to every element of `x`.
#[inline(always)]
pub(crate) fn apply<S: Simd>(s: S, x: &mut [f32], activation: Activation) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => map(
            s,
            x,
            #[inline(always)]
            |v| relu(s, v),
        ),
        Activation::Tanh => map(
            s,
            x,
            #[inline(always)]
            |v| math::tanh(s, v),
        ),
        Activation::Gelu => map(
            s,
            x,
            #[inline(always)]
            |v| math::gelu(s, v),
        ),
        Activation::Sigmoid => map(
            s,
            x,
            #[inline(always)]
            |v| math::sigmoid(s, v),
        ),
    }
}

/// `max(x, 0)`; NaN stays NaN.
#[inline(always)]
pub(crate) fn relu<S: Simd>(s: S, x: S::F) -> S::F {
    s.max(s.splat(0.0), x)
}
