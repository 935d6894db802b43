//! Writes the TypeScript that follows from the Rust types. `crates/web/tests/bindings.rs` makes it, and compares it in every
//! test run; it shares what the other tests have compiled.

use anyhow::Result;

use crate::paths::{cargo, run};

/// Writes the files that differ.
pub fn write() -> Result<()> {
    run(cargo().env("LEARNERY_WRITE_BINDINGS", "1").args([
        "test",
        "--quiet",
        "--package=learnery-web",
        "--features=bindings",
        "--test=bindings",
    ]))
}
