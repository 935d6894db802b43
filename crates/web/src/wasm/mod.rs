//! The interface between the JavaScript of a web worker and this program. It only converts between JavaScript
//! and Rust; all decisions are in [`crate::host`] and [`crate::actors`].

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::build::build as native_build;

#[cfg(feature = "fleet")]
mod actors;
#[cfg(feature = "bench")]
mod bench;
mod failure;
#[cfg(feature = "session")]
mod session;
#[cfg(feature = "threads")]
mod threads;

#[cfg(feature = "session")]
pub use session::WasmHost;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
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
