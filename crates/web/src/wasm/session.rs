//! The JavaScript interface of [`Host`], for the worker that runs one session (a training run).

#[cfg_attr(not(feature = "gpu"), path = "session/without_gpu.rs")]
mod gpu;

use js_sys::Reflect;
use learnery_lab::from_tagged;
use rayon::current_num_threads;
use serde_bytes::ByteBuf;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::{failure, now, to_js};
use crate::host::Host;
use crate::labs;
use crate::protocol::{Reply, ReplyTo, Request, ViewReply};

/// The host of a session; see [`Host`].
#[wasm_bindgen(js_name = Host)]
#[derive(Default)]
pub struct WasmHost(Host);

#[wasm_bindgen(js_class = Host)]
impl WasmHost {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self(gpu::new_host())
    }

    /// Carries out a request and returns its answer, or undefined if it has none yet. The answer has the `id` of
    /// the request, whether it comes now or as a message.
    ///
    /// The request comes as JSON, because checkpoints need a JSON parser anyway, and a second one for
    /// JavaScript objects would be as large as a lab. Only the bytes of a file come separately.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn handle(&mut self, request: &str, bytes: Option<Vec<u8>>) -> Result<JsValue, JsError> {
        let request: Result<Value, _> = serde_json::from_str(request);
        let id = request.as_ref().ok().and_then(|request| request.get("id")?.as_u64()).unwrap_or_default();
        let id = u32::try_from(id).unwrap_or_default();
        let answer = match request.and_then(from_tagged) {
            Ok(request) => self.answer(id, request, bytes)?,
            Err(error) => refuse("unknown", &format!("the request cannot be read: {error}"))?,
        };
        set_id(&answer, id)?;
        Ok(answer)
    }

    /// The answer to a request, without its `id`; undefined if it has none yet.
    fn answer(&mut self, id: u32, mut request: Request, bytes: Option<Vec<u8>>) -> Result<JsValue, JsError> {
        match (&mut request, bytes) {
            (Request::Resume { bytes: field }, Some(bytes)) => *field = ByteBuf::from(bytes),
            (Request::Ask { bytes: field, .. } | Request::Command { bytes: field, .. }, Some(bytes)) => {
                *field = Some(ByteBuf::from(bytes));
            }
            _ => {}
        }
        match request {
            Request::View { seconds } => match self.0.view(seconds, &mut now) {
                Some(view) => to_js(&ViewReply { view: &view }),
                None => refuse("view", "no run is open"),
            },
            Request::Peak => match labs::peak_measurement() {
                Some(measure) => {
                    let operations_per_second = measure(&|| now() / 1000.0, current_num_threads());
                    to_js(&Reply::Peak { operations_per_second })
                }
                None => refuse("peak", "this bundle cannot measure the machine"),
            },
            Request::Fail { how } => failure::provoke(how),
            request => {
                self.0.handle(id, request, now()).map_or(Ok(JsValue::UNDEFINED), |reply| to_js(&reply))
            }
        }
    }

    /// True while `slice` has work to do.
    #[wasm_bindgen(getter, js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.0.has_work()
    }

    /// See [`Host::milliseconds_until_slice`].
    #[wasm_bindgen(getter, js_name = millisecondsUntilSlice)]
    pub fn milliseconds_until_slice(&self) -> f64 {
        self.0.milliseconds_until_slice(now())
    }

    /// Runs the session for about `milliseconds`, or for as many steps as slow motion allows.
    pub fn slice(&mut self, milliseconds: f64) {
        self.0.slice(milliseconds, &mut now);
    }

    /// The next message for the page, which may be a late answer to a request, or undefined; see
    /// [`Host::take_message`] and [`Host::take_answer`].
    #[wasm_bindgen(js_name = takeMessage, unchecked_return_type = "unknown")]
    pub fn take_message(&mut self) -> Result<JsValue, JsError> {
        if let Some(answer) = self.0.take_answer() {
            return to_js(&answer);
        }
        let Some(ReplyTo { id, reply }) = self.0.take_message(now()) else { return Ok(JsValue::UNDEFINED) };
        let message = to_js(&reply)?;
        if let Some(id) = id {
            set_id(&message, id)?;
        }
        Ok(message)
    }
}

/// Gives a message the id of the request that it answers.
fn set_id(message: &JsValue, id: u32) -> Result<(), JsError> {
    if message.is_object() {
        let set = Reflect::set(message, &"id".into(), &id.into());
        set.map_err(|_| JsError::new("a message cannot have an id"))?;
    }
    Ok(())
}

fn refuse(request: &str, message: &str) -> Result<JsValue, JsError> {
    to_js(&Reply::Refused { request: request.into(), message: message.into() })
}
