//! `cargo xtask new-lab NAME`: creates a lab that runs, as a starting point for a real one.
//!
//! The new crate is a copy of `xtask/template/`, a small lab called `bandit`, under the new name. The lab must also be
//! added to every list of labs (`LISTS`). There, each line about the existing lab `control` is copied and renamed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The name of the lab in the template.
const TEMPLATE: &str = "bandit";

/// The existing lab whose lines in the lists are copied.
const MODEL: &str = "control";

/// The files of the new crate, with their text from the template.
const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/manifest.toml")),
    ("README.md", include_str!("../template/README.md")),
    ("src/lib.rs", include_str!("../template/lib.rs")),
    ("tests/contract.rs", include_str!("../template/contract.rs")),
];

/// The files with lists of labs. For each file, the beginnings of the lines about the lab [`MODEL`]. A beginning with
/// `[[` means a block of lines (a TOML table).
const LISTS: [(&str, &[&str]); 4] = [
    ("Cargo.toml", &["    \"crates/labs/control\",", "learnery-control = "]),
    ("crates/labs/Cargo.toml", &["    \"learnery-control/bindings\",", "learnery-control.workspace"]),
    ("crates/labs/src/lib.rs", &["pub use learnery_control", "    Entry::of::<control::Control>()"]),
    ("crates/web/Cargo.toml", &["[[bin]]\nname = \"control\""]),
];

/// Creates the lab `name` in the repository at `root`.
pub fn create(root: &Path, name: &str) -> Result<()> {
    let valid = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    ensure!(valid, "`{name}` is no name of a lab; it takes small letters and digits, such as `maze`");
    let folder = root.join("crates/labs").join(name);
    ensure!(!folder.exists(), "there is a lab `{name}` already");

    for (file, text) in FILES {
        write(&folder.join(file), &renamed(text, TEMPLATE, name))?;
    }
    for (file, starts) in LISTS {
        let path = root.join(file);
        let mut text = read(&path)?;
        for start in starts {
            text = with_copy(&text, start, name).with_context(|| format!("{file} has no line `{start}`"))?;
        }
        write(&path, &text)?;
    }
    let bundle = read(&root.join("crates/web/bundles/control.rs"))?;
    write(&root.join(format!("crates/web/bundles/{name}.rs")), &renamed(&bundle, MODEL, name))?;

    eprintln!(
        "crates/labs/{name} runs. Next:\n  \
         cargo test -p learnery-{name}\n  \
         cargo run --release -- train {name}\n  \
         cargo xtask bindings\n\
         docs/add-a-lab.md lists what to add: a picture on the page, learning tests, documents."
    );
    Ok(())
}

/// `text` with the name of the lab `from` and of its type (such as `maze` and `Maze`) replaced by those of the lab
/// `to`.
fn renamed(text: &str, from: &str, to: &str) -> String {
    text.replace(from, to).replace(&type_name(from), &type_name(to))
}

/// The name of a lab's type: the name of the lab with a capital letter.
fn type_name(lab: &str) -> String {
    lab[..1].to_uppercase() + &lab[1..]
}

/// Inserts, after each line that begins with `start`, a copy of the line that is renamed to the lab `name`. If `start`
/// opens a TOML table (`[[bin]]`), the whole table up to the next empty line is copied. Returns `None` if no line
/// begins with `start`.
fn with_copy(text: &str, start: &str, name: &str) -> Option<String> {
    let begins_line = |offset: usize| offset == 0 || text.as_bytes()[offset - 1] == b'\n';
    let offsets: Vec<usize> =
        text.match_indices(start).map(|(offset, _)| offset).filter(|offset| begins_line(*offset)).collect();
    let terminator = if start.starts_with("[[") { "\n\n" } else { "\n" };
    let mut result = text.to_owned();
    // Backwards, so that an insertion does not shift the offsets that follow.
    for &offset in offsets.iter().rev() {
        let end = offset + text[offset..].find(terminator)? + terminator.len();
        result.insert_str(end, &renamed(&text[offset..end], MODEL, name));
    }
    (!offsets.is_empty()).then_some(result)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::{cargo, root};

    /// Creates a folder with copies of the files that `create` edits, and nothing else.
    fn empty_workspace(folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        for (file, _) in LISTS {
            write(&folder.join(file), &read(&root().join(file)).unwrap()).unwrap();
        }
        let bundle = "crates/web/bundles/control.rs";
        write(&folder.join(bundle), &read(&root().join(bundle)).unwrap()).unwrap();
    }

    #[test]
    fn new_lab_builds_and_passes_its_contract_test() {
        let folder = root().join("target/new-lab-test");
        empty_workspace(&folder);
        create(&folder, "maze").unwrap();

        // The new lab becomes the only member of the test's workspace. Its dependencies are the crates of this
        // repository.
        let manifest = read(&folder.join("Cargo.toml")).unwrap();
        let begin = manifest.find("members = [").unwrap();
        let end = begin + manifest[begin..].find("]\n").unwrap();
        assert!(manifest[begin..end].contains("\"crates/labs/maze\""), "the workspace has no member `maze`");
        let repository = format!("path = \"{}/crates/", root().display());
        let manifest = format!("{}members = [\"crates/labs/maze\"{}", &manifest[..begin], &manifest[end..])
            .replace("default-members = [\"crates/cli\"]\n", "")
            .replace("path = \"crates/", &repository)
            .replace(&format!("{repository}labs/maze"), "path = \"crates/labs/maze");
        // The contract test is short, so compiling without optimisation takes less time in all.
        let profiles = manifest.find("[profile.test.package]").unwrap();
        let unoptimised: String = ["kernels", "lab", "nn", "maze"]
            .map(|name| format!("[profile.dev.package.learnery-{name}]\nopt-level = 0\n"))
            .concat();
        write(&folder.join("Cargo.toml"), &format!("{}{unoptimised}", &manifest[..profiles])).unwrap();
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

        let mut test = cargo();
        test.current_dir(&folder)
            .args(["test", "--offline", "--quiet", "--target-dir"])
            .arg(root().join("target"));
        let output = test.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}");
        assert!(out.contains("1 passed"));
    }

    #[test]
    fn new_lab_is_in_every_list() {
        let folder = root().join("target/new-lab-lists");
        empty_workspace(&folder);
        create(&folder, "maze").unwrap();
        let holds = |file: &str, text: &str| {
            assert!(read(&folder.join(file)).unwrap().contains(text), "{file} lacks {text}");
        };
        holds("Cargo.toml", "learnery-maze = { path = \"crates/labs/maze\" }");
        holds("Cargo.toml", "learnery-maze = { opt-level = 3 }");
        holds("crates/labs/Cargo.toml", "learnery-maze.workspace = true");
        holds("crates/labs/Cargo.toml", "\"learnery-maze/bindings\"");
        holds("crates/labs/src/lib.rs", "Entry::of::<maze::Maze>(),");
        holds("crates/web/Cargo.toml", "name = \"maze\"\npath = \"bundles/maze.rs\"");
        holds("crates/web/bundles/maze.rs", "Entry::of::<Maze>()");
        let second_error = create(&folder, "maze").unwrap_err().to_string();
        assert!(second_error.contains("already"), "{second_error}");
    }

    #[test]
    fn invalid_lab_names_are_rejected() {
        for name in ["", "Maze", "a-b", "../x", "9lives"] {
            assert!(create(&root().join("target/new-lab-none"), name).is_err(), "{name}");
        }
    }
}
