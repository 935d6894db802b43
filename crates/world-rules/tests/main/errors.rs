//! What is said about texts that are wrong or strange: each file `tests/errors/NAME.world` has what is
//! printed about it in `NAME.txt`. To write these files: `LEARNERY_WRITE=1 cargo test -p learnery-world-rules
//! errors`.

use std::fs;

use learnery_world_rules::{World, render};

use crate::support::files;

#[test]
fn errors_and_warnings_are_printed_as_in_the_files() {
    let mut different = Vec::new();
    for file in files("tests/errors", "world") {
        let text = fs::read_to_string(&file).expect("a text can be read");
        let printed = match World::compile(&text) {
            Ok(world) => render(&text, world.warnings()),
            Err(errors) => render(&text, &errors),
        };
        let expected_file = file.with_extension("txt");
        if std::env::var_os("LEARNERY_WRITE").is_some() {
            fs::write(&expected_file, &printed).expect("a file can be written");
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        assert!(!expected.is_empty(), "{} is missing or empty", expected_file.display());
        if printed != expected {
            different.push(format!("{}\n{printed}", file.display()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
