//! Backgammon on the command line: positions are judged and plays chosen line by line, and a bad line costs itself alone.
#![allow(clippy::unwrap_used, reason = "helpers of tests stand outside test functions")]

mod common;

use std::fs;

use common::{Place, Ran};

const START: &str = "4HPwATDgc/ABMA";
/// Nothing can be played with a six and a three, and what that leads to.
const SHUT_OUT: [&str; 2] = ["bfcOAAD8+gYAQA", "/PoGAEBt9w4AAA"];

/// A run of no use, in a moment.
fn trained() -> Place {
    let place = Place::new();
    place.fine(
        "train backgammon --set hidden=8 --set second=4 --set race=4 --set games=4 --set horizon=4 --set replay=64 \
         --set eval_every=0 --units 1 --out a",
    );
    place
}

/// Asks lines.
fn asked(place: &Place, args: &str, lines: &[u8]) -> Ran {
    place.write("lines", lines);
    let mut command = place.command(&format!("backgammon {args}"));
    command.stdin(fs::File::open(place.path("lines")).unwrap());
    Ran::from(command.output().unwrap())
}

fn numbers(answer: &str) -> Vec<f64> {
    answer.split(' ').skip(1).map(|word| word.parse().unwrap_or_else(|e| panic!("{answer}: {e}"))).collect()
}

#[test]
fn positions_are_judged_a_line_each() {
    let place = trained();
    for plies in 0..=2 {
        let lines =
            format!("{START}\n{}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", SHUT_OUT[0]);
        let ran = asked(&place, &format!("eval --checkpoint a --plies {plies}"), lines.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let answers: Vec<&str> = ran.out.lines().collect();
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[0], answers[2], "however a position is written");
        for (answer, id) in answers.iter().zip([START, SHUT_OUT[0], START]) {
            assert!(answer.starts_with(&format!("{id} ")), "{answer}");
            let told = numbers(answer);
            let [win, gammon, backgammon, lost_gammon, lost_backgammon, equity] = told[..] else {
                panic!("six numbers: {answer}");
            };
            assert!(
                (0.0..=1.0).contains(&win) && gammon <= win && lost_gammon <= 1.0 - win + 1e-4,
                "{answer}"
            );
            assert!(backgammon <= gammon && lost_backgammon <= lost_gammon, "{answer}");
            let worth = 2.0 * win - 1.0 + gammon - lost_gammon + backgammon - lost_backgammon;
            assert!((worth - equity).abs() < 1e-4, "{answer}");
        }
    }
}

#[test]
fn plays_are_chosen_among_those_there_are() {
    let place = trained();
    let lines = format!("{START} 3 1\n{START} 6 6\n{} 6 3\n", SHUT_OUT[0]);
    let listed = asked(&place, "plays --list", lines.as_bytes()).out;
    for how in ["", "--plies 1", "--plies 2", "--sims 1", "--sims 40"] {
        let ran = asked(&place, &format!("best --checkpoint a {how}"), lines.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{how}");
        assert_eq!(ran.out.lines().count(), 3, "{how}: {}", ran.out);
        for (answer, plays) in ran.out.lines().zip(listed.lines()) {
            let words: Vec<&str> = answer.split(' ').collect();
            let plays: Vec<&str> = plays.split(' ').collect();
            assert_eq!((words.len(), words[2]), (3, plays[3]), "{how}: {answer}");
            assert!(plays[4..].contains(&words[0]), "{how}: {answer}");
            let points: f64 = words[1].parse().expect("points");
            assert!(points.abs() <= 3.0, "{how}: {answer}");
        }
        // To pass is the only play.
        let pass = ran.out.lines().last().expect("three answers");
        assert!(pass.starts_with(&format!("{} ", SHUT_OUT[1])) && pass.ends_with(" 1"), "{how}: {pass}");
        assert_eq!(
            ran.out,
            asked(&place, &format!("best --checkpoint a {how}"), lines.as_bytes()).out,
            "{how}"
        );
    }
}

#[test]
fn a_bad_line_costs_itself_alone() {
    let place = trained();
    let bad: [(&str, &str); 7] = [
        ("nonsense 3 1", "position `nonsense`"),
        ("/////////////w 3 1", "at most 15"),
        ("4HPwATDgc/ABMA 7 1", "dice 7 and 1; expected 1 to 6 each"),
        ("4HPwATDgc/ABMA x 1", "`x` is not a die"),
        ("4HPwATDgc/ABMA 3", "`3` follows the position"),
        ("XGID=x 3 1", "colons"),
        // One side has borne off all of its checkers.
        ("AAAABgAAAAAAAA 3 1", "the game is over in this position"),
    ];
    // A good one first, last and between; empty lines are passed over, but counted.
    let mut lines = format!("{START} 3 1\n");
    for (line, _) in bad {
        lines += &format!("{line}\n\n{START} 3 1\n");
    }
    let mut lines = lines.into_bytes();
    lines.extend_from_slice(b"\xff\xfe 3 1\n");
    for command in ["eval --checkpoint a", "best --checkpoint a --plies 1", "best --checkpoint a --sims 4"] {
        let ran = asked(&place, command, &lines);
        let answers: Vec<&str> = ran.out.lines().collect();
        assert_eq!(answers.len(), 2 * bad.len() + 2, "{command}: {}", ran.out);
        for (i, (line, why)) in bad.iter().enumerate() {
            let (answer, after) = (answers[1 + 2 * i], answers[2 + 2 * i]);
            let number = 2 + 3 * i;
            assert!(answer.starts_with(&format!("error: line {number}: ")), "{command}: {line}: {answer}");
            assert!(answer.contains(why), "{command}: {line}: {answer}");
            assert_eq!(after, answers[0], "{command}: what comes after {line}");
        }
        let last = answers.last().expect("answers");
        assert!(last.starts_with("error: line 23: ") && last.contains("UTF-8"), "{command}: {last}");
        assert!(
            ran.code == Some(1) && ran.err.contains("8 lines of 23 could not be answered"),
            "{}",
            ran.err
        );
    }
    // Without dice a position can be judged, but not played.
    let ran = asked(&place, "best --checkpoint a", format!("{START}\n{START} 3 1").as_bytes());
    assert!(
        ran.out.starts_with("error: line 1: there are no dice") && ran.out.lines().count() == 2,
        "{}",
        ran.out
    );
    assert_eq!(asked(&place, "eval --checkpoint a", START.as_bytes()).code, Some(0));
}

#[test]
fn who_cannot_answer_says_why() {
    let place = trained();
    place.train_small("--units 1 --out other");
    for (args, code, sentence) in [
        ("backgammon eval --checkpoint a --plies 3", 2, "3 plies; expected 0 to 2"),
        ("backgammon best --checkpoint a --sims 0", 2, "0 simulations; expected 1 to 100000"),
        ("backgammon best --checkpoint a --sims 9 --plies 1", 2, "--plies"),
        ("backgammon eval", 2, "required"),
        ("backgammon best --checkpoint nowhere", 1, "nowhere"),
        ("backgammon eval --checkpoint other", 1, "belongs to the lab `control`"),
    ] {
        let told = place.refused(args, code);
        assert!(told.contains(sentence), "{args}: {told}");
    }
}
