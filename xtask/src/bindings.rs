//! What the page knows from the Rust types, written and committed, so that the page can be read and checked
//! without a Rust compiler: the TypeScript types of the protocol, and what there is to know of each lab.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::paths::{cargo, output, root};

/// What stands before the name of a file in what the program prints.
const MARK: &str = "=== ";

fn path(file: &str) -> PathBuf {
    root().join("www/generated").join(file)
}

/// Each file and what it should hold.
fn wanted() -> Result<Vec<(String, String)>> {
    let text = output(cargo().args([
        "run",
        "--quiet",
        "--package=learnery-web",
        "--features=bindings",
        "--example=bindings",
    ]))?;
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix(MARK), files.last_mut()) {
            (Some(name), _) => files.push((name.to_owned(), String::new())),
            (None, Some((_, content))) => {
                content.push_str(line);
                content.push('\n');
            }
            (None, None) => bail!("the bindings do not begin with a file"),
        }
    }
    Ok(files)
}

/// Writes the files that differ.
pub fn write() -> Result<()> {
    for (file, wanted) in wanted()? {
        let path = path(&file);
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
    for (file, wanted) in wanted()? {
        let present = fs::read_to_string(path(&file)).unwrap_or_default();
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
