//! Text tables: every column is as wide as its content, and the last one is wrapped to the width that is left.

use std::io::IsTerminal;

use unicode_width::UnicodeWidthStr;

/// The last column is never wrapped to fewer columns of the terminal than this.
const MIN_LAST_COLUMN: usize = 24;

/// Formats rows under headings, with two spaces between columns. `right` marks the right-aligned columns.
pub fn render(headings: &[&str], right: &[bool], rows: &[Vec<String>], width: usize) -> String {
    let columns = headings.len();
    let cell_width =
        |i: usize| rows.iter().map(|row| row[i].width()).max().unwrap_or(0).max(headings[i].width());
    let widths: Vec<usize> = (0..columns).map(cell_width).collect();
    let fixed: usize = widths[..columns - 1].iter().map(|w| w + 2).sum();
    let room = width.saturating_sub(fixed).max(MIN_LAST_COLUMN);

    let mut text = String::new();
    let mut line = |cells: &[String]| {
        let last = wrap(&cells[columns - 1], room);
        for (n, part) in last.iter().enumerate() {
            let mut whole = String::new();
            for i in 0..columns - 1 {
                let cell = if n == 0 { cells[i].as_str() } else { "" };
                let blanks = " ".repeat(widths[i].saturating_sub(cell.width()));
                let (before, after) = if right[i] { (&blanks[..], "") } else { ("", &blanks[..]) };
                whole.push_str(&format!("{before}{cell}{after}  "));
            }
            whole.push_str(part);
            text.push_str(whole.trim_end());
            text.push('\n');
        }
    };
    if headings.iter().any(|heading| !heading.is_empty()) {
        line(&headings.iter().map(|h| (*h).to_owned()).collect::<Vec<_>>());
    }
    rows.iter().for_each(|row| line(row));
    text
}

/// Breaks text into lines of at most `width` columns. Longer words are not broken.
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
    const DEFAULT: usize = 100;
    if !stream.is_terminal() {
        return DEFAULT;
    }
    crossterm::terminal::size().map_or(DEFAULT, |(columns, _)| usize::from(columns).clamp(40, 120))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_column_is_wrapped_and_indented() {
        let rows = vec![vec!["a".into(), "1".into(), "one two three four five six seven".into()]];
        let text = render(&["name", "n", "help"], &[false, true, false], &rows, 34);
        assert_eq!(text, "name  n  help\na     1  one two three four five\n         six seven\n");
    }
}
