//! Bad input is rejected: the error is one line that contains the bad argument, setting or file, the exit
//! code is not 0, and no file is changed.
//!
//! `Sandbox::rejected` runs a command that must fail and returns its error message. Its second argument is
//! the expected exit code: 2 for a mistake in the command line, 1 for anything else, such as an unusable
//! file.

use std::fs;

use crate::common::{Finished, Sandbox, contents, json_lines};
use serde_json::json;

#[test]
fn bad_arguments_are_rejected_and_the_error_contains_them() {
    let sandbox = Sandbox::new();
    let labs: Vec<&str> = learnery_labs::LABS.iter().map(|entry| entry.about.id).collect();
    let no_lab = format!("there is no lab `nope`; the labs are {}", labs.join(", "));
    let expected = [
        ("train nope", no_lab.as_str()),
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
            "train language --device cpu --precision f16",
            if cfg!(feature = "gpu") {
                "--precision is for runs on a GPU; the CPU computes in f32"
            } else {
                "this build cannot use GPUs; build it with the feature `gpu`, which is on by default"
            },
        ),
        (
            "train language --precision f8",
            "invalid value 'f8' for '--precision <f32|f16>': there is no precision `f8`; there are f32 and f16; \
             see --help",
        ),
        ("labs nope", no_lab.as_str()),
    ];
    for (args, message) in expected {
        assert_eq!(sandbox.rejected(args, 2), message, "{args}");
    }
    let without_gpu: &[&str] =
        if cfg!(feature = "gpu") { &[] } else { &["train cube --device gpu", "train cube --precision f16"] };
    for args in without_gpu {
        let message = "this build cannot use GPUs; build it with the feature `gpu`, which is on by default";
        assert_eq!(sandbox.rejected(args, 2), message, "{args}");
    }
    assert!(
        sandbox.rejected("train control --preset nope", 2).contains("the presets are standard, mountaincar")
    );
    assert!(
        sandbox
            .rejected("bench nope", 2)
            .contains("no bench begins with `nope`; the benches are machine/fma")
    );
    assert_eq!(contents(&sandbox.path("")).len(), 0, "something was written");
}

#[test]
fn bad_settings_file_is_rejected_and_the_error_contains_the_line_or_setting() {
    let sandbox = Sandbox::new();
    for (content, expected) in [
        // A syntax error, a repeated key, an unknown setting, a value out of range, values of wrong types.
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
        sandbox.write("a.toml", content);
        let message = sandbox.rejected("train control --config a.toml", 1);
        assert!(message.starts_with(expected), "{message}");
    }
    // Bytes that are not UTF-8.
    sandbox.write("a.toml", b"\xff\xfe");
    assert_eq!(sandbox.rejected("train control --config a.toml", 1), "a.toml is not UTF-8 text");
    assert_eq!(
        sandbox.rejected("train control --config b.toml", 1),
        "b.toml cannot be read: there is no such file or folder"
    );
}

#[test]
fn bad_checkpoint_is_rejected_and_left_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 2 --out a");
    let whole = sandbox.read("a/last.safetensors");
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    // A valid safetensors file of another program: the length of its header (0x3a), the header, and one
    // float.
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
        sandbox.write(&file, bytes);
        // The bad file is also tried as the last checkpoint of a run folder, where `--resume` would overwrite
        // files.
        fs::create_dir(sandbox.path(name)).unwrap();
        for (from, to) in [("a/config.toml", "config.toml"), ("a/metrics.jsonl", "metrics.jsonl")] {
            fs::copy(sandbox.path(from), sandbox.path(name).join(to)).unwrap();
        }
        fs::copy(sandbox.path(&file), sandbox.path(name).join("last.safetensors")).unwrap();
        let before = contents(&sandbox.path(""));
        for args in [
            format!("eval {file}"),
            format!("train --resume {file} --units 1"),
            format!("train --resume {name} --units 1"),
            format!("export {file} --out x.safetensors"),
        ] {
            let message = sandbox.rejected(&args, 1);
            assert!(message.contains(name) && message.contains(expected), "{args}: {message}");
        }
        assert!(before == contents(&sandbox.path("")), "{name}: something was changed");
    }
}

#[test]
fn unusable_path_is_rejected_and_the_error_contains_it() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 1 --out a");
    let before = contents(&sandbox.path("a"));
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
        assert_eq!(sandbox.rejected(args, 1), expected, "{args}");
    }
    assert_eq!(
        sandbox.rejected("train --resume a --set worlds=9", 2),
        "setting `worlds`: a change of this one needs a restart; start a new run for it"
    );
    assert!(sandbox.rejected("train --resume a --seed 9", 2).contains("has the seed 0"));
    let message = sandbox.rejected("eval a --against x", 2);
    assert!(message.starts_with("--against is not an option of the lab `control`"), "{message}");
    assert!(before == contents(&sandbox.path("a")), "something was changed");
}

/// As root, the test checks nothing, because root can write to any folder.
#[cfg(unix)]
#[test]
fn read_only_folder_is_rejected_and_the_error_contains_it() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("closed")).unwrap();
    // Read and enter, but not write.
    fs::set_permissions(sandbox.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(sandbox.path("closed/probe"), "").is_ok() {
        return;
    }
    let message = sandbox.rejected("train control --out closed/a", 1);
    assert_eq!(message, "closed/a cannot be used as a run folder: permission denied");
    let message = sandbox.rejected("train control --out closed", 1);
    assert_eq!(message, "closed/config.toml cannot be written: permission denied");
}

#[test]
fn bad_trace_request_is_answered_with_its_line_number() {
    let sandbox = Sandbox::new();
    // Five lines: a good request, an empty line (skipped), two that are not JSON, and one with an action out
    // of range.
    sandbox.write(
        "requests",
        b"{\"state\": [0, 0, 0, 0], \"action\": 1}\n\nnonsense\n\xff\n{\"state\": [0, 0, 0, 0], \"action\": 7}",
    );
    let mut command = sandbox.command("control trace cartpole");
    command.stdin(fs::File::open(sandbox.path("requests")).unwrap());
    let finished = Finished::from(command.output().unwrap());
    let lines = json_lines(&finished.out);
    assert_eq!((finished.code, lines.len()), (Some(1), 4), "{}", finished.out);
    assert_eq!((&lines[0]["reward"], &lines[0]["terminated"]), (&json!(1.0), &json!(false)));
    assert_eq!(lines[1..].iter().map(|line| line["line"].clone()).collect::<Vec<_>>(), [3, 4, 5]);
    assert!(lines[3]["error"].as_str().is_some_and(|e| e.contains("expected a whole number from 0 to 1")));
    assert!(finished.err.contains("3 lines of 5 could not be answered"), "{}", finished.err);
    assert!(sandbox.rejected("control trace pong", 2).contains("the worlds are cartpole, mountaincar"));
}

#[test]
fn bad_position_does_not_affect_other_lines() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("backgammon plays");
    // The starting position with good dice in lines 1 and 5. Line 2 is empty, 3 has no position, and 4 has
    // bad dice.
    sandbox
        .write("positions", "4HPwATDgc/ABMA 1 3\n\nnonsense 1 3\n4HPwATDgc/ABMA 7 3\n4HPwATDgc/ABMA 6 5\n");
    command.stdin(fs::File::open(sandbox.path("positions")).unwrap());
    let finished = Finished::from(command.output().unwrap());
    let answers: Vec<&str> = finished.out.lines().collect();
    assert_eq!((answers.len(), answers[0], answers[3]), (4, "4HPwATDgc/ABMA 1 3 16", "4HPwATDgc/ABMA 6 5 7"));
    assert!(answers[1].starts_with("error: line 3: position `nonsense`"), "{}", finished.out);
    assert!(answers[2].starts_with("error: line 4: dice 7 and 3; expected 1 to 6 each"), "{}", finished.out);
    assert!(
        finished.code == Some(1) && finished.err.contains("2 lines of 5 could not be answered"),
        "{}",
        finished.err
    );
}
