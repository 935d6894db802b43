//! A thread pool of a chosen size.

use rayon::prelude::*;

/// A thread pool. Natively it is a new pool; a browser has a single global pool, created when the page loads.
pub struct Pool {
    /// `None` for the global pool.
    own_pool: Option<rayon::ThreadPool>,
}

impl Pool {
    /// Creates a pool, or falls back to the global pool if no threads can be created.
    pub fn new(threads: usize) -> Self {
        if cfg!(target_arch = "wasm32") {
            return Self { own_pool: None };
        }
        Self { own_pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok() }
    }

    /// Runs `work` in the pool.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.own_pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs `work` on every state in parallel. With one state for each thread, every thread works on one.
    pub fn for_each_state<S: Send>(&self, states: &mut [S], work: impl Fn(&mut S) + Sync + Send) {
        self.run(|| match states {
            // There is nothing to share, and this already runs on a thread of the pool.
            [only] => work(only),
            // One job for each state: a job of two would leave a thread idle.
            _ => states.par_iter_mut().with_max_len(1).for_each(work),
        });
    }
}
