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
pub mod bits;
pub mod buffer;
pub mod gates;
pub mod gemm;
pub mod isa;
pub mod linear;
pub mod lookup;
pub mod loss;
pub mod math;
pub mod norm;
pub mod optim;
pub mod outer;
pub mod peak;
#[cfg(feature = "peers")]
pub mod peers;
pub mod reduce;
pub mod reference;
pub mod rng;
pub mod rows;
pub mod simd;
pub mod tail;
pub mod vector;

#[cfg(test)]
mod tests;
