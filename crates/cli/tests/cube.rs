//! The cube lab on the command line: judged on every state, and asked for solutions.

mod common;

use common::{Place, json_lines};
use learnery_labs::cube::parse;

/// A run of no use, in a moment.
fn trained() -> Place {
    let place = Place::new();
    place.fine("train cube --set hidden_1=8 --set updates=2 --set judge_every=0 --units 1 --out a");
    place
}

#[test]
fn every_state_is_judged() {
    let place = trained();
    let told = &json_lines(&place.fine("cube eval a --beam 4 --sample 20 --json").out)[0];
    assert_eq!((&told["states"], &told["beam"]["sample"]), (&3_674_160.into(), &20.into()));
    let distances = told["distances"].as_array().expect("a list");
    assert_eq!((distances.len(), &distances[14]["states"]), (15, &276.into()));
    // The solved cube is solved.
    assert_eq!(distances[0]["solved"], 1.0);
    let half = &json_lines(&place.fine("cube eval a --metric half --json").out)[0];
    assert_eq!(half["distances"][11]["states"], 2644);
    let words = place.fine("cube eval a").out;
    assert!(words.contains("Greedy from 3,674,160 states") && words.contains("1,350,852"), "{words}");
}

#[test]
fn cubes_are_solved_as_they_are_held() {
    let place = trained();
    let solve = |scramble: &str, beam: &str| {
        let mut command = place.command("cube solve --json --checkpoint a --beam");
        let out = command.args([beam, scramble]).output().expect("it runs");
        json_lines(&String::from_utf8_lossy(&out.stdout)).remove(0)
    };
    // A beam that holds all there is within reach finds a shortest solution, whatever guides it.
    let told = solve("L D' B", "2000");
    assert_eq!((&told["turns"], &told["least"]), (&3.into(), &3.into()));
    let solution = told["solution"].as_str().expect("there is one");
    let both = parse(&format!("L D' B {solution}")).expect("it is written well");
    assert_eq!(both.state, parse("").expect("nothing is, too").state, "{solution}");
    assert_eq!(solve("", "1")["turns"], 0);
    let seen =
        place.fine("cube solve --json --beam 9 --checkpoint a --stickers UFUFRRRRFDFDDBDBLLLLUBUB").out;
    assert_eq!(json_lines(&seen)[0]["solution"], "R'");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let place = trained();
    place.fine(
        "train cube --set learner=dqn --set hidden_1=8 --set updates=1 --set judge_every=0 --units 1 --out q",
    );
    place.train_small("--units 1 --out other");
    for (args, code, sentence) in [
        ("cube solve RxW --checkpoint a", 2, "`W` is not a turn"),
        ("cube solve --stickers UUU --checkpoint a", 2, "3 stickers"),
        ("cube solve --checkpoint a", 2, "required"),
        ("cube solve R --checkpoint nowhere", 1, "nowhere"),
        ("cube eval other", 1, "belongs to the lab `control`"),
        ("cube eval q --metric half", 2, "judges turns"),
        ("cube eval a --beam 0", 2, "--beam"),
    ] {
        let told = place.refused(args, code);
        assert!(told.contains(sentence), "{args}: {told}");
    }
}
