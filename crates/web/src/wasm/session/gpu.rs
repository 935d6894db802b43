//! The host of a bundle whose runs can compute on a GPU, and what a GPU needs of the worker.

use wasm_bindgen::prelude::*;

use crate::host::{Host, WorkerCalls};
use crate::wasm::now;

#[wasm_bindgen]
extern "C" {
    /// Wakes the worker from its wait for the GPU; defined by `www/core/worker.ts`.
    #[wasm_bindgen(js_name = learneryWake)]
    fn wake();
}

#[wasm_bindgen(module = "/src/wasm/background-compiler.js")]
extern "C" {
    /// From now on, pipelines with generated kernels are compiled in the background.
    #[wasm_bindgen(js_name = compileInBackground)]
    fn compile_in_background();

    #[wasm_bindgen(js_name = isCompiling)]
    fn is_compiling() -> bool;
}

pub fn new_host() -> Host {
    compile_in_background();
    Host::with_calls(WorkerCalls { wake, clock: || now() / 1000.0, is_compiling })
}
