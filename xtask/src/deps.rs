//! `cargo xtask deps`: checks four rules of the architecture. Crates depend on each other only as the table
//! [`MAY_USE`] allows, only `web` (and `xtask-bindgen`, which writes its glue) uses JavaScript libraries,
//! only `kernels` and the file [`TRUSTED`] contain `unsafe`, and no product of sizes is widened after it was
//! computed ([`wide_products`]).

use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use crate::paths::{cargo, output, root};
use crate::wide_products;

/// Stands in the table below for every lab: any crate `crates/labs/NAME/`, and the template of new labs.
const A_LAB: &str = "a lab";

/// The crates that a lab may depend on. It contains no other lab.
const LAB_MAY_USE: &[&str] =
    &["kernels", "worlds", "match-files", "world-rules", "nn", "gpu", "search", "backgammon-play", "lab"];

/// For each other crate of this workspace, the crates that it may depend on. Each row lists only crates of
/// earlier rows, so the dependencies have no cycle.
const MAY_USE: &[(&str, &[&str])] = &[
    ("kernels", &[]),
    ("worlds", &["kernels"]),
    ("match-files", &["kernels", "worlds"]),
    ("world-rules", &["kernels", "worlds"]),
    ("nn", &["kernels"]),
    // The tests of `gpu` run the shaders of worlds.
    ("gpu", &["kernels", "world-rules", "nn"]),
    ("search", &["kernels"]),
    ("backgammon-play", &["kernels", "worlds", "match-files", "search"]),
    ("lab", &["nn", "gpu"]),
    ("labs", &["kernels", "nn", "gpu", "backgammon-play", "lab", A_LAB]),
    ("fleet", &["lab", "labs"]),
    ("bench", &["kernels", "worlds", "world-rules", "nn", "gpu", "backgammon-play", "lab", A_LAB, "labs"]),
    ("class", &[]),
    ("web", &["kernels", "world-rules", "gpu", "lab", "labs", "fleet", "bench"]),
    ("cli", &["kernels", "world-rules", "gpu", "backgammon-play", "lab", "labs", "fleet", "bench", "class"]),
    ("python", &["kernels", "worlds", "world-rules", "backgammon-play", "lab", "labs"]),
    (
        "fuzz",
        &[
            "kernels",
            "worlds",
            "match-files",
            "world-rules",
            "backgammon-play",
            "lab",
            "labs",
            "fleet",
            "class",
            "web",
        ],
    ),
    ("xtask", &[]),
    ("xtask-bindgen", &[]),
];

/// Libraries that bind JavaScript. A library whose name begins with one of these and a dash counts too.
const JAVASCRIPT_LIBRARIES: &[&str] =
    &["wasm-bindgen", "js-sys", "web-sys", "serde-wasm-bindgen", "console_error_panic_hook", "gloo"];

/// The one file outside of `kernels` that may contain `unsafe`: it opens a GPU with experimental features,
/// and compiles kernels without checks of their indices.
const TRUSTED: &str = "crates/gpu/src/trusted.rs";

/// A crate of the workspace, with its dependencies including those for tests and build scripts.
struct Crate {
    name: String,
    /// Whether its folder is `crates/labs/NAME/`, or the template of new labs.
    is_lab: bool,
    dependencies: Vec<String>,
}

/// Checks the rules. The error lists every violation.
pub fn check() -> Result<()> {
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let crates = crates_in(&serde_json::from_str(&metadata)?);
    ensure!(!crates.is_empty(), "cargo named no crate");
    let mut problems: Vec<String> =
        crates.iter().flat_map(|from| forbidden_dependencies(from, &crates)).collect();
    for folder in ["crates", "python/src", "xtask/template/src"] {
        let folder = root().join(folder);
        let mut files_read = 0;
        problems.extend(unsafe_outside_kernels(&folder, &mut files_read)?);
        // Otherwise the folder was renamed, and the check would find nothing.
        ensure!(files_read > 0, "{} has no Rust file", folder.display());
        problems.extend(wide_products::check(&folder)?);
    }
    if problems.is_empty() {
        eprintln!("{} crates keep the rules", crates.len());
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

/// The crates of the workspace, from the output of `cargo metadata`.
fn crates_in(metadata: &Value) -> Vec<Crate> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| short_name(value["name"].as_str().unwrap_or_default()).to_owned();
    list(&metadata["packages"])
        .iter()
        .map(|package| Crate {
            name: name(package),
            is_lab: is_lab(package["manifest_path"].as_str().unwrap_or_default()),
            dependencies: list(&package["dependencies"]).iter().map(name).collect(),
        })
        .collect()
}

/// The name of a crate without the prefix `learnery-`.
fn short_name(name: &str) -> &str {
    name.strip_prefix("learnery-").unwrap_or(name)
}

/// Whether a manifest belongs to a lab, by its path `.../crates/labs/NAME/Cargo.toml`, or to the template of
/// new labs.
fn is_lab(manifest: &str) -> bool {
    let innermost_first: Vec<&str> = manifest.rsplit(['/', '\\']).collect();
    matches!(
        innermost_first[..],
        ["Cargo.toml", _, "labs", "crates", ..] | ["Cargo.toml", "template", "xtask", ..]
    )
}

/// One sentence for each dependency of `from` that the rules forbid. `all` are the crates of the workspace.
fn forbidden_dependencies(from: &Crate, all: &[Crate]) -> Vec<String> {
    let listed = MAY_USE.iter().find(|(name, _)| *name == from.name).map(|(_, allowed)| *allowed);
    let Some(allowed) = (if from.is_lab { Some(LAB_MAY_USE) } else { listed }) else {
        return vec![format!("`{}` has no place yet: add it to MAY_USE in xtask/src/deps.rs", from.name)];
    };
    let is_lab = |name: &str| all.iter().any(|other| other.is_lab && other.name == name);
    let is_ours = |name: &str| is_lab(name) || MAY_USE.iter().any(|(known, _)| *known == name);
    let may_use = |name: &str| allowed.contains(&if is_lab(name) { A_LAB } else { name });
    // The name is one of the list, or begins with one and a dash.
    let is_javascript = |name: &str| {
        JAVASCRIPT_LIBRARIES
            .iter()
            .any(|root| name.strip_prefix(root).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    };
    let mut problems = Vec::new();
    for to in &from.dependencies {
        // A crate may depend on itself: its tests enable its optional features in this way.
        if is_ours(to) && *to != from.name && !may_use(to) {
            problems.push(format!("`{}` must not depend on `{to}`", from.name));
        }
        if is_javascript(to) && !["web", "xtask-bindgen"].contains(&from.name.as_str()) {
            problems.push(format!("`{}` must not know JavaScript, but depends on `{to}`", from.name));
        }
    }
    problems
}

/// One sentence for each use of `unsafe` outside of `kernels` and [`TRUSTED`]. The workspace's lint forbids
/// it too, but a file can override a lint, and cannot override this check. Adds the number of files that were
/// read to `files`.
fn unsafe_outside_kernels(folder: &Path, files: &mut usize) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("crates/kernels") {
                problems.extend(unsafe_outside_kernels(&path, files)?);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *files += 1;
            if path.ends_with(TRUSTED) {
                continue;
            }
            for line in unsafe_lines(&fs::read_to_string(&path)?) {
                problems
                    .push(format!("{}:{line}: `unsafe` belongs in `kernels` or {TRUSTED}", path.display()));
            }
        }
    }
    Ok(problems)
}

/// The numbers of the lines with the keyword `unsafe` outside of a comment.
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

    /// The problems of a crate `name` with these dependencies, in a workspace with two labs.
    fn problems(name: &str, dependencies: &[&str]) -> Vec<String> {
        let new_crate = |name: &str, dependencies: &[&str]| Crate {
            name: name.into(),
            is_lab: ["control", "cube"].contains(&name),
            dependencies: dependencies.iter().map(|&name| name.into()).collect(),
        };
        let workspace = ["control", "cube", "labs"].map(|name| new_crate(name, &[]));
        forbidden_dependencies(&new_crate(name, dependencies), &workspace)
    }

    #[test]
    fn table_rows_list_only_crates_of_earlier_rows() {
        for (i, (name, uses)) in MAY_USE.iter().enumerate() {
            for to in uses.iter().filter(|to| **to != A_LAB) {
                assert!(MAY_USE[..i].iter().any(|(above, _)| above == to), "{name} -> {to}");
            }
        }
    }

    #[test]
    fn forbidden_dependencies_are_found() {
        assert_eq!(problems("worlds", &["nn"]), ["`worlds` must not depend on `nn`"]);
        assert_eq!(problems("kernels", &["bytemuck", "cli"]), ["`kernels` must not depend on `cli`"]);
        assert_eq!(problems("cli", &["web"]), ["`cli` must not depend on `web`"]);
        assert!(problems("novelty", &[])[0].contains("no place yet"));
        assert_eq!(problems("control", &["cube"]), ["`control` must not depend on `cube`"]);
        assert_eq!(problems("cube", &["labs"]), ["`cube` must not depend on `labs`"]);
        assert_eq!(problems("web", &["cube"]), ["`web` must not depend on `cube`"]);
    }

    #[test]
    fn javascript_is_allowed_in_web_only() {
        for name in ["wasm-bindgen", "js-sys", "web-sys", "gloo-timers"] {
            assert_eq!(problems("labs", &[name]).len(), 1, "{name}");
            assert!(problems("web", &[name]).is_empty(), "{name}");
        }
    }

    #[test]
    fn allowed_dependencies_pass() {
        assert!(problems("labs", &["kernels", "nn", "lab", "labs", "control", "cube", "rayon"]).is_empty());
        assert!(problems("control", &["kernels", "worlds", "nn", "lab", "rayon"]).is_empty());
    }

    #[test]
    fn names_are_read_from_cargo_metadata() {
        let metadata = serde_json::json!({"packages": [
            {"name": "learnery-worlds", "dependencies": [{"name": "learnery-nn", "kind": "dev"}]},
        ]});
        let found = crates_in(&metadata);
        assert_eq!(forbidden_dependencies(&found[0], &found), ["`worlds` must not depend on `nn`"]);
        assert!(is_lab("/a/crates/labs/cube/Cargo.toml") && !is_lab("/a/crates/labs/Cargo.toml"));
        assert!(is_lab("/a/xtask/template/Cargo.toml") && !is_lab("/a/xtask/Cargo.toml"));
    }

    #[test]
    fn the_trusted_file_is_there_and_needs_its_exception() {
        let source = fs::read_to_string(root().join(TRUSTED)).expect("the file is there");
        assert!(!unsafe_lines(&source).is_empty());
    }

    #[test]
    fn unsafe_is_found_in_code_but_not_in_comments() {
        assert_eq!(unsafe_lines("fn a() {}\nunsafe { b() } // c\n// unsafe\n#![deny(unsafe_code)]"), [2]);
    }
}
