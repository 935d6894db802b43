//! How a failure reaches the page.
//!
//! A panic in a thread of the pool leaves the session's own thread waiting for ever, so that thread cannot
//! report it. The hooks below run in whichever thread fails and speak on a broadcast channel, which needs
//! nobody's help. After them the thread traps; the page replaces the worker.

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
        // A vector asked for beyond the address space panics instead of failing to allocate.
        let kind = if message.contains("capacity overflow") { "memory" } else { "panic" };
        report(kind, &message);
    }));
    // Elsewhere the worker's script tells a failed allocation by a trap that no panic announced.
    #[cfg(feature = "threads")]
    std::alloc::set_alloc_error_hook(|_| report("memory", "more memory was asked for than there is"));
}

fn report(kind: &str, message: &str) {
    report_failure(CHANNEL.get().map_or("", String::as_str), kind, message);
}

/// Fails as asked.
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
