//! Reports failures to the page.
//!
//! After a panic in a thread of the pool, the thread that runs the session waits forever and cannot report
//! the failure. So the failing thread itself reports: the panic hook and the allocation hook post a message
//! on a broadcast channel, which needs no other thread. The failing thread then traps (aborts), and the page
//! replaces the worker.
//!
//! The message is posted by a few lines of JavaScript. Through `web_sys` each object would take a slot in a
//! table of this thread's, which allocates, and after a failed allocation nothing may.

#[cfg(feature = "session")]
use std::convert::Infallible;
#[cfg(feature = "session")]
use std::hint::black_box;
use std::sync::OnceLock;

use wasm_bindgen::prelude::*;

#[cfg(feature = "session")]
use crate::protocol::Failure;

#[wasm_bindgen(module = "/src/wasm/report.js")]
extern "C" {
    #[wasm_bindgen(js_name = reportFailure)]
    fn report_failure(channel: &str, kind: &str, message: &str);
}

static CHANNEL: OnceLock<String> = OnceLock::new();

/// Installs the hooks. That for panics also writes to the console.
pub fn report_on(channel: String) {
    CHANNEL.get_or_init(|| channel);
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        // A vector larger than the address space panics instead of failing to allocate.
        let kind = if message.contains("capacity overflow") { "memory" } else { "panic" };
        report(kind, &message);
        // For developers, with the stack. It comes second because it allocates.
        console_error_panic_hook::hook(info);
    }));
    // The build without threads cannot install this hook. There, the worker's script assumes that a trap
    // without a reported panic is a failed allocation.
    #[cfg(feature = "threads")]
    std::alloc::set_alloc_error_hook(|_| report("memory", "there is not enough memory"));
}

fn report(kind: &str, message: &str) {
    report_failure(CHANNEL.get().map_or("", String::as_str), kind, message);
}

/// Fails on purpose, to test how the page recovers: with a panic here, with a panic in a thread of the pool,
/// or by taking memory until there is none.
#[cfg(feature = "session")]
pub fn provoke(how: Failure) -> ! {
    match how {
        Failure::Panic => panic!("this panic was asked for"),
        Failure::PoolPanic => never(rayon::join(|| panic!("this panic in the pool was asked for"), || ()).0),
        Failure::Memory => {
            let mut held = Vec::new();
            loop {
                // 32 MiB at a time. `black_box` keeps the compiler from removing unused memory.
                held.push(black_box(Vec::<u8>::with_capacity(32 << 20)));
            }
        }
    }
}

/// Has the type of an expression that never returns, for a result that cannot exist.
#[cfg(feature = "session")]
fn never(value: Infallible) -> ! {
    match value {}
}
