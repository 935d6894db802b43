//! Tests of reading and writing files of matches.

mod broken_files;
mod generated;
mod mat_files;
mod recorder;
mod round_trips;
mod sgf_files;

use super::*;
use learnery_worlds::backgammon::{Board, Dice};

fn dice(a: u8, b: u8) -> Dice {
    Dice::new(a, b).expect("valid dice")
}

/// Reads a text, which must be good.
fn read_text(text: &str) -> MatchFile {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The line and the problem of a text, which must be bad.
fn refused(text: &str) -> (usize, String) {
    let error = read(text.as_bytes()).expect_err("a bad file");
    (error.line, error.problem)
}

/// The position after plays in the words of the text format, from the start: a roll and a play each.
fn after_plays(plays: &[&str]) -> Board {
    let rows: String = plays.chunks(2).map(|row| format!(" 1) {}\n", row.join("    "))).collect();
    let file = read_text(&format!(" 0 point match\n\n Game 1\n A : 0    B : 0\n{rows}"));
    match &file.record.games()[0].entries().last().expect("an entry").action {
        Action::Play { after, .. } => *after,
        other => panic!("{other:?}"),
    }
}
