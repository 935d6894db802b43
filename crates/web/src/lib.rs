//! The wasm face: the only crate that knows JavaScript.
//!
//! `protocol`, `build`, `labs` and `host` are plain Rust; `wasm` hands them to a worker's script. The page loads one
//! of `bundles/`, programs that each hold one lab.

// The hook for failed allocations is not stable yet. The threaded build needs unstable switches anyway to
// rebuild the standard library, see `cargo xtask web`.
#![cfg_attr(all(target_arch = "wasm32", feature = "threads"), feature(alloc_error_hook))]

pub mod build;
pub mod host;
pub mod labs;
pub mod peak;
pub mod protocol;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
