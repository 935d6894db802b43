//! Builds the wasm tests of `crates/web` and binds them for a browser. `scripts/wasm-tests.mjs` runs them there. It is
//! what `wasm-pack test` does, without the minutes that wasm-pack and wasm-bindgen's runner take to compile.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::paths::{output, root};
use crate::web;

/// Builds and binds; prints the folder that holds the result.
pub fn build() -> Result<()> {
    let module = compile()?;
    let folder = root().join("target/wasm-tests");
    // Exported whole, because the tests are exports that the glue does not know.
    Bindgen::new()
        .input_path(&module)
        .out_name("tests")
        .web(true)?
        .typescript(false)
        .export_wasm(true)
        .emit_start(false)
        .generate(&folder)
        .with_context(|| format!("wasm-bindgen failed on {}", module.display()))?;
    eprintln!("{}", folder.display());
    Ok(())
}

/// Compiles the test module with what the simple bundles have compiled; returns its path.
fn compile() -> Result<PathBuf> {
    let messages = output(web::simple_cargo()?.args([
        "test",
        "--no-run",
        "--package=learnery-web",
        "--test=wasm",
        "--profile=wasm",
        "--features=bundles",
        "--message-format=json-render-diagnostics",
    ]))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| anyhow!("cargo named no test module"))
}
