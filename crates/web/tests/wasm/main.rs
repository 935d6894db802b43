//! What can only be tested as WebAssembly, in a worker of a real browser: `wasm-pack test --headless --chrome
//! crates/web`, or `npm test -- wasm`.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

mod conversions;
#[cfg(not(target_feature = "atomics"))] // without learnery-gpu
mod sizes;

wasm_bindgen_test_configure!(run_in_dedicated_worker);
