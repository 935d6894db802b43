//! SIMD arithmetic for small neural networks: matrix products, layers with fused epilogues, attention,
//! losses, logic gates, optimiser steps and counter-based random numbers.
//!
//! All routines work on plain slices, run on the calling thread and allocate nothing: workspaces are created
//! by the caller once. On one target, results are bit-identical for any number of threads and any size of the
//! batch. "Shapes: `x [rows, inputs] -> y [rows, outputs]`" in a comment means: the slice `x` holds a
//! row-major matrix of that shape, and so does the result `y`. Each routine has a slow and simple version, in
//! [`reference`] or beside its test, and the tests compare the two on every instruction set of the machine.
//! [`simd`] is the layer below; callers may use it for vector loops of their own.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.
#![allow(unsafe_code)] // Intrinsics and unchecked loads. Elsewhere only `gpu/src/trusted.rs` has unsafe code.

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
#[allow(clippy::disallowed_methods)] // References are slow, plain and compared with a tolerance.
pub mod reference;
pub mod rng;
pub mod simd;
mod sizes;
pub mod vector;
pub mod weight_gradient;
pub mod weighted_rows;

pub use sizes::product;
