//! The files in `tests/commands`: command lines, what they write, and their exit codes. CONTRIBUTING.md tells
//! how to add one.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the files, in that of the package, where cargo runs tests.
const FOLDER: &str = "tests/commands";

#[test]
fn commands_write_what_their_files_say() {
    let cases = trycmd::TestCases::new();
    cases.register_bin("learnery", Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join("learnery.sh"));
    cases.env("LEARNERY", env!("CARGO_BIN_EXE_learnery"));
    let labs: Vec<&str> = learnery_labs::LABS.iter().map(|entry| entry.about.id).collect();
    cases.insert_var("[LABS]", labs.join(", ")).unwrap();

    let mut folders = vec![PathBuf::from(FOLDER)];
    let is_chosen = |path: &PathBuf| path.is_dir() && path.extension().is_none() && is_of_this_build(path);
    folders.extend(entries(Path::new(FOLDER)).filter(is_chosen));
    for file in folders.iter().flat_map(|folder| entries(folder)) {
        if file.extension().is_some_and(|extension| extension == "md") {
            check(&file);
            cases.case(file);
        }
    }
    cases.run();
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

/// Whether the commands in a folder `with-FEATURE` or `without-FEATURE` are those of this build.
fn is_of_this_build(folder: &Path) -> bool {
    let (word, feature) = folder.file_name().unwrap().to_str().unwrap().split_once('-').unwrap_or_default();
    let is_on = match feature {
        "fleet" => cfg!(feature = "fleet"),
        "gpu" => cfg!(feature = "gpu"),
        "watch" => cfg!(feature = "watch"),
        _ => panic!("{}: expected with-FEATURE or without-FEATURE", folder.display()),
    };
    if word == "without" { !is_on } else { is_on }
}

/// Panics if a file has commands that trycmd would leave out or run elsewhere.
fn check(file: &Path) {
    let (name, text) = (file.display(), fs::read_to_string(file).unwrap());
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("$ ")).collect();
    assert!(!commands.is_empty(), "{name} has no command");
    let unknown = commands.iter().find(|command| !command.starts_with("$ learnery "));
    assert!(unknown.is_none(), "{name}: the program has to be `learnery`: {unknown:?}");
    let blocks = text.matches("```console\n").count();
    assert_eq!(text.matches("```").count(), 2 * blocks, "{name}: only ```console is run");
    let out = file.with_extension("out");
    assert!(out.is_dir(), "{}/.keep is missing; without it {name} runs in this repository", out.display());
}
