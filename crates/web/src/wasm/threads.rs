//! The pool of threads. Each thread is a web worker with its own instance of the module; all instances share
//! one memory, and so the variables of this file.
//!
//! The page creates these workers (`www/core/threads.ts`). The session's worker could create them itself, as
//! the crate wasm-bindgen-rayon does, but in Firefox with a debugger attached, `new Worker` in a worker
//! sometimes never returns: the worker that is created takes the signal that its creator waits for.

use std::sync::{Condvar, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use wasm_bindgen::prelude::*;

/// The threads of the pool that no worker runs yet.
static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());
static ADDED: Condvar = Condvar::new();

/// The module's memory, a `WebAssembly.Memory`, with which the page starts the other workers.
#[wasm_bindgen(js_name = sharedMemory)]
pub fn shared_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// Builds the pool, after which every parallel computation uses it. Returns when all of its threads run, so
/// as many workers must call [`run_thread`].
#[wasm_bindgen(js_name = buildThreadPool)]
pub fn build_thread_pool(threads: usize) -> Result<(), JsError> {
    let add = |thread| {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        ADDED.notify_one();
        Ok(())
    };
    Ok(ThreadPoolBuilder::new().num_threads(threads).spawn_handler(add).build_global()?)
}

/// Runs a thread of the pool on this worker, which then does nothing else.
#[wasm_bindgen(js_name = runThread)]
pub fn run_thread() {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let thread = loop {
        match waiting.pop() {
            Some(thread) => break thread,
            None => waiting = ADDED.wait(waiting).unwrap_or_else(PoisonError::into_inner),
        }
    };
    drop(waiting);
    thread.run();
}
