//! `xtask-bindgen MODULE FOLDER NAME [--tests | --names]`: generates the JavaScript glue of a WebAssembly
//! module with wasm-bindgen, and writes both into a folder. With `--names` the module keeps the names of its
//! functions.
//!
//! `xtask-bindgen --split MODULE LATER LIST...`: splits the module in two. Functions in the lists go into the
//! file LATER, and the first part replaces the module.
//!
//! `xtask-bindgen --order MODULE`: puts the functions of a module into an order that compresses better.
//!
//! `xtask-bindgen --plain MODULE OUTPUT`: writes the module without relaxed SIMD.
//!
//! It is a program of its own, because wasm-bindgen takes most of the time that compiling `xtask` would take:
//! `cargo xtask web` compiles it at the same time as the module.

mod order;
mod relaxed;
mod split;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["--split", module, later, lists @ ..] => return split_file(module, later, lists),
        ["--order", module] => return rewrite(module, module, order::ordered),
        ["--plain", module, output] => return rewrite(module, output, relaxed::plain),
        _ => {}
    }
    let (module, folder, name, option) = match arguments {
        [module, folder, name] => (module, folder, name, ""),
        [module, folder, name, option @ ("--tests" | "--names")] => (module, folder, name, *option),
        _ => bail!(
            "usage: xtask-bindgen MODULE FOLDER NAME [--tests | --names], --split MODULE LATER LIST..., \
             --order MODULE, or --plain MODULE OUTPUT"
        ),
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?;
    if option == "--tests" {
        // Each test is an export of the module that the glue has no wrapper for. The test runner calls these
        // exports directly, so the glue must expose the raw module (`export_wasm`). `emit_start(false)`
        // prevents a start function.
        bindgen.typescript(false).export_wasm(true).emit_start(false);
    } else {
        // The names are written as in the sources where they are read (`split::readable`).
        bindgen.remove_name_section(option != "--names").remove_producers_section(true).demangle(false);
    }
    bindgen.generate(folder).with_context(|| format!("wasm-bindgen failed on {module}"))?;
    // Before wasm-opt reads the module.
    let bound = format!("{folder}/{name}_bg.wasm");
    rewrite(&bound, &bound, relaxed::with_exact_minimum)
}

/// Reads a module, changes it, and writes it to `output`.
fn rewrite(module: &str, output: &str, change: fn(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
    let changed = change(&fs::read(module).with_context(|| format!("cannot read {module}"))?)?;
    fs::write(output, changed).with_context(|| format!("cannot write {output}"))
}

/// Splits the module in a file: the first part replaces it, and the later part is written to `later`.
fn split_file(module: &str, later: &str, lists: &[&str]) -> Result<()> {
    let mut list = String::new();
    for path in lists {
        list += &fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    }
    let whole = fs::read(module).with_context(|| format!("cannot read {module}"))?;
    let parts = split::split(&whole, &list).with_context(|| format!("{module} cannot be split"))?;
    fs::write(module, parts.first).with_context(|| format!("cannot write {module}"))?;
    fs::write(later, parts.later).with_context(|| format!("cannot write {later}"))
}
