//! The thread pool of the process.

use anyhow::{Context, Result};

/// Starts rayon's global thread pool with this many threads; `None` means one per logical core. Must be
/// called once, before the pool is used.
pub fn start_pool(threads: Option<u16>) -> Result<()> {
    // For rayon, 0 means the default number.
    const DEFAULT: usize = 0;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(DEFAULT, usize::from));
    pool.build_global().context("the threads cannot be started")
}
