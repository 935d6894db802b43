//! Tests of the lab through its public interface: the contract, learning, the GPU.

#[cfg(feature = "own-worlds")]
mod challenges;
mod contract;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod learning;
#[cfg(feature = "own-worlds")]
mod own;
