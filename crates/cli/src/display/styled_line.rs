//! Lines of styled text that can be cut to a width in terminal columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The style of a piece of text. The only colour is the accent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// Bold.
    Strong,
    /// Faint, for labels.
    Quiet,
    /// Cyan, for the curve, the bar and the spinner.
    Accent,
}

impl Style {
    /// The control sequence (ANSI SGR) that switches the style on.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Quiet => "\x1b[2m",
            Self::Accent => "\x1b[36m",
        }
    }
}

/// A line of text, in pieces of one style each.
#[derive(Clone, Debug, Default)]
pub struct StyledLine {
    pieces: Vec<(String, Style)>,
}

impl StyledLine {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text);
        self
    }

    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push((text.into(), style));
    }

    pub fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }

    /// Width in columns.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    /// Adds `text` so that the line ends at column `width`. Adds nothing if there is no room for it and two
    /// blanks.
    pub fn push_right(&mut self, style: Style, text: &str, width: usize) {
        let needed = self.width() + 2 + text.width();
        if needed <= width {
            self.push(Style::Plain, " ".repeat(width - self.width() - text.width()));
            self.push(style, text);
        }
    }

    /// The text of the line, cut to `width` columns. `styled` adds the control sequences of the styles. The
    /// pieces contain no control characters.
    pub fn render(&self, width: usize, styled: bool) -> String {
        let mut out = String::new();
        let mut remaining = width;
        for (text, style) in &self.pieces {
            let code = if styled { style.code() } else { "" };
            out.push_str(code);
            for c in text.chars() {
                let columns = c.width().unwrap_or(0);
                if columns > remaining {
                    // The line is full, also for narrower characters of later pieces.
                    remaining = 0;
                    break;
                }
                remaining -= columns;
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
    fn line_is_cut_by_columns_not_bytes() {
        let line = StyledLine::new().with(Style::Strong, "añ").with(Style::Plain, "方c");
        assert_eq!(line.width(), 5);
        assert_eq!(line.render(80, false), "añ方c");
        // The third character is two columns wide, and a character is not cut in half.
        assert_eq!(line.render(3, false), "añ");
        assert_eq!(line.render(4, true), "\x1b[1mañ\x1b[0m方");
    }

    #[test]
    fn right_aligned_text_ends_at_the_width_or_is_omitted() {
        let mut line = StyledLine::new().with(Style::Plain, "left");
        line.push_right(Style::Quiet, "right", 8);
        assert_eq!(line.render(80, false), "left");
        line.push_right(Style::Quiet, "right", 12);
        assert_eq!(line.render(80, false), "left   right");
    }
}
