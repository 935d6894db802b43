//! Neural networks with explicit backward passes, losses, optimisers and safetensors files.
//!
//! A network type holds shapes and offsets, not parameters: it knows where in the flat parameter vector (the
//! [`Layout`]) its parameters are. [`Weights`] holds the parameters, flat for the optimiser and packed for
//! matrix products. Every network has two forward passes with the same bits: `infer` for evaluation, which
//! saves nothing, and `forward` for training, which saves on a tape what `backward` needs. Tapes and scratch
//! memory are allocated once; no pass allocates. "Shapes: `x [rows, inputs] -> y [rows, outputs]`" in a
//! comment means: the slice `x` holds a row-major matrix of that shape, and so does the result `y`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

pub mod adam;
pub mod dense;
pub mod dueling;
#[cfg(not(target_family = "wasm"))]
pub mod graph;
pub mod layer_norm;
pub mod loss;
pub mod mlp;
pub mod muon;
pub mod one_hot;
pub mod params;
pub mod precision;
pub mod resnet;
pub mod schedule;
pub mod scratch;
pub mod shards;
pub mod spinning;
pub mod tensors;
pub mod transformer;
pub mod weights;

pub use adam::{Adam, AdamOptions};
pub use dense::Dense;
pub use dueling::{Dueling, DuelingTape};
pub use layer_norm::{LayerNorm, LayerNormTape};
pub use mlp::{Hidden, Mlp, MlpTape};
pub use muon::{Muon, MuonOptions};
pub use one_hot::{OneHotMlp, OneHotScratch, OneHotTape};
pub use params::Layout;
pub use precision::Precision;
pub use resnet::{HeadShape, ResNet, ResNetShape, ResNetTape};
pub use schedule::{Decay, Schedule};
pub use scratch::Scratch;
pub use shards::GradientShards;
pub use spinning::with_spinning_threads;
pub use tensors::{TensorError, Tensors};
pub use transformer::{Generator, Reader, Trainer, Transformer, TransformerShape};
pub use weights::Weights;

#[cfg(test)]
mod tests;
