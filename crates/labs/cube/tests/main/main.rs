//! Tests of the lab through its public interface: the contract, counters of checkpoints, the GPU, learning,
//! schedules and tools.

mod contract;
mod counters;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod learning;
mod schedule;
mod tools;
