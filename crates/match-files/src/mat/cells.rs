//! A row of the text format (`mod.rs` shows one) as cells: what each player did. `read.rs` splits a file into
//! rows, `replay.rs` plays the cells.

use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::Win;

/// Columns from one tab stop to the next.
const COLUMNS_PER_TAB: usize = 8;
/// A lone cell that begins at this column (counted from 0) or behind it belongs to the second player.
/// Programs write the first player's cells from about column 5 on and the second one's from about 33 on, or
/// behind two tabs, at column 16.
const SECOND_PLAYERS_COLUMN: usize = 14;
/// The most cells of a row: one for each player, and a result behind them.
const MAX_CELLS: usize = 3;

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CellAction {
    /// A roll, and the text of its play.
    Roll {
        dice: Dice,
        play: String,
    },
    /// A double or a beaver, and the new value of the cube if it is written.
    Double {
        cube: Option<u32>,
    },
    Beaver {
        cube: Option<u32>,
    },
    /// Takes the double, or accepts a beaver.
    Take,
    Pass,
    Resign(Win),
    /// The points won, if they are written.
    Win {
        points: Option<u32>,
    },
    /// Repeats what the winner's cell says.
    Lose,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub line: usize,
    /// The player in whose column the cell stands.
    pub side: usize,
    /// Whether the row has cells of both players or names the player, so that `side` is certain.
    pub is_certain: bool,
    pub action: CellAction,
}

/// Splits the text of a row, without its number, into cells. `column` is where the text begins in the line.
pub(super) fn read_cells(line: usize, text: &str, column: usize) -> Result<Vec<Cell>, String> {
    let starts = find_starts(text);
    let before = starts.first().map_or(text, |first| &text[..*first]);
    if !before.trim().is_empty() {
        return Err("no roll, no action and no result is known by this name".into());
    }
    if starts.len() > MAX_CELLS {
        return Err("a row has one cell for each player".into());
    }
    let mut cells = Vec::with_capacity(starts.len());
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let action = read_action(text[*start..end].trim())?;
        let side = match i {
            0 if starts.len() > 1 => 0,
            0 => usize::from(column_behind(column, &text[..*start]) >= SECOND_PLAYERS_COLUMN),
            _ => 1,
        };
        cells.push(Cell { line, side, is_certain: starts.len() > 1, action });
    }
    // A third cell can only be the result behind the second one.
    if let Some(third) = cells.get_mut(2) {
        if !matches!(third.action, CellAction::Win { .. } | CellAction::Lose) {
            return Err("a row has one cell for each player".into());
        }
        third.is_certain = false;
    }
    Ok(cells)
}

/// The column behind `text` if it begins at `column`.
pub(super) fn column_behind(column: usize, text: &str) -> usize {
    text.chars().fold(column, |column, c| match c {
        '\t' => (column / COLUMNS_PER_TAB + 1) * COLUMNS_PER_TAB,
        _ => column + 1,
    })
}

/// Finds where the cells of a row begin. A row with too many cells is not read to its end.
fn find_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut is_word_start = true;
    for (i, c) in text.char_indices() {
        if is_word_start && !c.is_whitespace() && is_cell_start(&text[i..]) {
            starts.push(i);
            if starts.len() > MAX_CELLS {
                break;
            }
        }
        is_word_start = c.is_whitespace();
    }
    starts
}

fn is_cell_start(text: &str) -> bool {
    read_roll(text).is_some() || find_keyword(text).is_some()
}

/// Reads `61:` or `61 :`; returns both numbers and the rest.
fn read_roll(text: &str) -> Option<([u8; 2], &str)> {
    let [a @ b'0'..=b'9', b @ b'0'..=b'9', ..] = text.as_bytes() else { return None };
    let rest = text[2..].trim_start_matches(' ').strip_prefix(':')?;
    Some(([a - b'0', b - b'0'], rest))
}

/// The names of the words that begin a cell, and for each the first letters of its forms in lower case.
const KEYWORDS: [(&str, &[&str]); 8] = [
    ("double", &["double", "redouble"]),
    ("beaver", &["beaver"]),
    ("raccoon", &["raccoon", "racoon"]),
    ("take", &["take", "accept"]),
    ("pass", &["drop", "pass", "reject", "refuse"]),
    ("resign", &["resign", "concede"]),
    ("win", &["win"]),
    ("lose", &["lose", "loss"]),
];

/// Finds the name of the keyword with which a text begins.
fn find_keyword(text: &str) -> Option<&'static str> {
    /// More letters than any keyword has.
    const MAX_LETTERS: usize = 12;
    let letters = text.chars().take_while(char::is_ascii_alphabetic).take(MAX_LETTERS);
    let word = letters.collect::<String>().to_lowercase();
    let is_known = |forms: &&[&str]| forms.iter().any(|form| word.starts_with(form));
    KEYWORDS.iter().find(|(_, forms)| is_known(forms)).map(|(name, _)| *name)
}

/// Reads the number in a cell, like the 2 of `Doubles => 2`; `None` if the cell has no number.
fn read_number(text: &str) -> Option<u32> {
    /// Every number with so many digits fits into 32 bits.
    const MAX_DIGITS: usize = 9;
    let digits = text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit);
    let digits: String = digits.take(MAX_DIGITS).collect();
    digits.parse().ok()
}

fn read_action(text: &str) -> Result<CellAction, String> {
    if let Some(([a, b], rest)) = read_roll(text) {
        let dice = Dice::new(a, b).ok_or("a die shows 1 to 6")?;
        return Ok(CellAction::Roll { dice, play: rest.trim().to_owned() });
    }
    match find_keyword(text) {
        Some("double") => Ok(CellAction::Double { cube: read_number(text) }),
        Some("beaver") => Ok(CellAction::Beaver { cube: read_number(text) }),
        Some("raccoon") => {
            Err("raccoons are not supported: after a beaver the cube stays until the next turn".into())
        }
        Some("take") => Ok(CellAction::Take),
        Some("pass") => Ok(CellAction::Pass),
        Some("resign") => {
            let lower = text.to_lowercase();
            // The word is looked for in this order, because "backgammon" contains "gammon".
            let win = match read_number(text) {
                Some(3) => Win::Backgammon,
                _ if lower.contains("backgammon") => Win::Backgammon,
                Some(2) => Win::Gammon,
                _ if lower.contains("gammon") => Win::Gammon,
                _ => Win::Single,
            };
            Ok(CellAction::Resign(win))
        }
        Some("win") => Ok(CellAction::Win { points: read_number(text) }),
        // The only keyword left is "lose".
        Some(_) => Ok(CellAction::Lose),
        None => Err("no roll, no action and no result is known by this name".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The player and the action of each cell of a row whose text begins at column 4.
    fn row(text: &str) -> Vec<(usize, CellAction)> {
        read_cells(1, text, 4).expect("a row").into_iter().map(|cell| (cell.side, cell.action)).collect()
    }

    #[test]
    fn cells_are_found_by_content_and_column() {
        let roll =
            |a, b, play: &str| CellAction::Roll { dice: Dice::new(a, b).expect("dice"), play: play.into() };
        assert_eq!(
            row(" 61: 13/7 8/7     52:  24/22 "),
            [(0, roll(6, 1, "13/7 8/7")), (1, roll(5, 2, "24/22"))]
        );
        assert_eq!(row("                       52: 13/8"), [(1, roll(5, 2, "13/8"))]);
        assert_eq!(row("\t\t52: 13/8"), [(1, roll(5, 2, "13/8"))]);
        assert_eq!(row(" 52: 13/8"), [(0, roll(5, 2, "13/8"))]);
        assert_eq!(row("\t52: 13/8\t61:"), [(0, roll(5, 2, "13/8")), (1, roll(6, 1, ""))]);
        let double = |cube| CellAction::Double { cube };
        assert_eq!(
            row(" Doubles => 2    Beavers => 4"),
            [(0, double(Some(2))), (1, CellAction::Beaver { cube: Some(4) })]
        );
        assert_eq!(row("  REDOUBLES   Takes"), [(0, double(None)), (1, CellAction::Take)]);
        let win = CellAction::Win { points: Some(1) };
        assert_eq!(row(" Drops     Wins 1 point and the match"), [(0, CellAction::Pass), (1, win)]);
        assert_eq!(
            row(" 62: Cannot Move  Resigns a gammon").pop(),
            Some((1, CellAction::Resign(Win::Gammon)))
        );
    }

    #[test]
    fn rows_that_say_something_else_are_refused() {
        for text in [" 70: 13/7", " hello", " Raccoons => 8", " 61: 62: 63:", " 0"] {
            assert!(read_cells(1, text, 4).is_err(), "{text}");
        }
    }
}
