//! Vectorised arithmetic for small networks: matrix products, activations, reductions, optimiser steps
//! and counter-based random numbers.
//!
//! Everything here works on plain slices, allocates nothing once warm, and gives the same bits on one
//! target whatever the thread count (threads are the caller's business). `reference` holds the slow,
//! obvious version of every routine; the tests hold the fast ones against it, on every instruction set
//! that the machine has. [`simd`] is the layer below, open to callers with vector loops of their own.
#![allow(unsafe_code)] // The one crate where intrinsics and unchecked loads are allowed.

pub mod activation;
pub mod attention;
#[cfg(feature = "baselines")]
pub mod baselines;
pub mod bit_parallel;
pub mod buffer;
pub mod embedding_bag;
pub mod epilogue;
pub mod gates;
pub mod gemm;
pub mod isa;
pub mod layer_norm;
pub mod linear;
pub mod loss;
pub mod math;
pub mod optim;
pub mod peak;
pub mod reduce;
pub mod reference;
pub mod rng;
pub mod simd;
pub mod vector;
pub mod weight_gradient;
pub mod weighted_rows;

#[cfg(test)]
mod tests;
