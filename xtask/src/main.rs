//! Development commands of this repository that cargo lacks, run as `cargo xtask COMMAND`. Without a command,
//! prints the list.

use std::process::ExitCode;

use anyhow::{Result, bail};

mod bindgen;
mod bindings;
mod bundle_cache;
mod bundle_keys;
mod deps;
mod modules;
mod new_lab;
mod paths;
mod pool_workers;
mod wasm_tests;
mod web;
mod wide_products;

const HELP: &str = "\
cargo xtask bindings             write www/generated/*.ts from the Rust types
cargo xtask web [--bench] [--compile] [threads|threads-plain|simple|gpu]... [LAB]...
                                 build the WebAssembly bundles into www/generated/wasm, with
                                 threads, without relaxed SIMD (threads-plain), without threads (simple)
                                 and for GPUs; --bench builds the benchmarks' instead, --compile stops
                                 before the steps that need the npm packages. LEARNERY_BUNDLE_CACHE=off
                                 ignores finished bundles in the user's cache folder
cargo xtask wasm-tests           build the wasm tests of crates/web for a browser
cargo xtask new-lab NAME         create a lab that runs, in crates/labs/NAME, and add it to every list of labs
cargo xtask deps                 check which crates depend on which, where `unsafe` and JavaScript are, that
                                 sizes are multiplied in wide types, and that every Rust file is compiled";

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
        ["bindings"] => bindings::write(),
        ["deps"] => deps::check().and_then(|()| modules::check()),
        ["new-lab", name] => new_lab::create(&paths::root(), name).and_then(|()| new_lab::format(name)),
        ["wasm-tests"] => wasm_tests::build(),
        ["web", names @ ..] => web::build(names),
        [] | ["help" | "--help" | "-h"] => {
            eprintln!("{HELP}");
            Ok(())
        }
        other => bail!("there is no command `{}`\n\n{HELP}", other.join(" ")),
    }
}
