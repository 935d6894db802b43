//! Runs the benches in the browser, for `npm run bench`.

use js_sys::Function;
use learnery_bench::{Platform, choose, run};
use wasm_bindgen::prelude::*;

use super::now;

/// Runs the benches whose names begin with one of `names`, or all if it is empty, on the pool as it is. Calls
/// `each` with every result as JSON text as soon as it is known.
#[wasm_bindgen]
pub fn bench(names: Vec<String>, target: &str, threads: usize, each: &Function) -> Result<(), JsError> {
    let target = ["wasm-simd", "wasm-threads"].into_iter().find(|known| *known == target);
    let target = target.ok_or_else(|| JsError::new("the target is wasm-simd or wasm-threads"))?;
    let benches = choose(&names).map_err(|name| JsError::new(&format!("no bench begins with `{name}`")))?;
    let clock = || now() / 1000.0;
    let host = Platform { clock: &clock, target, threads };
    let mut failed = None;
    let is_running = || true;
    run(&host, &benches, Some(threads), &is_running, &mut |line| {
        let text = serde_json::to_string(&line).expect("a line is plain data");
        // The last error of the callback; an earlier one stays if this call succeeds.
        failed = each.call1(&JsValue::NULL, &text.into()).err().or(failed.take());
    });
    match failed {
        Some(_) => Err(JsError::new("the callback failed")),
        None => Ok(()),
    }
}
