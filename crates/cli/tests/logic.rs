//! `learnery logic export`: learned circuits in every format.

mod common;

use common::Sandbox;
use serde_json::Value;

/// A minimal run in the folder `a`, which has hardly learned anything.
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
    // Every gate still passes its first input through, so pruning leaves no gate.
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

#[test]
fn export_with_bad_arguments_is_refused() {
    let sandbox = trained();
    sandbox.train_small("--units 1 --out other");
    sandbox.write("there.v", "mine");
    for (args, code, expected) in [
        ("logic export other --format c", 1, "control"),
        ("logic export nowhere --format c", 1, "there is no such file"),
        ("logic export a", 2, "required"),
        ("logic export a --format vhdl", 2, "vhdl"),
        ("logic export a --format verilog --out there.v", 1, "exists already"),
    ] {
        let sentence = sandbox.refused(args, code);
        assert!(sentence.contains(expected), "{args}: {sentence}");
    }
    assert_eq!(sandbox.read("there.v"), b"mine");
}
