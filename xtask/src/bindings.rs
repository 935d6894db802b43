//! `cargo xtask bindings`: writes the TypeScript files in `www/generated/`, which are generated from Rust
//! types.
//!
//! The test `crates/web/tests/main/bindings.rs` generates them. It normally compares them with the committed
//! files; an environment variable makes it write them instead. The generator is a test so that it reuses the
//! compiled dependencies of the other tests.

use anyhow::Result;

use crate::paths::{cargo, run};

/// Writes the files that differ from the committed ones.
pub fn write() -> Result<()> {
    run(cargo().env("LEARNERY_WRITE_BINDINGS", "1").args([
        "test",
        "--quiet",
        "--package=learnery-web",
        "--features=bindings",
        "--test=main",
        "bindings::",
    ]))
}
