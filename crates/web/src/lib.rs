//! The wasm face: the only crate that knows JavaScript.
//!
//! `protocol` and `host` are plain Rust; `wasm` ties them to a worker's message port.

pub mod host;
pub mod protocol;
mod rate;
