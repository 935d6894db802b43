//! `--expect` and `--bits`: a run ends with the same fingerprint however it is divided, the two classes of
//! bits have different ones, and an unexpected fingerprint is a failure.

use crate::common::{SMALL, Sandbox, json_lines};
use serde_json::Value;

/// Trains a small run and returns the fields of its last event, `done`.
fn done(sandbox: &Sandbox, args: &str) -> Value {
    let out = sandbox.train_small(&format!("--json {args}")).out;
    json_lines(&out).into_iter().next_back().expect("a run ends with an event")
}

fn fingerprint(event: &Value) -> String {
    event["fingerprint"].as_str().expect("a fingerprint").to_owned()
}

#[test]
fn fingerprint_does_not_depend_on_threads_or_on_an_interruption() {
    let sandbox = Sandbox::new();
    let whole = done(&sandbox, "--seed 3 --units 6 --threads 1 --out whole");
    done(&sandbox, "--seed 3 --units 2 --threads 2 --out part");
    let resumed = sandbox.succeed("train --resume part --units 4 --json").out;
    let resumed = json_lines(&resumed).into_iter().next_back().unwrap();
    assert_eq!(fingerprint(&whole).len(), 64);
    assert_eq!(fingerprint(&whole), fingerprint(&resumed));
    assert_ne!(fingerprint(&whole), fingerprint(&done(&sandbox, "--seed 4 --units 6 --out other")));
    let report: Value = serde_json::from_str(&sandbox.succeed("eval whole --games 2 --json").out).unwrap();
    assert_eq!(fingerprint(&report), fingerprint(&whole));
}

#[test]
fn plain_bits_are_chosen_on_request() {
    let sandbox = Sandbox::new();
    let plain = done(&sandbox, "--bits plain --seed 3 --units 2 --out plain");
    assert_eq!(plain["bits"], "plain");
    let automatic = done(&sandbox, "--seed 3 --units 2 --out automatic");
    assert_eq!(automatic["bits"] == "plain", fingerprint(&plain) == fingerprint(&automatic));
}

#[test]
fn run_with_another_fingerprint_than_expected_fails() {
    let sandbox = Sandbox::new();
    let expected = fingerprint(&done(&sandbox, "--seed 3 --units 2 --out a"));
    sandbox.train_small(&format!("--seed 3 --units 2 --out b --expect {expected}"));
    sandbox.train_small(&format!("--seed 3 --units 2 --out c --expect {}", expected[..8].to_uppercase()));
    let args = format!("train control {} --seed 4 --units 2 --out d --expect {expected}", SMALL.join(" "));
    let finished = sandbox.run(&args);
    assert_eq!(finished.code, Some(1), "{}", finished.err);
    let message = format!("but {expected} was expected");
    assert!(finished.err.contains(&message), "{}", finished.err);
}
