//! Tests of the reader of the Smart Game Format.

use std::fmt::Write;

use super::{dice, read_text, refused};
use crate::*;
use learnery_worlds::backgammon::matches::{Answer, Rules};
use learnery_worlds::backgammon::{Board, Win};

/// Writes a match in the Smart Game Format, for tests only.
pub(super) fn write_sgf(record: &MatchRecord) -> String {
    let mut text = String::new();
    let escape = |name: &str| name.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:");
    let length = if let Rules::Match { length } = record.rules() { length } else { 0 };
    for (number, game) in record.games().iter().enumerate() {
        let [ws, bs] = game.start().score();
        let [white, black] = [0, 1].map(|player: usize| escape(&record.players()[player]));
        let rule = match record.rules() {
            Rules::Match { .. } if game.start().is_crawford() => "RU[Crawford:CrawfordGame]",
            Rules::Match { .. } => "RU[Crawford]",
            Rules::Money { jacoby: true, .. } => "RU[Jacoby]",
            Rules::Money { .. } => "",
        };
        let result = game.end().map_or(String::new(), |end| {
            let resigned = if matches!(end.ending, Ending::Resigned(_)) { "R" } else { "" };
            format!("RE[{}+{}{resigned}]", ["W", "B"][end.winner], end.points)
        });
        let _ = writeln!(
            text,
            "(;FF[4]GM[6]CA[UTF-8]MI[length:{length}][game:{number}][ws:{ws}][bs:{bs}]PW[{white}]PB[{black}]{rule}{result}"
        );
        for entry in game.entries() {
            let side = ["W", "B"][entry.player];
            let _ = match &entry.action {
                Action::Play { dice, moves, .. } => {
                    // `a` is the 1-point of White and the 24-point of Black, `y` the bar, `z` off the board.
                    let letter = |place: u8| match place {
                        25 => 'y',
                        0 => 'z',
                        place if entry.player == 0 => char::from(b'a' + place - 1),
                        place => char::from(b'x' - (place - 1)),
                    };
                    let play: String =
                        moves.iter().flat_map(|step| [letter(step.from), letter(step.to)]).collect();
                    writeln!(text, ";{side}[{}{}{play}]", dice.low(), dice.high())
                }
                Action::Roll { dice } => writeln!(text, ";PL[{side}]DI[{}{}]", dice.high(), dice.low()),
                Action::Double => writeln!(text, ";{side}[double]"),
                Action::Answer(Answer::Take) => writeln!(text, ";{side}[take]"),
                Action::Answer(Answer::Pass) => writeln!(text, ";{side}[drop]"),
                // SGF has no beaver: who is doubled doubles, and the other takes.
                Action::Answer(Answer::Beaver) => {
                    writeln!(text, ";{side}[double];{}[take]", ["W", "B"][1 - entry.player])
                }
            };
        }
        text.push_str(")\n");
    }
    text
}

/// The first node of a game, on line 1: what tests append begins on line 2, and ends with the parenthesis.
/// White resigns, so Black wins 2 points.
const FIRST_NODE: &str =
    "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[B\\]b]RU[Crawford]RE[B+2R]DT[2026-11-22]\n";

/// GNU Backgammon's analysis. `A[index of the play made][play E version plies wins gammons backgammons, lost
/// gammons and backgammons, equity ...]` has the plays, and `DA[...]` the cube decision in two rows of
/// numbers.
#[test]
fn game_is_read_with_its_analysis() {
    let text = format!(
        "{FIRST_NODE};W[31hefe]A[1][mjfe E ver 3 0.5 0.1 0 0.1 0 0.02 0C 0 1 0 1][hefe E ver 3 0.55 0.16 0 0.1 0 0.15 0C 0 1 0 1]\n\
         ;B[double]DA[E ver 3 0C 1 0.0 1 .5 .1 0 .1 0 .05 .5 .5 .1 0 .1 0 .05 .4]C[a \\[silly\\] double]\n;W[take]\n;B[61lrqr]\n)"
    );
    let file = read_text(&text);
    let record = &file.record;
    assert_eq!(record.players(), &["Ann".to_owned(), "B]b".to_owned()]);
    assert_eq!((record.rules(), record.score()), (Rules::Match { length: 5 }, [0, 2]));
    assert_eq!(record.tags(), [("EventDate".to_owned(), "2026-11-22".to_owned())]);
    let end = record.games()[0].end();
    assert_eq!(end, Some(GameEnd { winner: 1, ending: Ending::Resigned(Win::Single), points: 2 }));
    let [play, cube] = &file.analysis[..] else { panic!("{:?}", file.analysis) };
    let Action::Play { after, dice: roll, .. } = &record.games()[0].entries()[0].action else {
        panic!("a play")
    };
    assert_eq!((play.entry, play.plays.len(), play.error(after), *roll), (0, 2, Some(0.0), dice(3, 1)));
    let other = play.plays[0].after;
    // 0.15 - 0.02: the last numbers of the two plays before `0C`, their equities.
    assert!(play.error(&other).is_some_and(|error| (error - 0.13).abs() < 1e-12));
    assert_eq!(play.error(&Board::START), None);
    assert_eq!((cube.entry, cube.cube.map(|rows| [rows[0][6], rows[1][6]])), (1, Some([0.5, 0.4])));
}

#[test]
fn gammon_without_a_cube_shows_that_there_is_no_jacoby_rule() {
    let game = |score, result| {
        format!("(;GM[6]MI[length:0][ws:{score}][bs:0]PW[a]PB[b]RU[Jacoby]RE[{result}];W[31hefe])\n")
    };
    let rules = |text: &str| read_text(text).record.rules();
    let jacoby = |jacoby| Rules::Money { jacoby, beavers: false };
    assert_eq!(rules(&(game(0, "W+1R") + &game(1, "B+1R"))), jacoby(true));
    assert_eq!(rules(&(game(0, "W+2R") + &game(2, "B+1R"))), jacoby(false));
}

#[test]
fn analysis_that_cannot_be_understood_is_left_out() {
    for analysis in [
        "A[0]",
        "A[x][hefe R ver 3 1]",
        "A[0][zzzz E ver 3 1 1 1 1 1 1]",
        "A[0][hefe E ver 3 1 1 NaN 1 1 1]",
        "DA[E]",
    ] {
        let text = format!("{};W[31hefe]{analysis})", FIRST_NODE.replace("RE[B+2R]", ""));
        assert_eq!(read_text(&text).analysis, [], "{analysis}");
    }
}

#[test]
fn bad_games_name_the_line_and_the_problem() {
    let with = |moves: &str| refused(&format!("{FIRST_NODE}{moves}\n)"));
    // Moves behind the first node, then the line and some words of the error.
    for (moves, line, words) in [
        (";W[31hefe]\n;B[31hefe]", 3, "no legal play of 31"),
        (";W[31hefe]\n;W[31mjfe]", 3, "other player's turn"),
        (";W[70ab]", 2, "two numbers from 1 to 6"),
        (";W[31]", 2, "no legal play"),
        (";W[33hefe]", 2, "no legal play"),
        (";W[33hehefcfc]", 2, "opening roll"),
        (";W[é]", 2, "two numbers"),
        (";W[x]", 2, "a roll and a play"),
        (";W[double]", 2, "before the opening roll"),
        (";W[31hefe]\n;B[double]\n;B[take]", 4, "other player's turn"),
        (";W[31hefe]\n;B[double]\n;W[double]", 4, "beavers are not allowed"),
        (";W[31hefe]\n;W[take]", 3, "no double"),
        (";AE[a]", 2, "another position"),
        (";CV[1]", 2, "another position"),
        (";W[31hefe];B[double];W[drop]", 1, "this game ends B+1"),
        (";W[31hefe];B[double];W[take];B[double]", 2, "the other player owns the cube"),
    ] {
        let (at, problem) = with(moves);
        assert!(at == line && problem.contains(words), "{moves:?}: line {at}: {problem}");
    }
    // A property of the first node, what replaces it, and some words of the error.
    for (from, to, words) in [
        ("GM[6]", "GM[1]", "another game"),
        ("GM[6]", "", "GM[6] is missing"),
        ("length:5", "length:26", "at most 25"),
        ("length:5", "length:x", "a number"),
        ("ws:0", "ws:5", "the match is over"),
        ("RE[B+2R]", "RE[X+2]", "B+2"),
        ("RE[B+2R]", "RE[B+5R]", "nobody can win 5 points"),
        ("RE[B+2R]", "RE[B+1]", "moves stop before"),
        ("RU[Crawford]", "RU[Nackgammon]", "standard backgammon"),
    ] {
        let (line, problem) = refused(&format!("{};W[31hefe])", FIRST_NODE.replace(from, to)));
        assert!(line == 1 && problem.contains(words), "{to}: line {line}: {problem}");
    }
    for setup in ["AE[a:z]", "AW[a]", "AB[x]", "CV[2]", "CP[w]"] {
        let (line, problem) = refused(&FIRST_NODE.replace("\n", &format!("\n{setup};W[31hefe])")));
        assert!(line == 2 && problem.contains("another position"), "{setup}: line {line}: {problem}");
    }
    // In the first node, a cube of 1 in the middle is the usual position; in a later node (above) it is a
    // set-up.
    read_text(&FIRST_NODE.replace("\n", "CV[1]CP[c];W[31hefe])"));
}

#[test]
fn empty_games_and_games_of_another_match_name_the_line() {
    let first = format!("{};W[31hefe])\n\n", FIRST_NODE.trim_end());
    for (second, words) in [
        ("()".to_owned(), "a game without a node"),
        ("(;)".to_owned(), "GM[6] is missing"),
        (FIRST_NODE.replace("length:5", "length:7").replace("bs:0", "bs:2") + ")", "another length"),
        (
            FIRST_NODE.replace("PW[Ann]PB[B\\]b]", "PW[B\\]b]PB[Ann]").replace("bs:0", "bs:2") + ")",
            "other players",
        ),
    ] {
        let (line, problem) = refused(&format!("{first}{second}"));
        assert!(line == 3 && problem.contains(words), "{second}: line {line}: {problem}");
    }
    // A name may be missing.
    let second = FIRST_NODE.replace("PW[Ann]", "").replace("bs:0", "bs:2").replace("RE[B+2R]", "");
    assert_eq!(read_text(&format!("{first}{second};W[31hefe])")).record.games().len(), 2);
}
