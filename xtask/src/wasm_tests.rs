//! `cargo xtask wasm-tests`: compiles the tests in `crates/web/tests/wasm.rs` to WebAssembly and generates their
//! JavaScript glue. `scripts/wasm-tests.mjs` then runs them in a browser.
//!
//! `wasm-pack test` does the same, but installing it takes minutes of compiling wasm-pack and wasm-bindgen's test
//! runner.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use crate::bindgen::{Bindgen, executable};
use crate::paths::{cargo, output, root};

/// Builds the tests and prints the folder that contains them.
pub fn build() -> Result<()> {
    let module = compile()?;
    let folder = root().join("target/wasm-tests");
    Bindgen::compile()?.generate(&module, &folder, "tests", &["--tests"])?;
    eprintln!("{}", folder.display());
    Ok(())
}

/// Compiles the test module and returns its path. It is not optimised, because the tests run for seconds only, and
/// optimising would take longer. Link-time optimisation would drop the exports that are the tests.
fn compile() -> Result<PathBuf> {
    let mut command = cargo();
    command.envs([("CARGO_PROFILE_DEV_OPT_LEVEL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "false")]);
    let messages = output(command.args([
        "test",
        "--no-run",
        "--package=learnery-web",
        "--features=session",
        "--test=wasm",
        "--profile=dev",
        "--target=wasm32-unknown-unknown",
        "--message-format=json-render-diagnostics",
    ]))?;
    executable(&messages).ok_or_else(|| anyhow!("cargo named no test module"))
}
