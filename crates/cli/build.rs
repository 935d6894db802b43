//! Tells the program which commit its sources are based on, as `LEARNERY_COMMIT`, if that is known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A repository of another project may contain a copy of these sources. Its commits say nothing about
    // them.
    if git(&["rev-parse", "--show-prefix"]).as_deref() != Some("crates/cli/") {
        return;
    }
    // Git appends to this file with every commit and change of branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        println!("cargo:rustc-env=LEARNERY_COMMIT={commit}");
    }
}

/// The answer of git, if there is one.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|answer| answer.trim().to_owned())
}
