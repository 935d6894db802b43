//! Boards recorded from GNU Backgammon 1.07.001, and lines that are refused. Its players are 0 and 1, in the
//! order of the names; the checkers of player 0 are the negative numbers. `fibs_board.rs` lists the numbers
//! of a board.

use super::super::matches::Scoring;
use super::super::{Board, Dice, Win, moves};
use super::*;

const DEFAULTS: BoardOptions =
    BoardOptions { jacoby: true, beavers: true, crawford_rule: true, resignation: None };

/// Money, player 0 is to play 2 1 in the starting position.
const OPENING: &str = "board:alpha:beta:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
/// Money, player 1 is on roll and has two checkers of player 0 on the bar. (Player 0 has 26 points in front
/// of it.)
const ON_ROLL: &str = "board:alpha:beta:0:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:5:-1:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
/// A match to 5, player 1 has 1 point and has doubled; player 0 answers.
const DOUBLED_BY_1: &str = "board:root:gnubg:5:1:0:0:-2:0:2:0:0:4:0:2:0:0:1:-5:5:0:0:0:-3:0:-5:0:0:0:0:1:0:1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1";
/// A match to 5, player 0 has 1 point and has doubled; player 1 answers.
const DOUBLED_BY_0: &str = "board:root:gnubg:5:0:1:0:-1:0:0:0:0:5:0:3:0:0:0:-5:5:-1:0:0:-2:0:-4:0:0:-2:0:2:0:-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1";
/// The Crawford game of a match to 7: player 0 has none, player 1 has 6 points. Player 0 has rolled 6 1.
const CRAWFORD_0: &str = "board:gnubg:root:7:0:6:0:-2:0:0:0:0:5:0:3:1:0:0:-5:5:0:0:0:-3:0:-5:0:1:0:0:0:0:-1:6:1:6:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0";
/// The Crawford game of a match to 7: player 0 has 6 points, player 1 has none and has rolled 4 3.
const CRAWFORD_1: &str = "board:gnubg:root:7:6:0:0:0:0:0:0:-2:5:0:3:0:0:0:-4:5:-1:0:0:-2:0:-4:0:-2:0:0:2:0:1:4:3:4:3:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0";
/// A match to 7, player 0 is on roll and player 1 owns a cube of 2 and has borne off 13 checkers.
const CUBE_OF_OTHER: &str = "board:gnubg:root:7:0:0:0:-2:2:0:0:0:0:0:0:0:0:0:-5:0:0:0:0:-3:0:-5:0:0:0:0:0:0:-1:0:0:0:0:2:1:0:0:1:-1:0:25:13:0:0:0:0:0:0:1";
/// Money: player 0 has doubled, player 1 has beavered, player 0 answers.
const BEAVERED: &str = "board:alpha:beta:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:6:0:0:0:-3:0:-5:0:0:0:0:1:0:-1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1";

fn decide(line: &str) -> (FibsBoard, BoardOptions) {
    match Request::parse(line, &DEFAULTS) {
        Ok(Request::Decide { board, options }) => (board, options),
        other => panic!("{line}: {other:?}"),
    }
}

fn error(line: &str) -> String {
    match Request::parse(line, &DEFAULTS) {
        Ok(request) => panic!("{line}: {request:?}"),
        Err(error) => error.to_string(),
    }
}

/// Fields before the numbers, which `fibs_board.rs` lists: `board` and both names.
const FIELDS_BEFORE_NUMBERS: usize = 3;

/// A line with one of the numbers replaced.
fn with_number(line: &str, index: usize, value: &str) -> String {
    let mut fields: Vec<&str> = line.split(':').collect();
    fields[index + FIELDS_BEFORE_NUMBERS] = value;
    fields.join(":")
}

#[test]
fn recorded_board_is_seen_from_the_side_on_roll() {
    let (opening, options) = decide(OPENING);
    assert_eq!((opening.board, opening.dice, opening.doubled), (Board::START, Dice::new(2, 1), false));
    assert_eq!(options, DEFAULTS);
    let stakes = opening.stakes(&options).expect("money");
    assert_eq!(stakes, super::super::matches::Stakes::money(true, true));
    // gnubg puts a zero byte behind each line, so the next line begins with it.
    assert_eq!(decide(&format!("\0{OPENING}\r\n")).0, opening);
    // Player 1 is on roll: point 24 of player 0 is its ace point, where a checker of player 0 is left.
    let (second, _) = decide(ON_ROLL);
    assert_eq!((second.board.own(13), second.board.own(24), second.board.own(8)), (5, 2, 3));
    assert_eq!((second.board.other(24), second.board.other(23), second.board.other(13)), (1, 1, 4));
    assert_eq!((second.dice, second.board.other(8)), (None, 3));
}

#[test]
fn scores_belong_to_the_right_side() {
    let score = |line: &str| {
        let (board, options) = decide(line);
        (board.doubled, board.stakes(&options).expect("a match").scoring)
    };
    let away = |own_away, other_away, crawford| Scoring::Match { own_away, other_away, crawford };
    // The side on roll is the one that has doubled, and in these two games it leads by one point.
    assert_eq!(score(DOUBLED_BY_1), (true, away(4, 5, false)));
    assert_eq!(score(DOUBLED_BY_0), (true, away(4, 5, false)));
    assert_eq!(score(CRAWFORD_0), (false, away(7, 1, true)));
    assert_eq!(score(CRAWFORD_1), (false, away(7, 1, true)));
    assert_eq!(score(&format!("{CRAWFORD_0} crawfordrule off")), (false, away(7, 1, false)));
    // After the Crawford game.
    assert_eq!(score(&with_number(CRAWFORD_0, 48, "1")), (false, away(7, 1, false)));
    // Longer matches than are known are taken to be shorter; a match without end is money.
    assert_eq!(score(&with_number(DOUBLED_BY_1, 0, "64")).1, away(25, 25, false));
    let money = Scoring::Money { jacoby: true, beavers: true };
    assert_eq!(score(&with_number(DOUBLED_BY_1, 0, "9999")).1, money);
}

#[test]
fn cube_belongs_to_the_right_side() {
    use super::super::matches::CubeOwner::{Centred, Other, Own};
    let cube = |line: &str| {
        let (board, options) = decide(line);
        let stakes = board.stakes(&options).expect("possible");
        (stakes.cube(), stakes.owner)
    };
    assert_eq!(cube(DOUBLED_BY_1), (1, Centred));
    assert_eq!(cube(CUBE_OF_OTHER), (2, Other));
    // The same board, player 1 on roll.
    assert_eq!(cube(&with_number(CUBE_OF_OTHER, 29, "1")), (2, Own));
    assert_eq!((decide(BEAVERED).0.doubled, cube(BEAVERED)), (true, (2, Other)));
    // FIBS shows a double by letting nobody double.
    let fibs = with_number(&with_number(CUBE_OF_OTHER, 35, "0"), 36, "0");
    assert_eq!((decide(&fibs).0.doubled, cube(&fibs)), (true, (2, Own)));
}

#[test]
fn fibs_lines_of_the_other_colour_and_direction_are_the_same_game() {
    // The player of negative numbers plays upwards in lines of gnubg. Here all places are reversed, and so is
    // the direction.
    let mut fields: Vec<&str> = CRAWFORD_0.split(':').collect();
    // The 26 places.
    fields[FIELDS_BEFORE_NUMBERS + 3..FIELDS_BEFORE_NUMBERS + 29].reverse();
    fields[FIELDS_BEFORE_NUMBERS + 39] = "1";
    assert_eq!(decide(&fields.join(":")).0, decide(CRAWFORD_0).0);
    // The signs of places and turn may be exchanged too, if the colour says so.
    let exchanged: Vec<String> = CRAWFORD_0
        .split(':')
        .map(str::to_owned)
        .enumerate()
        .map(|(i, field)| {
            let has_sign = (FIELDS_BEFORE_NUMBERS + 3..FIELDS_BEFORE_NUMBERS + 29).contains(&i)
                || [FIELDS_BEFORE_NUMBERS + 29, FIELDS_BEFORE_NUMBERS + 38].contains(&i);
            if has_sign && field != "0" {
                field.strip_prefix('-').map_or(format!("-{field}"), str::to_owned)
            } else {
                field
            }
        })
        .collect();
    assert_eq!(decide(&exchanged.join(":")).0, decide(CRAWFORD_0).0);
}

#[test]
fn other_requests_and_options_are_read() {
    let parse = |line| Request::parse(line, &DEFAULTS);
    assert_eq!(parse("version"), Ok(Request::Version));
    assert_eq!(parse("\0Help\n"), Ok(Request::Help));
    assert_eq!((parse("exit"), parse("QUIT")), (Ok(Request::Exit), Ok(Request::Exit)));
    assert_eq!(parse("set interface new"), Ok(Request::Set(Setting::Interface { new: true })));
    assert_eq!(parse("set debug off"), Ok(Request::Set(Setting::Debug { on: false })));
    let (_, options) = decide(&format!("{OPENING} jacobyrule off Beavers NO resignation 2"));
    let expected = BoardOptions { jacoby: false, beavers: false, resignation: Some(Win::Gammon), ..DEFAULTS };
    assert_eq!(options, expected);
    // Names may have blanks.
    assert_eq!(decide(&OPENING.replace("alpha", "A. Player")), decide(OPENING));
    let line = format!("evaluation fibsboard {OPENING} plies 2 cubeful prune on deterministic noise 0.0");
    let Ok(Request::Evaluate { board, evaluation, .. }) = parse(&line) else { panic!("{:?}", parse(&line)) };
    assert_eq!((board.board, evaluation), (Board::START, Evaluation { plies: Some(2), cubeful: true }));
}

#[test]
fn impossible_lines_are_refused_in_a_sentence() {
    let start = |index, value| with_number(OPENING, index, value);
    for (line, words) in [
        ("", "no command given"),
        ("\0\n", "no command given"),
        ("nonsense", "\"nonsense\" is no request"),
        ("version 3", "\"3\" follows the request"),
        ("set interface", "new or old"),
        ("set prompt x", "interface or debug"),
        ("evaluation board:a", "fibsboard"),
        ("board:", "this has 1 fields"),
        (&start(49, "1:1"), "this has 53 fields"),
        (&start(3, "x"), "number 4 of the board is \"x\""),
        (&start(3, "99999999999"), "number 4"),
        (&start(3, "3"), "a bar of the board cannot be 3"),
        (&start(4, "-16"), "has 16 checkers"),
        (&start(5, "-1"), "has 16 checkers"),
        (&start(5, "-2147483648"), "has 2147483648 checkers"),
        (&start(29, "0"), "the turn cannot be 0"),
        (&start(30, "7"), "a die cannot be 7"),
        (&start(31, "0"), "a die cannot be 0"),
        (&start(34, "3"), "the cube cannot be 3"),
        (&start(34, "2"), "a cube of 1 belongs"),
        (&start(34, "8192"), "higher than 4096"),
        (&start(1, "-1"), "a score cannot be -1"),
        (&start(0, "-2147483648"), "the match length cannot be"),
        (&format!("{OPENING} plies 2"), "\"plies\" is no option"),
        (&format!("{OPENING} jacobyrule"), "on or off"),
        (&format!("{OPENING} resignation 4"), "0 to 3"),
        (&format!("evaluation fibsboard {OPENING} noise 0.1"), "no noise"),
        (&format!("evaluation fibsboard {OPENING} plies x"), "a number of plies"),
    ] {
        // Some lines are wrong only together with the options.
        let sentence = match Request::parse(line, &DEFAULTS) {
            Ok(Request::Decide { board, options }) => board.stakes(&options).expect_err(line).to_string(),
            _ => error(line),
        };
        assert!(sentence.contains(words) && !sentence.contains('\n'), "{line}: {sentence}");
    }
    let over = with_number(&with_number(DOUBLED_BY_1, 1, "5"), 0, "5");
    assert!(decide(&over).0.stakes(&DEFAULTS).is_err_and(|e| e.to_string().contains("the match is over")));
    // A long word is cut short, because gnubg reads 256 bytes of an answer.
    assert!(error(&"\u{10ffff}".repeat(1000)).len() < 250);
}

#[test]
fn answers_are_written_as_gnubg_writes_them() {
    let play = |line: &str, from: &[(u8, u8, bool)]| {
        let (request, _) = decide(line);
        let moves: Vec<super::super::Move> =
            from.iter().map(|&(from, to, hit)| super::super::Move { from, to, hit }).collect();
        (request, Answer::Play(moves).to_string())
    };
    // gnubg 1.07.001 answers this board (a checker of the other side on its ace point) with the same line.
    let line = with_number(&with_number(BEAVERED, 30, "5"), 31, "5");
    let (request, text) = play(&line, &[(8, 3, false), (8, 3, false), (6, 1, true), (6, 1, false)]);
    assert_eq!(text, "8/3 8/3 6/1* 6/1");
    // The same play, found by the rules.
    let dice = request.dice.expect("rolled");
    let mut plays = super::super::Plays::new();
    plays.find(&request.board, dice);
    let found = plays.iter().filter_map(|after| moves(&request.board, dice, &after));
    assert!(found.map(|moves| Answer::Play(moves).to_string()).any(|found| found == text));
    assert_eq!(play(OPENING, &[(25, 22, false), (6, 0, false)]).1, "bar/22 6/off");
    assert_eq!(Answer::Play(Vec::new()).to_string(), "");
    let numbers = [0.5, 0.25, 0.0, 0.125, 0.0, -0.0625];
    let text = Answer::Evaluation(numbers).to_string();
    assert_eq!(text, "0.500000 0.250000 0.000000 0.125000 0.000000 -0.062500");
    assert_eq!(Answer::Error("no".into()).to_string(), "Error: no");
    assert_eq!(Answer::Interface { new: true }.to_string(), "New interface ON");
}
