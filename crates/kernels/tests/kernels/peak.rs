//! The peak rate is computed from the clock that the caller passes.

use std::cell::Cell;

use learnery_kernels::peak::{flops_per_iteration, flops_per_second};

#[test]
fn flops_per_second_is_computed_from_the_clock() {
    // The clock advances one second while the work runs once.
    let now = Cell::new(0.0);
    let threads = 3;
    // A repetition takes one second, and one iteration is enough for that.
    let rate = flops_per_second(&|| now.get(), threads, &|run| {
        run();
        now.set(now.get() + 1.0);
    });
    assert_eq!(rate, threads as f64 * flops_per_iteration());
}
