//! The pool of threads, in a worker of a real browser. It needs shared memory, and so the compiler flags of
//! the bundles with threads (crates/web/README.md). It is a program of its own: whatever uses rayon before
//! the pool is built, as the other wasm tests do, makes rayon go on with one thread.
#![cfg(all(target_arch = "wasm32", feature = "threads"))]

use js_sys::{Reflect, Uint8Array};
use learnery_web::wasm::{WasmHost, build, init_thread_pool};
use rayon::ThreadPoolBuilder;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

const THREADS: usize = 3;

/// The file of a run after its first unit.
fn train() -> Vec<u8> {
    let start = r#"{"type": "start", "lab": "control", "seed": 7,
        "settings": {"worlds": 128, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2}}"#;
    let save = r#"{"type": "save", "networkOnly": false, "wait": false, "fingerprint": false}"#;
    learnery_web::labs::register(learnery_labs::LABS);
    let mut host = WasmHost::new();
    let mut handle = |json: &str| host.handle(json, None).unwrap_or_else(|_| panic!("{json}"));
    handle(start);
    handle(r#"{"type": "step", "unit": true}"#);
    while host.has_work() {
        host.slice(200.0);
    }
    let saved = host.handle(save, None).unwrap_or_else(|_| panic!("{save}"));
    let bytes = Reflect::get(&saved, &"bytes".into()).expect("an object");
    bytes.dyn_into::<Uint8Array>().expect("bytes").to_vec()
}

#[wasm_bindgen_test]
async fn pool_has_its_threads_and_computes_the_bits_of_one() {
    JsFuture::from(init_thread_pool(THREADS)).await.expect("a pool");
    // Each thread answers with its number.
    assert_eq!(rayon::broadcast(|thread| thread.index()), [0, 1, 2]);
    let description = build().unwrap_or_else(|_| panic!("no build"));
    let threads = Reflect::get(&description, &"threads".into()).expect("an object");
    assert_eq!(threads.as_f64(), Some(THREADS as f64));

    let by_pool = train();
    let single = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("one thread");
    assert!(single.install(train) == by_pool);
}
