//! The conversions between Rust and JavaScript.

use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use learnery_web::wasm::{WasmHost, build};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

/// The field of an object at a path such as `progress.work`.
fn get(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, key| Reflect::get(&value, &key.into()).expect("an object"))
}

fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_else(|| panic!("`{path}` is no text"))
}

fn number(value: &JsValue, path: &str) -> f64 {
    get(value, path).as_f64().unwrap_or_else(|| panic!("`{path}` is no number"))
}

fn handle(host: &mut WasmHost, json: &str) -> JsValue {
    host.handle(json, None).unwrap_or_else(|_| panic!("{json}"))
}

const START: &str = r#"{"type": "start", "lab": "control", "seed": 7,
    "settings": {"worlds": 16, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2}}"#;

fn empty() -> WasmHost {
    learnery_web::labs::register(learnery_labs::LABS);
    WasmHost::new()
}

fn open() -> WasmHost {
    let mut host = empty();
    assert_eq!(text(&handle(&mut host, START), "type"), "opened");
    host
}

#[wasm_bindgen_test]
fn build_is_a_plain_object() {
    let description = build().unwrap_or_else(|_| panic!("no build"));
    assert!(Object::entries(description.unchecked_ref()).length() > 0, "a Map would have no entries");
    assert_eq!(number(&description, "threads"), 1.0);
    assert_eq!(text(&description, "simd"), "simd128");
}

#[wasm_bindgen_test]
fn missing_values_are_null_and_counters_are_numbers() {
    let opened = handle(&mut empty(), START);
    assert!(get(&opened, "progress.solvedAt").is_null());
    assert!(get(&opened, "progress.stepsPerSecond").is_null());
    assert_eq!(number(&opened, "progress.work"), 0.0);
    assert_eq!(number(&opened, "run.config.worlds"), 16.0);
}

#[wasm_bindgen_test]
fn slices_run_the_session_and_metrics_are_columns() {
    let mut host = open();
    let running = handle(&mut host, r#"{"type": "run", "stepsPerSecond": null}"#);
    assert!(host.has_work() && get(&running, "progress.running").is_truthy());
    // Tests are not optimised, so the first unit takes several slices.
    let mut paused = JsValue::UNDEFINED;
    let mut units = 0;
    for _ in 0..100 {
        host.slice(200.0);
        paused = handle(&mut host, r#"{"type": "pause"}"#);
        assert!(!host.has_work());
        units = Array::from(&get(&paused, "metrics.units")).length();
        if units > 0 {
            break;
        }
        handle(&mut host, r#"{"type": "run", "stepsPerSecond": null}"#);
    }
    assert!(units > 0);
    let columns = Array::from(&get(&paused, "metrics.values"));
    assert!(columns.iter().all(|column| Array::from(&column).length() == units));
    assert!(columns.iter().all(|column| Array::from(&column).get(0).as_f64().is_some()));
}

#[wasm_bindgen_test]
fn slow_motion_waits_between_steps() {
    let mut host = open();
    handle(&mut host, r#"{"type": "run", "stepsPerSecond": 2}"#);
    host.slice(12.0);
    assert!(host.milliseconds_until_slice() > 300.0);
    assert!(host.take_message().is_ok_and(|message| message.is_undefined()));
}

#[wasm_bindgen_test]
fn replies_have_the_numbers_of_their_requests() {
    let mut host = open();
    let view = handle(&mut host, r#"{"type": "view", "seconds": 0, "id": 3}"#);
    assert_eq!(number(&view, "id"), 3.0);
    let refused = handle(&mut host, r#"{"type": "dance", "id": 4}"#);
    assert_eq!((text(&refused, "type"), number(&refused, "id")), ("refused".into(), 4.0));
    assert!(handle(&mut host, r#"{"type": "step", "unit": true, "id": 5}"#).is_undefined());
    while host.has_work() {
        host.slice(200.0);
    }
    let progress = host.take_message().unwrap_or_else(|_| panic!("no message"));
    assert_eq!((text(&progress, "type"), number(&progress, "id")), ("progress".into(), 5.0));
    // What nobody has asked for has no number.
    handle(&mut host, r#"{"type": "run", "stepsPerSecond": null, "id": 6}"#);
    let mut message = JsValue::UNDEFINED;
    while message.is_undefined() {
        host.slice(200.0);
        message = host.take_message().unwrap_or_else(|_| panic!("no message"));
    }
    assert_eq!(text(&message, "type"), "progress");
    assert!(get(&message, "id").is_undefined());
}

#[wasm_bindgen_test]
fn view_has_its_floats_as_bytes_in_buffers_of_their_own() {
    let mut host = open();
    let view = handle(&mut host, r#"{"type": "view", "seconds": 0.016}"#);
    assert_eq!(text(&view, "type"), "view");
    let states: Uint8Array = get(&view, "view.trainingStates").dyn_into().expect("bytes");
    // Alone in their buffer, so that the buffer can be moved to the page.
    assert_eq!(states.byte_offset(), 0);
    assert_eq!(states.length(), states.buffer().byte_length());
    // 16 worlds of the cart-pole, each with four numbers.
    assert_eq!(Float32Array::new(&states.buffer()).length(), 16 * 4);
}

#[wasm_bindgen_test]
fn checkpoint_survives_a_round_trip() {
    let mut host = open();
    assert!(handle(&mut host, r#"{"type": "step", "unit": true}"#).is_undefined());
    while host.has_work() {
        host.slice(200.0);
    }
    let save = r#"{"type": "save", "networkOnly": false, "wait": false, "fingerprint": false}"#;
    let saved = get(&handle(&mut host, save), "bytes");
    let bytes = saved.clone().dyn_into::<Uint8Array>().expect("bytes").to_vec();
    let mut other = empty();
    let opened = other.handle(r#"{"type": "resume"}"#, Some(bytes)).unwrap_or_else(|_| panic!("not resumed"));
    assert_eq!(number(&opened, "progress.units"), 1.0);
    let saved_by_other: Uint8Array = get(&handle(&mut other, save), "bytes").dyn_into().expect("bytes");
    assert_eq!(Uint8Array::from(saved).to_vec(), saved_by_other.to_vec());
}

#[wasm_bindgen_test]
fn impossible_requests_are_refused_in_words() {
    let mut host = empty();
    let refused = handle(&mut host, r#"{"type": "view", "seconds": 0}"#);
    assert_eq!((text(&refused, "type"), text(&refused, "request")), ("refused".into(), "view".into()));
    let refused = handle(&mut host, r#"{"type": "dance"}"#);
    assert!(text(&refused, "message").contains("dance"));
}

#[wasm_bindgen_test]
fn peak_is_measured_only_if_the_bundle_registers_how() {
    let mut host = empty();
    assert_eq!(text(&handle(&mut host, r#"{"type": "peak"}"#), "type"), "refused");
    learnery_web::labs::register_peak_measurement(learnery_web::peak::measure);
    let reply = handle(&mut host, r#"{"type": "peak"}"#);
    assert_eq!(text(&reply, "type"), "peak");
    assert!(number(&reply, "operationsPerSecond") > 1e8);
}
