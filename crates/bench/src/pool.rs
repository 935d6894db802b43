//! A thread pool of a chosen size.

use rayon::prelude::*;

/// A pool of its own natively. A browser has a single pool, created when the page loads, which is used there.
pub struct Pool {
    own: Option<rayon::ThreadPool>,
}

impl Pool {
    /// Falls back to the global pool if no threads can be created.
    pub fn new(threads: usize) -> Self {
        if cfg!(target_arch = "wasm32") {
            return Self { own: None };
        }
        Self { own: rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok() }
    }

    /// Runs `work` in the pool.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.own {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs `work` on every state in parallel; with one state for each thread, that is once on each thread.
    pub fn for_each_state<S: Send>(&self, states: &mut [S], work: impl Fn(&mut S) + Sync + Send) {
        self.run(|| match states {
            [only] => work(only),
            _ => states.par_iter_mut().with_max_len(1).for_each(work),
        });
    }
}
