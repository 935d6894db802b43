//! What goes where: JSON alone on standard output, words on standard error, and what happens when
//! someone interrupts or stops reading.
#![allow(clippy::unwrap_used, reason = "helpers of tests stand outside test functions")]

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::time::{Duration, Instant};

use common::{Place, Ran, json_lines};

#[test]
fn json_is_alone_on_standard_output() {
    let place = Place::new();
    let ran = place.train_small("--units 3 --seed 4 --out a --json");
    let lines = json_lines(&ran.out);
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events.iter().filter(|event| **event == "metrics").count(), 3);
    assert_eq!((events[0], *events.last().unwrap()), ("start", "done"));
    assert!(events.contains(&"saved"));
    assert_eq!((&lines[0]["lab"], &lines[0]["seed"]), (&"control".into(), &4.into()));
    let done = lines.last().unwrap();
    assert_eq!((&done["reason"], &done["unit"], &done["folder"]), (&"units".into(), &3.into(), &"a".into()));
    assert!(ran.err.contains("Next:"), "{}", ran.err);

    // The same rows as in the file.
    let rows: Vec<_> = lines.iter().filter(|line| line["event"] == "metrics").cloned().collect();
    for (mut row, kept) in rows.into_iter().zip(place.rows("a")) {
        row.as_object_mut().unwrap().remove("event");
        assert_eq!(row, kept);
    }
}

#[test]
fn without_json_a_run_says_nothing_on_standard_output() {
    let place = Place::new();
    let ran = place.train_small("--units 2");
    assert_eq!(ran.out, "");
    assert!(!ran.err.contains('\x1b'), "control codes where there is no terminal: {}", ran.err);
    assert!(ran.err.contains("--resume runs/control-0-1"), "{}", ran.err);
}

#[test]
fn the_other_commands_speak_json_too() {
    let place = Place::new();
    let labs = json_lines(&place.fine("labs --json").out);
    assert_eq!(labs[0]["about"]["id"], "control");
    assert_eq!(labs[0]["fields"][0]["name"], "world");
    assert!(labs[0]["schema"]["properties"]["worlds"]["maximum"].is_number());
    let info = json_lines(&place.fine("info --json").out);
    assert!(info[0]["cpu"]["isa"].is_string() && info[0]["memory"]["total"].as_u64() > Some(0));
    let words = place.fine("labs control").out;
    assert!(words.contains("learning_rate") && words.contains("0 to 0.1") && words.contains("hermit"));
    assert!(place.fine("info").out.contains("no GPU support is built in yet"));
}

#[test]
fn a_reader_who_has_gone_stops_the_run_without_losing_it() {
    let place = Place::new();
    let mut child = place.start_small("--out a --for 60s --json");
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"event\":\"start\""));
    // Dropping the reader closed the pipe.
    let ran = wait(child);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("Standard output was closed") && !ran.err.contains("panicked"), "{}", ran.err);
    place.fine("train --resume a --units 1");

    let mut child = place.command("labs control").spawn().unwrap();
    drop(child.stdout.take());
    let ran = wait(child);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_terminate_save_and_end_well() {
    for signal in ["INT", "TERM"] {
        let place = Place::new();
        let mut child = place.start_small("--out a --for 60s --json");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        read_until(&mut out, "\"unit\":20,");
        send(signal, &child);
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        let ran = wait(child);
        assert_eq!(ran.code, Some(0), "{signal}: {}", ran.err);
        assert!(
            ran.err.contains("Stopped when asked") && ran.err.contains("train --resume a"),
            "{}",
            ran.err
        );
        let done = json_lines(&rest).pop().unwrap();
        assert_eq!((&done["event"], &done["reason"]), (&"done".into(), &"interrupted".into()));

        // Everything up to the last unit is there, and it goes on.
        let unit = done["unit"].as_u64().unwrap();
        assert_eq!(place.rows("a").len() as u64, unit);
        place.fine("train --resume a --units 2");
        assert_eq!(place.rows("a").last().unwrap()["unit"], unit + 2);
    }
}

/// Starts a run whose first unit takes minutes and waits until it is well in the middle of it.
#[cfg(unix)]
fn start_long_unit(place: &Place) -> Child {
    let args = "train control --set worlds=1024 --set horizon=4096 --set epochs=50 --out a --units 1";
    let child = place.command(args).spawn().unwrap();
    let begin = Instant::now();
    while !place.path("a/metrics.jsonl").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run did not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[cfg(unix)]
#[test]
fn first_signal_ends_a_long_unit() {
    let place = Place::new();
    let child = start_long_unit(&place);
    send("TERM", &child);
    let ran = wait(child);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("No iteration was completed, so nothing was saved."), "{}", ran.err);
    assert!(!place.path("a/last.safetensors").exists());
}

#[cfg(unix)]
#[test]
fn second_signal_ends_the_program_at_once() {
    let place = Place::new();
    let child = start_long_unit(&place);
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(50));
    send("INT", &child);
    let ran = wait(child);
    assert_eq!(ran.code, Some(130), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn two_runs_do_not_share_a_folder() {
    let place = Place::new();
    let mut child = place.start_small("--out a --for 60s --json");
    read_until(&mut BufReader::new(child.stdout.as_mut().unwrap()), "\"event\":\"saved\"");
    let sentence = place.refused("train --resume a --units 1", 1);
    assert!(sentence.starts_with("another learnery is training in a"), "{sentence}");
    child.kill().unwrap();
    child.wait().unwrap();
    // Killed without warning: what was saved goes on.
    place.fine("train --resume a --units 1");
}

fn wait(child: Child) -> Ran {
    Ran::from(child.wait_with_output().unwrap())
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap();
    assert!(status.success());
}

fn read_until(out: &mut impl BufRead, wanted: &str) {
    let mut line = String::new();
    while !line.contains(wanted) {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended before `{wanted}`");
    }
}
