//! Training, continuing, judging: the same bits whatever the threads and wherever it was cut.

mod common;

use std::fs;

use common::{Place, json_lines};

#[test]
fn threads_and_cuts_change_no_bit_of_the_checkpoint() {
    let place = Place::new();
    place.fine("train control --seed 7 --units 8 --threads 1 --out one");
    place.fine("train control --seed 7 --units 8 --threads 2 --out two");
    let whole = place.read("one/last.safetensors");
    assert!(whole == place.read("two/last.safetensors"), "threads changed the result");

    place.fine("train control --seed 7 --units 3 --out cut");
    place.fine("train --resume cut/last.safetensors --units 5 --out elsewhere");
    place.fine("train --resume cut --units 5");
    assert!(whole == place.read("elsewhere/last.safetensors"), "a cut changed the result");
    assert!(whole == place.read("cut/last.safetensors"), "a cut changed the result");
}

#[test]
fn a_run_folder_holds_everything_and_its_settings_read_back() {
    let place = Place::new();
    place.train_small("--units 4 --seed 3 --out a");
    let mut names: Vec<String> = fs::read_dir(place.path("a"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| if name.contains("tfevents") { "tfevents".into() } else { name })
        .collect();
    names.sort();
    assert_eq!(names, ["config.toml", "last.safetensors", "metrics.jsonl", "tfevents"]);
    place.fine("train control --config a/config.toml --seed 3 --units 4 --out b");
    assert!(place.read("a/last.safetensors") == place.read("b/last.safetensors"));
    assert_eq!(place.read("a/config.toml"), place.read("b/config.toml"));
}

#[test]
fn layers_go_over_each_other_in_order() {
    let place = Place::new();
    place.write("a.toml", "worlds = 4\nhorizon = 16\n");
    let ran = place.fine(
        "train control --preset crowd --config a.toml --set worlds=2 --set worlds=8 --set gamma=1 --units 1 --json",
    );
    let config = &json_lines(&ran.out)[0]["config"];
    // The preset says 2048 worlds, 32 steps and 32 minibatches.
    assert_eq!(
        (&config["worlds"], &config["horizon"], &config["minibatches"], &config["gamma"]),
        (&8.into(), &16.into(), &32.into(), &1.0.into())
    );
}

#[test]
fn folders_are_numbered_and_never_shared() {
    let place = Place::new();
    place.train_small("--units 1");
    place.train_small("--units 1");
    assert!(place.path("runs/control-0-1/last.safetensors").exists());
    assert!(place.path("runs/control-0-2/last.safetensors").exists());
}

#[test]
fn resuming_goes_on_in_the_folder_and_changes_live_settings() {
    let place = Place::new();
    place.train_small("--units 3 --out a");
    place.fine("train --resume a --units 2 --set learning_rate=0.0005");
    let units: Vec<u64> = place.rows("a").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [1, 2, 3, 4, 5]);
    assert!(String::from_utf8(place.read("a/config.toml")).unwrap().contains("learning_rate = 0.0005"));
    let events = fs::read_dir(place.path("a"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("tfevents"));
    assert_eq!(events.count(), 2);
}

#[test]
fn an_older_checkpoint_goes_on_in_a_folder_of_its_own() {
    let place = Place::new();
    place.train_small("--units 2 --out a");
    fs::copy(place.path("a/last.safetensors"), place.path("a/early.safetensors")).unwrap();
    place.fine("train --resume a --units 3");
    let last = place.read("a/last.safetensors");
    place.fine("train --resume a/early.safetensors --units 1");
    assert!(last == place.read("a/last.safetensors"), "the later state was overwritten");
    let units: Vec<u64> =
        place.rows("runs/control-0-1").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [1, 2, 3]); // what came before is in the new folder too
    let refusal = place.refused("train --resume a/early.safetensors --out a", 1);
    assert!(refusal.contains("would overwrite"), "{refusal}");
}

#[test]
fn metrics_that_were_cut_short_are_put_right() {
    let place = Place::new();
    place.train_small("--units 4 --out a");
    let whole = String::from_utf8(place.read("a/metrics.jsonl")).unwrap();
    let rows: Vec<&str> = whole.split_inclusive('\n').collect();

    // Half a row at the end, as a crash leaves it.
    place.write("a/metrics.jsonl", &whole[..whole.len() - 20]);
    place.fine("train --resume a --units 0");
    assert_eq!(place.rows("a").len(), 4);
    assert!(place.read("a/metrics.jsonl").starts_with(rows[..3].concat().as_bytes()));

    // Rows of units that the checkpoint does not know.
    place.write("a/metrics.jsonl", format!("{whole}{}{{\"unit\":6", rows[3].replace(":4,", ":5,")));
    place.fine("train --resume a --units 1");
    let units: Vec<u64> = place.rows("a").iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [1, 2, 3, 4, 5]);
    assert!(place.read("a/metrics.jsonl").starts_with(whole.as_bytes()));

    // The whole file gone.
    fs::remove_file(place.path("a/metrics.jsonl")).unwrap();
    place.fine("train --resume a --units 0");
    assert_eq!(place.rows("a").len(), 5);
}

#[test]
fn the_goal_ends_a_run_and_is_kept() {
    let place = Place::new();
    let ran = place.fine("train control --until-goal --for 120s --out a --json");
    let lines = json_lines(&ran.out);
    let solved = lines.iter().find(|line| line["event"] == "solved").expect("it was solved");
    assert_eq!(lines.last().unwrap()["reason"], "goal");
    assert_eq!(solved["unit"], lines.last().unwrap()["solved_at"]);
    assert!(place.read("a/solved.safetensors") == place.read("a/last.safetensors"));

    let ran = place.fine("eval a --games 50 --seed 5 --json");
    let report = &json_lines(&ran.out)[0];
    assert!(report["figures"][0]["value"].as_f64().unwrap() > 400.0, "{report}");

    // The network alone can be judged, to the same figures, and not continued.
    place.fine("export a --out network.safetensors");
    let alone = place.fine("eval network.safetensors --games 50 --seed 5 --json");
    assert_eq!(json_lines(&alone.out)[0]["figures"], report["figures"]);
    assert!(place.refused("train --resume network.safetensors", 1).contains("only the network"));

    // There is nothing left to do for that goal; with another limit the run trains on.
    let again = place.fine("train --resume a --until-goal --json");
    let done = json_lines(&again.out).pop().unwrap();
    assert_eq!((&done["reason"], &done["unit"]), (&"goal".into(), &solved["unit"]));
    place.fine("train --resume a --units 1");
    assert!(place.read("a/solved.safetensors") != place.read("a/last.safetensors"));
}

#[test]
fn time_ends_a_run_at_the_end_of_a_unit() {
    let place = Place::new();
    let done = json_lines(&place.train_small("--for 0.3s --json").out).pop().unwrap();
    assert_eq!(done["reason"], "time");
    assert!(done["seconds"].as_f64().unwrap() >= 0.3 && done["unit"].as_u64().unwrap() > 0, "{done}");
}

#[test]
fn a_goal_that_is_missed_is_a_failure_and_the_run_is_kept() {
    let place = Place::new();
    let ran = place.run("train control --set learning_rate=0 --units 2 --until-goal --out a");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.ends_with("error: the goal was not reached within the limit\n"), "{}", ran.err);
    place.fine("train --resume a --units 1");
}
