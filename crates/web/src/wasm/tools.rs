//! The host of a lab's tools, as its worker sees it. It has the interface of the host of a session, so that both
//! have the same worker.

use learnery_lab::from_tagged;
use serde_bytes::ByteBuf;
use wasm_bindgen::prelude::*;

use super::{now, to_js};
use crate::protocol::ToolsRequest;
use crate::tools_host::ToolsHost;

/// The host of a lab's tools; see [`ToolsHost`].
#[wasm_bindgen(js_name = Host)]
#[derive(Default)]
pub struct WasmToolsHost(ToolsHost);

#[wasm_bindgen(js_class = Host)]
impl WasmToolsHost {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Carries out a request, which comes as JSON. The bytes of a file come separately.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn handle(&mut self, request: &str, bytes: Option<Vec<u8>>) -> Result<JsValue, JsError> {
        let mut request: ToolsRequest = serde_json::from_str(request).and_then(from_tagged)?;
        match (&mut request, bytes) {
            (ToolsRequest::Source { bytes: field }, Some(bytes)) => *field = ByteBuf::from(bytes),
            (ToolsRequest::Ask { bytes: field, .. }, Some(bytes)) => *field = Some(ByteBuf::from(bytes)),
            _ => {}
        }
        self.0.handle(request);
        Ok(JsValue::UNDEFINED)
    }

    /// True while `slice` has work to do.
    #[wasm_bindgen(getter, js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.0.has_work()
    }

    /// Tools are never slowed down.
    #[wasm_bindgen(getter, js_name = millisecondsUntilSlice)]
    pub fn milliseconds_until_slice(&self) -> f64 {
        0.0
    }

    /// Works on a question for about `milliseconds`.
    pub fn slice(&mut self, milliseconds: f64) {
        self.0.slice(milliseconds, &mut now);
    }

    /// The next part of an answer, or undefined.
    #[wasm_bindgen(js_name = takeMessage, unchecked_return_type = "unknown")]
    pub fn take_message(&mut self) -> Result<JsValue, JsError> {
        self.0.take_answer().map_or(Ok(JsValue::UNDEFINED), |answer| to_js(&answer))
    }
}
