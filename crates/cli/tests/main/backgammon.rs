//! `learnery backgammon`: positions are evaluated and plays chosen line by line; a bad line affects no other
//! line.

use std::fs;

#[cfg(unix)]
use crate::common::interrupted;
use crate::common::{Finished, Sandbox, gnubg};

/// The GNU Backgammon position ID of the starting position.
const START: &str = "4HPwATDgc/ABMA";
/// A position in which the dice 6 and 3 allow no legal play, and the position after passing, seen by the
/// other player.
const NO_PLAY: &str = "bfcOAAD8+gYAQA";
const AFTER_PASSING: &str = "/PoGAEBt9w4AAA";

/// A sandbox with a run of the backgammon lab in the folder `a`, trained for one unit with a tiny network.
fn trained() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        "train backgammon --set hidden=8 --set second=4 --set race=4 --set games=4 --set horizon=4 --set replay=64 \
         --set eval_every=0 --units 1 --out a",
    );
    sandbox
}

/// Runs a backgammon command with these lines on standard input.
fn answers_to(sandbox: &Sandbox, args: &str, lines: &[u8]) -> Finished {
    sandbox.write("lines", lines);
    let mut command = sandbox.command(&format!("backgammon {args}"));
    command.stdin(fs::File::open(sandbox.path("lines")).unwrap());
    Finished::from(command.output().unwrap())
}

/// The numbers after the position in an answer.
fn parse_numbers(answer: &str) -> Vec<f64> {
    answer
        .split(' ')
        .skip(1)
        .map(|number| number.parse().unwrap_or_else(|e| panic!("{answer}: {e}")))
        .collect()
}

#[test]
fn eval_answers_each_position_with_consistent_probabilities() {
    let sandbox = trained();
    for plies in 0..=2 {
        // The third line is the starting position in another notation (XGID of eXtreme Gammon).
        let lines = format!("{START}\n{NO_PLAY}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n");
        let finished =
            answers_to(&sandbox, &format!("eval --checkpoint a --plies {plies}"), lines.as_bytes());
        assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""));
        let answers: Vec<&str> = finished.out.lines().collect();
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[0], answers[2], "the notation of a position must not matter");
        for (answer, id) in answers.iter().zip([START, NO_PLAY, START]) {
            assert!(answer.starts_with(&format!("{id} ")), "{answer}");
            let numbers = parse_numbers(answer);
            let [win, gammon, backgammon, lost_gammon, lost_backgammon, equity] = numbers[..] else {
                panic!("six numbers: {answer}");
            };
            assert!(
                (0.0..=1.0).contains(&win) && gammon <= win && lost_gammon <= 1.0 - win + 1e-4,
                "{answer}"
            );
            assert!(backgammon <= gammon && lost_backgammon <= lost_gammon, "{answer}");
            let expected = 2.0 * win - 1.0 + gammon - lost_gammon + backgammon - lost_backgammon;
            assert!((expected - equity).abs() < 1e-4, "{answer}");
        }
    }
}

#[test]
fn best_chooses_one_of_the_listed_plays() {
    let sandbox = trained();
    let lines = format!("{START} 3 1\n{START} 6 6\n{NO_PLAY} 6 3\n");
    let listed = answers_to(&sandbox, "plays --list", lines.as_bytes()).out;
    let answers = answers_to(&sandbox, "best --checkpoint a", lines.as_bytes()).out;
    // The option is from the time when the play was not always written.
    assert_eq!(answers, answers_to(&sandbox, "best --checkpoint a --notation", lines.as_bytes()).out);
    for how in ["", "--plies 1", "--plies 2", "--simulations 1", "--sims 40"] {
        let finished = answers_to(&sandbox, &format!("best --checkpoint a {how}"), lines.as_bytes());
        assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""), "{how}");
        assert_eq!(finished.out.lines().count(), 3, "{how}: {}", finished.out);
        for (answer, plays) in finished.out.lines().zip(listed.lines()) {
            // The answer is POSITION EQUITY COUNT and the play, such as `8/5 6/5`; the list is POSITION D1 D2
            // COUNT and the position after each play.
            let answered: Vec<&str> = answer.splitn(4, ' ').collect();
            let plays: Vec<&str> = plays.split(' ').collect();
            assert_eq!(answered[2], plays[3], "{how}: {answer}");
            assert!(answered[3] == "(no play)" || answered[3].contains('/'), "{how}: {answer}");
            assert!(plays[4..].contains(&answered[0]), "{how}: {answer}");
            let points: f64 = answered[1].parse().expect("points");
            // A backgammon, the largest win, is worth three points.
            assert!(points.abs() <= 3.0, "{how}: {answer}");
        }
        // In the last position the player must pass, which counts as one play.
        let pass = finished.out.lines().last().expect("three answers");
        assert!(
            pass.starts_with(&format!("{AFTER_PASSING} ")) && pass.ends_with(" 1 (no play)"),
            "{how}: {pass}"
        );
        assert_eq!(
            finished.out,
            answers_to(&sandbox, &format!("best --checkpoint a {how}"), lines.as_bytes()).out,
            "{how}: a second run gave another answer"
        );
    }
}

#[test]
fn bad_line_does_not_affect_other_lines() {
    let sandbox = trained();
    let bad: [(&str, &str); 7] = [
        ("nonsense 3 1", "position `nonsense`"),
        // An ID with more than fifteen checkers of one player.
        ("/////////////w 3 1", "at most 15"),
        ("4HPwATDgc/ABMA 7 1", "dice 7 and 1; expected 1 to 6 each"),
        ("4HPwATDgc/ABMA x 1", "`x` is not a die"),
        ("4HPwATDgc/ABMA 3", "`3` follows the position"),
        ("XGID=x 3 1", "colons"),
        // One player has borne off all checkers.
        ("AAAABgAAAAAAAA 3 1", "the game is over in this position"),
    ];
    // A good line after each bad one. Empty lines are skipped, but they count for the line numbers.
    let mut lines = format!("{START} 3 1\n");
    for (line, _) in bad {
        lines += &format!("{line}\n\n{START} 3 1\n");
    }
    let mut lines = lines.into_bytes();
    // The last line is not UTF-8.
    lines.extend_from_slice(b"\xff\xfe 3 1\n");
    for command in
        ["eval --checkpoint a", "best --checkpoint a --plies 1", "best --checkpoint a --simulations 4"]
    {
        let finished = answers_to(&sandbox, command, &lines);
        let answers: Vec<&str> = finished.out.lines().collect();
        assert_eq!(answers.len(), 2 * bad.len() + 2, "{command}: {}", finished.out);
        for (i, (line, why)) in bad.iter().enumerate() {
            let (answer, after) = (answers[1 + 2 * i], answers[2 + 2 * i]);
            // Line 1 is good, and each bad line is followed by an empty and a good one.
            let number = 2 + 3 * i;
            assert!(answer.starts_with(&format!("error: line {number}: ")), "{command}: {line}: {answer}");
            assert!(answer.contains(why), "{command}: {line}: {answer}");
            assert_eq!(after, answers[0], "{command}: the line after {line}");
        }
        // Before the last line there are the first and three for each of the seven bad ones.
        let last = answers.last().expect("answers");
        assert!(last.starts_with("error: line 23: ") && last.contains("UTF-8"), "{command}: {last}");
        assert!(
            finished.code == Some(1) && finished.err.contains("8 lines of 23 could not be answered"),
            "{}",
            finished.err
        );
    }
    // `best` needs dice, `eval` does not.
    let finished = answers_to(&sandbox, "best --checkpoint a", format!("{START}\n{START} 3 1").as_bytes());
    assert!(
        finished.out.starts_with("error: line 1: there are no dice") && finished.out.lines().count() == 2,
        "{}",
        finished.out
    );
    assert_eq!(answers_to(&sandbox, "eval --checkpoint a", START.as_bytes()).code, Some(0));
}

/// The JSON report of an evaluation of the network in `a`.
fn evaluated(sandbox: &Sandbox, args: &str) -> serde_json::Value {
    serde_json::from_str(&sandbox.succeed(&format!("eval a --json {args}")).out).unwrap()
}

#[test]
fn luck_can_be_subtracted_from_results() {
    let sandbox = trained();
    let [counted, subtracted] =
        ["counted", "subtracted"].map(|luck| evaluated(&sandbox, &format!("--games 20 --luck {luck}")));
    assert_eq!(subtracted["luck"], "subtracted");
    assert!(subtracted["summary"].as_str().unwrap().contains("against pubeval, luck subtracted, within"));
    assert_eq!(counted["figures"], evaluated(&sandbox, "--games 20")["figures"]);
    // Points differ, but the games are the same.
    assert_ne!(counted["figures"][0], subtracted["figures"][0]);
    assert_eq!(counted["figures"][3], subtracted["figures"][3]);
    assert_eq!(subtracted["figures"][3]["name"], "wins");
}

/// The report of an evaluation of the network in `a` that Ctrl-C in a terminal ends, which reaches all
/// processes of the group. It says nothing on the way, so it gets more time until it knows something by then.
#[cfg(unix)]
fn interrupted_report(sandbox: &Sandbox, args: &str) -> serde_json::Value {
    use std::os::unix::process::CommandExt;
    for seconds in [1, 2, 4, 8, 16, 32, 64] {
        let mut command = sandbox.command(&format!("eval a --json {args}"));
        let child = command.process_group(0).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let group = format!("-{}", child.id());
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args(["-s", "INT", "--", &group]).status().unwrap().success());
        let finished = Finished::from(child.wait_with_output().unwrap());
        match finished.code {
            Some(0) => {
                assert_eq!(finished.err, "");
                return serde_json::from_str(&finished.out).unwrap();
            }
            // Nothing was known, a step took long, or it did not listen yet.
            Some(130) | None => {}
            code => panic!("{args}: {code:?}, {}", finished.err),
        }
    }
    panic!("{args}: nothing was known after a minute")
}

/// Ctrl-C ends an evaluation that would take days, and the report is on the pairs of games that have ended.
/// gnubg, which Ctrl-C would end first, is an opponent to the end.
#[cfg(unix)]
#[test]
fn interrupted_evaluation_reports_what_is_done() {
    let sandbox = trained();
    let opponents = if gnubg().is_some() { &["random", "gnubg"][..] } else { &["random"] };
    for against in opponents {
        let report = interrupted_report(&sandbox, &format!("--against {against} --games 10000000"));
        assert_eq!((&report["partial"], &report["games"]), (&true.into(), &10_000_000.into()));
        let figure = |i: usize| report["figures"][i]["value"].as_f64().unwrap();
        assert!(figure(2) > 1.0 && figure(0) >= -3.0, "{report}");
    }
    assert!(evaluated(&sandbox, "--games 2").get("partial").is_none());
}

/// A tool that is asked for a time answers with what is known by then, and its opponent can be a checkpoint.
#[test]
fn evaluation_is_a_tool_with_a_file_or_a_name_as_opponent() {
    let sandbox = trained();
    let ask = |args: &str| {
        let finished = sandbox.succeed(&format!("ask a evaluate --set games=4 --set seed=7 {args}"));
        serde_json::from_str::<serde_json::Value>(&finished.out).unwrap()
    };
    for against in ["random", "a"] {
        let answered = ask(&format!("--set against={against}"));
        let report = evaluated(&sandbox, &format!("--games 4 --seed 7 --against {against}"));
        assert_eq!(answered["answer"]["figures"], report["figures"], "{against}");
        assert_eq!(answered["answer"]["summary"], report["summary"], "{against}");
    }
    let sentence = sandbox.rejected("ask a evaluate --set against=nobody", 2);
    assert!(sentence.starts_with("--set against: there is no opponent called `nobody`"), "{sentence}");
}

#[test]
fn gnubg_with_lookahead_plays_the_same_on_any_number_of_threads() {
    if gnubg().is_none() {
        println!("skipped: gnubg is not installed");
        return;
    }
    let sandbox = trained();
    let args = |threads: u8| format!("--against gnubg-1ply --games 12 --luck subtracted --threads {threads}");
    let report = evaluated(&sandbox, &args(1));
    assert_eq!(report, evaluated(&sandbox, &args(2)));
    assert!(report["summary"].as_str().unwrap().ends_with("over 12 games"), "{report}");
}

#[test]
fn cube_says_the_equities_of_all_actions() {
    let sandbox = trained();
    // 2 points of 7 against 4, cube in the middle, before the roll.
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:7:10";
    for plies in 0..=2 {
        let finished = sandbox.succeed(&format!("backgammon cube {xgid} --checkpoint a --plies {plies}"));
        for words in ["5 away, 3 away", "No double ", "Double, take ", "Double, pass ", "% match", "Cubeless"]
        {
            assert!(finished.out.contains(words), "{words}: {}", finished.out);
        }
        let json = sandbox.succeed(&format!("backgammon cube {xgid} --checkpoint a --plies {plies} --json"));
        let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert!((value["double_pass"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{value}");
        assert_eq!((&value["away"], &value["cube"]), (&serde_json::json!([5, 3]), &serde_json::json!(1)));
        // Lines of standard input are answered by the same objects.
        let lines = answers_to(
            &sandbox,
            &format!("cube --checkpoint a --plies {plies}"),
            format!("{xgid}\n{xgid}\n").as_bytes(),
        );
        assert_eq!(lines.out, json.out.repeat(2));
    }
    // A match ID behind the position: gnubg's ID of money play with the cube in the middle, before the roll.
    let money = sandbox.succeed(&format!("backgammon cube {START} --checkpoint a"));
    assert!(money.out.contains("money; cube of 1 in the middle"), "{}", money.out);
    let crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:4:1:5:10";
    let crawford = sandbox.succeed(&format!("backgammon cube {crawford} --checkpoint a"));
    assert!(
        crawford.out.starts_with("No double: nobody may double in the Crawford game"),
        "{}",
        crawford.out
    );
    assert!(!crawford.out.contains("Double, take"), "{}", crawford.out);
}

#[test]
fn scores_write_a_table_of_letters() {
    let sandbox = trained();
    let written = sandbox.succeed(&format!("backgammon scores {START} --checkpoint a --away 4"));
    // The words of a line: the heading has four scores, and each row its name and four letters.
    let row = |line: usize| written.out.lines().nth(line).map(|line| line.split_whitespace().count());
    assert_eq!((row(2), row(3), row(6)), (Some(4), Some(5), Some(5)), "{}", written.out);
    let json = sandbox.succeed(&format!("backgammon scores {START} --checkpoint a --away 4 --json"));
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["decisions"].as_array().map(Vec::len), Some(16));
}

#[test]
fn best_plays_for_the_match_where_a_score_is_given() {
    let sandbox = trained();
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10";
    let listed = answers_to(&sandbox, "plays --list", xgid.as_bytes()).out;
    for plies in 0..=1 {
        let finished = answers_to(&sandbox, &format!("best --checkpoint a --plies {plies}"), xgid.as_bytes());
        assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""));
        let (position, rest) = finished.out.trim().split_once(' ').unwrap();
        assert!(listed.contains(position) && rest.contains(" 16 "), "{}", finished.out);
    }
    let searched = answers_to(&sandbox, "best --checkpoint a --simulations 4", xgid.as_bytes());
    assert!(searched.out.contains("tree search knows no match score"), "{}", searched.out);
}

#[test]
fn table_and_rates_are_written() {
    let sandbox = trained();
    let table = sandbox.succeed("backgammon table --json");
    let table: serde_json::Value = serde_json::from_str(&table.out).unwrap();
    assert_eq!(table["before"].as_array().unwrap().len(), 25);
    assert_eq!(table["after"][0], 0.5);
    assert_eq!(sandbox.succeed("backgammon table").out.lines().count(), 26);
    // The result does not depend on the number of threads.
    let rates = |threads: u8| {
        sandbox
            .succeed(&format!("backgammon rates --checkpoint a --games 300 --threads {threads} --json"))
            .out
    };
    assert_eq!(rates(1), rates(2));
    let text = sandbox.succeed("backgammon rates --checkpoint a --games 300 --threads 2").out;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0] == "300 games of each kind" && lines[3].starts_with("for money "), "{text}");
    assert!(lines[4].starts_with("gammons for one side, at the price 0.05 "), "{text}");
    assert!(!text.contains('{'), "{text}");
}

#[test]
fn rollout_is_the_same_on_any_number_of_threads() {
    let sandbox = trained();
    let json = |args: &str| -> serde_json::Value {
        let finished = sandbox.succeed(&format!("backgammon rollout {START} --checkpoint a --json {args}"));
        serde_json::from_str(&finished.out).unwrap()
    };
    let one = json("--games 40 --truncate 3 --threads 1");
    assert_eq!(one, json("--games 40 --truncate 3 --threads 2"));
    assert_ne!(one, json("--games 40 --truncate 3 --seed 2"));
    assert_eq!((&one["games"], &one["ended"]), (&40.into(), &"games".into()));
    let [low, high] = [0, 1].map(|i| one["candidates"][0]["interval"][i].as_f64().unwrap());
    let equity = one["candidates"][0]["equity"].as_f64().unwrap();
    assert!(low < equity && equity < high, "{one}");
    // With dice their plays are compared, the best first.
    let plays = json("--games 36 --truncate 2 --dice 31");
    let behind: Vec<f64> =
        plays["candidates"].as_array().unwrap().iter().map(|c| c["behind"].as_f64().unwrap()).collect();
    assert!(behind.len() > 1 && behind[0] == 0.0 && behind.is_sorted(), "{plays}");
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let text = sandbox.succeed(&format!("backgammon rollout {xgid} --checkpoint a --games 36 --truncate 2"));
    assert!(text.out.contains(plays["candidates"][0]["play"].as_str().unwrap()), "{}", text.out);
    // A limit of the error ends it before all games are played. It is looked at after every 144 games.
    let ended = json("--games 100000 --truncate 2 --until-error 0.5");
    assert_eq!((&ended["games"], &ended["ended"]), (&144.into(), &"error".into()));
}

/// Ctrl-C ends a rollout that would take days, and what is complete is written. Of several positions the
/// first is rolled out first.
#[cfg(unix)]
#[test]
fn interrupted_rollout_leaves_what_is_done() {
    let sandbox = trained();
    let args = format!("backgammon rollout {START} {START} --checkpoint a --games 100000000 --json");
    let (finished, rest) = interrupted(sandbox.command(&args), "Ctrl-C", || {});
    match finished.code {
        Some(0) => {
            let value: serde_json::Value = serde_json::from_str(&finished.out).unwrap();
            assert_eq!((&value["ended"], rest.as_str()), (&"stopped".into(), ""));
            assert!(value["games"].as_u64().unwrap() > 0 && value["position"] == START, "{value}");
        }
        // No game was complete, or the machine was too busy to end the step in time.
        code => {
            assert_eq!((code, finished.out.as_str()), (Some(130), ""));
            let sentences = ["interrupted before a game was complete", "in the middle of a step"];
            assert!(sentences.iter().any(|sentence| rest.contains(sentence)), "{rest}");
        }
    }
}

/// Ctrl-C ends a measurement too, and the rates by the games so far are written.
#[cfg(unix)]
#[test]
fn interrupted_rates_are_those_of_the_games_so_far() {
    let sandbox = trained();
    let (finished, rest) = interrupted(
        sandbox.command("backgammon rates --checkpoint a --games 100000000 --json"),
        "Ctrl-C",
        || {},
    );
    match finished.code {
        Some(0) => {
            let value: serde_json::Value = serde_json::from_str(&finished.out).unwrap();
            let played = value["played"].as_u64().unwrap();
            assert!(
                played > 0 && played < value["games"].as_u64().unwrap() && rest.is_empty(),
                "{value} {rest}"
            );
        }
        // The first games were under way, or the machine was too busy to end the step in time.
        code => {
            assert_eq!((code, finished.out.as_str()), (Some(130), ""));
            let sentences = ["interrupted before the first games were played", "in the middle of a step"];
            assert!(sentences.iter().any(|sentence| rest.contains(sentence)), "{rest}");
        }
    }
}
