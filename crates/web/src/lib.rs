//! The Rust program of the web page, compiled to WebAssembly. This is the only crate that uses JavaScript
//! libraries. A run counts *units*: training iterations of its lab.
//!
//! `protocol`, `build`, `labs`, `peak`, `host`, `actors` and `own_world` are plain Rust and tested natively;
//! `wasm` exposes them to the script of a web worker. The page loads one of the programs in `bundles/`, each
//! of which holds one lab, the tools of one, the actors of a fleet, or the editor for worlds.

// The hook for failed allocations is not stable. The threaded build needs unstable features anyway, because
// it rebuilds the standard library; see `cargo xtask web`.
#![cfg_attr(all(target_arch = "wasm32", feature = "threads"), feature(alloc_error_hook))]

#[cfg(feature = "fleet")]
pub mod actors;
mod animation_limit;
pub mod build;
pub mod host;
pub mod labs;
#[cfg(feature = "world")]
pub mod own_world;
pub mod peak;
mod pending;
pub mod protocol;
pub mod questions;
mod slow_motion;
pub mod tools_host;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
