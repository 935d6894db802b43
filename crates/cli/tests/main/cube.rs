//! `learnery cube`: evaluation on every state, and solutions of single cubes.

use crate::common::{Sandbox, json_lines};
use learnery_labs::cube::parse;

/// A sandbox with a run of the cube lab in the folder `a`, trained for one unit with a tiny network.
fn trained() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed("train cube --set hidden_1=8 --set updates=2 --set judge_every=0 --units 1 --out a");
    sandbox
}

#[test]
fn eval_covers_every_state() {
    let sandbox = trained();
    let report = &json_lines(&sandbox.succeed("cube eval a --beam 4 --sample 20 --json").out)[0];
    assert_eq!((&report["states"], &report["beam"]["sample"]), (&3_674_160.into(), &20.into()));
    // In quarter turns the farthest 276 states are 14 turns from solved; in half turns the farthest 2,644 are
    // 11 turns away.
    let distances = report["distances"].as_array().expect("a list");
    assert_eq!((distances.len(), &distances[14]["states"]), (15, &276.into()));
    // The only state at distance 0 is the solved cube.
    assert_eq!(distances[0]["solved"], 1.0);
    let half = &json_lines(&sandbox.succeed("cube eval a --metric half --json").out)[0];
    assert_eq!(half["distances"][11]["states"], 2644);
    let text = sandbox.succeed("cube eval a").out;
    // 1,350,852 states are at distance 11, the most of any distance.
    assert!(text.contains("Greedy from 3,674,160 states") && text.contains("1,350,852"), "{text}");
}

#[test]
fn solve_names_turns_in_the_orientation_of_the_scramble() {
    let sandbox = trained();
    let solve = |scramble: &str, beam: &str| {
        let mut command = sandbox.command("cube solve --json --checkpoint a --beam");
        let out = command.args([beam, scramble]).output().expect("it runs");
        json_lines(&String::from_utf8_lossy(&out.stdout)).remove(0)
    };
    // A beam as wide as the number of reachable states finds a shortest solution with any network.
    let solved = solve("L D' B", "2000");
    assert_eq!((&solved["turns"], &solved["least"]), (&3.into(), &3.into()));
    let solution = solved["solution"].as_str().expect("a solution");
    let both = parse(&format!("L D' B {solution}")).expect("valid notation");
    assert_eq!(both.state, parse("").expect("valid notation").state, "{solution}");
    assert_eq!(solve("", "1")["turns"], 0);
    // A cube after one turn of the right face, as 24 stickers.
    let seen =
        sandbox.succeed("cube solve --json --beam 9 --checkpoint a --stickers UFUFRRRRFDFDDBDBLLLLUBUB").out;
    assert_eq!(json_lines(&seen)[0]["solution"], "R'");
}
