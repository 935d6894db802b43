//! `cargo xtask new-lab NAME`: creates a lab that runs and that the page shows, as a starting point for a
//! real one.
//!
//! The new crate is a copy of `xtask/template/`, a small lab called `bandit`, under the new name. The
//! template is a crate of the workspace, so it is compiled, tested and linted like a lab. Its part of the
//! page is `xtask/template/www/`, whose types `tests/page/add-a-lab.test.mjs` checks. The new lab must also
//! be added to every list of labs (`LISTS`). There, each line about the existing lab `cube` is copied and
//! renamed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::paths::{cargo, run};

/// The name of the lab in the template.
const TEMPLATE_LAB: &str = "bandit";

/// The existing lab whose lines in the lists are copied.
const MODEL_LAB: &str = "cube";

/// The files of the new crate, with their text from the template.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml")),
    ("README.md", include_str!("../template/README.md")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/settings.json", include_str!("../template/src/settings.json")),
    ("src/tools/evaluate.json", include_str!("../template/src/tools/evaluate.json")),
    ("src/tools/evaluate.rs", include_str!("../template/src/tools/evaluate.rs")),
    ("src/tools/mod.rs", include_str!("../template/src/tools/mod.rs")),
    ("tests/main/contract.rs", include_str!("../template/tests/main/contract.rs")),
    ("tests/main/main.rs", include_str!("../template/tests/main/main.rs")),
];

/// The files of the new lab's folder in the page.
const PAGE_FILES: [(&str, &str); 8] = [
    ("manifest.ts", include_str!("../template/www/manifest.ts")),
    ("view.ts", include_str!("../template/www/view.ts")),
    ("view.css", include_str!("../template/www/view.css")),
    ("embed.css", include_str!("../template/www/embed.css")),
    ("story.ts", include_str!("../template/www/story.ts")),
    ("tour.ts", include_str!("../template/www/tour.ts")),
    ("suggestions.ts", include_str!("../template/www/suggestions.ts")),
    ("load-limits.json", include_str!("../template/www/load-limits.json")),
];

/// The files with lists of labs. For each file, the beginnings of the lines about the lab [`MODEL_LAB`]. A
/// beginning with `[[` means a block of lines (a TOML table).
const LISTS: [(&str, &[&str]); 5] = [
    ("Cargo.toml", &["    \"crates/labs/cube\",", "learnery-cube = "]),
    ("crates/labs/Cargo.toml", &["    \"learnery-cube/bindings\",", "learnery-cube.workspace"]),
    ("crates/labs/src/lib.rs", &["pub use learnery_cube", "    Entry::of::<cube::Cube>()"]),
    ("crates/bench/Cargo.toml", &["learnery-cube.workspace"]),
    ("crates/web/Cargo.toml", &["[[bin]]\nname = \"cube\""]),
];

/// Creates the lab `name` in the repository at `root`.
pub fn create(root: &Path, name: &str) -> Result<()> {
    let is_valid = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    ensure!(is_valid, "`{name}` is no name of a lab; it takes small letters and digits, such as `maze`");
    let folder = root.join("crates/labs").join(name);
    let page = root.join("www/labs").join(name);
    ensure!(!folder.exists() && !page.exists(), "there is a lab `{name}` already");

    for (folder, files) in [(&folder, &FILES[..]), (&page, &PAGE_FILES)] {
        for (file, text) in files {
            write(&folder.join(file), &renamed(text, TEMPLATE_LAB, name))?;
        }
    }
    for (file, starts) in LISTS {
        let path = root.join(file);
        let mut text = read(&path)?;
        for start in starts {
            text = with_copy(&text, start, name).with_context(|| format!("{file} has no line `{start}`"))?;
        }
        write(&path, &text)?;
    }
    let bundle = read(&root.join("crates/web/bundles/cube.rs"))?;
    write(&root.join(format!("crates/web/bundles/{name}.rs")), &renamed(&bundle, MODEL_LAB, name))?;

    eprintln!(
        "crates/labs/{name} runs, and www/labs/{name} shows it. Next:\n  \
         cargo test -p learnery-{name}\n  \
         cargo run --release -- train {name}\n  \
         cargo xtask bindings\n\
         docs/add-a-lab.md lists what to add: a small picture for the front, learning tests, documents."
    );
    Ok(())
}

/// Formats the code of the new lab and the list of labs. That sorts their `use` lines, whose order depends on
/// the lab's name.
pub fn format(name: &str) -> Result<()> {
    run(cargo().args(["fmt", "--package=learnery-labs", &format!("--package=learnery-{name}")]))
}

/// `text` with the names of the lab `from` and of its type (such as `maze` and `Maze`) replaced by the names
/// of the lab `to` and of its type.
fn renamed(text: &str, from: &str, to: &str) -> String {
    text.replace(from, to).replace(&type_name(from), &type_name(to))
}

/// The name of a lab's type: the name of the lab with a capital letter.
fn type_name(lab: &str) -> String {
    lab[..1].to_uppercase() + &lab[1..]
}

/// Inserts, after each line that begins with `start`, a copy of the line that is renamed to the lab `name`.
/// If `start` opens a TOML table (`[[bin]]`), the whole table up to the next empty line is copied. Returns
/// `None` if no line begins with `start`, or if such a table is not followed by an empty line.
fn with_copy(text: &str, start: &str, name: &str) -> Option<String> {
    let begins_line = |offset: usize| offset == 0 || text.as_bytes()[offset - 1] == b'\n';
    let offsets: Vec<usize> =
        text.match_indices(start).map(|(offset, _)| offset).filter(|offset| begins_line(*offset)).collect();
    let terminator = if start.starts_with("[[") { "\n\n" } else { "\n" };
    let mut result = text.to_owned();
    // Backwards, so that an insertion does not shift the offsets that follow.
    for &offset in offsets.iter().rev() {
        let end = offset + text[offset..].find(terminator)? + terminator.len();
        result.insert_str(end, &renamed(&text[offset..end], MODEL_LAB, name));
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
    use std::path::PathBuf;

    use serde_json::Value;

    use super::*;
    use crate::paths::{output, root};

    /// Creates a folder with copies of the files that `create` edits or copies, and nothing else.
    fn empty_workspace(folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        for (file, _) in LISTS {
            write(&folder.join(file), &read(&root().join(file)).unwrap()).unwrap();
        }
        let bundle = "crates/web/bundles/cube.rs";
        write(&folder.join(bundle), &read(&root().join(bundle)).unwrap()).unwrap();
    }

    /// Cargo accepts the new crate and its line in the workspace's manifest. That its code compiles follows
    /// from [`new_lab_is_the_template_under_its_name`].
    #[test]
    fn new_lab_is_a_package_of_the_workspace() {
        let folder = root().join("target/new-lab-package");
        empty_workspace(&folder);
        create(&folder, "maze").unwrap();

        // The new lab becomes the only member of the test's workspace. Its dependencies are the crates of
        // this repository.
        let manifest = read(&folder.join("Cargo.toml")).unwrap();
        let begin = manifest.find("members = [").unwrap();
        let end = begin + manifest[begin..].find("]\n").unwrap();
        assert!(manifest[begin..end].contains("\"crates/labs/maze\""), "the workspace has no member `maze`");
        let repository = format!("path = \"{}/crates/", root().display());
        let manifest = format!("{}members = [\"crates/labs/maze\"{}", &manifest[..begin], &manifest[end..])
            .replace("default-members = [\"crates/cli\"]\n", "")
            .replace("path = \"crates/", &repository)
            .replace(&format!("{repository}labs/maze"), "path = \"crates/labs/maze");
        write(&folder.join("Cargo.toml"), &manifest).unwrap();

        let metadata = ["metadata", "--no-deps", "--offline", "--format-version=1"];
        let metadata = output(cargo().current_dir(&folder).args(metadata)).unwrap();
        let metadata: Value = serde_json::from_str(&metadata).unwrap();
        let package = &metadata["packages"][0];
        assert_eq!(package["name"], "learnery-maze");
        let targets: Vec<&Value> =
            package["targets"].as_array().unwrap().iter().map(|target| &target["name"]).collect();
        assert_eq!(targets, ["learnery_maze", "main"]);
        assert!(package["features"]["bindings"].is_array());
    }

    /// The template is compiled, and its contract test runs with the Rust tests. The new lab differs from it
    /// only in the name, which occurs nowhere in the template. So it compiles and keeps the contract too.
    #[test]
    fn new_lab_is_the_template_under_its_name() {
        let folder = root().join("target/new-lab-files");
        empty_workspace(&folder);
        create(&folder, "maze").unwrap();
        for (place, files) in [("crates/labs/maze", &FILES[..]), ("www/labs/maze", &PAGE_FILES)] {
            for (file, text) in files {
                assert!(!text.to_lowercase().contains("maze"), "{file}");
                let new = read(&folder.join(place).join(file)).unwrap();
                assert!(!new.to_lowercase().contains(TEMPLATE_LAB), "{file}");
                assert_eq!(renamed(&new, "maze", TEMPLATE_LAB), *text, "{file}");
            }
        }
        let mut all = Vec::new();
        files_below(&root().join("xtask/template"), &mut all);
        assert_eq!(
            all.len(),
            FILES.len() + PAGE_FILES.len(),
            "a file of the template is not copied: {all:?}"
        );
    }

    fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files_below(&path, files);
            } else {
                files.push(path);
            }
        }
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
        holds("crates/bench/Cargo.toml", "learnery-maze.workspace = true");
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
