//! Sizes in a tab, where `usize` has 32 bits.

use learnery_gpu::speed;
use wasm_bindgen_test::wasm_bindgen_test;

/// The operations of a round on a card of 56 TFLOP/s need more than 32 bits.
#[wasm_bindgen_test]
fn speed_of_a_fast_card_does_not_wrap() {
    let (loops, seconds) = (1 << 16, 0.078);
    assert_eq!(speed::operations(speed::GROUPS, loops), 2f64.powi(42));
    assert!((speed::operations(speed::GROUPS, loops) / seconds / 56e12 - 1.0).abs() < 0.01);
}
