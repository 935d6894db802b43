//! The host with a run on the GPU: it is opened, trains, steps and saves without ever blocking. Without
//! an adapter the test is skipped, with a visible line, except where the environment variable `CI` is set.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
#![allow(clippy::print_stdout)] // It says which adapter it uses.

mod gpu; // `npm test` chooses the tests of the GPU by this name.
