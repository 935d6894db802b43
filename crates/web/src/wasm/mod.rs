//! The host as a worker's script sees it. Everything that decides something is in [`crate::host`]; here
//! are only the crossings.

use serde::Serialize;
use serde_bytes::ByteBuf;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::build::build as plain_build;
use crate::host::Host;
use crate::labs;
use crate::protocol::{Reply, Request, ViewReply};

#[cfg(feature = "bench")]
mod bench;
mod failure;

#[cfg(feature = "threads")]
pub use wasm_bindgen_rayon::init_thread_pool;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
}

/// To be called once, first: from then on a failure in any thread is told on the broadcast channel of
/// this name.
#[wasm_bindgen(js_name = reportFailuresOn)]
pub fn report_failures_on(channel: String) {
    failure::report_on(channel);
}

/// What this build is.
#[wasm_bindgen(unchecked_return_type = "unknown")]
pub fn build() -> Result<JsValue, JsError> {
    to_js(&plain_build())
}

/// One session and its pace.
#[wasm_bindgen(js_name = Host)]
#[derive(Default)]
pub struct WasmHost(Host);

#[wasm_bindgen(js_class = Host)]
impl WasmHost {
    /// A host without a run.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Carries out a request; undefined where there is nothing to say. It comes as JSON, for which there is a reader
    /// anyway: a second one, for JavaScript's own objects, would weigh as much as a lab. Bytes come beside it.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn handle(&mut self, request: &str, bytes: Option<Vec<u8>>) -> Result<JsValue, JsError> {
        let mut request: Request = match serde_json::from_str(request) {
            Ok(request) => request,
            Err(error) => return refuse("unknown", &format!("the request cannot be read: {error}")),
        };
        if let (Request::Resume { bytes: place }, Some(bytes)) = (&mut request, bytes) {
            *place = ByteBuf::from(bytes);
        }
        match request {
            Request::View { seconds } => match self.0.view(seconds) {
                Some(view) => to_js(&ViewReply { view: &view }),
                None => refuse("view", "no run is open"),
            },
            Request::Peak => match labs::peak() {
                Some(peak) => {
                    let operations_per_second = peak(&|| now() / 1000.0, rayon::current_num_threads());
                    to_js(&Reply::Peak { operations_per_second })
                }
                None => refuse("peak", "this bundle cannot measure the machine"),
            },
            Request::Fail { how } => failure::provoke(how),
            request => self.0.handle(request, now()).map_or(Ok(JsValue::UNDEFINED), |reply| to_js(&reply)),
        }
    }

    /// True while slices should follow one another.
    #[wasm_bindgen(getter, js_name = isRunning)]
    pub fn is_running(&self) -> bool {
        self.0.is_running()
    }

    /// Milliseconds until there is something to do; zero flat out.
    #[wasm_bindgen(getter)]
    pub fn rest(&self) -> f64 {
        self.0.rest()
    }

    /// Works for about so many milliseconds, as the pace allows.
    pub fn slice(&mut self, milliseconds: f64) {
        self.0.slice(milliseconds, &mut now);
    }

    /// Progress, when it is time to tell the page; undefined otherwise.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn news(&mut self) -> Result<JsValue, JsError> {
        self.0.news(now()).map_or(Ok(JsValue::UNDEFINED), |reply| to_js(&reply))
    }
}

fn refuse(request: &str, message: &str) -> Result<JsValue, JsError> {
    to_js(&Reply::Refused { request: request.into(), message: message.into() })
}

/// Plain objects, numbers, null for nothing, and byte arrays where Rust says bytes.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    Ok(value.serialize(&serializer)?)
}
