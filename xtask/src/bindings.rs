//! What the page knows from the Rust types, written and committed, so that the page can be read and checked
//! without a Rust compiler: the TypeScript types of the protocol, and the list of labs.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::paths::{cargo, output, root};

/// What is written, each into the file of its name.
const FILES: [(&str, &str); 2] = [("types", "protocol.ts"), ("labs", "labs.ts")];

fn path(file: &str) -> PathBuf {
    root().join("www/generated").join(file)
}

fn wanted(what: &str) -> Result<String> {
    output(cargo().args([
        "run",
        "--quiet",
        "--package=learnery-web",
        "--features=bindings",
        "--example=bindings",
        what,
    ]))
}

/// Writes the files that differ.
pub fn write() -> Result<()> {
    for (what, file) in FILES {
        let (path, wanted) = (path(file), wanted(what)?);
        if fs::read_to_string(&path).is_ok_and(|present| present == wanted) {
            eprintln!("www/generated/{file} is up to date");
            continue;
        }
        fs::create_dir_all(path.with_file_name("")).context("cannot make www/generated")?;
        fs::write(&path, wanted).with_context(|| format!("cannot write www/generated/{file}"))?;
        eprintln!("www/generated/{file} written");
    }
    Ok(())
}

/// Fails where a committed file is not what the Rust types say.
pub fn check() -> Result<()> {
    for (what, file) in FILES {
        let (present, wanted) = (fs::read_to_string(path(file)).unwrap_or_default(), wanted(what)?);
        if present != wanted {
            let line = present.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count() + 1;
            bail!(
                "www/generated/{file} is not what the Rust types say (from line {line} on); \
                 run `cargo xtask bindings` and commit it"
            );
        }
    }
    Ok(())
}
