//! Broken files are refused in one sentence that names the line, and hostile ones cost little.

use super::generated::random_match;
use super::refused;
use super::sgf_files::write_sgf;
use crate::*;
use learnery_kernels::rng::Stream;

const MATCH: &str = include_str!("match.mat");

/// Each case replaces a piece of the good file, and has the line and some words of the error that follows.
#[test]
fn text_files_against_the_rules_name_the_line() {
    for (from, to, line, words) in [
        ("5 point match", "26 point match", 4, "at most 25 points"),
        ("5 point match", "a fine match", 6, "7 point match"),
        (" Ada : 0  ", " Ada  ", 7, "is expected"),
        ("43: 24/20 13/10", "43: 24/20 13/11", 9, "no legal play of 43"),
        ("43: 24/20 13/10", "43: 24/20", 9, "no legal play of 43"),
        ("43: 24/20 13/10", "73: 24/20 13/10", 9, "1 to 6"),
        ("43: 24/20 13/10", "43: 24-20 13-10", 9, "a move is written"),
        ("43: 24/20 13/10", "43: Cannot Move", 9, "a play is possible"),
        ("43: 24/20 13/10", "43:            ", 9, "is missing"),
        ("43: 24/20 13/10", "rolls 43 and 13/10", 9, "no roll, no action"),
        (
            "Doubles => 2                Drops",
            "Doubles => 4                Drops",
            12,
            "the cube would go to 2",
        ),
        ("Doubles => 2                Drops", "Beavers => 2                Drops", 12, "nobody has doubled"),
        (
            "Doubles => 2                Drops",
            "Doubles => 2                Beavers => 4",
            12,
            "beavers are not allowed",
        ),
        ("Drops\n      Wins 1 point", "Drops\n      Wins 2 points", 13, "gets 1 point"),
        ("Drops\n      Wins 1 point", "Drops\n 6) 61: 13/7 8/7", 13, "has ended"),
        (" Ada : 1  ", " Ada : 3  ", 16, "the score is 1 : 0"),
        ("Drops                       Wins 1", "Drops                       Wins 2", 26, "gets 1 point"),
        (
            "  3)  Drops                       Wins 1 point",
            "      Wins 1 point\n 3) Drops",
            26,
            "a double awaits an answer",
        ),
        ("66:\n      Wins 2 points", "66:\n      Wins 7 points", 33, "nobody can win 7 points"),
        ("      Wins 2 points\n\n Game 5\n Ada : 4", "\n Game 5\n Ada : 2", 35, "no result"),
        (
            "61: 13/7 8/7                43",
            "61: 13/7 8/7                Doubles => 2\n 43",
            37,
            "Crawford game",
        ),
    ] {
        let broken = MATCH.replacen(from, to, 1);
        assert_ne!(broken, MATCH, "{from}");
        let Err(error) = read(broken.as_bytes()) else { panic!("{to} was read") };
        assert!(error.line == line && error.problem.contains(words), "{to:?}: {error}");
    }
}

/// Without a tag, a money session is tried with the Jacoby rule and without it.
#[test]
fn error_is_that_of_the_attempt_that_got_furthest() {
    let rows = "  2) 43:\n      Wins 2 points\n\n Game 2\n A : 2    B : 0\n  1) 61: 13/7 8/6\n";
    let text = format!(
        "unlimited game\n\n Game 1\n A : 0      B : 0\n  1) 61: 13/7 8/7      52: 24/22 13/8\n{rows}"
    );
    let (line, problem) = refused(&text);
    assert!(line == 11 && problem.contains("no legal play of 61"), "line {line}: {problem}");
    let game = |score, result, play| {
        format!("(;GM[6]MI[length:0][ws:{score}][bs:0]PW[a]PB[b]RU[Jacoby]RE[{result}];W[{play}])\n")
    };
    let (line, problem) = refused(&(game(0, "W+2R", "31hefe") + &game(2, "B+1R", "31hefd")));
    assert!(line == 2 && problem.contains("no legal play of 31"), "line {line}: {problem}");
}

#[test]
fn later_games_have_the_players_of_the_first() {
    let swapped =
        MATCH.replacen(" Ada : 1                        Ben_(GER) : 0", " Ben_(GER) : 0      Ada : 1", 1);
    let (line, problem) = refused(&swapped);
    assert!(line == 16 && problem.contains("the first game has other players"), "line {line}: {problem}");
    let (line, _) = refused(&MATCH.replacen(" Ada : 2  ", " Eva : 2  ", 1));
    assert_eq!(line, 23);
}

#[test]
fn positions_that_were_set_up_are_refused() {
    let (line, problem) = refused(&MATCH.replacen("  1)", "; Set Pos=-b----E-C---eE---c-e----B-/0\n  1)", 1));
    assert!(line == 8 && problem.contains("from another position"), "line {line}: {problem}");
    let illegal = "43: Illegal play (5;0;0;1;0;Ada;Ben;0;0;0;1;0;0;-2;0;0;4;3;) ";
    let (line, problem) = refused(&MATCH.replacen("43: 24/20 13/10", illegal, 1));
    assert!(line == 9 && problem.contains("an illegal play was made"), "line {line}: {problem}");
}

#[test]
fn errors_are_one_printable_line() {
    let hostile =
        format!("5 point match\nGame 1\nA : 0   B : 0\n1) \u{1b}[31m\u{202e}\t{}\n", "x".repeat(10_000));
    let error = read(hostile.as_bytes()).expect_err("a bad file");
    let text = error.to_string();
    assert!(text.starts_with("line 4 (\"1) ?[31m? xxx") && text.len() < 250, "{text}");
    assert_eq!(refused("").0, 1);
    assert_eq!(refused("\0\0"), (1, "this is not a text file".to_owned()));
    assert_eq!(refused("5 point match\r\n\nGame\0 1").0, 3);
    let rows = "1) 61: 61:\n".repeat(300_000);
    let problem = refused(&format!("5 point match\nGame 1\nA : 0   B : 0\n{rows}")).1;
    assert_eq!(problem, "no match has so many turns");
    let games = "Game 1\nA : 0   B : 0\n".repeat(3000);
    assert_eq!(refused(&format!("5 point match\n{games}")).0, 5);
    let long_value = refused(&format!("(;GM[{}])", "x".repeat(1_000_000))).1;
    assert!(long_value.contains("another game") && long_value.len() < 300);
    let large = vec![b' '; (16 << 20) + 1];
    assert!(read(&large).expect_err("too large").problem.contains("16 MiB"));
}

/// Every prefix and thousands of mutations of good files are read or refused in one line.
#[test]
fn cut_and_changed_files_never_panic() {
    let stream = Stream::new(9, 0);
    let mut refusals = 0;
    let files =
        [MATCH.to_owned(), write_mat(&random_match(1, 1, 2), None), write_sgf(&random_match(1, 3, 1))];
    for (number, file) in (0..).zip(&files) {
        let bytes = file.as_bytes();
        for cut in (0..bytes.len()).step_by(bytes.len() / 150 + 1) {
            refusals += usize::from(check(&bytes[..cut]));
        }
        for mutation in 0..400u64 {
            let mut changed = bytes.to_vec();
            for change in 0..=u64::from(stream.below(number, 9 * mutation, 3)) {
                let random = stream.block(number, 1_000_000 + 9 * mutation + change);
                let at = random[0] as usize % changed.len();
                const BYTES: &[u8] = b" 0123456789/*:()[];\\\n\t?WBabyz=>\xff\x00";
                match random[1] % 4 {
                    0 => changed[at] = BYTES[random[2] as usize % BYTES.len()],
                    1 => drop(changed.remove(at)),
                    2 => changed.insert(at, BYTES[random[2] as usize % BYTES.len()]),
                    _ => {
                        // A piece of the file, once more.
                        let end = (at + random[2] as usize % 60).min(changed.len());
                        let piece = changed[at..end].to_vec();
                        changed.splice(at..at, piece);
                    }
                }
            }
            refusals += usize::from(check(&changed));
        }
    }
    assert!(refusals > 300, "{refusals}");
}

/// Reads bytes. Whatever is read can be written and read again; whatever is refused is refused in one line.
fn check(bytes: &[u8]) -> bool {
    match read(bytes) {
        Ok(file) => {
            let text = write_mat(&file.record, None);
            let again = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.record.score(), file.record.score());
            false
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.starts_with("line "), "{text}");
            true
        }
    }
}
