//! `learnery language` and training on a text file: training, evaluation, sampling.

use crate::common::{Finished, Sandbox, json_lines};

/// Settings with which a unit (training iteration) takes milliseconds.
const SMALL: &str = "--set width=16 --set layers=1 --set heads=2 --set length=32 --set batch=4 --set updates=2 --set judge_size=500";

/// A sandbox with the text file `small.txt` of about 9 kB.
fn sandbox_with_text() -> Sandbox {
    let sandbox = Sandbox::new();
    let text: String = (0..400).map(|i| format!("line {i} of a small text\n")).collect();
    sandbox.write("small.txt", text);
    sandbox
}

#[test]
fn text_file_can_be_trained_on_evaluated_and_continued() {
    let sandbox = sandbox_with_text();
    let finished = sandbox.succeed(&format!("train language --text small.txt {SMALL} --units 3 --out a"));
    assert!(finished.err.contains(" eval a --text small.txt  "), "the next step: {}", finished.err);
    // The checkpoint contains the text, so the run continues without `--text`.
    let finished = sandbox.succeed("train --resume a --units 1");
    assert!(finished.err.contains(" eval a --text FILE  "), "the next step: {}", finished.err);
    // An empty text, as a variable of a shell that is not set leaves it, is not another evaluation.
    for args in [&["eval", "a", "--text", ""][..], &["ask", "a", "evaluate", "--set", "text="]] {
        let refused = Finished::from(sandbox.command("").args(args).output().unwrap());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(refused.err.contains("text") && refused.err.contains("not an empty text"), "{}", refused.err);
    }
    let report = &json_lines(&sandbox.succeed("eval a --text small.txt --json").out)[0];
    let metrics = report["figures"].as_array().expect("a list");
    let names: Vec<&str> = metrics.iter().filter_map(|metric| metric["name"].as_str()).collect();
    assert_eq!(names, ["bits", "gzip", "order 3", "parameters"]);
    assert!(metrics.iter().all(|metric| metric["value"].as_f64().is_some_and(|value| value > 0.0)));

    let sample =
        |args: &str| sandbox.succeed(&format!("language sample a --prompt line --tokens 60 {args}")).out;
    let (sample_3, repeated_3, sample_4) = (sample("--seed 3"), sample("--seed 3"), sample("--seed 4"));
    assert!(
        sample_3.starts_with("line") && sample_3 == repeated_3 && sample_3 != sample_4,
        "{sample_3:?} {sample_4:?}"
    );
    let report = &json_lines(&sample("--seed 3 --json"))[0];
    assert_eq!((&report["prompt"], &report["tokens"]), (&"line".into(), &60.into()));
    assert_eq!(format!("{}\n", report["text"].as_str().expect("a text")), sample_3);
    // Several texts, of which the first is that of a single one.
    let texts = sample("--seed 3 --texts 3 --device cpu");
    assert!(texts.starts_with(&format!("{sample_3}\nline")), "{texts:?}");
    let texts = json_lines(&sample("--seed 3 --texts 3 --json"));
    let numbers: Vec<&serde_json::Value> = texts.iter().map(|text| &text["number"]).collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert!(texts[0]["text"] == report["text"] && texts[0]["text"] != texts[1]["text"]);
    // At temperature 0, or with only one candidate, the seed does not matter.
    assert_eq!(sample("--temperature 0 --seed 1"), sample("--temperature 0 --seed 2"));
    assert_eq!(sample("--temperature 0"), sample("--temperature 1 --top-k 1"));
    // The exported network generates the same text.
    sandbox.succeed("export a --out alone.safetensors");
    assert_eq!(
        sandbox.succeed("language sample alone.safetensors --prompt line --tokens 60 --seed 3").out,
        sample_3
    );
}

#[test]
fn preset_of_stories_learns_the_text_that_is_given() {
    let sandbox = sandbox_with_text();
    for (preset, anneal) in [("stories", 4000), ("a", 2200)] {
        let args = format!("train language --preset {preset} --text small.txt {SMALL} --units 2 --json");
        let start = &json_lines(&sandbox.succeed(&format!("{args} --out {preset}")).out)[0];
        // The other settings are those of the preset.
        let config = &start["config"];
        assert_eq!((&config["source"], &config["anneal"]), (&"text".into(), &anneal.into()), "{config}");
        let config = String::from_utf8(sandbox.read(&format!("{preset}/config.toml"))).expect("text");
        assert!(config.contains("source = \"text\""), "{config}");
        let report = &json_lines(&sandbox.succeed(&format!("eval {preset} --text small.txt --json")).out)[0];
        assert_eq!(report["figures"][1]["name"], "gzip", "it is evaluated as a text: {report}");
    }
}

#[test]
fn task_is_evaluated_by_the_fraction_of_exact_answers() {
    let sandbox = Sandbox::new();
    sandbox.succeed(&format!("train language {SMALL} --units 2 --out a"));
    let report = &json_lines(&sandbox.succeed("eval a --games 50 --json").out)[0];
    assert_eq!(report["figures"][0]["name"], "exact");
    let report =
        &json_lines(&sandbox.succeed("language sample a --prompt 12+34= --temperature 0 --json").out)[0];
    assert!(report["text"].as_str().is_some_and(|text| text.starts_with("12+34=") && !text.contains('\n')));
}
