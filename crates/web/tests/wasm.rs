//! What crosses between Rust and JavaScript, in a real browser: `wasm-pack test --headless --chrome
//! crates/web`.
#![cfg(target_arch = "wasm32")]

use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use learnery_web::wasm::{WasmHost, build};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn get(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, key| Reflect::get(&value, &key.into()).expect("an object"))
}

fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_else(|| panic!("`{path}` is no text"))
}

fn number(value: &JsValue, path: &str) -> f64 {
    get(value, path).as_f64().unwrap_or_else(|| panic!("`{path}` is no number"))
}

fn ask(host: &mut WasmHost, json: &str) -> JsValue {
    host.handle(json, None).unwrap_or_else(|_| panic!("{json}"))
}

const START: &str = r#"{"type": "start", "lab": "control", "seed": 7,
    "settings": {"worlds": 16, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2}}"#;

fn empty() -> WasmHost {
    learnery_web::labs::hold(learnery_labs::LABS);
    WasmHost::new()
}

fn open() -> WasmHost {
    let mut host = empty();
    assert_eq!(text(&ask(&mut host, START), "type"), "opened");
    host
}

#[wasm_bindgen_test]
fn a_build_is_told_in_plain_objects() {
    let build = build().unwrap_or_else(|_| panic!("no build"));
    assert!(Object::entries(build.unchecked_ref()).length() > 0, "a Map would have no entries");
    assert_eq!(number(&build, "threads"), 1.0);
    assert_eq!(text(&build, "simd"), "simd128");
}

#[wasm_bindgen_test]
fn nothing_is_null_and_counters_are_numbers() {
    let opened = ask(&mut empty(), START);
    assert!(get(&opened, "progress.solvedAt").is_null());
    assert!(get(&opened, "progress.stepsPerSecond").is_null());
    assert_eq!(number(&opened, "progress.work"), 0.0);
    assert_eq!(number(&opened, "run.config.worlds"), 16.0);
}

#[wasm_bindgen_test]
fn slices_do_work_and_metrics_come_in_columns() {
    let mut host = open();
    let running = ask(&mut host, r#"{"type": "run", "stepsPerSecond": null}"#);
    assert!(host.is_running() && get(&running, "progress.running").is_truthy());
    host.slice(200.0);
    let paused = ask(&mut host, r#"{"type": "pause"}"#);
    assert!(!host.is_running());
    let units = Array::from(&get(&paused, "metrics.units")).length();
    assert!(units > 0);
    let columns = Array::from(&get(&paused, "metrics.values"));
    assert!(columns.iter().all(|column| Array::from(&column).length() == units));
    assert!(columns.iter().all(|column| Array::from(&column).get(0).as_f64().is_some()));
}

#[wasm_bindgen_test]
fn slow_motion_rests_between_steps() {
    let mut host = open();
    ask(&mut host, r#"{"type": "run", "stepsPerSecond": 2}"#);
    host.slice(12.0);
    assert!(host.rest() > 300.0);
    assert!(host.news().is_ok_and(|news| news.is_undefined()));
}

#[wasm_bindgen_test]
fn a_view_carries_its_floats_as_bytes_of_its_own() {
    let mut host = open();
    let view = ask(&mut host, r#"{"type": "view", "seconds": 0.016}"#);
    assert_eq!(text(&view, "type"), "view");
    let wall: Uint8Array = get(&view, "view.wall").dyn_into().expect("bytes");
    // Alone in their buffer, so that the buffer can be moved to the page.
    assert_eq!(wall.byte_offset(), 0);
    assert_eq!(wall.length(), wall.buffer().byte_length());
    assert_eq!(Float32Array::new(&wall.buffer()).length(), 16 * 4);
}

#[wasm_bindgen_test]
fn a_checkpoint_goes_out_and_comes_back() {
    let mut host = open();
    ask(&mut host, r#"{"type": "step", "unit": true}"#);
    let save = r#"{"type": "save", "purpose": "test", "networkOnly": false, "wait": false}"#;
    let saved = get(&ask(&mut host, save), "bytes");
    let bytes = saved.clone().dyn_into::<Uint8Array>().expect("bytes").to_vec();
    let mut other = empty();
    let opened = other.handle(r#"{"type": "resume"}"#, Some(bytes)).unwrap_or_else(|_| panic!("not resumed"));
    assert_eq!(number(&opened, "progress.units"), 1.0);
    let again: Uint8Array = get(&ask(&mut other, save), "bytes").dyn_into().expect("bytes");
    assert_eq!(Uint8Array::from(saved).to_vec(), again.to_vec());
}

#[wasm_bindgen_test]
fn what_cannot_be_done_is_refused_in_words() {
    let mut host = empty();
    let refused = ask(&mut host, r#"{"type": "view", "seconds": 0}"#);
    assert_eq!((text(&refused, "type"), text(&refused, "request")), ("refused".into(), "view".into()));
    let refused = ask(&mut host, r#"{"type": "dance"}"#);
    assert!(text(&refused, "message").contains("dance"));
}

#[wasm_bindgen_test]
fn the_machine_is_measured_where_the_bundle_says_how() {
    let mut host = empty();
    assert_eq!(text(&ask(&mut host, r#"{"type": "peak"}"#), "type"), "refused");
    learnery_web::labs::measure_peak_by(learnery_web::peak::peak);
    let reply = ask(&mut host, r#"{"type": "peak"}"#);
    assert_eq!(text(&reply, "type"), "peak");
    assert!(number(&reply, "operationsPerSecond") > 1e8);
}
