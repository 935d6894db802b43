//! Networks over flat named parameters: layers with explicit backward passes, losses, optimisers, safetensors.
//!
//! A network is a plan: it knows where in a [`Layout`] its parameters lie, and holds none. [`Weights`] holds them, flat
//! for the optimiser and packed for the products. `infer` runs any number of rows and keeps nothing; `forward` keeps
//! on a tape what `backward` needs. Scratch and tapes are made once, and no pass allocates.

pub mod adam;
pub mod dense;
pub mod dueling;
pub mod layer_norm;
pub mod loss;
pub mod mlp;
pub mod muon;
pub mod one_hot;
pub mod params;
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
