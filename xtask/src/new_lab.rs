//! `cargo xtask new-lab NAME`: a lab that runs, to be filled with life.
//!
//! The crate comes from `xtask/template/`, with the template's name replaced. Every line outside of it that names the lab
//! `control` in a list of labs is copied for the new one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The lab of the template, and the lab whose lines are copied.
const TEMPLATE: &str = "bandit";
const NEIGHBOUR: &str = "control";

/// Files of the template and where they go in the new crate.
const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/manifest.toml")),
    ("README.md", include_str!("../template/README.md")),
    ("src/lib.rs", include_str!("../template/lib.rs")),
    ("tests/contract.rs", include_str!("../template/contract.rs")),
];

/// Files with lists of labs, and how a line (or block of lines) of such a list begins.
const LISTS: [(&str, &[&str]); 4] = [
    ("Cargo.toml", &["    \"crates/labs/control\",", "learnery-control = "]),
    ("crates/labs/Cargo.toml", &["    \"learnery-control/bindings\",", "learnery-control.workspace"]),
    ("crates/labs/src/lib.rs", &["pub use learnery_control", "    Entry::of::<control::Control>()"]),
    ("crates/web/Cargo.toml", &["[[bin]]\nname = \"control\""]),
];

/// Makes the lab `name` in the repository at `root`.
pub fn make(root: &Path, name: &str) -> Result<()> {
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
    write(&root.join(format!("crates/web/bundles/{name}.rs")), &renamed(&bundle, NEIGHBOUR, name))?;

    eprintln!(
        "crates/labs/{name} runs. Next:\n  \
         cargo test -p learnery-{name}\n  \
         cargo run --release -- train {name}\n  \
         cargo xtask bindings\n\
         docs/add-a-lab.md says what makes it a full citizen."
    );
    Ok(())
}

/// `text` with the name of one lab, and that of its type, replaced by another's.
fn renamed(text: &str, from: &str, to: &str) -> String {
    text.replace(from, to).replace(&type_name(from), &type_name(to))
}

fn type_name(lab: &str) -> String {
    lab[..1].to_uppercase() + &lab[1..]
}

/// The block of lines that begins with `start` ends at an empty line in a table, otherwise with its first line. A renamed
/// copy is put behind each.
fn with_copy(text: &str, start: &str, name: &str) -> Option<String> {
    let begins = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    let positions: Vec<usize> =
        text.match_indices(start).map(|(at, _)| at).filter(|at| begins(*at)).collect();
    let mut result = text.to_owned();
    for at in positions.iter().rev() {
        let end = if start.starts_with("[[") { "\n\n" } else { "\n" };
        let end = at + text[*at..].find(end)? + end.len();
        result.insert_str(end, &renamed(&text[*at..end], NEIGHBOUR, name));
    }
    (!positions.is_empty()).then_some(result)
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

    /// A workspace with nothing but the lists, in which a lab can be made.
    fn empty_workspace(folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        for (file, _) in LISTS {
            write(&folder.join(file), &read(&root().join(file)).unwrap()).unwrap();
        }
        let bundle = "crates/web/bundles/control.rs";
        write(&folder.join(bundle), &read(&root().join(bundle)).unwrap()).unwrap();
    }

    #[test]
    fn new_lab_builds_and_keeps_the_contract() {
        let folder = root().join("target/new-lab-test");
        empty_workspace(&folder);
        make(&folder, "maze").unwrap();

        // Only the new lab is a member; what it depends on is the repository's.
        let manifest = read(&folder.join("Cargo.toml")).unwrap();
        let begin = manifest.find("members = [").unwrap();
        let end = begin + manifest[begin..].find("]\n").unwrap();
        assert!(manifest[begin..end].contains("\"crates/labs/maze\""), "the workspace has no member `maze`");
        let repository = format!("path = \"{}/crates/", root().display());
        let manifest = format!("{}members = [\"crates/labs/maze\"{}", &manifest[..begin], &manifest[end..])
            .replace("default-members = [\"crates/cli\"]\n", "")
            .replace("path = \"crates/", &repository)
            .replace(&format!("{repository}labs/maze"), "path = \"crates/labs/maze");
        let profiles = manifest.find("[profile.test.package]").unwrap();
        write(&folder.join("Cargo.toml"), &manifest[..profiles]).unwrap();
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
        make(&folder, "maze").unwrap();
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
        let again = make(&folder, "maze").unwrap_err().to_string();
        assert!(again.contains("already"), "{again}");
    }

    #[test]
    fn bad_names_are_refused() {
        for name in ["", "Maze", "a-b", "../x", "9lives"] {
            assert!(make(&root().join("target/new-lab-none"), name).is_err(), "{name}");
        }
    }
}
