//! The editor for worlds of one's own, as its worker sees it.

use js_sys::{Array, Float32Array, Object, Reflect};
use wasm_bindgen::prelude::*;

use super::to_js;
use crate::own_world::OwnWorld;

/// The editor's text and its world; see [`OwnWorld`].
#[wasm_bindgen(js_name = OwnWorld)]
#[derive(Default)]
pub struct WasmOwnWorld(OwnWorld);

#[wasm_bindgen(js_class = OwnWorld)]
impl WasmOwnWorld {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// See [`OwnWorld::check`].
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn check(&mut self, text: &str) -> Result<JsValue, JsError> {
        to_js(&self.0.check(text))
    }

    /// See [`OwnWorld::reset`].
    pub fn reset(&mut self, seed: u32) {
        self.0.reset(seed);
    }

    /// See [`OwnWorld::next_episode`].
    #[wasm_bindgen(js_name = nextEpisode)]
    pub fn next_episode(&mut self) {
        self.0.next_episode();
    }

    /// See [`OwnWorld::set_parameter`].
    #[wasm_bindgen(js_name = setParameter)]
    pub fn set_parameter(&mut self, index: usize, value: f32) {
        self.0.set_parameter(index, value);
    }

    /// See [`OwnWorld::step`].
    pub fn step(&mut self, action: &[f32]) {
        self.0.step(action);
    }

    /// See [`OwnWorld::episode`].
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn episode(&self) -> Result<JsValue, JsError> {
        to_js(&self.0.episode())
    }

    /// See [`OwnWorld::picture`]: an object with a `Float32Array` of numbers, and texts.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn picture(&self) -> Result<JsValue, JsValue> {
        let picture = self.0.picture();
        let texts: Array = picture.texts.iter().map(|text| JsValue::from_str(text)).collect();
        let object = Object::new();
        Reflect::set(&object, &"numbers".into(), &Float32Array::from(&picture.numbers[..]))?;
        Reflect::set(&object, &"texts".into(), &texts)?;
        Ok(object.into())
    }
}
