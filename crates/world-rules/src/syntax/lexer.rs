//! From a text to tokens. After an error the lexer goes on, so that the parser sees the rest of the text too.

use crate::diagnostics::{Problems, Span};
use crate::limits::{MAX_NAME_BYTES, MAX_STRING_BYTES};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind<'a> {
    /// A name or a word of the language.
    Name(&'a str),
    Number(f32),
    /// A text in quotes, without them.
    Text(&'a str),
    /// `'` right behind a name.
    Prime,
    Symbol(&'static str),
    Newline,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub span: Span,
}

/// All symbols; a longer one stands before its beginnings.
const SYMBOLS: &[&str] = &[
    "..", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "^", "(", ")", "[", "]", ",", ":", "=", "<", ">",
];

/// Signs of other notations that people write, and what the language has instead. An error suggests it.
const FOREIGN_SIGNS: &[(&str, &str)] = &[
    ("×", "*"),
    ("·", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("–", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("&&", "and"),
    ("&", "and"),
    ("||", "or"),
    ("|", "or"),
    ("!", "not"),
    ("²", "^2"),
    ("³", "^3"),
    ("’", "'"),
    ("“", "\""),
    ("”", "\""),
    ("{", "("),
    ("}", ")"),
];

/// Splits a text into tokens. The last one is [`TokenKind::End`].
pub fn tokens<'a>(text: &'a str, problems: &mut Problems<'_>) -> Vec<Token<'a>> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.next(problems);
    }
    lexer.push(TokenKind::Newline, text.len());
    lexer.push(TokenKind::End, text.len());
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
}

/// Whether a name may begin with this character.
fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

impl<'a> Lexer<'a> {
    /// Adds a token from the current position to `end`.
    fn push(&mut self, kind: TokenKind<'a>, end: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, end) });
        self.at = end;
    }

    /// The position behind the characters from `from` on that `is_part` holds for.
    fn end_of(&self, from: usize, is_part: impl Fn(char) -> bool) -> usize {
        let rest = &self.text[from..];
        from + rest.find(|c| !is_part(c)).unwrap_or(rest.len())
    }

    /// Reads the next token, or skips a space or a comment.
    fn next(&mut self, problems: &mut Problems<'_>) {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return };
        let is_after_name = self
            .tokens
            .last()
            .is_some_and(|t| matches!(t.kind, TokenKind::Name(_)) && t.span.end as usize == self.at);
        if c == '\n' {
            self.push(TokenKind::Newline, self.at + 1);
        } else if c == ' ' || c == '\t' || c == '\r' || c == '\u{feff}' {
            self.at += c.len_utf8();
        } else if c == '#' {
            self.at = self.end_of(self.at, |c| c != '\n');
        } else if begins_name(c) {
            self.name(problems);
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            self.number(problems);
        } else if c == '"' {
            self.string(problems);
        } else if c == '\'' && is_after_name {
            self.push(TokenKind::Prime, self.at + 1);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.push(TokenKind::Symbol(symbol), self.at + symbol.len());
        } else {
            self.unknown(problems);
        }
    }

    fn name(&mut self, problems: &mut Problems<'_>) {
        let end = self.end_of(self.at, continues_name);
        let name = &self.text[self.at..end];
        if name.len() > MAX_NAME_BYTES {
            problems.error(Span::new(self.at, end), format!("a name has at most {MAX_NAME_BYTES} bytes"));
        }
        self.push(TokenKind::Name(name), end);
    }

    fn number(&mut self, problems: &mut Problems<'_>) {
        let digits = |c: char| c.is_ascii_digit();
        let mut end = self.end_of(self.at, digits);
        // Not the two points of a range.
        if self.text[end..].starts_with('.') && !self.text[end..].starts_with("..") {
            end = self.end_of(end + 1, digits);
        }
        if let Some(exponent) = self.text[end..].strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if unsigned.starts_with(digits) {
                end = self.end_of(end + 1 + exponent.len() - unsigned.len(), digits);
            }
        }
        let span = Span::new(self.at, end);
        // The digits were checked, so only the size may be wrong.
        let value = self.text[self.at..end].parse().unwrap_or(f32::INFINITY);
        if !value.is_finite() {
            problems.error(span, "this number is too large: numbers reach up to 3.4e38");
        }
        let number = &self.text[self.at..end];
        self.push(TokenKind::Number(if value.is_finite() { value } else { 0.0 }), end);
        if self.text[end..].starts_with(begins_name) {
            let name_end = self.end_of(end, continues_name);
            let name = &self.text[end..name_end];
            problems.error_with_help(
                Span::new(end, name_end),
                "a product needs its sign",
                if name.len() <= MAX_NAME_BYTES {
                    format!("write `{number} * {name}`")
                } else {
                    "write `*` between the number and the name".into()
                },
            );
            self.at = name_end;
        }
    }

    fn string(&mut self, problems: &mut Problems<'_>) {
        let end = self.end_of(self.at + 1, |c| c != '"' && c != '\n');
        let inside = &self.text[self.at + 1..end];
        if inside.len() > MAX_STRING_BYTES {
            let message = format!("a text in quotes has at most {MAX_STRING_BYTES} bytes");
            problems.error(Span::new(self.at, end), message);
        }
        let is_closed = self.text[end..].starts_with('"');
        if !is_closed {
            problems.error_with_help(
                Span::new(self.at, end),
                "this text in quotes has no end on its line",
                "write `\"` behind it",
            );
        }
        self.push(TokenKind::Text(inside), end + usize::from(is_closed));
    }

    fn unknown(&mut self, problems: &mut Problems<'_>) {
        let rest = &self.text[self.at..];
        let foreign = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let length = foreign.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |(a, _)| a.len());
        let end = self.at + length;
        let span = Span::new(self.at, end);
        match foreign {
            Some((sign, ours)) => {
                let help = match *sign {
                    "|" => "write `or`, or `abs(x)` for the size of a number".into(),
                    _ => format!("write `{ours}`"),
                };
                problems.error_with_help(span, format!("`{sign}` is not a sign of the language"), help);
                // The rest of the line is read as if it were right.
                if let Some(symbol) = SYMBOLS.iter().find(|symbol| *symbol == ours) {
                    self.push(TokenKind::Symbol(symbol), end);
                } else if matches!(*ours, "and" | "or" | "not") {
                    self.push(TokenKind::Name(ours), end);
                }
            }
            None if rest.starts_with('\'') => {
                let help = "write `x'` for the value of `x` after the step, without a space";
                problems.error_with_help(span, "a prime stands right behind the name of a state", help);
            }
            None if rest.starts_with(';') => {
                problems.error_with_help(span, "a line holds one statement", "begin a new line here");
                self.push(TokenKind::Newline, end);
            }
            None => {
                let c = rest.chars().next().unwrap_or(' ');
                // Some characters cannot be seen, or change the direction of those behind them.
                let is_plain = c.is_ascii_graphic() || c.escape_debug().count() == 1;
                let shown = if is_plain { c.to_string() } else { format!("U+{:04X}", u32::from(c)) };
                problems.error(span, format!("`{shown}` is not a sign of the language"));
                // A run of unknown characters is one error.
                let known = |c: char| c.is_ascii() || begins_name(c);
                self.at = self.end_of(end, |c| !known(c));
                return;
            }
        }
        self.at = end;
    }
}
