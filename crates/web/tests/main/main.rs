//! Tests of what the page's worker calls, natively: the host, the actors of a fleet, the editor
//! for worlds, the generated types.
#![cfg(not(target_family = "wasm"))]

#[cfg(feature = "fleet")]
mod actors;
#[cfg(feature = "bindings")]
mod bindings;
#[cfg(feature = "gpu")]
mod gpu; // `npm test` chooses the tests of the GPU by this name.
mod host;
#[cfg(feature = "world")]
mod own_world;
#[cfg(feature = "bindings")]
mod python_tools;
mod questions;
mod recipes;
mod saves;
mod test_host;
mod tools_host;
