//! Replays the committed corpus: inputs chosen to reach different code, and every input that ever made a
//! target fail.

use std::fs;
use std::path::Path;

#[test]
fn corpus_passes_every_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, target) in learnery_fuzz::TARGETS {
        let files = fs::read_dir(corpus.join(name)).unwrap_or_else(|e| panic!("corpus/{name}: {e}"));
        let mut count = 0;
        for file in files {
            let path = file.expect("a corpus can be listed").path();
            eprintln!("{}", path.display());
            target(&fs::read(&path).expect("a corpus can be read"));
            count += 1;
        }
        assert!(count > 0, "corpus/{name} is empty");
    }
}

#[test]
fn targets_survive_truncated_and_mutated_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, target) in learnery_fuzz::TARGETS {
        for file in fs::read_dir(corpus.join(name)).expect("a corpus can be listed") {
            let bytes = fs::read(file.expect("a corpus can be listed").path()).expect("a corpus can be read");
            // A few fixed truncations and bit flips; `cargo fuzz` finds others.
            const CHANGES: usize = 8;
            for i in 1..=CHANGES {
                let position = i * bytes.len() / (CHANGES + 1);
                target(&bytes[..position]);
                let mut changed = bytes.clone();
                if let Some(byte) = changed.get_mut(position) {
                    *byte ^= 1 << (i % 8);
                }
                target(&changed);
            }
        }
    }
}
