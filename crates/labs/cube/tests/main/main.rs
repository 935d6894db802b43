//! Tests of the lab through its public interface: the contract, learning, the GPU.

mod contract;
mod counters;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod learning;
mod schedule;
mod tools;
