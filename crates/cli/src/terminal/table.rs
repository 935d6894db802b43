//! Text tables. Every column is as wide as its widest cell, except the last one: it is wrapped to the
//! remaining width.

use std::io::IsTerminal;

use unicode_width::UnicodeWidthStr;

/// The minimum width of the last column in characters, even if the terminal is too narrow for it.
const MIN_LAST_WIDTH: usize = 24;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    Left,
    Right,
}

pub const LEFT: Alignment = Alignment::Left;
pub const RIGHT: Alignment = Alignment::Right;

/// Formats rows under headings, with two spaces between columns. `alignments` has one for each column.
/// `width` is the width of the terminal. If all headings are empty, there is no line of headings.
pub fn render(headings: &[&str], alignments: &[Alignment], rows: &[Vec<String>], width: usize) -> String {
    let columns = headings.len();
    let cell_width =
        |i: usize| rows.iter().map(|row| row[i].width()).max().unwrap_or(0).max(headings[i].width());
    let widths: Vec<usize> = (0..columns).map(cell_width).collect();
    // The width of all columns but the last.
    let fixed: usize = widths[..columns - 1].iter().map(|w| w + 2).sum();
    let last_width = width.saturating_sub(fixed).max(MIN_LAST_WIDTH);

    let mut text = String::new();
    let mut push_row = |cells: &[String]| {
        let last = wrap(&cells[columns - 1], last_width);
        for (n, part) in last.iter().enumerate() {
            let mut line = String::new();
            for i in 0..columns - 1 {
                // Below the first line the other columns are empty.
                let cell = if n == 0 { cells[i].as_str() } else { "" };
                let blanks = " ".repeat(widths[i].saturating_sub(cell.width()));
                let (before, after) = match alignments[i] {
                    Alignment::Left => ("", &blanks[..]),
                    Alignment::Right => (&blanks[..], ""),
                };
                line.push_str(&format!("{before}{cell}{after}  "));
            }
            line.push_str(part);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    };
    if headings.iter().any(|heading| !heading.is_empty()) {
        push_row(&headings.iter().map(|h| (*h).to_owned()).collect::<Vec<_>>());
    }
    rows.iter().for_each(|row| push_row(row));
    text
}

/// Breaks text into lines of at most `width` characters. A word that is longer than that gets a line of its
/// own.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The width of the terminal behind `stream`, between 40 and 120 columns; 100 if it is not a terminal.
pub fn width(stream: &impl IsTerminal) -> usize {
    const DEFAULT_COLUMNS: usize = 100;
    terminal_width(stream).map_or(DEFAULT_COLUMNS, |columns| columns.min(120))
}

/// The width of the terminal behind `stream`, at least 40 columns; `None` if it is not a terminal.
pub fn terminal_width(stream: &impl IsTerminal) -> Option<usize> {
    let (columns, _) = stream.is_terminal().then(|| crossterm::terminal::size().ok()).flatten()?;
    Some(usize::from(columns).max(40))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_column_is_wrapped_and_indented() {
        let rows = vec![vec!["a".into(), "1".into(), "one two three four five six seven".into()]];
        let width = 34;
        let text = render(&["name", "n", "help"], &[LEFT, RIGHT, LEFT], &rows, width);
        assert_eq!(text, "name  n  help\na     1  one two three four five\n         six seven\n");
    }
}
