//! The epilogue of a matrix product, `activation(norm(row + bias))`: bias, layer norm and activation are
//! applied to rows of the product while these are still in the L1 cache.
//!
//! Layer norm itself is in [`crate::layer_norm`], the activations are in [`crate::activation`].

use crate::activation::{Activation, apply};
use crate::layer_norm::{self, LayerNorm, LayerNormSaved};
use crate::simd::Simd;

/// What the forward pass saves for the backward pass.
#[derive(Debug, Default)]
pub enum Saved<'a> {
    /// Nothing: there is no backward pass, or it needs only the output.
    #[default]
    Nothing,
    /// The input of the activation, which the derivative of GELU needs.
    /// Shape: `[rows, cols]`.
    PreActivation(&'a mut [f32]),
    LayerNorm(LayerNormSaved<'a>),
}

/// What is applied to the rows of a product: `activation(norm(row + bias))`. Build it from
/// [`Epilogue::default`], which changes nothing, or from [`Epilogue::bias`].
#[derive(Debug, Default)]
pub struct Epilogue<'a> {
    /// Added to every row; empty for no bias.
    /// Shape: `[cols]`.
    pub bias: &'a [f32],
    pub norm: Option<LayerNorm<'a>>,
    pub activation: Activation,
    pub saved: Saved<'a>,
}

impl<'a> Epilogue<'a> {
    pub fn bias(bias: &'a [f32]) -> Self {
        Self { bias, ..Self::default() }
    }

    /// Adds layer norm.
    pub fn norm(self, gamma: &'a [f32], beta: &'a [f32], eps: f32) -> Self {
        Self { norm: Some(LayerNorm { gamma, beta, eps }), ..self }
    }

    /// Adds `activation` as the last step.
    pub fn then(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// Saves what the backward pass needs.
    pub fn save(self, saved: Saved<'a>) -> Self {
        Self { saved, ..self }
    }

    /// Whether the epilogue consists of at most a bias.
    pub(crate) fn is_plain(&self) -> bool {
        self.norm.is_none() && self.activation == Activation::Identity && matches!(self.saved, Saved::Nothing)
    }

    /// Panics unless all sizes fit a product `[rows, cols]`.
    pub(crate) fn check(&self, rows: usize, cols: usize) {
        assert!(self.bias.is_empty() || self.bias.len() == cols, "{} biases for {cols}", self.bias.len());
        if let Some(norm) = &self.norm {
            norm.check(cols);
        }
        match &self.saved {
            Saved::Nothing => {}
            Saved::PreActivation(z) => {
                assert!(self.norm.is_none(), "with a layer norm, the normalised rows are saved instead");
                assert_eq!(z.len(), rows * cols, "no room to save {rows} rows of {cols}");
            }
            Saved::LayerNorm(norm_saved) => {
                assert!(self.norm.is_some(), "normalised rows without a layer norm");
                norm_saved.check(rows, cols);
            }
        }
    }

    /// Applies norm and activation; the product has added the bias. Reads rows from `from` and writes them to
    /// `out`, or works in place if `from` is `None`. The first row is row `first` of the product, which
    /// selects where values are saved. [`Epilogue::check`] must have passed.
    /// Shapes: `from, out [rows, cols]`.
    #[inline(always)]
    pub(crate) fn apply_after_bias<S: Simd>(
        &mut self,
        s: S,
        from: Option<&[f32]>,
        out: &mut [f32],
        first: usize,
        cols: usize,
    ) {
        if let Some(norm) = self.norm {
            let rows = out.len() / cols;
            let saved = match &mut self.saved {
                Saved::LayerNorm(norm_saved) => Some((
                    &mut norm_saved.xhat[first * cols..][..rows * cols],
                    &mut norm_saved.rstd[first..][..rows],
                )),
                _ => None,
            };
            layer_norm::forward_rows(s, from, out, norm, self.activation, saved);
            return;
        }
        if let Some(from) = from {
            out.copy_from_slice(from);
        }
        if let Saved::PreActivation(z) = &mut self.saved {
            z[first * cols..][..out.len()].copy_from_slice(out);
        }
        apply(s, out, self.activation);
    }
}
