//! Circuits of the logic lab, written down on the command line.

mod common;

use common::Place;
use serde_json::Value;

/// A run that has learned nothing yet.
fn trained() -> Place {
    let place = Place::new();
    place.fine("train logic --preset life --set epochs=2 --set prove_every=0 --seed 3 --units 1 --out a");
    place
}

#[test]
fn circuits_are_written_in_every_language() {
    let place = trained();
    for (format, word) in
        [("verilog", "module learned_grid"), ("c", "int main"), ("wgsl", "@compute"), ("json", "\"gates\"")]
    {
        let text = place.fine(&format!("logic export a --format {format}")).out;
        assert!(text.contains(word) && text.contains("Experiment life, seed 3, 2 epochs."), "{text}");
    }
    // Every gate hands on its first input, so that one wire is left of all.
    let gates = |text: &str| -> usize {
        let read: Value = serde_json::from_str(text).expect("it is JSON");
        read["gates"].as_array().expect("a list").len()
    };
    assert_eq!(gates(&place.fine("logic export a --format json").out), 0);
    assert_eq!(gates(&place.fine("logic export a --format json --full").out), 2543);

    place.fine("export a --out alone.safetensors");
    let said = place.fine("logic export alone.safetensors --format c --out life.c").out;
    assert!(said.contains("life.c"), "{said}");
    assert_eq!(place.read("life.c"), place.fine("logic export a --format c").out.into_bytes());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let place = trained();
    place.train_small("--units 1 --out other");
    place.write("there.v", "mine");
    for (args, code, sentence) in [
        ("logic export other --format c", 1, "control"),
        ("logic export nowhere --format c", 1, "there is no such file"),
        ("logic export a", 2, "required"),
        ("logic export a --format vhdl", 2, "vhdl"),
        ("logic export a --format verilog --out there.v", 1, "exists already"),
    ] {
        let told = place.refused(args, code);
        assert!(told.contains(sentence), "{args}: {told}");
    }
    assert_eq!(place.read("there.v"), b"mine");
}
