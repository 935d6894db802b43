//! Reports failures to the page.
//!
//! After a panic in a pool thread the session's own thread waits forever, so it cannot report the failure. So hooks
//! run in whichever thread fails and post on a broadcast channel, which needs no other thread. The failed thread then
//! traps, and the page replaces the worker.

use std::convert::Infallible;
use std::hint::black_box;
use std::sync::OnceLock;

use wasm_bindgen::prelude::*;

use crate::protocol::Failure;

#[wasm_bindgen(module = "/src/wasm/report.js")]
extern "C" {
    #[wasm_bindgen(js_name = reportFailure)]
    fn report_failure(channel: &str, kind: &str, message: &str);
}

static CHANNEL: OnceLock<String> = OnceLock::new();

/// Installs the hooks.
pub fn report_on(channel: String) {
    CHANNEL.get_or_init(|| channel);
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        // A vector larger than the address space panics instead of failing to allocate.
        let kind = if message.contains("capacity overflow") { "memory" } else { "panic" };
        report(kind, &message);
    }));
    // Without this hook, in the build without threads, the worker's script takes a trap without a panic for a failed
    // allocation.
    #[cfg(feature = "threads")]
    std::alloc::set_alloc_error_hook(|_| report("memory", "there is not enough memory"));
}

fn report(kind: &str, message: &str) {
    report_failure(CHANNEL.get().map_or("", String::as_str), kind, message);
}

/// Fails on purpose.
pub fn provoke(how: Failure) -> ! {
    match how {
        Failure::Panic => panic!("this panic was asked for"),
        Failure::PoolPanic => never(rayon::join(|| panic!("this panic in the pool was asked for"), || ()).0),
        Failure::Memory => {
            let mut held = Vec::new();
            loop {
                held.push(black_box(Vec::<u8>::with_capacity(32 << 20)));
            }
        }
    }
}

fn never(value: Infallible) -> ! {
    match value {}
}
