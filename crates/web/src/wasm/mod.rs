//! The interface between the JavaScript of a web worker and this program. It only converts between JavaScript
//! and Rust; all decisions are in [`crate::host`], `actors` and `own_world`.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
#[cfg(any(feature = "session", feature = "fleet", feature = "tools"))]
use web_sys::Performance;

use crate::build::build as native_build;

#[cfg(feature = "fleet")]
mod actors;
#[cfg(feature = "bench")]
mod bench;
mod failure;
#[cfg(feature = "world")]
mod own_world;
#[cfg(feature = "session")]
mod session;
// Both have a class with the same name; no program needs both.
#[cfg(all(feature = "tools", not(feature = "session")))]
mod tools;

#[cfg(feature = "session")]
pub use session::WasmHost;
#[cfg(all(feature = "tools", not(feature = "session")))]
pub use tools::WasmToolsHost;
/// Builds rayon's pool of threads (`initThreadPool`). Each thread is a web worker with an instance of the
/// module; all instances share one memory. `cargo xtask web` lets the page create these workers.
#[cfg(feature = "threads")]
pub use wasm_bindgen_rayon::init_thread_pool;

#[cfg(any(feature = "session", feature = "fleet", feature = "tools"))]
#[wasm_bindgen]
extern "C" {
    /// The clock of this worker. It is imported as it stands: `web_sys` would ask the worker for it at every
    /// call.
    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: Performance;
}

/// Milliseconds since the worker began.
#[cfg(any(feature = "session", feature = "fleet", feature = "tools"))]
fn now() -> f64 {
    PERFORMANCE.with(Performance::now)
}

/// From now on, reports every failure in any thread on the broadcast channel with this name. Must be called
/// once, before anything else.
#[wasm_bindgen(js_name = reportFailuresOn)]
pub fn report_failures_on(channel: String) {
    failure::report_on(channel);
}

/// Describes this build; see [`crate::protocol::Build`].
#[wasm_bindgen(unchecked_return_type = "unknown")]
pub fn build() -> Result<JsValue, JsError> {
    to_js(&native_build())
}

/// Maps become plain objects, `None` becomes null, bytes become a `Uint8Array`.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    Ok(value.serialize(&serializer)?)
}
