//! `learnery train --recipe` and `learnery export --format recipe|link`: a run with changes is repeated to
//! the same fingerprint, from a file, from standard input and from a link.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Finished, Sandbox, json_lines};
use serde_json::Value;

/// A run of the control lab in which two live settings (those that may change during a run) change after unit
/// (training iteration) 2, and the seed after unit 4.
const LINK: &str = "#/control?seed=3&worlds=8&horizon=8&minibatches=1&eval_every=0&change=2:learning_rate=0.002,clip=0.1\
                    &change=4:seed=9&units=6";

/// The fields of the event `done`, the last one of a run.
fn done(out: &str) -> Value {
    json_lines(out).pop().expect("a run ends with an event")
}

/// Runs `learnery train --json --recipe RECIPE` with more arguments.
fn train(sandbox: &Sandbox, recipe: &str, args: &str) -> Finished {
    let mut command = sandbox.command(&format!("train --json {args}"));
    Finished::from(command.args(["--recipe", recipe]).output().unwrap())
}

#[test]
fn recipe_is_repeated_from_a_link_a_file_and_standard_input() {
    let sandbox = Sandbox::new();
    let first = train(&sandbox, LINK, "--out first");
    assert_eq!(first.code, Some(0), "{}", first.err);
    let first = done(&first.out);
    assert_eq!((&first["unit"], &first["reason"]), (&6.into(), &"units".into()));
    let fingerprint = first["fingerprint"].as_str().unwrap().to_owned();
    // A run without the changes is another one.
    let plain = LINK.split("&change").next().unwrap().to_owned() + "&units=6";
    assert_ne!(done(&train(&sandbox, &plain, "--out plain").out)["fingerprint"], fingerprint);

    let link = sandbox.succeed("export first --format link").out;
    assert_eq!(link.trim_end(), format!("{LINK}&bits={}", &fingerprint[..16]));
    sandbox.succeed("export first --format recipe --out recipe.json");
    let recipe: Value = serde_json::from_slice(&sandbox.read("recipe.json")).unwrap();
    assert_eq!((&recipe["seed"], &recipe["changes"][1]["seed"]), (&3.into(), &9.into()));
    assert_eq!(recipe["bits"], fingerprint);

    let address = format!("https://example.org/learnery/{}", link.trim_end());
    for (recipe, out) in [(&address[..], "--out second --threads 2"), ("recipe.json", "--out third")] {
        let finished = train(&sandbox, recipe, out);
        assert_eq!(finished.code, Some(0), "{}", finished.err);
        assert!(finished.err.contains("Same result, bit for bit"), "{}", finished.err);
        assert_eq!(done(&finished.out)["fingerprint"], fingerprint);
    }
    let mut child =
        sandbox.command("train --json --recipe - --out fourth").stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&sandbox.read("recipe.json")).unwrap();
    let finished = Finished::from(child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(0), "{}", finished.err);

    // A run that ends earlier exports the changes up to its end.
    train(&sandbox, LINK, "--units 3 --out part");
    let part = sandbox.succeed("export part --format link").out;
    assert!(part.contains("&change=2:learning_rate=0.002,clip=0.1&units=3&bits="), "{part}");
}

#[test]
fn recipe_with_another_fingerprint_fails() {
    let sandbox = Sandbox::new();
    let finished = train(&sandbox, &format!("{LINK}&bits=0123456789abcdef"), "--out a");
    assert_eq!(finished.code, Some(1), "{}", finished.err);
    assert!(finished.err.contains("but 0123456789abcdef was expected"), "{}", finished.err);
    // Where the run ends earlier, there is nothing to compare.
    assert_eq!(train(&sandbox, &format!("{LINK}&bits=0123456789abcdef"), "--out b --units 2").code, Some(0));
}

#[test]
fn recipe_runs_in_the_class_of_bits_that_it_names() {
    let sandbox = Sandbox::new();
    let plain = done(&train(&sandbox, LINK, "--bits plain --out a").out);
    let digits = plain["fingerprint"].as_str().unwrap();
    let finished = train(&sandbox, &format!("{LINK}&bits=plain:{digits}"), "--out b");
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert_eq!(done(&finished.out)["bits"], "plain");
}
