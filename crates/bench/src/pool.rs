//! Work on a chosen number of threads.

use rayon::prelude::*;

/// So many threads. A browser has one pool, made when the page loads; there, its size is the only choice.
pub struct Pool {
    own: Option<rayon::ThreadPool>,
}

impl Pool {
    /// A pool of `threads`. Where no further threads can be had, the one there is has to do.
    pub fn of(threads: usize) -> Self {
        if cfg!(target_arch = "wasm32") {
            return Self { own: None };
        }
        Self { own: rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok() }
    }

    /// Runs `work` in it.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.own {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Lets every thread do `work` on a state of its own.
    pub fn on_each<S: Send>(&self, states: &mut [S], work: impl Fn(&mut S) + Sync + Send) {
        self.run(|| match states {
            [only] => work(only),
            _ => states.par_iter_mut().with_max_len(1).for_each(work),
        });
    }
}
