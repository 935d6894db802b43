//! The peak rate is computed from the clock that the caller passes.

use std::cell::Cell;

use learnery_kernels::peak::{flops_per_iteration, flops_per_second};

#[test]
fn flops_per_second_is_computed_from_the_clock() {
    // The clock advances one second per call.
    let now = Cell::new(0.0);
    let rate = flops_per_second(&|| now.get(), 3, &|run| {
        run();
        now.set(now.get() + 1.0);
    });
    assert_eq!(rate, 3.0 * flops_per_iteration());
}
