//! What can only be tested as WebAssembly, in a worker of a real browser: `wasm-pack test --headless --chrome
//! crates/web`, or `npm test -- wasm`.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

mod conversions;
// It tests learnery-gpu, which the build with threads (atomics) does not have.
#[cfg(not(target_feature = "atomics"))]
mod sizes;

wasm_bindgen_test_configure!(run_in_dedicated_worker);
