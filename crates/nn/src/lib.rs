//! Networks over flat named parameters: layers with explicit backward passes, optimisers, safetensors.

pub mod tensors;

pub use tensors::{TensorError, Tensors};
