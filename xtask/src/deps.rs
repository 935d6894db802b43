//! Holds the direction of the dependencies between the crates, and two walls: only `web` knows JavaScript,
//! only `kernels` has `unsafe`.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::paths::{cargo, output, root};

/// Who may use whom, of the crates of this workspace. Each line names only crates of lines above it.
const MAY_USE: &[(&str, &[&str])] = &[
    ("kernels", &[]),
    ("worlds", &["kernels"]),
    ("nn", &["kernels"]),
    ("gpu", &["kernels", "nn"]),
    ("search", &["kernels", "worlds"]),
    ("lab", &["nn"]),
    ("control", &["kernels", "worlds", "nn", "gpu", "search", "lab"]),
    ("backgammon", &["kernels", "worlds", "nn", "gpu", "search", "lab"]),
    ("cube", &["kernels", "worlds", "nn", "gpu", "search", "lab"]),
    ("logic", &["kernels", "worlds", "nn", "gpu", "search", "lab"]),
    ("language", &["kernels", "worlds", "nn", "gpu", "search", "lab"]),
    ("labs", &["kernels", "nn", "lab", "control", "backgammon", "cube", "logic", "language"]),
    (
        "bench",
        &[
            "kernels",
            "worlds",
            "nn",
            "gpu",
            "search",
            "lab",
            "control",
            "backgammon",
            "cube",
            "logic",
            "language",
            "labs",
        ],
    ),
    ("web", &["kernels", "lab", "labs", "bench"]),
    ("cli", &["kernels", "lab", "labs", "bench"]),
    ("xtask", &[]),
];

/// Only `web` uses these, or a crate whose name begins with one of them and a dash.
const JAVASCRIPT: &[&str] =
    &["wasm-bindgen", "js-sys", "web-sys", "serde-wasm-bindgen", "console_error_panic_hook", "gloo"];

/// A crate of the workspace with all it names under its dependencies, of whatever kind.
struct Crate {
    name: String,
    uses: Vec<String>,
}

/// Fails where an arrow points the wrong way or a wall has a hole; names each.
pub fn check() -> Result<()> {
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let crates = crates(&serde_json::from_str(&metadata)?);
    let mut problems: Vec<String> = crates.iter().flat_map(wrong_arrows).collect();
    problems.extend(unsafe_outside_kernels(&root().join("crates"))?);
    if problems.is_empty() {
        eprintln!("{} crates keep the direction", crates.len());
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

fn crates(metadata: &Value) -> Vec<Crate> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| short(value["name"].as_str().unwrap_or_default()).to_owned();
    list(&metadata["packages"])
        .iter()
        .map(|package| Crate {
            name: name(package),
            uses: list(&package["dependencies"]).iter().map(name).collect(),
        })
        .collect()
}

/// The names of our crates without what they have in common.
fn short(name: &str) -> &str {
    name.strip_prefix("learnery-").unwrap_or(name)
}

fn wrong_arrows(from: &Crate) -> Vec<String> {
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == from.name) else {
        return vec![format!("`{}` has no place yet: add it to MAY_USE in xtask/src/deps.rs", from.name)];
    };
    let ours = |name: &str| MAY_USE.iter().any(|(known, _)| *known == name);
    let javascript = |name: &str| {
        JAVASCRIPT
            .iter()
            .any(|root| name.strip_prefix(root).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    };
    let mut problems = Vec::new();
    for to in &from.uses {
        // A crate may name itself, to switch on features of its own for its tests.
        if ours(to) && *to != from.name && !allowed.contains(&to.as_str()) {
            problems.push(format!("`{}` must not depend on `{to}`", from.name));
        }
        if javascript(to) && !["web", "xtask"].contains(&from.name.as_str()) {
            problems.push(format!("`{}` must not know JavaScript, but depends on `{to}`", from.name));
        }
    }
    problems
}

/// The workspace's lints refuse `unsafe` too, but a file can lift a lint; this it cannot.
fn unsafe_outside_kernels(folder: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("crates/kernels") {
                problems.extend(unsafe_outside_kernels(&path)?);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            for line in unsafe_lines(&fs::read_to_string(&path)?) {
                problems.push(format!("{}:{line}: `unsafe` belongs in `kernels`", path.display()));
            }
        }
    }
    Ok(problems)
}

/// The lines on which the word stands outside a comment.
fn unsafe_lines(source: &str) -> Vec<usize> {
    let has_word = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
    };
    source.lines().enumerate().filter(|(_, line)| has_word(line)).map(|(i, _)| i + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(name: &str, uses: &[&str]) -> Vec<String> {
        wrong_arrows(&Crate { name: name.into(), uses: uses.iter().map(|&name| name.into()).collect() })
    }

    #[test]
    fn the_table_itself_points_upwards() {
        for (i, (name, uses)) in MAY_USE.iter().enumerate() {
            for to in *uses {
                assert!(MAY_USE[..i].iter().any(|(above, _)| above == to), "{name} -> {to}");
            }
        }
    }

    #[test]
    fn wrong_arrows_are_found() {
        assert_eq!(problems("worlds", &["nn"]), ["`worlds` must not depend on `nn`"]);
        assert_eq!(problems("kernels", &["bytemuck", "cli"]), ["`kernels` must not depend on `cli`"]);
        assert_eq!(problems("cli", &["web"]), ["`cli` must not depend on `web`"]);
        assert!(problems("novelty", &[])[0].contains("no place yet"));
    }

    #[test]
    fn javascript_stays_in_web() {
        for name in ["wasm-bindgen", "wasm-bindgen-rayon", "js-sys", "web-sys", "gloo-timers"] {
            assert_eq!(problems("labs", &[name]).len(), 1, "{name}");
            assert!(problems("web", &[name]).is_empty(), "{name}");
        }
    }

    #[test]
    fn right_arrows_pass() {
        assert!(problems("labs", &["kernels", "worlds", "nn", "lab", "labs", "rayon"]).is_empty());
    }

    #[test]
    fn names_are_read_from_what_cargo_says() {
        let metadata = serde_json::json!({"packages": [
            {"name": "learnery-worlds", "dependencies": [{"name": "learnery-nn", "kind": "dev"}]},
        ]});
        let found = crates(&metadata);
        assert_eq!(wrong_arrows(&found[0]), ["`worlds` must not depend on `nn`"]);
    }

    #[test]
    fn the_word_unsafe_is_found_in_code_alone() {
        assert_eq!(unsafe_lines("fn a() {}\nunsafe { b() } // c\n// unsafe\n#![deny(unsafe_code)]"), [2]);
    }
}
