//! The wasm face: the only crate that knows JavaScript.
//!
//! `protocol`, `catalogue` and `host` are plain Rust; `wasm` hands them to a worker's script.

// The hook for failed allocations is not stable yet. The threaded build needs unstable switches anyway to
// rebuild the standard library, see `cargo xtask web`.
#![cfg_attr(all(target_arch = "wasm32", feature = "threads"), feature(alloc_error_hook))]

pub mod catalogue;
pub mod host;
pub mod protocol;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
