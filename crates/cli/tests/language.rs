//! The language lab on the command line: a text of one's own, judged, and gone on with.

mod common;

use common::{Place, contents, json_lines};

const SMALL: &str = "--set width=16 --set layers=1 --set heads=2 --set length=32 --set batch=4 --set updates=2 --set judge_size=500";

fn with_text() -> Place {
    let place = Place::new();
    let text: String = (0..400).map(|i| format!("line {i} of a small text\n")).collect();
    place.write("small.txt", text);
    place
}

#[test]
fn a_text_is_learned_judged_and_gone_on_with() {
    let place = with_text();
    place.fine(&format!("train language --text small.txt {SMALL} --units 3 --out a"));
    // The text is in the run: it goes on without it.
    place.fine("train --resume a --units 1");
    let told = &json_lines(&place.fine("eval a --text small.txt --json").out)[0];
    let figures = told["figures"].as_array().expect("a list");
    let names: Vec<&str> = figures.iter().filter_map(|figure| figure["name"].as_str()).collect();
    assert_eq!(names, ["bits", "gzip", "order 3", "parameters"]);
    assert!(figures.iter().all(|figure| figure["value"].as_f64().is_some_and(|value| value > 0.0)));
    assert!(place.refused("eval a", 2).contains("--text FILE"));

    let sample = |args: &str| place.fine(&format!("language sample a --prompt line --tokens 60 {args}")).out;
    let (one, same, other) = (sample("--seed 3"), sample("--seed 3"), sample("--seed 4"));
    assert!(one.starts_with("line") && one == same && one != other, "{one:?} {other:?}");
    let told = &json_lines(&sample("--seed 3 --json"))[0];
    assert_eq!((&told["prompt"], &told["tokens"]), (&"line".into(), &60.into()));
    assert_eq!(format!("{}\n", told["text"].as_str().expect("a text")), one);
    // The likeliest is the likeliest, whatever the seed.
    assert_eq!(sample("--temperature 0 --seed 1"), sample("--temperature 0 --seed 2"));
    assert_eq!(sample("--temperature 0"), sample("--temperature 1 --top-k 1"));
    // A network alone writes the same.
    place.fine("export a --out alone.safetensors");
    assert_eq!(place.fine("language sample alone.safetensors --prompt line --tokens 60 --seed 3").out, one);
}

#[test]
fn a_task_is_judged_by_exact_answers() {
    let place = Place::new();
    place.fine(&format!("train language {SMALL} --units 2 --out a"));
    let told = &json_lines(&place.fine("eval a --games 50 --json").out)[0];
    assert_eq!(told["figures"][0]["name"], "exact");
    let told = &json_lines(&place.fine("language sample a --prompt 12+34= --temperature 0 --json").out)[0];
    assert!(told["text"].as_str().is_some_and(|text| text.starts_with("12+34=") && !text.contains('\n')));
    assert!(place.refused("language sample a --prompt abc", 2).contains("'a'"));
    assert!(place.refused("language sample a --temperature -1", 2).contains("--temperature"));
    assert!(place.refused("eval a --text a/config.toml", 2).contains("task"));
}

#[test]
fn texts_that_cannot_be_used_are_named_and_nothing_is_written() {
    let place = with_text();
    place.write("empty.txt", "");
    place.write("short.txt", "not enough");
    place.write("binary.txt", [0u8; 5000]);
    place.write("latin.txt", [b"caf\xe9 ".as_slice(); 900].concat());
    let before = contents(&place.path(""));
    for (file, expected) in [
        ("empty", "it is empty"),
        ("short", "at least"),
        ("binary", "binary"),
        ("latin", "UTF-8"),
        ("missing", "there is no such file"),
    ] {
        let sentence = place.refused(&format!("train language --text {file}.txt --units 1"), 1);
        assert!(sentence.contains(file) && sentence.contains(expected), "{sentence}");
    }
    let sentence = place.refused("train control --text small.txt --units 1", 2);
    assert!(sentence.contains("reads no text"), "{sentence}");
    assert!(before == contents(&place.path("")), "something was changed");
}
