//! The TypeScript types of the protocol, written from the Rust types and committed, so that the page can
//! be read and checked without a Rust compiler.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::paths::{cargo, output, root};

fn file() -> PathBuf {
    root().join("www/generated/protocol.ts")
}

fn wanted() -> Result<String> {
    output(cargo().args([
        "run",
        "--quiet",
        "--package=learnery-web",
        "--features=bindings",
        "--example=bindings",
    ]))
}

/// Writes the file where it differs.
pub fn write() -> Result<()> {
    let (file, wanted) = (file(), wanted()?);
    if fs::read_to_string(&file).is_ok_and(|present| present == wanted) {
        eprintln!("www/generated/protocol.ts is up to date");
        return Ok(());
    }
    fs::create_dir_all(file.with_file_name("")).context("cannot make www/generated")?;
    fs::write(&file, wanted).context("cannot write www/generated/protocol.ts")?;
    eprintln!("www/generated/protocol.ts written");
    Ok(())
}

/// Fails where the committed file is not what the Rust types say.
pub fn check() -> Result<()> {
    let (present, wanted) = (fs::read_to_string(file()).unwrap_or_default(), wanted()?);
    if present == wanted {
        return Ok(());
    }
    let line = present.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count() + 1;
    bail!(
        "www/generated/protocol.ts is not what the Rust types say (from line {line} on); \
         run `cargo xtask bindings` and commit it"
    )
}
