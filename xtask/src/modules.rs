//! Part of `cargo xtask deps`: finds Rust files that no target compiles. Rust reads a file only if a `mod`
//! line names it, and does not tell when that line is missing, so the tests in such a file would silently not
//! run.
//!
//! Files are read line by line, which is enough for code that rustfmt has formatted.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::paths::{cargo, output, root};

/// Checks the packages of the workspace. The error lists every file that no target compiles.
pub fn check() -> Result<()> {
    let metadata: Value =
        serde_json::from_str(&output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let path = |value: &Value| PathBuf::from(value.as_str().unwrap_or_default());
    let packages = list(&metadata["packages"]);
    let folders: Vec<PathBuf> =
        packages.iter().map(|package| path(&package["manifest_path"]).with_file_name("")).collect();
    let mut compiled = BTreeSet::new();
    for target in packages.iter().flat_map(|package| list(&package["targets"])) {
        add_modules(&path(&target["src_path"]), true, &mut compiled)?;
    }
    let mut present = BTreeSet::new();
    for folder in folders {
        add_rust_files(&folder, &mut present)?;
    }
    let forgotten: Vec<String> = present
        .difference(&compiled)
        .map(|file| {
            let file = file.strip_prefix(root()).unwrap_or(file);
            format!("{}: nothing compiles this file; a `mod` line is missing", file.display())
        })
        .collect();
    if forgotten.is_empty() {
        eprintln!("all {} Rust files are compiled", present.len());
        return Ok(());
    }
    bail!("{}", forgotten.join("\n"))
}

/// Adds the Rust files in a folder and its subfolders.
fn add_rust_files(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            // The target folder of a package that is a workspace of its own for some tool, such as
            // cargo-fuzz.
            if !path.ends_with("target") {
                add_rust_files(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    Ok(())
}

/// Adds a file and the files of its modules. `is_root` is whether it is the root of a target.
fn add_modules(file: &Path, is_root: bool, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !files.insert(file.to_owned()) {
        return Ok(());
    }
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let parent = file.parent().unwrap_or(Path::new(""));
    let folder =
        if is_root || file.ends_with("mod.rs") { parent.to_owned() } else { file.with_extension("") };
    for module in modules(&text) {
        let inside = module.outer.iter().fold(folder.clone(), |folder, name| folder.join(name));
        let candidates = match module.path {
            Some(path) if module.outer.is_empty() => vec![without_parent_parts(&parent.join(path))],
            Some(path) => vec![without_parent_parts(&inside.join(path))],
            None => {
                vec![inside.join(module.name).with_extension("rs"), inside.join(module.name).join("mod.rs")]
            }
        };
        for candidate in candidates.iter().filter(|candidate| candidate.is_file()) {
            add_modules(candidate, false, files)?;
        }
    }
    Ok(())
}

/// The same path without `..`.
fn without_parent_parts(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        if part.as_os_str() == ".." {
            result.pop();
        } else {
            result.push(part);
        }
    }
    result
}

/// A line `mod NAME;`.
#[derive(Debug, PartialEq)]
struct Module<'a> {
    name: &'a str,
    /// The names of the inline modules (`mod NAME { ... }`) around it.
    outer: Vec<&'a str>,
    /// From the attribute `path`.
    path: Option<&'a str>,
}

/// The modules that a file declares and that are in files of their own.
fn modules(text: &str) -> Vec<Module<'_>> {
    let mut found = Vec::new();
    // The indentation and the name of each inline module whose end has not been reached.
    let mut open: Vec<(usize, &str)> = Vec::new();
    // From the attributes before a `mod` line: the path in every build, and the path in some builds.
    let (mut path, mut conditional_path) = (None, None);
    for line in text.lines() {
        let code = line.trim_start();
        let indentation = line.len() - code.len();
        if code == "}" && open.last().is_some_and(|(opened, _)| *opened == indentation) {
            open.pop();
        }
        if let Some(quoted) = code.strip_prefix("#[path = \"") {
            path = quoted.split('"').next();
            continue;
        }
        if code.starts_with("#[") {
            // Another attribute of the same module. With `cfg_attr` the path holds in some builds only.
            let conditional = code.strip_prefix("#[cfg_attr(").and_then(|rest| rest.split_once(" path = \""));
            conditional_path =
                conditional.and_then(|(_, quoted)| quoted.split('"').next()).or(conditional_path);
            continue;
        }
        if let Some((name, rest)) = declared(code) {
            match rest {
                ";" => {
                    let outer: Vec<&str> = open.iter().map(|(_, name)| *name).collect();
                    if conditional_path.is_some() {
                        found.push(Module { name, outer: outer.clone(), path: conditional_path });
                    }
                    found.push(Module { name, outer, path });
                }
                " {" => open.push((indentation, name)),
                _ => {}
            }
        }
        (path, conditional_path) = (None, None);
    }
    found
}

/// The name of the module that a line declares, and what follows it up to a comment.
fn declared(code: &str) -> Option<(&str, &str)> {
    let code = code.split(" //").next().unwrap_or(code);
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => code,
    };
    let code = code.strip_prefix("mod ")?;
    Some(code.split_at(code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module<'a>(name: &'a str, outer: &[&'a str], path: Option<&'a str>) -> Module<'a> {
        Module { name, outer: outer.to_vec(), path }
    }

    #[test]
    fn modules_are_read_from_their_lines() {
        let text = "mod a;\npub mod b; // why\npub(crate) mod c;\n#[cfg(unix)]\n#[path = \"../d.rs\"]\n#[rustfmt::skip]\n\
                    mod d;\n// mod e;\nmod inline {\n    mod f;\n    mod deeper {\n        mod g;\n    }\n    fn h() {\n    }\n}\n\
                    #[cfg_attr(unix, path = \"k.rs\")]\nmod i;\nmodel;\nmod empty {}\nmod j;\n";
        let expected = [
            module("a", &[], None),
            module("b", &[], None),
            module("c", &[], None),
            module("d", &[], Some("../d.rs")),
            module("f", &["inline"], None),
            module("g", &["inline", "deeper"], None),
            module("i", &[], Some("k.rs")),
            module("i", &[], None),
            module("j", &[], None),
        ];
        assert_eq!(modules(text), expected);
    }

    #[test]
    fn files_without_a_mod_line_are_found() {
        let folder = root().join("target/modules-test");
        let _ = fs::remove_dir_all(&folder);
        for (file, text) in [
            (
                "tests/main/main.rs",
                "mod a;\nmod inline {\n    mod b;\n}\n#[path = \"../common/mod.rs\"]\nmod c;\n",
            ),
            ("tests/main/a.rs", "mod inner;\n"),
            ("tests/main/a/inner.rs", ""),
            ("tests/main/inline/b.rs", ""),
            ("tests/common/mod.rs", "mod d;\n"),
            ("tests/common/d.rs", ""),
            ("tests/main/forgotten.rs", "#[test]\nfn runs() {}\n"),
            ("tests/main/inner.rs", ""),
        ] {
            let file = folder.join(file);
            fs::create_dir_all(file.with_file_name("")).unwrap();
            fs::write(file, text).unwrap();
        }
        let (mut compiled, mut present) = (BTreeSet::new(), BTreeSet::new());
        add_modules(&folder.join("tests/main/main.rs"), true, &mut compiled).unwrap();
        add_rust_files(&folder, &mut present).unwrap();
        let forgotten: Vec<&Path> =
            present.difference(&compiled).map(|file| file.strip_prefix(&folder).unwrap()).collect();
        assert_eq!(forgotten, ["tests/main/forgotten.rs", "tests/main/inner.rs"].map(Path::new));
        assert!(compiled.is_subset(&present), "{compiled:?}");
    }
}
