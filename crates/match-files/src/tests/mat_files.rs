//! Tests of the reader of the text format on files as different programs write them.

use super::{read_text, refused};
use crate::*;
use learnery_worlds::backgammon::matches::{Answer, Rules};
use learnery_worlds::backgammon::{BAR, Win};

/// A match to five points with what is tricky: an opening by the second player, a dance, hits, a cube that
/// is passed by either player, a gammon resigned, the Crawford game.
const MATCH: &str = include_str!("match.mat");

#[test]
fn match_is_read_to_its_end() {
    let record = read_text(MATCH).record;
    assert_eq!(record.players(), &["Ada".to_owned(), "Ben_(GER)".to_owned()]);
    assert_eq!(record.rules(), Rules::Match { length: 5 });
    assert_eq!(record.tags()[0], ("EventDate".to_owned(), "2026.11.22".to_owned()));
    let ends: Vec<_> = record
        .games()
        .iter()
        .map(|game| game.end().map(|end| (end.winner, end.ending, end.points)))
        .collect();
    assert_eq!(
        ends,
        [
            Some((0, Ending::Passed, 1)),
            Some((0, Ending::Resigned(Win::Single), 1)),
            Some((1, Ending::Passed, 1)),
            Some((0, Ending::Resigned(Win::Gammon), 2)),
            Some((1, Ending::Resigned(Win::Single), 1)),
            None,
        ]
    );
    let crawford: Vec<bool> = record.games().iter().map(|game| game.start().is_crawford()).collect();
    assert_eq!(crawford, [false, false, false, false, true, false]);
    assert_eq!(record.games()[5].start().score(), [4, 2]);
    assert_eq!(record.games()[0].entries()[0].player, 1);
}

/// The same match in other shapes of the file.
#[test]
fn shapes_of_a_file_do_not_matter() {
    let record = read_text(MATCH).record;
    let same = |bytes: &[u8], shape: &str| {
        let other = read(bytes).unwrap_or_else(|error| panic!("{shape}: {error}")).record;
        assert_eq!(other.games(), record.games(), "{shape}");
    };
    same(MATCH.replace('\n', "\r\n").as_bytes(), "line ends of Windows");
    same(MATCH.replace('\n', "\r").as_bytes(), "line ends of old Macs");
    same(format!("\u{feff}{MATCH}").as_bytes(), "byte order mark");
    let utf16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{MATCH}").encode_utf16().flat_map(to_bytes).collect()
    };
    same(&utf16(u16::to_le_bytes), "UTF-16, little-endian");
    same(&utf16(u16::to_be_bytes), "UTF-16, big-endian");
    same(MATCH.replace("25/", "bar/").replace("/0", "/off").as_bytes(), "names of the bar and of off");
    same(MATCH.replace('*', "").as_bytes(), "no marks of hits");
    same(MATCH.replace("\n\n", "\n").as_bytes(), "no empty lines");
    same(MATCH.replace("  1)", "; a remark\n# another\n  1)").as_bytes(), "comments");
    same(MATCH.replace(" point match", "-Point Match").as_bytes(), "another heading");
    same(MATCH.replace("Drops", "Passes").replace("Takes", "Accepts").as_bytes(), "other words");
    let named = |line: &str| match line.split_once("Wins ") {
        Some((gap, rest)) if gap.trim().is_empty() => {
            format!(" {} wins {rest}\n", if gap.len() < 14 { "Ada" } else { "Ben_(GER)" })
        }
        _ => format!("{line}\n"),
    };
    same(MATCH.lines().map(named).collect::<String>().as_bytes(), "names before results");
    let rated = |game: usize| format!("Ada,{} : {}", 1600 + game, [0, 1, 2, 2, 4, 4][game]);
    let rated = MATCH.split(" Ada").enumerate().map(|(part, text)| match part.checked_sub(1) {
        Some(game) => format!(" {}{}", rated(game), &text[" : 0".len()..]),
        None => text.to_owned(),
    });
    same(rated.collect::<String>().as_bytes(), "ratings behind a name");
}

#[test]
fn columns_may_be_tabs() {
    let text = "3 point match\nGame 1\nA:0\tB:0\n1)\t\t61: 13/7 8/7\n2)\t43: 24/20 13/10\t31: 24/23 13/10\n3)\tDoubles\tDrops\n";
    let record = read_text(text).record;
    assert_eq!(record.games()[0].entries()[0].player, 1);
    assert_eq!(record.score(), [1, 0]);
    // A tab before the number of the row counts too.
    let record = read_text("3 point match\nGame 1\nA:0\tB:0\n\t1)\t61: 13/7 8/7\n").record;
    assert_eq!(record.games()[0].entries()[0].player, 1);
}

#[test]
fn long_names_may_leave_no_gap() {
    let text = "5 point match\n\n Game 1\n Александр Иванов : 0Ben : 0\n  1) 61: 13/7 8/7";
    assert_eq!(read_text(text).record.players(), &["Александр Иванов".to_owned(), "Ben".to_owned()]);
}

#[test]
fn names_may_be_latin_1() {
    let bytes: Vec<u8> =
        MATCH.replace("Ada", "Zo\u{eb}").chars().map(|c| u8::try_from(c).expect("Latin-1")).collect();
    assert!(std::str::from_utf8(&bytes).is_err());
    assert_eq!(read(&bytes).expect("a good file").record.players()[0], "Zoë");
}

/// A money session whose first game goes on with these rows.
fn session(rows: &str) -> String {
    format!("unlimited game\n\n Game 1\n A : 0      B : 0\n  1) 61: 13/7 8/7      52: 24/22 13/8\n{rows}")
}

#[test]
fn beavers_are_read_in_every_form() {
    for rows in [
        "  2) Doubles => 2    Beavers => 4\n  3) Takes\n  4) 31: 8/5 6/5",
        "  2) Doubles => 2    Beavers\n  3) 31: 8/5 6/5",
        "  2) Doubles => 2    Doubles => 4\n  3) Takes       \n  4) 31: 8/5 6/5",
    ] {
        let record = read_text(&session(rows)).record;
        let entries = record.games()[0].entries();
        assert_eq!(entries[3].action, Action::Answer(Answer::Beaver), "{rows}");
        assert_eq!((entries.len(), entries[4].player), (5, 0), "{rows}");
        assert!(matches!(record.rules(), Rules::Money { beavers: true, .. }));
        assert_eq!(record.decisions().last().map(|last| last.stakes.cube()), Some(4));
    }
}

/// Versions of GNU Backgammon older than 1.07.001 write cells alternately. An accepted beaver has three of
/// them, so the columns are exchanged behind it.
#[test]
fn columns_are_exchanged_behind_an_accepted_beaver() {
    const BEAVER: &str =
        "  2)  Doubles => 2                Doubles => 4\n  3)  Takes                      31: 8/5 6/5\n";
    let players = |rows: &str| -> Vec<usize> {
        let record = read_text(&session(rows)).record;
        record.games()[0].entries().iter().map(|entry| entry.player).collect()
    };
    assert_eq!(players(BEAVER), [0, 1, 0, 1, 0]);
    let plays = "  4) 21: 13/11 6/5               43: 13/9 13/10\n";
    assert_eq!(players(&format!("{BEAVER}{plays}")), [0, 1, 0, 1, 0, 1, 0]);
    let by_the_other = "  2) 31: 8/5 6/5                  Doubles => 2\n  3)  Doubles => 4                Takes\n  4) 43: 13/9 13/10              21: 13/11 24/23\n";
    assert_eq!(players(by_the_other), [0, 1, 0, 1, 0, 1, 0]);
    let again = "  5)  Doubles => 8                Doubles => 16\n  6)  Takes                      32: 13/10 13/11\n  7) 21: 6/4 6/5                 21: 11/10 11/9\n";
    assert_eq!(players(&format!("{BEAVER}{plays}{again}")), [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);

    // A pass stands in the exchanged column. A resignation is won in the winner's own one, or right behind a
    // roll.
    for (rows, score, passed) in [
        ("  5)  Doubles => 8                Drops\n      Wins 4 points\n", [0, 4], true),
        ("      Wins 4 points\n", [4, 0], false),
        ("  5) 31: 24/23 8/5               Wins 4 points\n", [0, 4], false),
        ("  5) 31:       Wins 4 points\n", [4, 0], false),
    ] {
        let next = format!(
            "\n Game 2\n A : {}      B : {}\n  1) 61: 13/7 8/7      52: 24/22 13/8",
            score[0], score[1]
        );
        let record = read_text(&session(&format!("{BEAVER}{plays}{rows}{next}"))).record;
        assert_eq!(record.score(), score, "{rows}");
        let end = record.games()[0].end().expect("an end");
        assert_eq!(end.ending == Ending::Passed, passed, "{rows}");
        assert_eq!(record.games()[1].entries()[1].player, 1, "the next game is as usual");
    }
    // Without a beaver, nobody acts in the other column.
    let (line, problem) =
        refused(&session("  2)  Doubles => 2\n  3)  Takes                      31: 8/5 6/5\n"));
    assert!(line == 7 && problem.contains("other player's turn"), "line {line}: {problem}");
}

#[test]
fn name_before_a_result_tells_the_player() {
    let end = |rows: &str| {
        let end = read_text(&session(rows)).record.games()[0].end().expect("an end");
        (end.winner, end.ending)
    };
    let resigned = Ending::Resigned(Win::Single);
    assert_eq!(end("  2) 43:\nB wins 1 point\n"), (1, resigned));
    assert_eq!(end("  2) 43:\n                              A wins 1 point\n"), (0, resigned));
    assert_eq!(end("  2) 43:\nA resigns a gammon\n"), (1, Ending::Resigned(Win::Gammon)));
    for line in ["Ben,1600 wins 1 point", "Ben wins 1 point"] {
        let rows = session(&format!("  2) 43:\n{line}\n"));
        let record = read_text(&rows.replace("A : 0      B : 0", "Al,1700 : 0      Ben,1600 : 0")).record;
        assert_eq!(record.score(), [0, 1], "{line}");
    }
    // Cells without a number of the row are read, too.
    let record = read_text(&session("     43: 24/20 13/10                Wins 1 point\n")).record;
    assert_eq!((record.games()[0].entries().len(), record.score()), (3, [0, 1]));
    let (line, problem) = refused(&session("  2) 43:\nNobody wins 1 point\n"));
    assert!(line == 7 && problem.contains("no roll, no action"), "{problem}");
    let (line, problem) = refused(&session("  2)  Doubles => 2           Drops\nB wins 1 point\n"));
    assert!(line == 7 && problem.contains("the other player has won"), "{problem}");
}

#[test]
fn forced_plays_may_be_left_out() {
    let text = |play: &str, rows: &str| {
        format!(
            "1 point match\nGame 1\nA : 0    B : 0\n 1) 61: 13/7 8/7   21: 24/23 13/11\n 2) 66: 8/2*(2) 7/1*(2)   63:{play}\n{rows}"
        )
    };
    let entries = |play: &str, rows: &str| read_text(&text(play, rows)).record.games()[0].entries().to_vec();
    let written = entries(" bar/22", " 3) 31: 13/10 6/5\n");
    assert_eq!(entries("", " 3) 31: 13/10 6/5\n"), written);
    assert_eq!(entries(" ????", " 3) 31: 13/10 6/5\n"), written);
    let last = |rows| entries("", rows).last().map(|entry| entry.action.clone());
    for rows in ["", "   Wins 1 point\n", "                 Resigns\n"] {
        assert_eq!(last(rows), Some(Action::Roll { dice: super::dice(6, 3) }), "{rows}");
    }
    let (line, problem) = refused(&text("", " 3) 31: 13/10 6/5    43:\n 4) 21: 13/11 6/5"));
    assert!(line == 7 && problem.contains("is missing"), "line {line}: {problem}");
}

#[test]
fn rolls_without_a_play_are_resignations() {
    for rows in [
        "  2) 43: ????\n                                  Wins 1 point\n",
        "  2) 43:\n  Resigns\n",
        "  2) 43:         Wins 1 point\n",
    ] {
        let record = read_text(&session(rows)).record;
        let game = &record.games()[0];
        assert_eq!(game.entries()[2].action, Action::Roll { dice: super::dice(4, 3) }, "{rows}");
        assert_eq!(
            game.end(),
            Some(GameEnd { winner: 1, ending: Ending::Resigned(Win::Single), points: 1 }),
            "{rows}"
        );
    }
}

#[test]
fn missing_results_follow_from_the_next_score() {
    let rows = "  2) 43:\n\n Game 2\n A : 0    B : 2\n";
    let record = read_text(&session(rows)).record;
    let end = record.games()[0].end();
    assert_eq!(end, Some(GameEnd { winner: 1, ending: Ending::Resigned(Win::Gammon), points: 2 }));
    assert_eq!(
        record.rules(),
        Rules::Money { jacoby: false, beavers: false },
        "a gammon with the cube in the middle"
    );
    let record = read_text(&session("  2) Doubles => 2\n    Wins 1 point\n")).record;
    assert_eq!(record.games()[0].end().map(|end| end.ending), Some(Ending::Passed));
}

#[test]
fn jacoby_rule_follows_from_results_and_scores() {
    let game = |points: u32, next: &str| {
        let rows = format!("  2) 43:\n                                  Wins {points} points\n\n{next}");
        let record = read(session(&rows).as_bytes()).expect("a good file").record;
        (
            matches!(record.rules(), Rules::Money { jacoby: true, .. }),
            record.score(),
            record.games()[0].end().map(|end| end.ending),
        )
    };
    let next = |score: u32| format!(" Game 2\n A : 0    B : {score}\n");
    let resigned = |win| Some(Ending::Resigned(win));
    assert_eq!(game(2, ""), (false, [0, 2], resigned(Win::Gammon)));
    assert_eq!(game(2, &next(2)), (false, [0, 2], resigned(Win::Gammon)));
    assert_eq!(game(2, &next(1)), (true, [0, 1], resigned(Win::Gammon)), "as GNU Backgammon writes it");
    assert_eq!(game(1, &next(1)), (true, [0, 1], resigned(Win::Single)));
    let error = read(session("  2) 43:\n      Wins 3 points\n\n Game 2\n A : 2    B : 0\n").as_bytes());
    // Without the Jacoby rule, the first game is good, so the score under the second one is wrong.
    assert!(error.is_err_and(|error| error.line == 10 && error.problem.contains("the score is 3 : 0")));
}

#[test]
fn resignations_may_be_rejected() {
    let record =
        read_text(&session("  2) Resigns           Rejects\n  3) 43: 13/10 13/9   Resigns a gammon\n"))
            .record;
    let end = record.games()[0].end().expect("an end");
    assert_eq!((end.winner, end.ending), (0, Ending::Resigned(Win::Gammon)));
}

#[test]
fn file_may_begin_within_a_match() {
    let at = |rows: &str| {
        let text = format!(
            "5 point match\n Game 4\n A : 4      B : 2\n  1) 61: 13/7 8/7      52: 24/22 13/8\n{rows}"
        );
        read_text(&text).record.games()[0].start().is_crawford()
    };
    assert!(at(""));
    assert!(!at("  2)               \n  2) 31: 6/5 8/5     Doubles => 2\n"));
}

#[test]
fn dances_are_plays_without_moves() {
    let text = "1 point match\nGame 1\nA : 0    B : 0\n 1) 61: 13/7 8/7   21: 24/23 13/11\n 2) 55: 8/3(2) 6/1*(2)   66: Cannot Move\n 3) 21: 13/11 6/5   62: (no play)\n";
    let file = read(text.as_bytes());
    let error = file.expect_err("a 2 enters");
    assert!(error.problem.contains("a play is possible"), "{error}");
    let file = read_text(&text.replace("62: (no play)", "66:"));
    let Action::Play { moves, after, .. } = &file.record.games()[0].entries()[3].action else {
        panic!("a play")
    };
    assert!(moves.is_empty());
    assert_eq!(after.other(BAR), 1);
}
