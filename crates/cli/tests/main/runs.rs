//! `learnery train` and `eval`: results do not depend on threads and interruptions; run folders, settings,
//! resuming, goals and limits. A *unit* (`--units`) is one training iteration. The numbers in
//! `Sandbox::rejected` are exit codes.

use std::fs;

use crate::common::{Sandbox, json_lines};

#[test]
fn checkpoint_does_not_depend_on_threads_or_interruptions() {
    let sandbox = Sandbox::new();
    sandbox.succeed("train control --seed 7 --units 8 --threads 1 --out one");
    sandbox.succeed("train control --seed 7 --units 8 --threads 2 --out two");
    let uninterrupted = sandbox.read("one/last.safetensors");
    assert!(uninterrupted == sandbox.read("two/last.safetensors"), "threads changed the result");

    sandbox.succeed("train control --seed 7 --units 3 --out cut");
    sandbox.succeed("train --resume cut/last.safetensors --units 5 --out elsewhere");
    sandbox.succeed("train --resume cut --units 5");
    assert!(
        uninterrupted == sandbox.read("elsewhere/last.safetensors"),
        "an interruption changed the result"
    );
    assert!(uninterrupted == sandbox.read("cut/last.safetensors"), "an interruption changed the result");
}

#[test]
fn run_folder_is_complete_and_its_settings_can_be_reused() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 4 --seed 3 --out a");
    let mut names: Vec<String> = fs::read_dir(sandbox.path("a"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| if name.contains("tfevents") { "tfevents".into() } else { name })
        .collect();
    names.sort();
    assert_eq!(names, ["config.toml", "last.safetensors", "metrics.jsonl", "tfevents"]);
    sandbox.succeed("train control --config a/config.toml --seed 3 --units 4 --out b");
    assert!(sandbox.read("a/last.safetensors") == sandbox.read("b/last.safetensors"));
    assert_eq!(sandbox.read("a/config.toml"), sandbox.read("b/config.toml"));
}

#[test]
fn settings_layers_override_each_other_in_order() {
    let sandbox = Sandbox::new();
    sandbox.write("a.toml", "worlds = 4\nhorizon = 16\n");
    let finished = sandbox.succeed(
        "train control --preset crowd --config a.toml --set worlds=8 --set gamma=1 --units 1 --json",
    );
    let config = &json_lines(&finished.out)[0]["config"];
    // The preset sets worlds, horizon and minibatches. The file overrides the first two, and the command line
    // worlds and gamma. Only the 32 minibatches are still those of the preset.
    assert_eq!(
        (&config["worlds"], &config["horizon"], &config["minibatches"], &config["gamma"]),
        (&8.into(), &16.into(), &32.into(), &1.0.into())
    );
}

#[test]
fn run_folders_are_numbered_and_each_is_new() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 1");
    sandbox.train_small("--units 1");
    assert!(sandbox.path("runs/control-0-1/last.safetensors").exists());
    assert!(sandbox.path("runs/control-0-2/last.safetensors").exists());
}

#[test]
fn resumed_run_continues_in_its_folder_with_changed_live_settings() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 3 --out a");
    sandbox.succeed("train --resume a --units 2 --set learning_rate=0.0005");
    let units: Vec<u64> = sandbox.rows("a").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [1, 2, 3, 4, 5]);
    assert!(String::from_utf8(sandbox.read("a/config.toml")).unwrap().contains("learning_rate = 0.0005"));
    // One TensorBoard file per invocation.
    let events = fs::read_dir(sandbox.path("a"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("tfevents"));
    assert_eq!(events.count(), 2);
}

#[test]
fn copies_of_the_last_saves_are_kept() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 10 --save-every 2 --keep 3 --out a");
    let copies = |sandbox: &Sandbox| {
        let names = fs::read_dir(sandbox.path("a")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("checkpoint-")).collect();
        names.sort();
        names
    };
    assert_eq!(
        copies(&sandbox),
        ["checkpoint-10.safetensors", "checkpoint-6.safetensors", "checkpoint-8.safetensors"]
    );
    assert!(sandbox.read("a/checkpoint-10.safetensors") == sandbox.read("a/last.safetensors"));
    // Each is a checkpoint that can be continued, in a folder of its own.
    sandbox.succeed("train --resume a/checkpoint-6.safetensors --units 4 --out b");
    assert!(sandbox.read("b/last.safetensors") == sandbox.read("a/last.safetensors"));
}

/// The first unit with the highest value of the goal's metric, by the rows of a run.
fn best_unit(sandbox: &Sandbox, run: &str) -> u64 {
    let rows = sandbox.rows(run);
    let measured = rows.iter().filter_map(|row| Some((row["examReturn"].as_f64()?, row["unit"].as_u64()?)));
    measured.reduce(|best, next| if next.0 > best.0 { next } else { best }).unwrap().1
}

#[test]
fn best_checkpoint_is_kept_and_survives_a_resume() {
    let sandbox = Sandbox::new();
    let train =
        "train control --seed 3 --set worlds=8 --set horizon=32 --set minibatches=1 --set eval_every=1";
    let finished = sandbox.succeed(&format!("{train} --units 9 --save-every 4 --keep 2,best --out a --json"));
    let first = best_unit(&sandbox, "a");
    let units = |file: &str| learnery_lab::Checkpoint::from_bytes(&sandbox.read(file)).unwrap().header.units;
    assert_eq!(units("a/best.safetensors"), first);
    let events = json_lines(&finished.out);
    let event = events.iter().rfind(|event| event["event"] == "best").expect("it was saved");
    assert_eq!(event["unit"], first);
    assert!(finished.err.contains(&format!("at iteration {first}: best.safetensors")), "{}", finished.err);
    sandbox.succeed(&format!("{train} --units {first} --out alone"));
    assert!(sandbox.read("a/best.safetensors") == sandbox.read("alone/last.safetensors"));

    let best = sandbox.read("a/best.safetensors");
    sandbox.succeed("train --resume a --units 0 --keep best");
    assert!(best == sandbox.read("a/best.safetensors"), "nothing was trained");
    sandbox.succeed("train --resume a --units 15 --keep best");
    let second = best_unit(&sandbox, "a");
    assert_eq!(units("a/best.safetensors"), second);
    sandbox.succeed(&format!("{train} --units 24 --keep best --out whole"));
    assert!(sandbox.read("a/best.safetensors") == sandbox.read("whole/best.safetensors"));
    assert!(sandbox.read("a/last.safetensors") == sandbox.read("whole/last.safetensors"));
    // What the first invocation has kept stays, and everything can be continued.
    sandbox.succeed("train --resume a/checkpoint-8.safetensors --units 16 --out b");
    assert!(sandbox.read("b/last.safetensors") == sandbox.read("whole/last.safetensors"));
    sandbox.succeed(&format!("train --resume a/best.safetensors --units {} --out c", 24 - second));
    assert!(sandbox.read("c/last.safetensors") == sandbox.read("whole/last.safetensors"));
    // Without rows, the history in the checkpoint tells the value.
    fs::remove_file(sandbox.path("a/metrics.jsonl")).unwrap();
    sandbox.succeed("train --resume a --units 1 --keep best");
    assert!(units("a/best.safetensors") == second || units("a/best.safetensors") == 25);
}

#[test]
fn older_checkpoint_continues_in_a_new_folder() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 2 --out a");
    fs::copy(sandbox.path("a/last.safetensors"), sandbox.path("a/early.safetensors")).unwrap();
    sandbox.succeed("train --resume a --units 3");
    let last = sandbox.read("a/last.safetensors");
    sandbox.succeed("train --resume a/early.safetensors --units 1");
    assert!(last == sandbox.read("a/last.safetensors"), "the later state was overwritten");
    let units: Vec<u64> =
        sandbox.rows("runs/control-0-1").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    // The new folder also has the rows of the units before the checkpoint.
    assert_eq!(units, [1, 2, 3]);
    let error = sandbox.rejected("train --resume a/early.safetensors --out a", 1);
    assert!(error.contains("would overwrite"), "{error}");
}

#[test]
fn metrics_file_is_repaired_when_a_run_continues() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 4 --out a");
    let whole = String::from_utf8(sandbox.read("a/metrics.jsonl")).unwrap();
    let rows: Vec<&str> = whole.split_inclusive('\n').collect();

    // An incomplete last row, as after a crash.
    sandbox.write("a/metrics.jsonl", &whole[..whole.len() - 20]);
    sandbox.succeed("train --resume a --units 0");
    assert_eq!(sandbox.rows("a").len(), 4);
    assert!(sandbox.read("a/metrics.jsonl").starts_with(rows[..3].concat().as_bytes()));

    // Rows of units after the checkpoint.
    sandbox.write("a/metrics.jsonl", format!("{whole}{}{{\"unit\":6", rows[3].replace(":4,", ":5,")));
    sandbox.succeed("train --resume a --units 1");
    let units: Vec<u64> = sandbox.rows("a").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [1, 2, 3, 4, 5]);
    assert!(sandbox.read("a/metrics.jsonl").starts_with(whole.as_bytes()));

    // No file at all.
    fs::remove_file(sandbox.path("a/metrics.jsonl")).unwrap();
    sandbox.succeed("train --resume a --units 0");
    assert_eq!(sandbox.rows("a").len(), 5);
}

#[test]
fn goal_ends_a_run_and_its_checkpoint_is_kept() {
    let sandbox = Sandbox::new();
    let finished = sandbox.succeed("train control --until-goal --for 120s --out a --json");
    let lines = json_lines(&finished.out);
    let solved = lines.iter().find(|line| line["event"] == "solved").expect("it was solved");
    assert_eq!(lines.last().unwrap()["reason"], "goal");
    assert_eq!(solved["unit"], lines.last().unwrap()["solved_at"]);
    assert!(sandbox.read("a/solved.safetensors") == sandbox.read("a/last.safetensors"));

    let finished = sandbox.succeed("eval a --games 50 --seed 5 --json");
    let report = &json_lines(&finished.out)[0];
    // The first figure is the mean length of the episodes, at most 500 steps.
    assert!(report["figures"][0]["value"].as_f64().unwrap() > 400.0, "{report}");

    // The exported network gives the same evaluation.
    sandbox.succeed("export a --out network.safetensors");
    let alone = sandbox.succeed("eval network.safetensors --games 50 --seed 5 --json");
    assert_eq!(json_lines(&alone.out)[0]["figures"], report["figures"]);

    // A run that has reached its goal ends at once with `--until-goal`. With another limit it trains on.
    let finished = sandbox.succeed("train --resume a --until-goal --json");
    let done = json_lines(&finished.out).pop().unwrap();
    assert_eq!((&done["reason"], &done["unit"]), (&"goal".into(), &solved["unit"]));
    sandbox.succeed("train --resume a --units 1");
    assert!(sandbox.read("a/solved.safetensors") != sandbox.read("a/last.safetensors"));
}

#[test]
fn time_limit_ends_a_run_after_a_whole_unit() {
    let sandbox = Sandbox::new();
    let done = json_lines(&sandbox.train_small("--for 0.3s --json").out).pop().unwrap();
    assert_eq!(done["reason"], "time");
    assert!(done["seconds"].as_f64().unwrap() >= 0.3 && done["unit"].as_u64().unwrap() > 0, "{done}");
}

#[test]
fn missed_goal_is_a_failure_and_the_run_is_kept() {
    let sandbox = Sandbox::new();
    // With a learning rate of 0 the goal cannot be reached.
    let finished = sandbox.run("train control --set learning_rate=0 --units 2 --until-goal --out a");
    assert_eq!(finished.code, Some(1));
    assert!(finished.err.ends_with("error: the goal was not reached within the limit\n"), "{}", finished.err);
    sandbox.succeed("train --resume a --units 1");
}
