//! Bad input: one sentence that names what is wrong, a non-zero exit, and nothing lost.

mod common;

use std::fs;

use common::{Place, Ran, contents, json_lines};
use serde_json::json;

#[test]
fn mistakes_in_the_command_name_themselves() {
    let place = Place::new();
    let expected = [
        ("train nope", "there is no lab `nope`; the labs are control, backgammon, cube, logic, language"),
        ("train control --set wrlds=3", "setting `wrlds`: unknown; did you mean `worlds`?"),
        (
            "train control --set worlds=0",
            "setting `worlds`: 0 is not allowed; expected a whole number from 1 to 65536",
        ),
        (
            "train control --set worlds=many",
            "setting `worlds`: \"many\" is not allowed; expected a whole number from 1 to 65536",
        ),
        (
            "train control --set gamma=nan",
            "setting `gamma`: \"nan\" is not allowed; expected a number from 0 to 1",
        ),
        ("train control --set worlds", "--set worlds: expected a name and a value, as in --set key=value"),
        (
            "train control --device gpu",
            "the lab `control` cannot train on a GPU yet; leave out --device gpu to train on the CPU",
        ),
        ("labs nope", "there is no lab `nope`; the labs are control, backgammon, cube, logic, language"),
    ];
    for (args, sentence) in expected {
        assert_eq!(place.refused(args, 2), sentence, "{args}");
    }
    assert!(
        place.refused("train control --preset nope", 2).contains("the presets are standard, mountaincar")
    );
    assert!(
        place.refused("bench nope", 2).contains("no bench begins with `nope`; the benches are machine/fma")
    );
    assert_eq!(contents(&place.path("")).len(), 0, "something was written");
}

#[test]
fn settings_files_are_refused_by_line_or_field() {
    let place = Place::new();
    for (content, expected) in [
        ("worlds = 4\nhorizon = = 3\n", "a.toml, line 2: "),
        ("worlds = 4\nworlds = 5\n", "a.toml, line 2: "),
        ("wrlds = 4\n", "a.toml: setting `wrlds`: unknown; did you mean `worlds`?"),
        (
            "worlds = 65537\n",
            "a.toml: setting `worlds`: 65537 is not allowed; expected a whole number from 1 to 65536",
        ),
        ("gamma = nan\n", "a.toml: setting `gamma`: \"nan\" is not allowed; expected a number from 0 to 1"),
        ("gamma = 1979-05-27\n", "a.toml: setting `gamma`: \"1979-05-27\" is not allowed"),
        ("[worlds]\na = 1\n", "a.toml: setting `worlds`: "),
    ] {
        place.write("a.toml", content);
        let sentence = place.refused("train control --config a.toml", 1);
        assert!(sentence.starts_with(expected), "{sentence}");
    }
    place.write("a.toml", b"\xff\xfe");
    assert_eq!(place.refused("train control --config a.toml", 1), "a.toml is not UTF-8 text");
    assert_eq!(
        place.refused("train control --config b.toml", 1),
        "b.toml cannot be read: there is no such file or folder"
    );
}

#[test]
fn files_that_are_no_checkpoint_are_refused_and_left_alone() {
    let place = Place::new();
    place.train_small("--units 2 --out a");
    let whole = place.read("a/last.safetensors");
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let foreign =
        b"\x3a\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}    \0\0\0\0";
    let bad: [(&str, &[u8], &str); 5] = [
        ("empty", b"", "the file is empty"),
        ("text", b"hello, this is not a checkpoint at all", "not a readable safetensors file"),
        ("cut", &whole[..whole.len() - 9], "not a readable safetensors file"),
        ("flipped", &flipped, "the file is damaged"),
        ("foreign", foreign, "not written by Learnery"),
    ];
    for (name, bytes, expected) in bad {
        let file = format!("{name}.safetensors");
        place.write(&file, bytes);
        // As the last checkpoint of a run too, where there is more to lose.
        fs::create_dir(place.path(name)).unwrap();
        for (from, to) in [("a/config.toml", "config.toml"), ("a/metrics.jsonl", "metrics.jsonl")] {
            fs::copy(place.path(from), place.path(name).join(to)).unwrap();
        }
        fs::copy(place.path(&file), place.path(name).join("last.safetensors")).unwrap();
        let before = contents(&place.path(""));
        for args in [
            format!("eval {file}"),
            format!("train --resume {file} --units 1"),
            format!("train --resume {name} --units 1"),
            format!("export {file} --out x.safetensors"),
        ] {
            let sentence = place.refused(&args, 1);
            assert!(sentence.contains(name) && sentence.contains(expected), "{args}: {sentence}");
        }
        assert!(before == contents(&place.path("")), "{name}: something was changed");
    }
}

#[test]
fn places_that_cannot_be_used_are_named() {
    let place = Place::new();
    place.train_small("--units 1 --out a");
    let before = contents(&place.path("a"));
    for (args, expected) in [
        ("train --resume nope", "nope cannot be read: there is no such file or folder"),
        ("eval nope", "nope cannot be read: there is no such file or folder"),
        ("train --resume .", ". holds no checkpoint (last.safetensors)"),
        (
            "train control --out a",
            "a already holds a run; continue it with --resume a or choose another --out",
        ),
        (
            "train control --out a/last.safetensors",
            "a/last.safetensors cannot be used as a run folder: there is a file of that name",
        ),
        (
            "train control --out a/last.safetensors/b",
            "a/last.safetensors/b cannot be used as a run folder: a part of the path is a file",
        ),
        ("export a --out a/last.safetensors", "a/last.safetensors exists already; choose another --out"),
        ("export a --out no/b", "no/b cannot be written: there is no such file or folder"),
    ] {
        assert_eq!(place.refused(args, 1), expected, "{args}");
    }
    assert_eq!(
        place.refused("train --resume a --set worlds=9", 2),
        "setting `worlds`: a change of this one needs a restart; start a new run for it"
    );
    assert!(place.refused("train --resume a --seed 9", 2).contains("has the seed 0"));
    assert!(place.refused("eval a --against x", 2).starts_with("evaluation: "));
    assert!(before == contents(&place.path("a")));
}

/// Root may write anywhere, so this says something only for others.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    fs::create_dir(place.path("closed")).unwrap();
    fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(place.path("closed/probe"), "").is_ok() {
        return;
    }
    let sentence = place.refused("train control --out closed/a", 1);
    assert_eq!(sentence, "closed/a cannot be used as a run folder: permission denied");
    let sentence = place.refused("train control --out closed", 1);
    assert_eq!(sentence, "closed/config.toml cannot be written: permission denied");
}

#[test]
fn questions_that_cannot_be_answered_are_told_by_line() {
    let place = Place::new();
    place.write(
        "questions",
        b"{\"state\": [0, 0, 0, 0], \"action\": 1}\n\nnonsense\n\xff\n{\"state\": [0, 0, 0, 0], \"action\": 7}",
    );
    let mut command = place.command("control trace cartpole");
    command.stdin(fs::File::open(place.path("questions")).unwrap());
    let ran = Ran::from(command.output().unwrap());
    let lines = json_lines(&ran.out);
    assert_eq!((ran.code, lines.len()), (Some(1), 4), "{}", ran.out);
    assert_eq!((&lines[0]["reward"], &lines[0]["terminated"]), (&json!(1.0), &json!(false)));
    assert_eq!(lines[1..].iter().map(|line| line["line"].clone()).collect::<Vec<_>>(), [3, 4, 5]);
    assert!(lines[3]["error"].as_str().is_some_and(|e| e.contains("expected a whole number from 0 to 1")));
    assert!(ran.err.contains("3 lines of 5 could not be answered"), "{}", ran.err);
    assert!(place.refused("control trace pong", 2).contains("the worlds are cartpole, mountaincar"));
}

#[test]
fn a_bad_position_costs_its_own_line_only() {
    let place = Place::new();
    let mut command = place.command("backgammon plays");
    place.write("positions", "4HPwATDgc/ABMA 1 3\n\nnonsense 1 3\n4HPwATDgc/ABMA 7 3\n4HPwATDgc/ABMA 6 5\n");
    command.stdin(fs::File::open(place.path("positions")).unwrap());
    let ran = Ran::from(command.output().unwrap());
    let answers: Vec<&str> = ran.out.lines().collect();
    assert_eq!((answers.len(), answers[0], answers[3]), (4, "4HPwATDgc/ABMA 1 3 16", "4HPwATDgc/ABMA 6 5 7"));
    assert!(answers[1].starts_with("error: line 3: position `nonsense`"), "{}", ran.out);
    assert!(answers[2].starts_with("error: line 4: dice 7 and 3; expected 1 to 6 each"), "{}", ran.out);
    assert!(ran.code == Some(1) && ran.err.contains("2 lines of 5 could not be answered"), "{}", ran.err);
}
