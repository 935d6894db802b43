//! `learnery fleet sweep`: every run has the bytes of the same run alone, also after the sweep was killed;
//! results are complete. A *unit* (`--units`) is one training iteration.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Finished, SMALL, Sandbox, json_lines};

/// A sweep of the control lab with the settings in `SMALL`.
fn sweep(sandbox: &Sandbox, args: &str) -> Command {
    let mut command = sandbox.command(&format!("fleet sweep control --local {args}"));
    command.args(SMALL);
    command
}

fn finish(mut command: Command) -> Finished {
    let finished = Finished::from(command.output().expect("the program starts"));
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    finished
}

/// The checkpoints of the runs of a sweep, with their folders below that of the sweep.
fn checkpoints(sandbox: &Sandbox, out: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folders =
        |path: PathBuf| fs::read_dir(path).expect("a folder").map(|entry| entry.expect("a folder").path());
    let root = sandbox.path(out);
    let points = folders(root.clone()).filter(|path| path.is_dir());
    let last = |path: PathBuf| {
        let bytes = fs::read(path.join("last.safetensors")).expect("a checkpoint");
        (path.strip_prefix(&root).expect("a folder of the sweep").to_owned(), bytes)
    };
    let mut all: Vec<_> = points.flat_map(folders).map(last).collect();
    all.sort();
    all
}

#[test]
fn every_run_of_a_sweep_has_the_bytes_of_the_run_alone() {
    let sandbox = Sandbox::new();
    let args = "--seeds 0..3 --set gamma=0.9,0.99 --set clip=0.1 --units 6 --out s";
    let finished = finish(sweep(&sandbox, &format!("{args} --json --threads 3")));
    let rows = json_lines(&finished.out);
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["settings"], &rows[1]["runs"]), (&"gamma=0.99".into(), &3.into()));

    sandbox.train_small("--seed 2 --set gamma=0.99 --set clip=0.1 --units 6 --out alone");
    assert_eq!(checkpoints(&sandbox, "s").len(), 6);
    assert!(sandbox.read("s/gamma=0.99/seed-2/last.safetensors") == sandbox.read("alone/last.safetensors"));

    let csv = String::from_utf8(sandbox.read("s/results.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(lines[0].starts_with("gamma,seed,units,work,solved_at,"), "{csv}");
    assert!(lines[6].starts_with("0.99,2,6,"), "{csv}");

    let page = String::from_utf8(sandbox.read("s/report.html")).unwrap();
    assert!(page.contains("All 6 runs are complete."), "{page}");

    // Again: nothing is left to do, and the results are the same. The number of threads does not matter.
    let again = finish(sweep(&sandbox, args));
    assert!(again.out.contains("gamma=0.9 ") && again.out.contains("units to the goal"), "{}", again.out);
    assert_eq!(csv.as_bytes(), sandbox.read("s/results.csv"));
    assert_eq!(page.as_bytes(), sandbox.read("s/report.html"));
    // More units continue every run.
    finish(sweep(&sandbox, &args.replace("--units 6", "--units 8")));
    sandbox.train_small("--seed 0 --set gamma=0.9 --set clip=0.1 --units 8 --out longer");
    assert!(sandbox.read("s/gamma=0.9/seed-0/last.safetensors") == sandbox.read("longer/last.safetensors"));
}

#[test]
fn killed_sweep_goes_on_and_ends_with_the_same_bytes() {
    let sandbox = Sandbox::new();
    let args = |out: &str| format!("--seeds 0,5 --set gamma=0.9,0.99 --units 400 --threads 2 --out {out}");
    finish(sweep(&sandbox, &args("whole")));
    // Three kills, each once a further run has its first checkpoint.
    for kills in 1.. {
        let mut child = sweep(&sandbox, &args("cut")).spawn().unwrap();
        // The first unit of a run is saved at once.
        let (gamma, seed) = [("0.9", 0), ("0.99", 0), ("0.9", 5)][kills - 1];
        let saved = sandbox.path(&format!("cut/gamma={gamma}/seed-{seed}/last.safetensors"));
        while !saved.exists() {
            assert!(child.try_wait().unwrap().is_none(), "the sweep ended before it was killed");
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if kills == 3 {
            break;
        }
    }
    assert!(!sandbox.path("cut/results.csv").exists(), "it was killed before its end");
    finish(sweep(&sandbox, &args("cut")));
    let (whole, cut) = (checkpoints(&sandbox, "whole"), checkpoints(&sandbox, "cut"));
    assert_eq!(whole.len(), 4);
    for ((folder, whole), (_, cut)) in whole.iter().zip(&cut) {
        assert!(whole == cut, "{}: the kill changed the result", folder.display());
    }
    assert_eq!(sandbox.read("whole/results.csv"), sandbox.read("cut/results.csv"));
}

#[cfg(unix)]
#[test]
fn interrupted_sweep_fails_and_keeps_its_runs() {
    let sandbox = Sandbox::new();
    let args = "--seeds 0..2 --units 1000000000 --threads 2 --out s";
    let child = sweep(&sandbox, args).spawn().unwrap();
    let rows = |seed: u32| {
        fs::read_to_string(sandbox.path(&format!("s/all/seed-{seed}/metrics.jsonl")))
            .unwrap_or_default()
            .lines()
            .count()
    };
    while rows(0) < 100 || rows(1) < 100 {
        sleep(Duration::from_millis(10));
    }
    let completed = [rows(0), rows(1)];
    let status = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let finished = Finished::from(child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    let error = "error: the sweep was interrupted; the same command continues it\n";
    assert!(finished.err.ends_with(error), "{}", finished.err);
    for (seed, completed) in completed.into_iter().enumerate() {
        let run = format!("train --resume s/all/seed-{seed} --units 0 --json");
        let start = json_lines(&sandbox.succeed(&run).out).remove(0);
        assert!(start["unit"].as_u64() >= Some(completed as u64), "{start}: {}", finished.err);
    }
}

/// A folder in the place of a checkpoint makes saving fail, as a full disk does.
#[cfg(unix)]
#[test]
fn sweep_goes_on_while_a_run_cannot_be_saved_and_saves_it_later() {
    let sandbox = Sandbox::new();
    let sweep = |units: u64| {
        sandbox.command(&format!("fleet sweep control --local --seeds 0 --units {units} --out s"))
    };
    finish(sweep(1));
    let solved = sandbox.path("s/all/seed-0/solved.safetensors");
    fs::create_dir(&solved).unwrap();
    let mut child = sweep(1_000_000_000).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let problem = "solved.safetensors cannot be written: it is a folder. The run goes on and tries again.\n";
    let mut line = String::new();
    while !line.ends_with(problem) {
        line.clear();
        assert!(err.read_line(&mut line).unwrap() > 0, "the sweep ended");
    }
    fs::remove_dir(&solved).unwrap();
    while !solved.exists() {
        assert!(child.try_wait().unwrap().is_none(), "the sweep ended");
        sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
    std::io::copy(&mut err, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    sandbox.succeed("train --resume s/all/seed-0 --units 1");
}

#[test]
fn random_sweep_repeats_by_its_seed_and_can_be_extended() {
    let sandbox = Sandbox::new();
    let run = |count: u32, seed: u32, out: &str| {
        let random = format!("--random {count} --seed {seed} --units 20 --threads 2 --out {out} --json");
        finish(sweep(&sandbox, &format!("--seeds 0,1 --set gamma=0.9..0.99 --set clip=0.1,0.2 {random}")))
    };
    let settings = |finished: &Finished| {
        let rows = json_lines(&finished.out);
        rows.iter().map(|row| row["settings"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = run(3, 5, "s");
    let names = settings(&first);
    assert_eq!(names.len(), 3);
    assert!(names[0] != names[1] && names[0] != names[2] && names[1] != names[2], "{names:?}");
    assert!(first.err.contains("1 of 6 runs are done, 0 reached the goal. About "), "{}", first.err);
    assert!(first.err.contains("6 of 6 runs are done, 0 reached the goal.\n"), "{}", first.err);
    assert_eq!(settings(&run(3, 5, "again")), names);
    assert!(checkpoints(&sandbox, "again") == checkpoints(&sandbox, "s"));
    assert_ne!(settings(&run(3, 6, "other")), names);
    assert_eq!(settings(&run(5, 5, "s"))[..3], names, "more combinations extend the sweep");
    assert_eq!(checkpoints(&sandbox, "s").len(), 10);
}

#[test]
fn halving_ends_with_the_bytes_of_the_run_alone() {
    let sandbox = Sandbox::new();
    let settings = "--set worlds=8 --set horizon=32 --set minibatches=1 --set eval_every=1";
    let halve = |more: &str| {
        let rates = "--seeds 0..2 --set learning_rate=0,1e-3,3e-3";
        let args = format!("fleet sweep control --local {settings} {rates} --halving {more}");
        let finished = sandbox.run(&args);
        assert_eq!(finished.code, Some(0), "{args}: {}", finished.err);
        finished
    };
    let finished = halve("--units 9 --out s --json --threads 2");
    let rows = json_lines(&finished.out);
    assert_eq!(rows.len(), 3);
    let (dropped, left): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["dropped"] == true);
    assert_eq!((dropped.len(), left.len()), (2, 1), "{}", finished.out);
    assert!(dropped.iter().all(|row| row["units"] == 3) && left[0]["units"] == 9, "{}", finished.out);
    let err = &finished.err;
    assert!(err.contains("Combinations in each round: 3 for 3 iterations, then 1 for 9.\n"), "{err}");
    let survivor = left[0]["settings"].as_str().unwrap();
    assert!(err.contains(&format!("After round 1, 1 of 3 combinations go on: {survivor}.\n")), "{err}");
    assert!(err.contains("Round 2 of 2: 2 of 2 runs are done"), "{err}");
    for row in &rows {
        let (label, units) = (row["settings"].as_str().unwrap(), &row["units"]);
        let alone = format!("alone-{label}");
        sandbox.succeed(&format!(
            "train control {settings} --set {label} --seed 1 --units {units} --out {alone}"
        ));
        let last = |run: &str| sandbox.read(&format!("{run}/last.safetensors"));
        assert!(last(&format!("s/{label}/seed-1")) == last(&alone), "{label} has other bytes");
    }
    // The median of both seeds was the best after three iterations.
    let median = |row: &&serde_json::Value| {
        let label = row["settings"].as_str().unwrap();
        let rows = |seed: u32| sandbox.rows(&format!("s/{label}/seed-{seed}"));
        (0..2).map(|seed| rows(seed)[2]["examReturn"].as_f64().unwrap()).sum::<f64>() / 2.0
    };
    assert!(dropped.iter().all(|row| median(row) <= median(&left[0])), "{}", finished.out);

    // Again: nothing is left to do, and the decisions are the same. The table says who was stopped.
    let files = || ["results.csv", "report.html"].map(|file| sandbox.read(&format!("s/{file}")));
    let before = files();
    let again = halve("--units 9 --out s");
    assert!(again.err.contains("Best settings: "), "{}", again.err);
    assert!(again.out.lines().next().unwrap().ends_with("units"), "{}", again.out);
    assert_eq!(files(), before);
    // More units continue the runs.
    halve("--units 18 --out s");
    let units = |label: &str| sandbox.rows(&format!("s/{label}/seed-0")).len();
    assert!(rows.iter().all(|row| units(row["settings"].as_str().unwrap()) >= 6));
}

#[test]
fn runs_end_at_their_goal() {
    let sandbox = Sandbox::new();
    let solves = "--seeds 0..2 --until-goal --units 3000 --out s --json";
    let finished = finish(sandbox.command(&format!("fleet sweep control --local {solves}")));
    let row = &json_lines(&finished.out)[0];
    assert_eq!((&row["runs"], &row["solved"]), (&2.into(), &2.into()), "{row}");
    let page = String::from_utf8(sandbox.read("s/report.html")).unwrap();
    assert!(
        page.contains("<title>all, seed 0</title>") && page.contains("<title>all, seed 1</title>"),
        "{page}"
    );
    let csv = String::from_utf8(sandbox.read("s/results.csv")).unwrap();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[1], cells[3], "a run went on after its goal: {line}");
    }
}
