//! AlphaZero with its network on the GPU, beside the same runs on the CPU. Without an adapter the tests are skipped, with a
//! visible line, except where the environment variable `CI` is set.
#![cfg(feature = "gpu")]

mod gpu; // `npm test` chooses the tests of the GPU by this name.
