//! The peak arithmetic rate of all threads, for pages that show which share of it a lab uses.

use rayon::prelude::*;

/// Floating-point operations a second of `threads` threads, measured in some fifty milliseconds. `clock` is in seconds.
pub fn peak(clock: &(dyn Fn() -> f64 + Sync), threads: usize) -> f64 {
    learnery_kernels::peak::flops_per_second(clock, threads, &|work| {
        (0..threads).into_par_iter().with_max_len(1).for_each(|_| work());
    })
}
