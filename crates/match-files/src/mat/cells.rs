//! A row of the text format as cells: what each player did.

use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::Win;

/// Characters to a tab stop, and the column from which on a lone cell belongs to the second player.
const TAB: usize = 8;
const SECOND_COLUMN: usize = 14;

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
    /// Says only what the winner's cell says, too.
    Lose,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub line: usize,
    /// The player in whose column the cell stands.
    pub side: usize,
    /// Whether the row has cells of both players or names the player, so that `side` is certain.
    pub certain: bool,
    pub action: CellAction,
}

/// Splits the text of a row, without its number, into cells. `column` is where the text begins in the line.
pub(super) fn cells(line: usize, text: &str, column: usize) -> Result<Vec<Cell>, String> {
    let starts = starts(text);
    let before = starts.first().map_or(text, |first| &text[..*first]);
    if !before.trim().is_empty() {
        return Err("no roll, no action and no result is known by this name".into());
    }
    if starts.len() > 3 {
        return Err("a row has one cell for each player".into());
    }
    let mut cells = Vec::with_capacity(starts.len());
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let action = action(text[*start..end].trim())?;
        let side = match i {
            0 if starts.len() > 1 => 0,
            0 => usize::from(width(column, &text[..*start]) >= SECOND_COLUMN),
            _ => 1,
        };
        cells.push(Cell { line, side, certain: starts.len() > 1, action });
    }
    // A third cell can only be the result behind the second one.
    if cells.len() == 3 && !matches!(cells[2].action, CellAction::Win { .. } | CellAction::Lose) {
        return Err("a row has one cell for each player".into());
    }
    if cells.len() == 3 {
        cells[2].certain = false;
    }
    Ok(cells)
}

/// The column behind `text` if it begins at `column`.
pub(super) fn width(column: usize, text: &str) -> usize {
    text.chars().fold(column, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// Where the cells of a row begin.
fn starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at_word = true;
    for (i, c) in text.char_indices() {
        if at_word && !c.is_whitespace() && starts_cell(&text[i..]) {
            starts.push(i);
            if starts.len() > 4 {
                break;
            }
        }
        at_word = c.is_whitespace();
    }
    starts
}

fn starts_cell(text: &str) -> bool {
    roll(text).is_some() || keyword(text).is_some()
}

/// Reads `61:` or `61 :`; returns both numbers and the rest.
fn roll(text: &str) -> Option<([u8; 2], &str)> {
    let [a @ b'0'..=b'9', b @ b'0'..=b'9', ..] = text.as_bytes() else { return None };
    let rest = text[2..].trim_start_matches(' ').strip_prefix(':')?;
    Some(([a - b'0', b - b'0'], rest))
}

/// The words that begin a cell, by the first letters of each, lower case.
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

fn keyword(text: &str) -> Option<&'static str> {
    let word: String =
        text.chars().take_while(char::is_ascii_alphabetic).take(12).collect::<String>().to_lowercase();
    let is_known = |forms: &&[&str]| forms.iter().any(|form| word.starts_with(form));
    KEYWORDS.iter().find(|(_, forms)| is_known(forms)).map(|(name, _)| *name)
}

/// The number in a cell, like the 2 of `Doubles => 2`.
fn number(text: &str) -> Option<u32> {
    let digits = text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit);
    let digits: String = digits.take(9).collect();
    digits.parse().ok()
}

fn action(text: &str) -> Result<CellAction, String> {
    if let Some(([a, b], rest)) = roll(text) {
        let dice = Dice::new(a, b).ok_or("a die shows 1 to 6")?;
        return Ok(CellAction::Roll { dice, play: rest.trim().to_owned() });
    }
    match keyword(text) {
        Some("double") => Ok(CellAction::Double { cube: number(text) }),
        Some("beaver") => Ok(CellAction::Beaver { cube: number(text) }),
        Some("raccoon") => {
            Err("raccoons are not supported: after a beaver the cube stays until the next turn".into())
        }
        Some("take") => Ok(CellAction::Take),
        Some("pass") => Ok(CellAction::Pass),
        Some("resign") => {
            let lower = text.to_lowercase();
            let win = match number(text) {
                Some(3) => Win::Backgammon,
                _ if lower.contains("backgammon") => Win::Backgammon,
                Some(2) => Win::Gammon,
                _ if lower.contains("gammon") => Win::Gammon,
                _ => Win::Single,
            };
            Ok(CellAction::Resign(win))
        }
        Some("win") => Ok(CellAction::Win { points: number(text) }),
        Some(_) => Ok(CellAction::Lose),
        None => Err("no roll, no action and no result is known by this name".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Vec<(usize, CellAction)> {
        cells(1, text, 4).expect("a row").into_iter().map(|cell| (cell.side, cell.action)).collect()
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
            assert!(cells(1, text, 4).is_err(), "{text}");
        }
    }
}
