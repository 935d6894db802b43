//! Tests of the lab through its public interface: the contract of all labs, learning, tools, the GPU, and the
//! shipped network beside rollouts and GNU Backgammon.

mod contract;
mod cube_agreement;
mod daily_pool;
mod equities;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod learning;
mod match_analysis;
mod race_network;
mod rollout;
mod shipped;
mod tools;
