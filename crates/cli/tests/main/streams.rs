//! Standard output contains only results, standard error the messages. Also tests how a run ends on signals,
//! when the pipe of standard output is closed, and when a second process wants the same run folder. A *unit*
//! is one training iteration.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{Finished, Sandbox, json_lines};

#[test]
fn json_run_writes_only_events_to_standard_output() {
    let sandbox = Sandbox::new();
    let finished = sandbox.train_small("--units 3 --seed 4 --out a --json");
    let lines = json_lines(&finished.out);
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events.iter().filter(|event| **event == "metrics").count(), 3);
    assert_eq!((events[0], *events.last().unwrap()), ("start", "done"));
    assert!(events.contains(&"saved"));
    assert_eq!((&lines[0]["lab"], &lines[0]["seed"]), (&"control".into(), &4.into()));
    let done = lines.last().unwrap();
    assert_eq!((&done["reason"], &done["unit"], &done["folder"]), (&"units".into(), &3.into(), &"a".into()));
    assert!(finished.err.contains("Next:"), "{}", finished.err);

    // The events have the same rows as the file.
    let rows: Vec<_> = lines.iter().filter(|line| line["event"] == "metrics").cloned().collect();
    for (mut row, kept) in rows.into_iter().zip(sandbox.rows("a")) {
        row.as_object_mut().unwrap().remove("event");
        assert_eq!(row, kept);
    }
}

#[test]
fn run_without_json_writes_nothing_to_standard_output() {
    let sandbox = Sandbox::new();
    let finished = sandbox.train_small("--units 2");
    assert_eq!(finished.out, "");
    assert!(!finished.err.contains('\x1b'), "control codes where there is no terminal: {}", finished.err);
    assert!(finished.err.contains("--resume runs/control-0-1"), "{}", finished.err);
}

/// The last table is written at the end; a run of milliseconds has no other.
#[test]
fn plain_run_writes_a_table_of_its_metrics() {
    let sandbox = Sandbox::new();
    let finished = sandbox.train_small("--units 3 --plain --json --out a");
    // The start, three units, the saves of the first and the last, and the end.
    assert_eq!(json_lines(&finished.out).len(), 7, "the events are as without --plain: {}", finished.out);
    let begin = finished.err.find("\n---").unwrap_or_else(|| panic!("{}", finished.err)) + 1;
    let table: Vec<&str> = finished.err[begin..].lines().take_while(|line| !line.is_empty()).collect();
    assert!(table.iter().all(|line| line.len() == table[0].len() && line.len() <= 80), "{table:?}");
    let has_row = |name: &str, value: &str| {
        let is_row = |line: &&str| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            (cells.next(), cells.next()) == (Some(name), Some(value))
        };
        table.iter().any(is_row)
    };
    assert!(has_row("control/", "") && has_row("time/", "") && has_row("iterations", "3"), "{table:?}");
    assert!(has_row("world steps", "192"), "{table:?}");
    assert!(table.iter().any(|line| line.starts_with("|    policy entropy")), "{table:?}");
}

#[test]
fn quiet_run_writes_only_its_results_and_errors() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.train_small("--units 2 --out a -q").err, "");
    // Six events: the start, two units, a save after each, and the end.
    let finished = sandbox.train_small("--units 2 --out b --json --quiet");
    assert_eq!((finished.err.as_str(), json_lines(&finished.out).len()), ("", 6), "{}", finished.out);
    let message = sandbox.rejected("train --resume nowhere -q", 1);
    assert_eq!(message, "nowhere cannot be read: there is no such file or folder");
}

#[test]
fn labs_and_info_write_json_or_text() {
    let sandbox = Sandbox::new();
    let labs = json_lines(&sandbox.succeed("labs --json").out);
    assert_eq!(labs[0]["about"]["id"], "control");
    assert_eq!(labs[0]["fields"][0]["name"], "world");
    assert!(labs[0]["schema"]["properties"]["worlds"]["maximum"].is_number());
    let info = json_lines(&sandbox.succeed("info --json").out);
    assert!(info[0]["cpu"]["isa"].is_string() && info[0]["memory"]["total"].as_u64() > Some(0));
    let list = sandbox.succeed("labs").out;
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    assert!(list.contains("\nlanguage  ") && list.contains("presets: addition, stories"), "{list}");
    let text = sandbox.succeed("labs control").out;
    assert!(text.contains("learning_rate") && text.contains("0 to 0.1") && text.contains("hermit"));
    assert!(text.contains("Settings: network") && !text.contains("Settings: data"));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" "); // the lines are wrapped
    assert!(words.contains("Only with world = pendulum | own."));
    // Which GPUs there are depends on the machine; a build without support says so.
    assert!(cfg!(feature = "gpu") || sandbox.succeed("info").out.contains("cannot use GPUs"));
}

#[test]
fn opening_a_gpu_without_a_display_writes_nothing_to_standard_error() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("info");
    for name in ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let finished = Finished::from(command.output().unwrap());
    assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""));
    assert!(finished.out.contains("GPU"), "{}", finished.out);
}

#[test]
fn closed_standard_output_ends_the_run_and_saves_it() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.start_small("--out a --for 60s --json");
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"event\":\"start\""));
    // Dropping the reader closed the pipe.
    let finished = wait(child);
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert!(
        finished.err.contains("Standard output was closed") && !finished.err.contains("panicked"),
        "{}",
        finished.err
    );
    sandbox.succeed("train --resume a --units 1");

    let mut child = sandbox.command("labs control").spawn().unwrap();
    drop(child.stdout.take());
    let finished = wait(child);
    assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""));
}

/// `/dev/full` refuses every byte, as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn events_that_cannot_be_written_end_the_run_and_save_it() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = sandbox.command("train control --out a --for 60s --json");
    let finished = Finished::from(command.args(crate::common::SMALL).stdout(full).output().unwrap());
    assert_eq!(finished.code, Some(1), "{}", finished.err);
    let error = "error: standard output cannot be written: no space is left\n";
    assert!(finished.err.ends_with(error), "{}", finished.err);
    sandbox.succeed("train --resume a --units 1");
    assert_eq!(sandbox.rows("a").len(), 2);
}

#[cfg(unix)]
#[test]
fn interrupt_and_terminate_signals_save_the_run() {
    for signal in ["INT", "TERM"] {
        let sandbox = Sandbox::new();
        let mut child = sandbox.start_small("--out a --for 60s --json");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        read_until(&mut out, "\"unit\":20,");
        send(signal, &child);
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        let finished = wait(child);
        assert_eq!(finished.code, Some(0), "{signal}: {}", finished.err);
        assert!(
            finished.err.contains("Stopped on request") && finished.err.contains("train --resume a"),
            "{}",
            finished.err
        );
        let done = json_lines(&rest).pop().unwrap();
        assert_eq!((&done["event"], &done["reason"]), (&"done".into(), &"interrupted".into()));

        // Every completed unit is saved, and the run can be continued.
        let unit = done["unit"].as_u64().unwrap();
        assert_eq!(sandbox.rows("a").len() as u64, unit);
        sandbox.succeed("train --resume a --units 2");
        assert_eq!(sandbox.rows("a").last().unwrap()["unit"], unit + 2);
    }
}

/// A folder in the place of the checkpoint makes saving fail, as a full disk does.
#[cfg(unix)]
#[test]
fn run_goes_on_while_it_cannot_be_saved_and_is_saved_again() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.start_small("--out a --for 300s --save-every 0.2s");
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let last = sandbox.path("a/last.safetensors");
    while std::fs::remove_file(&last).is_err() || std::fs::create_dir(&last).is_err() {
        std::thread::sleep(Duration::from_millis(5));
    }
    read_until(
        &mut err,
        "a/last.safetensors cannot be written: it is a folder. The run goes on and tries again.",
    );
    std::fs::remove_dir(&last).unwrap();
    read_until(&mut err, "The run is saved again.");
    send("INT", &child);
    let finished = wait(child);
    assert_eq!(finished.code, Some(0));
    let rows = sandbox.rows("a").len() as u64;
    let start = json_lines(&sandbox.succeed("train --resume a --units 0 --json").out).remove(0);
    assert_eq!(start["unit"], rows);
}

/// A run that has not reached its aim when a signal ends it fails, with the conventional exit codes.
#[cfg(unix)]
#[test]
fn signal_before_the_aim_of_a_run_is_a_failure() {
    // With a learning rate of 0 the goal cannot be reached.
    let with_goal = "--set worlds=8 --set horizon=8 --set minibatches=1 --set learning_rate=0 --until-goal";
    let recipe = "#/control?worlds=8&horizon=8&minibatches=1&eval_every=0&units=1000000000";
    let runs = [
        (format!("train control {with_goal} --out a --json"), "its goal was reached"),
        (format!("train --recipe {recipe} --out a --json"), "the end of its recipe"),
    ];
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        for (command, missed) in &runs {
            let sandbox = Sandbox::new();
            let mut child = sandbox.command(command).spawn().unwrap();
            let mut out = BufReader::new(child.stdout.take().unwrap());
            read_until(&mut out, "\"unit\":5,");
            send(signal, &child);
            let mut rest = String::new();
            out.read_to_string(&mut rest).unwrap();
            let finished = wait(child);
            assert_eq!(finished.code, Some(code), "{command}: {}", finished.err);
            let error = format!("error: the run was interrupted before {missed}\n");
            assert!(finished.err.ends_with(&error), "{command}: {}", finished.err);
            sandbox.succeed("train --resume a --units 1");
        }
    }
}

/// On a machine that needs more than 0.9 seconds for a step, the process ends in the middle of it.
#[cfg(unix)]
#[test]
fn completed_units_are_kept_however_long_a_step_takes() {
    let sandbox = Sandbox::new();
    let settings = "--set source=stories --set width=128 --set layers=2 --set heads=4 --set length=128 --set batch=64 \
                    --set updates=1 --set judge_size=500";
    let child = sandbox.command(&format!("train language {settings} --threads 1 --out a")).spawn().unwrap();
    let rows =
        || std::fs::read_to_string(sandbox.path("a/metrics.jsonl")).unwrap_or_default().lines().count();
    let begin = Instant::now();
    while rows() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(300), "training did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    let completed = rows();
    send("INT", &child);
    let finished = wait(child);
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    // On a machine that was busy while a checkpoint was kept, an iteration may be lost; then it is told.
    let lost = (1..=completed).find(|n| finished.err.contains(&format!("; {n} completed iteration")));
    let is_told = |text: &str| finished.err.contains(text);
    assert!(
        lost.is_some() || is_told("Stopped on request") || is_told("no completed iteration is lost"),
        "{}",
        finished.err
    );
    let start = json_lines(&sandbox.succeed("train --resume a --units 0 --json").out).remove(0);
    let kept = start["unit"].as_u64().unwrap() as usize;
    assert!(kept + lost.unwrap_or(0) >= completed, "{start}: {}", finished.err);
}

/// Starts a run whose first unit takes minutes, and waits until the unit is in progress.
#[cfg(unix)]
fn start_long_unit(sandbox: &Sandbox) -> Child {
    let args = "train control --set worlds=1024 --set horizon=4096 --set epochs=50 --out a --units 1";
    let child = sandbox.command(args).spawn().unwrap();
    let begin = Instant::now();
    while !sandbox.path("a/metrics.jsonl").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "training did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[cfg(unix)]
#[test]
fn first_signal_ends_a_run_in_the_middle_of_a_long_unit() {
    let sandbox = Sandbox::new();
    let child = start_long_unit(&sandbox);
    send("TERM", &child);
    let finished = wait(child);
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert!(finished.err.contains("No iteration was completed, so nothing was saved."), "{}", finished.err);
    assert!(!finished.err.contains("--resume"), "there is nothing to continue: {}", finished.err);
    assert!(!sandbox.path("a/last.safetensors").exists());
}

#[cfg(unix)]
#[test]
fn second_signal_ends_the_program_at_once() {
    let sandbox = Sandbox::new();
    let child = start_long_unit(&sandbox);
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(50));
    send("INT", &child);
    let finished = wait(child);
    // 130 is the conventional exit code after Ctrl-C.
    assert_eq!(finished.code, Some(130), "{}", finished.err);
}

#[cfg(unix)]
#[test]
fn run_folder_is_locked_against_a_second_run() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.start_small("--out a --for 60s --json");
    read_until(&mut BufReader::new(child.stdout.as_mut().unwrap()), "\"event\":\"saved\"");
    let sentence = sandbox.rejected("train --resume a --units 1", 1);
    assert!(sentence.starts_with("another learnery is training in a"), "{sentence}");
    child.kill().unwrap();
    child.wait().unwrap();
    // A killed run continues from its last checkpoint.
    sandbox.succeed("train --resume a --units 1");
}

fn wait(child: Child) -> Finished {
    Finished::from(child.wait_with_output().unwrap())
}

/// Sends a signal (`INT`, `TERM`) to a process.
fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap();
    assert!(status.success());
}

/// Reads lines until one contains `wanted`.
fn read_until(out: &mut impl BufRead, wanted: &str) {
    let mut line = String::new();
    while !line.contains(wanted) {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended before `{wanted}`");
    }
}
