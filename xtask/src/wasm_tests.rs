//! `cargo xtask wasm-tests`: compiles the tests of `crates/web` to WebAssembly and generates their JavaScript
//! glue. `scripts/wasm-tests.mjs` then runs them in a browser.
//!
//! `wasm-pack test --headless --chrome crates/web` runs the same tests: every test target, with the features
//! that the manifest gives them. But installing it takes minutes of compiling wasm-pack and wasm-bindgen's
//! test runner.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::bindgen::{Bindgen, executables};
use crate::paths::{cargo, output, root};

/// How the name of an exported test begins in a module.
const TEST_PREFIX: &[u8] = b"__wbgt_";

/// Builds the tests and prints the folder that contains them: one folder for each module with tests.
pub fn build() -> Result<()> {
    let folder = root().join("target/wasm-tests");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    let mut modules = Vec::new();
    for module in compile()? {
        if has_tests(&module)? {
            modules.push(module);
        }
    }
    ensure!(!modules.is_empty(), "no test target of crates/web has a test for WebAssembly");
    let bindgen = Bindgen::compile()?;
    for module in modules {
        let name = module.file_stem().unwrap_or_default();
        bindgen.generate(&module, &folder.join(name), "tests", &["--tests"])?;
    }
    eprintln!("{}", folder.display());
    Ok(())
}

/// Compiles the test modules and returns their paths. No feature is named here, and no target: `wasm-pack`
/// names none either. They are not optimised, because the tests run for seconds only, and optimising would
/// take longer. Link-time optimisation would drop the exports that are the tests.
fn compile() -> Result<Vec<PathBuf>> {
    let mut command = cargo();
    command.envs([("CARGO_PROFILE_DEV_OPT_LEVEL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "false")]);
    let messages = output(command.args([
        "test",
        "--no-run",
        "--package=learnery-web",
        "--profile=dev",
        "--target=wasm32-unknown-unknown",
        "--message-format=json-render-diagnostics",
    ]))?;
    Ok(executables(&messages).collect())
}

/// Whether a module exports a test. Those of the native tests export none.
fn has_tests(module: &Path) -> Result<bool> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    Ok(bytes.windows(TEST_PREFIX.len()).any(|window| window == TEST_PREFIX))
}
