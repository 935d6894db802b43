//! wasm-bindgen, which generates the JavaScript glue of a WebAssembly module. It is the program
//! `xtask/bindgen`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow};
use serde_json::Value;

use crate::paths::{cargo, output, run};

/// The compiled program.
pub struct Bindgen(PathBuf);

impl Bindgen {
    /// Compiles the program, unless that is done. It shows no progress, so that it can run beside another
    /// cargo.
    pub fn compile() -> Result<Self> {
        let messages = output(cargo().args([
            "build",
            "--quiet",
            "--package=xtask-bindgen",
            "--message-format=json-render-diagnostics",
        ]))?;
        executables(&messages)
            .next()
            .map(Self)
            .ok_or_else(|| anyhow!("cargo named no program `xtask-bindgen`"))
    }

    /// Writes the module and its glue into the folder, in files that begin with `name`.
    pub fn generate(&self, module: &Path, folder: &Path, name: &str, options: &[&str]) -> Result<()> {
        run(Command::new(&self.0).arg(module).arg(folder).arg(name).args(options))
    }

    /// Puts the functions of a module into an order that compresses better.
    pub fn order_functions(&self, module: &Path) -> Result<()> {
        run(Command::new(&self.0).arg("--order").arg(module))
    }

    /// Splits a module with names of its functions: those in the lists are written to `later`.
    pub fn split(&self, module: &Path, later: &Path, lists: &[PathBuf]) -> Result<()> {
        run(Command::new(&self.0).arg("--split").arg(module).arg(later).args(lists))
    }

    /// Writes a module without relaxed SIMD to `output`.
    pub fn make_plain(&self, module: &Path, output: &Path) -> Result<()> {
        run(Command::new(&self.0).arg("--plain").arg(module).arg(output))
    }
}

/// The programs that cargo has built, from its messages in JSON.
pub fn executables(messages: &str) -> impl Iterator<Item = PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from))
}
