//! Project chores that cargo itself has no command for. `cargo xtask` lists them.

use std::process::ExitCode;

use anyhow::{Result, bail};

mod bindings;
mod deps;
mod new_lab;
mod paths;
mod wasm_tests;
mod web;

const HELP: &str = "\
cargo xtask bindings             write www/generated/*.ts from the Rust types
cargo xtask web [threads|simple] [LAB]...
                                 build the wasm bundles, two a lab, into www/generated/wasm;
                                 --bench builds that of the benches instead
cargo xtask wasm-tests           build the wasm tests of crates/web for a browser
cargo xtask new-lab NAME         make a lab that runs, in crates/labs/NAME and in every list
cargo xtask deps                 check the direction of the dependencies, and where unsafe and JavaScript are";

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
        ["deps"] => deps::check(),
        ["new-lab", name] => new_lab::make(&paths::root(), name),
        ["wasm-tests"] => wasm_tests::build(),
        ["web", names @ ..] => web::build(names),
        [] | ["help" | "--help" | "-h"] => {
            eprintln!("{HELP}");
            Ok(())
        }
        other => bail!("there is no chore `{}`\n\n{HELP}", other.join(" ")),
    }
}
