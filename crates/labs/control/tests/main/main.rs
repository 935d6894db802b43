//! Tests of the lab through its public interface: challenges of the page, the contract, the GPU, learning,
//! worlds of the user's own.

#[cfg(feature = "own-worlds")]
mod challenges;
mod contract;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod learning;
#[cfg(feature = "own-worlds")]
mod own;
