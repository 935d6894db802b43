//! `learnery logic export`: learned circuits in every format.

use crate::common::Sandbox;
use serde_json::Value;

/// A sandbox with a run of the logic lab in the folder `a`, trained for only two epochs.
fn trained() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .succeed("train logic --preset life --set epochs=2 --set prove_every=0 --seed 3 --units 1 --out a");
    sandbox
}

#[test]
fn circuit_is_exported_in_every_format() {
    let sandbox = trained();
    for (format, word) in
        [("verilog", "module learned_grid"), ("c", "int main"), ("wgsl", "@compute"), ("json", "\"gates\"")]
    {
        let text = sandbox.succeed(&format!("logic export a --format {format}")).out;
        assert!(text.contains(word) && text.contains("Experiment life, seed 3, 2 epochs."), "{text}");
    }
    // Training starts with gates that pass their first input through. After two epochs each still does, so
    // pruning removes all 2,543 gates of the circuit; `--full` keeps them.
    let gates = |text: &str| -> usize {
        let read: Value = serde_json::from_str(text).expect("it is JSON");
        read["gates"].as_array().expect("a list").len()
    };
    assert_eq!(gates(&sandbox.succeed("logic export a --format json").out), 0);
    assert_eq!(gates(&sandbox.succeed("logic export a --format json --full").out), 2543);

    sandbox.succeed("export a --out alone.safetensors");
    let message = sandbox.succeed("logic export alone.safetensors --format c --out life.c").out;
    assert!(message.contains("life.c"), "{message}");
    assert_eq!(sandbox.read("life.c"), sandbox.succeed("logic export a --format c").out.into_bytes());
}
