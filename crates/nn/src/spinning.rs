//! Threads that stay awake for work in small pieces.
//!
//! Some products are over before a sleeping thread has woken to help with them. While a text grows, the other threads
//! therefore look for work without a pause.

use std::sync::atomic::{AtomicBool, Ordering};

/// Runs `work`, all of it in the pool, while the pool's other threads stay awake to take part of whatever it shares.
pub fn with_spinning_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let over = &AtomicBool::new(false);
    rayon::scope(|scope| {
        let worker = rayon::current_thread_index();
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(move |_| {
                // The worker itself may come upon this while it waits for a piece, and must not wait for itself.
                while rayon::current_thread_index() != worker && !over.load(Ordering::Relaxed) {
                    if rayon::yield_now() != Some(rayon::Yield::Executed) {
                        std::hint::spin_loop();
                    }
                }
            });
        }
        // Whatever way `work` ends.
        let _end = Over(over);
        work()
    })
}

struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A sum by joins within joins.
    fn sum(values: &[u64]) -> u64 {
        let (left, right) = values.split_at(values.len() / 2);
        if left.is_empty() {
            return right.iter().sum();
        }
        let (left, right) = rayon::join(|| sum(left), || sum(right));
        left + right
    }

    #[test]
    fn work_comes_to_its_end_on_any_number_of_threads() {
        let values: Vec<u64> = (0..1000).collect();
        for threads in 1..5 {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
            for _ in 0..20 {
                assert_eq!(pool.install(|| with_spinning_threads(|| sum(&values))), 499_500);
            }
            let failed = catch_unwind(AssertUnwindSafe(|| {
                pool.install(|| with_spinning_threads(|| panic!("in the middle of it")))
            }));
            assert!(failed.is_err());
            assert_eq!(
                pool.install(|| with_spinning_threads(|| with_spinning_threads(|| sum(&values)))),
                499_500
            );
        }
    }
}
