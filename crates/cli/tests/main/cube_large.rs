//! `learnery cube` with networks of the 3x3x3.

use crate::common::{Sandbox, json_lines};
use learnery_labs::cube::large::puzzle;
use serde_json::Value;

/// A sandbox with a run of the 3x3x3 in the folder `a`, trained for one unit with a tiny network.
fn trained() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        "train cube --set puzzle=3x3x3 --set learner=cayleypy --set hidden_1=8 --set hidden_2=0 --set updates=2 \
         --set batch=16 --set judge_every=0 --units 1 --out a",
    );
    sandbox
}

#[test]
fn solve_finds_solutions_in_both_metrics() {
    let sandbox = trained();
    let solve = |more: &[&str]| {
        let out = sandbox.command("cube solve --json --checkpoint a").args(more).output().expect("it runs");
        json_lines(&String::from_utf8_lossy(&out.stdout)).remove(0)
    };
    // This beam keeps every state that three quarter turns reach, so it finds a shortest solution with any
    // network.
    let solved = solve(&["R U2", "--width", "2000"]);
    assert_eq!((&solved["turns"], &solved["halfTurns"]), (&3.into(), &2.into()), "{solved}");
    let solution = solved["solution"].as_str().expect("a solution");
    let both = puzzle().parse(&format!("R U2 {solution}")).expect("valid notation");
    assert_eq!(puzzle().after_all(&puzzle().solved(), &both), puzzle().solved(), "{solution}");
    assert_eq!(solve(&["R U2", "--width", "2000", "--metric", "htm"])["solution"], "U2 R'");
    assert_eq!(solve(&["", "--width", "1"])["turns"], 0);
    // Nothing is shorter than two turns, so the time is not used; and a half turn is written as one.
    let solved = solve(&["F2", "--for", "100s"]);
    assert_eq!((&solved["solution"], &solved["turns"]), (&"F2".into(), &2.into()), "{solved}");
    // A cube after one turn of the right face, as 54 stickers in Kociemba's order.
    let seen = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
    assert_eq!(solve(&["--facelets", seen, "--for", "0.1s"])["solution"], "R'");
}

/// A search that finds nothing fails, and says whether it was interrupted. Its JSON is written all the same.
#[test]
fn solve_without_a_solution_fails() {
    let sandbox = trained();
    let scramble = "R U2 F' L D B2 R' U F2 D'";
    let out = sandbox.command("cube solve --width 1 --json --checkpoint a").arg(scramble).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let line = json_lines(&String::from_utf8_lossy(&out.stdout)).remove(0);
    assert!(line["solution"].is_null() && line["searches"].as_u64() > Some(0), "{line}");
    let problem = String::from_utf8_lossy(&out.stderr);
    assert!(problem.contains("no solution was found"), "{problem}");
}

/// Ctrl-C before anything was found is no success.
#[cfg(unix)]
#[test]
fn interrupted_solve_fails() {
    let sandbox = trained();
    let mut command = sandbox.command("cube solve --for 100000s --checkpoint a");
    command.arg("R U2 F' L D B2 R' U F2 D' L2 B");
    let (finished, rest) = crate::common::interrupted(command, "Beams of", || {});
    assert_eq!((finished.code, finished.out.as_str()), (Some(130), ""));
    // The last one is said if the machine was too busy to end the step in time.
    let sentences = ["interrupted before a solution was found", "in the middle of a step"];
    assert!(sentences.iter().any(|sentence| rest.contains(sentence)), "{rest}");
}

/// The same with `--json`, which writes nothing before the search ends: Ctrl-C is due once the program
/// handles it.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_solve_with_json_fails_too() {
    let sandbox = trained();
    let mut command = sandbox.command("cube solve --for 100000s --json --checkpoint a");
    let child = command.arg("R U2 F' L D B2 R' U F2 D' L2 B").spawn().expect("it runs");
    let status = format!("/proc/{}/status", child.id());
    let handles_ctrl_c = || {
        let status = std::fs::read_to_string(&status).expect("it runs on");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask").trim();
        // The lowest bit stands for signal 1, Ctrl-C is signal 2.
        u64::from_str_radix(mask, 16).expect("hexadecimal digits") & 2 != 0
    };
    while !handles_ctrl_c() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    let finished = crate::common::Finished::from(child.wait_with_output().expect("it ends"));
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    // On a busy machine the process ends in the middle of a step, before it writes anything.
    if !finished.err.contains("in the middle of a step") {
        assert!(finished.err.contains("interrupted before a solution was found"), "{}", finished.err);
        assert!(json_lines(&finished.out)[0]["solution"].is_null(), "{}", finished.out);
    }
}

/// Without a checkpoint it uses the trained network of the puzzle that the stickers are of.
#[test]
fn trained_networks_solve_states_of_both_puzzles() {
    let sandbox = Sandbox::new();
    let solve = |more: &[&str]| {
        let out = sandbox.command("cube solve --json").args(more).output().expect("it runs");
        json_lines(&String::from_utf8_lossy(&out.stdout)).remove(0)
    };
    let scramble = "R U2 F' L D B2 R' U F2 D'";
    let solved = solve(&[scramble, "--width", "256"]);
    let solution = solved["solution"].as_str().expect("a solution");
    let both = puzzle().parse(&format!("{scramble} {solution}")).expect("valid notation");
    assert_eq!(puzzle().after_all(&puzzle().solved(), &both), puzzle().solved(), "{solution}");
    // A 2x2x2 after a turn of the right face.
    let small = solve(&["--stickers", "UFUFRRRRFDFDDBDBLLLLUBUB"]);
    assert_eq!(small["turns"], 1, "{small}");
}

/// The lines of an evaluation without the times.
fn results(sandbox: &Sandbox, file: &str) -> Vec<Value> {
    let text = String::from_utf8(sandbox.read(file)).expect("it is text");
    let mut lines = json_lines(&text);
    lines.iter_mut().for_each(|line| line["seconds"] = Value::Null);
    lines
}

#[test]
fn eval_goes_on_where_it_was_stopped() {
    let sandbox = trained();
    let eval = |more: &str| sandbox.succeed(&format!("cube eval a --width 3 --seed 4 --json {more}"));
    let whole = &json_lines(&eval("--states 5 --out whole.jsonl").out)[0];
    assert_eq!((&whole["states"], &whole["width"]), (&5.into(), &3.into()));
    eval("--states 2 --out part.jsonl");
    // A line that was cut off is done again.
    let mut bytes = sandbox.read("part.jsonl");
    bytes.truncate(bytes.len() - 9);
    sandbox.write("part.jsonl", bytes);
    eval("--states 5 --out part.jsonl");
    assert_eq!(results(&sandbox, "part.jsonl"), results(&sandbox, "whole.jsonl"));
    let text = sandbox.succeed("cube eval a --width 3 --seed 4 --states 5 --out whole.jsonl").out;
    assert!(
        text.contains("Beams of 3, uniformly random states of seed 4") && text.contains(" of 5 solved"),
        "{text}"
    );
}
