//! Errors and warnings about a text, and their printer.

use std::fmt::Write;

use crate::limits::MAX_ERRORS;

/// A part of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// From the start of this part to the end of `last`.
    pub(crate) fn to(self, last: Span) -> Self {
        Self { start: self.start, end: last.end.max(self.end) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text is no world.
    Error,
    /// The text is a world, but probably not the one that was meant.
    Warning,
}

/// An error or a warning about a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// One sentence: what is wrong, and what was expected.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    pub span: Span,
    /// The first line is 1.
    pub line: usize,
    /// In characters; the first column is 1.
    pub column: usize,
    /// In characters, up to the end of the line; at least 1.
    pub length: usize,
}

/// How many errors a list of problems has, and whether there are more that are not listed.
pub fn count_errors(problems: &[Diagnostic]) -> (usize, bool) {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    // Behind a full list is a note that there are more.
    (errors, problems.len() > MAX_ERRORS)
}

/// Collects what is wrong with a text.
pub(crate) struct Problems<'a> {
    text: &'a str,
    list: Vec<Diagnostic>,
    errors: usize,
    /// The place of the first problem that is not listed because there are too many.
    left_out: Option<Span>,
    /// While this is set, problems are not listed.
    pub silent: bool,
    /// The first error since [`Self::silent`] was set.
    pub unlisted: Option<String>,
}

impl<'a> Problems<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, list: Vec::new(), errors: 0, left_out: None, silent: false, unlisted: None }
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Severity::Error, span, message.into(), None);
    }

    pub fn error_with_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, span, message.into(), Some(help.into()));
    }

    pub fn warning(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Warning, span, message.into(), Some(help.into()));
    }

    fn push(&mut self, severity: Severity, span: Span, message: String, help: Option<String>) {
        if self.silent {
            if severity == Severity::Error {
                self.unlisted.get_or_insert(message);
            }
            return;
        }
        if severity == Severity::Error {
            self.errors += 1;
        }
        // One error of a place is enough; the others follow from it.
        let is_same = |known: &Diagnostic| severity == Severity::Error || known.message == message;
        let is_known = || {
            let mut same = self.list.iter().filter(|known| known.span == span && known.severity == severity);
            same.any(is_same)
        };
        // Warnings take no error's place.
        let is_full = match severity {
            Severity::Error => self.is_full_of_errors(),
            Severity::Warning => self.is_full(),
        };
        if is_known() {
            return;
        }
        if is_full {
            self.leave_out(span);
            return;
        }
        let (line, column, length) = locate(self.text, span);
        self.list.push(Diagnostic { severity, message, help, span, line, column, length });
    }

    /// Whether another error of this place would not be listed, so that its help need not be found.
    pub fn is_closed(&self, span: Span) -> bool {
        let is_it = |known: &Diagnostic| known.severity == Severity::Error && known.span == span;
        self.silent || self.is_full_of_errors() || self.list.iter().any(is_it)
    }

    /// Whether another warning would not be listed.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_ERRORS
    }

    /// Notes that a problem of this place is not listed.
    pub fn leave_out(&mut self, span: Span) {
        self.left_out.get_or_insert(span);
    }

    fn is_full_of_errors(&self) -> bool {
        self.list.iter().filter(|known| known.severity == Severity::Error).count() >= MAX_ERRORS
    }

    /// Whether there has been an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// A part of the text.
    pub fn source(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The problems in the order of the text: the first [`MAX_ERRORS`], errors before warnings. If there are
    /// more, a warning behind them says so.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|problem| problem.severity == Severity::Warning);
        if let Some(problem) = self.list.get(MAX_ERRORS) {
            self.left_out.get_or_insert(problem.span);
        }
        self.list.truncate(MAX_ERRORS);
        self.list.sort_by_key(|problem| problem.span);
        if let Some(span) = self.left_out {
            let what = if self.has_errors() { "mistakes" } else { "warnings" };
            let message = format!("there are more {what}, one of them here; only {MAX_ERRORS} are listed");
            let help = Some(format!("mend the {what} that are listed first"));
            let (line, column, length) = locate(self.text, span);
            let severity = Severity::Warning;
            self.list.push(Diagnostic { severity, message, help, span, line, column, length });
        }
        self.list
    }
}

/// Line and column of the start of a part of a text, and its length on this line, in characters.
fn locate(text: &str, span: Span) -> (usize, usize, usize) {
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.floor_char_boundary(span.end as usize).max(start);
    let line = text[..start].matches('\n').count() + 1;
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let on_line = text[start..end].lines().next().unwrap_or("");
    (line, text[line_start..start].chars().count() + 1, on_line.chars().count().max(1))
}

/// Characters of a line that are printed; of longer lines, those around the problem.
const MAX_PRINTED: usize = 100;

/// The diagnostics with the lines that they are about, for a terminal.
pub fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for (i, diagnostic) in diagnostics.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        render_one(&mut out, text, diagnostic);
    }
    out
}

fn render_one(out: &mut String, text: &str, diagnostic: &Diagnostic) {
    let Diagnostic { severity, message, help, line, column, length, .. } = diagnostic;
    let severity = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let source: Vec<char> = text.lines().nth(line - 1).unwrap_or("").chars().collect();
    // The printed part of a long line begins a little before the problem.
    let first = if source.len() > MAX_PRINTED { (column - 1).saturating_sub(MAX_PRINTED / 4) } else { 0 };
    let shown = source.iter().skip(first).take(MAX_PRINTED);
    // Tabs and other control characters are printed as one space, so that the caret stands below the problem.
    let shown: String = shown.map(|c| if c.is_control() { ' ' } else { *c }).collect();
    let (before, after) =
        (if first > 0 { "..." } else { "" }, if first + MAX_PRINTED < source.len() { "..." } else { "" });
    let caret_at = before.len() + column - 1 - first;
    let carets = (*length).min(MAX_PRINTED.saturating_sub(column - 1 - first)).max(1);
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{severity}: {message}");
    let _ = writeln!(out, "{margin}--> line {line}, column {column}");
    let _ = writeln!(out, "{number} | {before}{}{after}", shown.trim_end());
    let _ = writeln!(out, "{margin} | {}{}", " ".repeat(caret_at), "^".repeat(carets));
    if let Some(help) = help {
        let _ = writeln!(out, "{margin} = {help}");
    }
}

/// The name of `known` that is most like `name`, if one is so like it that it may have been meant.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Comparing long names takes long, and a text may have many.
    const MAX_COMPARED: usize = 24;
    let lower = |name: &str| name.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let name = lower(name);
    // A third of the letters may be wrong, but not all of them.
    let most = (name.len() / 3).max(1);
    known
        .map(|other| (lower(other), other))
        .filter(|(other, _)| {
            name.len().max(other.len()) <= MAX_COMPARED && other.len().abs_diff(name.len()) <= most
        })
        .map(|(lower, other)| (edits(&name, &lower), other))
        .filter(|(edits, other)| *edits <= most && *edits < other.chars().count())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, other)| other)
}

/// The number of characters to insert, remove, replace or exchange with the next one to turn `a` into `b`
/// (Damerau 1964).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        // The rows of `i - 2`, `i - 1` and `i`.
        let [before, last, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}
