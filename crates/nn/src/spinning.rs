//! Spinning (busy-waiting) worker threads for very small tasks.
//!
//! When text is generated, each token takes about 20 matrix products of a few microseconds. Waking a sleeping
//! thread takes longer than that, so the pool's other threads poll for work (spin) instead of sleeping.

use std::sync::atomic::{AtomicBool, Ordering};

/// Runs `work` on a thread of the pool while the pool's other threads spin, ready to steal tasks from it.
pub fn with_spinning_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let stop = &AtomicBool::new(false);
    rayon::scope(|scope| {
        let worker = rayon::current_thread_index();
        for _ in 1..rayon::current_num_threads() {
            // One spinning task for each other thread.
            scope.spawn(move |_| {
                // While the thread that runs `work` waits in a join, it may pick up this task itself. Then
                // the task must return at once.
                while rayon::current_thread_index() != worker && !stop.load(Ordering::Relaxed) {
                    if rayon::yield_now() != Some(rayon::Yield::Executed) {
                        std::hint::spin_loop();
                    }
                }
            });
        }
        // Stops the spinning even if `work` panics.
        let _stop = StopOnDrop(stop);
        work()
    })
}

/// Sets the flag when dropped, also while a panic unwinds.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A sum by nested joins.
    fn sum(values: &[u64]) -> u64 {
        let (left, right) = values.split_at(values.len() / 2);
        if left.is_empty() {
            return right.iter().sum();
        }
        let (left, right) = rayon::join(|| sum(left), || sum(right));
        left + right
    }

    #[test]
    fn with_spinning_threads_returns_on_any_number_of_threads_even_after_a_panic() {
        let values: Vec<u64> = (0..1000).collect();
        for threads in 1..5 {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
            for _ in 0..20 {
                assert_eq!(pool.install(|| with_spinning_threads(|| sum(&values))), 499_500);
            }
            let failed = catch_unwind(AssertUnwindSafe(|| {
                pool.install(|| with_spinning_threads(|| panic!("a panic of the work")))
            }));
            assert!(failed.is_err());
            assert_eq!(
                pool.install(|| with_spinning_threads(|| with_spinning_threads(|| sum(&values)))),
                499_500
            );
        }
    }
}
