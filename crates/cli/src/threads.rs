//! The thread pool of the process.

use anyhow::{Context, Result};

/// Starts the global pool with this many threads, by default one per logical core. Call it once, before any work.
pub fn start_pool(threads: Option<u16>) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    pool.build_global().context("the threads cannot be started")
}
