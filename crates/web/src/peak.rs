//! Measures the machine's peak arithmetic rate. The language lab's page shows which fraction of it training
//! uses.

use rayon::prelude::*;

/// Floating-point operations per second of `threads` threads; see [`crate::labs::MeasurePeak`]. Takes about
/// 50 ms.
pub fn measure(clock: &(dyn Fn() -> f64 + Sync), threads: usize) -> f64 {
    learnery_kernels::peak::flops_per_second(clock, threads, &|work| {
        (0..threads).into_par_iter().with_max_len(1).for_each(|_| work());
    })
}
