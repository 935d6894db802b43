//! Networks over flat named parameters: layers with explicit backward passes, optimisers, safetensors.

pub mod adam;
pub mod mlp;
pub mod params;
pub mod tensors;

pub use adam::Adam;
pub use mlp::{Mlp, MlpWorkspace};
pub use params::Layout;
pub use tensors::{TensorError, Tensors};
