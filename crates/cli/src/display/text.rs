//! Lines of styled text that can be cut to a width without losing count of what is visible.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a piece of text looks. One colour means "learning"; the rest is weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// What matters.
    Strong,
    /// What only explains.
    Quiet,
    /// What learns.
    Accent,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Quiet => "\x1b[2m",
            Self::Accent => "\x1b[36m",
        }
    }
}

/// A line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pieces: Vec<(String, Style)>,
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// The line with `text` added.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text);
        self
    }

    /// Adds `text`.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push((text.into(), style));
    }

    /// Adds another line's pieces.
    pub fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }

    /// Columns it takes.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    /// Adds blanks and then `text`, so that it ends at column `width`; nothing where it does not fit.
    pub fn push_right(&mut self, style: Style, text: &str, width: usize) {
        let needed = self.width() + 2 + text.width();
        if needed <= width {
            self.push(Style::Plain, " ".repeat(width - self.width() - text.width()));
            self.push(style, text);
        }
    }

    /// As the terminal takes it, cut to `width` columns.
    pub fn render(&self, width: usize, colour: bool) -> String {
        let mut out = String::new();
        let mut left = width;
        for (text, style) in &self.pieces {
            let code = if colour { style.code() } else { "" };
            out.push_str(code);
            for c in text.chars() {
                let columns = c.width().unwrap_or(0);
                if columns > left {
                    left = 0;
                    break;
                }
                left -= columns;
                out.push(c);
            }
            if !code.is_empty() {
                out.push_str("\x1b[0m");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_by_columns_not_bytes() {
        let line = Line::new().with(Style::Strong, "añ").with(Style::Plain, "方c");
        assert_eq!(line.width(), 5);
        assert_eq!(line.render(80, false), "añ方c");
        assert_eq!(line.render(3, false), "añ"); // half of a wide character is none
        assert_eq!(line.render(4, true), "\x1b[1mañ\x1b[0m方");
    }

    #[test]
    fn the_right_end_stays_where_it_is_or_goes() {
        let mut line = Line::new().with(Style::Plain, "left");
        line.push_right(Style::Quiet, "right", 8);
        assert_eq!(line.render(80, false), "left");
        line.push_right(Style::Quiet, "right", 12);
        assert_eq!(line.render(80, false), "left   right");
    }
}
