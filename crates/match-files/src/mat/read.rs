//! Reads the text format line by line into games of cells, which [`replay`](super::replay) then plays.

use super::cells::{Cell, CellAction, column_behind, read_cells};
use super::headings::{is_game, read_match_length, read_scores, read_tag};
use super::replay::{Results, replay};
use crate::MAX_PARTS;
use crate::file_error::FileError;
use crate::record::MatchRecord;
use crate::recorder::without_rating;
use learnery_worlds::backgammon::matches::Rules;

/// The most tags of a file that are read.
const MAX_TAGS: usize = 1000;
/// The most digits of the number of a row. A longer number begins no row.
const MAX_ROW_DIGITS: usize = 5;

/// A game as it is written.
#[derive(Debug)]
pub(super) struct WrittenGame {
    /// The line with the names and the score.
    pub line: usize,
    pub players: [String; 2],
    pub score: [u32; 2],
    pub cells: Vec<Cell>,
}

/// A match as it is written.
#[derive(Debug, Default)]
pub(super) struct WrittenMatch {
    pub tags: Vec<(String, String)>,
    /// 0 for a money session; `None` until it is read.
    pub length: Option<u8>,
    pub games: Vec<WrittenGame>,
}

/// What the next line may be.
enum Expected {
    /// Anything before the first game, or in a game.
    Any,
    /// The names and the score, under `Game 3`.
    Score,
}

/// Reads a match.
pub(crate) fn read(text: &str) -> Result<MatchRecord, FileError> {
    let written = parse(text)?;
    let length = written.length.ok_or_else(|| {
        FileError::at(
            1,
            "this is no file of a match: no line like \"7 point match\" comes before a game",
            text,
        )
    })?;
    if length > 0 {
        return replay(&written, Rules::Match { length }, Results::AsScored, text);
    }
    let flag = |names: &[&str]| {
        let found = written.tags.iter().find(|(name, _)| names.iter().any(|n| name.eq_ignore_ascii_case(n)));
        found.map(|(_, value)| matches!(value.to_lowercase().as_str(), "on" | "true" | "yes" | "1"))
    };
    let has_beaver = || written.games.iter().flat_map(|game| &game.cells).any(|cell| is_beaver(&cell.action));
    let beavers = flag(&["beaver", "beavers"]).unwrap_or_else(has_beaver) || has_doubled_double(&written);
    // Few files say whether the Jacoby rule was in use, but a gammon without a turned cube shows it: by its
    // points, or, because GNU Backgammon writes points without regard to the rule, by the next score.
    let jacoby = flag(&["jacoby"]);
    let attempts = [(true, Results::AsScored), (false, Results::AsScored), (true, Results::WithoutJacoby)];
    let mut furthest: Option<FileError> = None;
    for (attempt, results) in attempts {
        if jacoby.is_some_and(|jacoby| jacoby != attempt) {
            continue;
        }
        match replay(&written, Rules::Money { jacoby: attempt, beavers }, results, text) {
            Ok(record) => return Ok(record),
            Err(error) => {
                furthest = Some(match furthest {
                    Some(other) => other.or_further(error),
                    None => error,
                });
            }
        }
    }
    Err(furthest.unwrap_or_else(|| FileError::at(1, "this is no file of a match", text)))
}

fn is_beaver(action: &CellAction) -> bool {
    matches!(action, CellAction::Beaver { .. })
}

/// Whether a double is answered by another one: some programs write a beaver so.
fn has_doubled_double(written: &WrittenMatch) -> bool {
    let is_double = |cell: &Cell| matches!(cell.action, CellAction::Double { .. });
    written.games.iter().any(|game| game.cells.windows(2).any(|pair| pair.iter().all(is_double)))
}

fn parse(text: &str) -> Result<WrittenMatch, FileError> {
    let mut written = WrittenMatch::default();
    let mut expected = Expected::Any;
    let mut parts = 0;
    for (line, content) in (1..).zip(text.lines()) {
        let refuse = |problem: &str| Err(FileError::new(line, problem, content));
        let trimmed = content.trim();
        if trimmed.is_empty() {
            continue;
        }
        if trimmed.starts_with([';', '#']) {
            // eXtreme Gammon's comment on a game from a set-up position, which its moves do not show.
            if trimmed.trim_start_matches([';', '#']).trim_start().starts_with("Set Pos=") {
                return refuse("games that start from another position cannot be read");
            }
            if let Some((name, value)) = read_tag(trimmed) {
                if name.eq_ignore_ascii_case("variation") && !value.to_lowercase().starts_with("backgammon") {
                    return refuse("only standard backgammon can be read, no variant of it");
                }
                if written.tags.len() < MAX_TAGS {
                    written.tags.push((name.to_owned(), value.to_owned()));
                }
            }
            continue;
        }
        if parts > MAX_PARTS {
            return refuse("no match has so many turns");
        }
        if let Expected::Score = expected {
            parts += 1;
            let Some((players, score)) = read_scores(trimmed) else {
                return refuse("under the number of a game, a line like \"Anna : 0  Ben : 0\" is expected");
            };
            written.games.push(WrittenGame {
                line,
                players: players.map(str::to_owned),
                score,
                cells: Vec::new(),
            });
            expected = Expected::Any;
        } else if is_game(trimmed) {
            if written.length.is_none() {
                return refuse("before the first game, a line like \"7 point match\" is expected");
            }
            expected = Expected::Score;
        } else if let Some(game) = written.games.last_mut() {
            match read_row(line, content, &game.players) {
                Ok(cells) => {
                    parts += cells.len();
                    game.cells.extend(cells);
                }
                Err(problem) => return Err(FileError::new(line, problem, content)),
            }
        } else if let Some(length) = read_match_length(trimmed) {
            match length {
                Ok(length) => written.length = Some(length),
                Err(problem) => return Err(FileError::new(line, problem, content)),
            }
        } else if written.length.is_some() {
            return refuse("\"Game 1\" is expected");
        }
        // Text before the length of the match is a title.
    }
    if let Expected::Score = expected {
        let last = text.lines().count();
        return Err(FileError::at(last, "the file ends before the names and the score of this game", text));
    }
    Ok(written)
}

/// Reads the cells of `  3) 61: 13/7 8/7    52: 24/22`, or of a result on a line of its own.
fn read_row(line: usize, content: &str, players: &[String; 2]) -> Result<Vec<Cell>, String> {
    let trimmed = content.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let after_number = &trimmed[digits..];
    if digits > 0
        && digits <= MAX_ROW_DIGITS
        && (after_number.starts_with(')') || after_number.starts_with(". "))
    {
        let text = &after_number[1..];
        let column = column_behind(0, &content[..content.len() - text.len()]);
        return read_cells(line, text, column);
    }
    let Some((side, result)) = named_result(trimmed, players) else { return read_cells(line, content, 0) };
    let mut cells = read_cells(line, result, 0)?;
    for (i, cell) in cells.iter_mut().enumerate() {
        // The name is that of the player of the first cell.
        (cell.side, cell.is_certain) = if i == 0 { (side, true) } else { (1 - side, false) };
    }
    Ok(cells)
}

/// Splits `Anna wins 2 points` and the like into the player and what he does. The rating behind a name may be
/// missing. Names that are equal do not tell the players apart.
fn named_result<'a>(line: &'a str, players: &[String; 2]) -> Option<(usize, &'a str)> {
    let result = |name: &str| {
        let rest = line.strip_prefix(name).filter(|rest| rest.starts_with(char::is_whitespace))?.trim_start();
        let is_result =
            |word: &str| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        ["wins", "resigns"].into_iter().any(is_result).then_some(rest)
    };
    let names = players.each_ref().map(String::as_str);
    for names in [names, names.map(without_rating)].into_iter().filter(|names| names[0] != names[1]) {
        for (side, name) in names.into_iter().enumerate() {
            if let Some(result) = result(name) {
                return Some((side, result));
            }
        }
    }
    None
}
