//! `learnery backgammon analyse`: tables, files, refusals, and what Ctrl-C leaves.

#[cfg(unix)]
use crate::common::interrupted;
use crate::common::{Finished, Sandbox};
use serde_json::Value;

const MATCH: &[u8] = include_bytes!("../../../../tests/golden/backgammon/match.mat");

/// A sandbox with a match in `a.mat` and a run of the backgammon lab in the folder `a`, trained for one unit
/// with a tiny network.
fn sandbox_with_match() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        "train backgammon --set hidden=8 --set second=4 --set race=4 --set games=4 --set horizon=4 --set replay=64 \
         --set eval_every=0 --units 1 --out a",
    );
    sandbox.write("a.mat", MATCH);
    sandbox
}

fn json(sandbox: &Sandbox, name: &str) -> Value {
    serde_json::from_slice(&sandbox.read(name)).unwrap()
}

#[test]
fn analysis_is_the_same_on_any_number_of_threads() {
    let sandbox = sandbox_with_match();
    let run = |threads: u8| {
        let args = "--checkpoint a --plies 0 --threads";
        let files = format!("--json {threads}.json --out {threads}.mat");
        sandbox.succeed(&format!("backgammon analyse a.mat {args} {threads} {files}"))
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one.out, two.out);
    for words in ["all 535 decisions judged with 0 plies", "Rating", "Worst decisions of", "missed doubles"] {
        assert!(one.out.contains(words), "{words}: {}", one.out);
    }
    assert!(!one.err.contains('\r'), "no progress line where standard error is no terminal");
    assert_eq!(sandbox.read("1.json"), sandbox.read("2.json"));
    assert_eq!(sandbox.read("1.mat"), sandbox.read("2.mat"));
    let value = json(&sandbox, "1.json");
    assert_eq!((&value["complete"], &value["judged"]), (&Value::Bool(true), &535.into()));
    // The annotated match can be analysed like the one it was made from.
    sandbox.succeed("backgammon analyse 1.mat --checkpoint a --plies 0 --json again.json");
    assert_eq!(json(&sandbox, "again.json"), value);
}

/// Of several matches each has its table, its line of JSON and its file in the folder.
#[test]
fn several_matches_are_judged_one_after_the_other() {
    let sandbox = sandbox_with_match();
    sandbox.write("b.mat", MATCH);
    let one = sandbox.succeed("backgammon analyse a.mat --checkpoint a --plies 0 --json 1.json --out 1.mat");
    let two =
        sandbox.succeed("backgammon analyse a.mat b.mat --checkpoint a --plies 0 --json 2.json --out 2");
    assert_eq!(two.out, format!("a.mat\n{0}\nb.mat\n{0}", one.out));
    let json = String::from_utf8(sandbox.read("1.json")).unwrap();
    assert_eq!(String::from_utf8(sandbox.read("2.json")).unwrap(), json.repeat(2));
    for name in ["2/a.mat", "2/b.mat"] {
        assert_eq!(sandbox.read(name), sandbox.read("1.mat"), "{name}");
    }
    // Each of the worst decisions has its position ID, and the play below it.
    let mut lines = one.out.lines().skip_while(|line| !line.starts_with("Worst decisions of")).skip(1);
    let (place, play) = (lines.next().unwrap(), lines.next().unwrap());
    let position = place.rsplit(' ').next().unwrap();
    assert!(position.len() == 14 && place.starts_with("  game "), "{place}");
    assert!(play.starts_with("    ") && play.contains("; loses "), "{play}");
    assert!(one.out.lines().all(|line| line.chars().count() <= 80), "{}", one.out);
}

/// A file of nothing but zeros, and of more decisions than are judged.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let sandbox = sandbox_with_match();
    sandbox.write("long.mat", money_session(200));
    for (file, words) in [
        ("/dev/zero", "/dev/zero is larger than 16777216 bytes"),
        ("long.mat", "decisions; at most 20000 are judged"),
    ] {
        let sentence = sandbox.rejected(&format!("backgammon analyse {file} --checkpoint a"), 1);
        assert!(sentence.contains(words), "{sentence}");
    }
}

/// A money session that repeats the first game of the match. Many matches behind each other would be refused.
#[cfg(unix)]
fn money_session(games: usize) -> String {
    let text = String::from_utf8(MATCH.to_vec()).unwrap();
    let rows: Vec<&str> = text.lines().skip_while(|line| !line.contains(" 1)")).collect();
    let end = rows.iter().position(|line| line.contains("Game 2")).unwrap();
    let mut session = String::from("0 point match\n");
    for game in 0..games {
        session += &format!("\n Game {}\n A : {game}     B : 0\n{}\n", game + 1, rows[..end].join("\n"));
    }
    session
}

/// Starts an analysis that would take minutes, does `before`, and ends it by Ctrl-C.
#[cfg(unix)]
fn interrupted_analysis(sandbox: &Sandbox, before: impl FnOnce()) -> (Finished, String) {
    sandbox.write("long.mat", money_session(150));
    let args = "backgammon analyse long.mat --checkpoint a --plies 1 --json some.json --out some.mat";
    interrupted(sandbox.command(args), "Ctrl-C", before)
}

/// Ctrl-C ends an analysis, and what is judged is written.
#[cfg(unix)]
#[test]
fn interrupted_analysis_leaves_what_is_judged() {
    let sandbox = sandbox_with_match();
    let (finished, rest) = interrupted_analysis(&sandbox, || {});
    assert_eq!((finished.code, rest.as_str()), (Some(0), ""), "{}", finished.out);
    let value = json(&sandbox, "some.json");
    assert_eq!(value["complete"], Value::Bool(false), "{}", finished.out);
    assert!(finished.out.contains("stopped after"), "{}", finished.out);
    assert!(String::from_utf8(sandbox.read("some.mat")).unwrap().contains("stopped after"));
}

/// A file that cannot be written at the end keeps neither the table nor the other file from being written.
#[cfg(unix)]
#[test]
fn failed_write_loses_nothing_else() {
    let sandbox = sandbox_with_match();
    let (finished, rest) = interrupted_analysis(&sandbox, || sandbox.write("some.json", "kept"));
    assert_eq!(finished.code, Some(1), "{rest}");
    assert!(rest.contains("some.json exists already"), "{rest}");
    assert!(finished.out.contains("stopped after"), "{}", finished.out);
    assert_eq!(sandbox.read("some.json"), b"kept");
    assert!(String::from_utf8(sandbox.read("some.mat")).unwrap().contains("stopped after"));
}
