//! The actors of a fleet, as the worker of `fleet.html` sees them.

use std::time::Duration;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::{now, to_js};
use crate::actors::{Actors, Outgoing};

/// The actors of this tab; see [`Actors`].
#[wasm_bindgen(js_name = Actors)]
pub struct WasmActors(Actors);

#[wasm_bindgen(js_class = Actors)]
impl WasmActors {
    #[wasm_bindgen(constructor)]
    pub fn new(fleet: &str, label: &str, token: &[u8], threads: usize) -> Result<Self, JsError> {
        let token = token.try_into().map_err(|_| JsError::new("a token has 16 bytes"))?;
        Ok(Self(Actors::new(fleet, label, token, threads)))
    }

    /// See [`Actors::subjects`].
    pub fn subjects(&self) -> Vec<String> {
        self.0.subjects()
    }

    /// See [`Actors::receive`].
    pub fn receive(&mut self, subject: usize, bytes: &[u8]) {
        self.0.receive(since_begin(), subject, bytes);
    }

    /// See [`Actors::reconnected`].
    pub fn reconnected(&mut self) {
        self.0.reconnected(since_begin());
    }

    /// See [`Actors::pause`].
    pub fn pause(&mut self, paused: bool) {
        if paused {
            self.finish_units();
        }
        self.0.pause(since_begin(), paused);
    }

    /// The next message that is due, or undefined; see [`Actors::poll`].
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn poll(&mut self) -> Result<JsValue, JsValue> {
        self.0.poll(since_begin()).map_or(Ok(JsValue::UNDEFINED), |outgoing| message(&outgoing))
    }

    /// See [`Actors::leave`].
    pub fn leave(&mut self) -> Result<Array, JsValue> {
        self.finish_units();
        self.0.leave(since_begin()).iter().map(message).collect()
    }

    /// See [`Actors::is_computing`].
    #[wasm_bindgen(getter, js_name = isComputing)]
    pub fn is_computing(&self) -> bool {
        self.0.is_computing()
    }

    /// Computes for about `milliseconds` on every thread.
    pub fn slice(&mut self, milliseconds: f64) {
        self.0.slice(since_begin(), milliseconds, now);
    }

    /// See [`crate::protocol::ActorsProgress`].
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn progress(&self) -> Result<JsValue, JsError> {
        to_js(&self.0.progress())
    }
}

impl WasmActors {
    /// See [`Actors::finish_units`].
    fn finish_units(&mut self) {
        self.0.finish_units(since_begin(), MAX_FINISH_MS, now);
    }
}

/// The longest time for finishing units before the actors pause or leave. A page that is being closed waits
/// for a moment only.
const MAX_FINISH_MS: f64 = 100.0;

/// The time since the worker began.
fn since_begin() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

/// An object with the subject and the pieces. They are byte arrays of their own, because the module's memory
/// can move.
fn message(outgoing: &Outgoing) -> Result<JsValue, JsValue> {
    let pieces: Array = outgoing.pieces.iter().map(|piece| Uint8Array::from(&piece[..])).collect();
    let object = Object::new();
    Reflect::set(&object, &"subject".into(), &JsValue::from_str(&outgoing.subject))?;
    Reflect::set(&object, &"pieces".into(), &pieces)?;
    Ok(object.into())
}
