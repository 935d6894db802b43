//! Why a file is refused: one sentence that names the line and quotes it.

use std::fmt;

/// The most characters of a line that are quoted.
const MAX_QUOTED_CHARS: usize = 60;
/// The most characters of a problem, which may quote the file too.
const MAX_PROBLEM_CHARS: usize = 200;

/// Why a file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What the line says, shortened and printable.
    pub excerpt: String,
}

impl FileError {
    pub(super) fn new(line: usize, problem: impl fmt::Display, text: &str) -> Self {
        // Names and quoted text in the problem come from the file too.
        let problem = problem.to_string();
        let problem =
            problem.chars().take(MAX_PROBLEM_CHARS).map(|c| if is_printable(c) { c } else { '?' }).collect();
        Self { line, problem, excerpt: excerpt(text) }
    }

    /// The error at a line of `text`.
    pub(super) fn at(line: usize, problem: impl fmt::Display, text: &str) -> Self {
        let content = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        Self::new(line, problem, content)
    }

    /// The error of the attempt that got further, if a file was read in two ways and both attempts failed.
    pub(super) fn or_further(self, other: Self) -> Self {
        if other.line > self.line { other } else { self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.excerpt.as_str() {
            "" => write!(f, "line {}: {}", self.line, self.problem),
            excerpt => write!(f, "line {} (\"{excerpt}\"): {}", self.line, self.problem),
        }
    }
}

impl std::error::Error for FileError {}

/// The first characters of a line, for an error that quotes it: spaces are joined, and characters that cannot
/// be printed are question marks.
pub fn excerpt(line: &str) -> String {
    // Only the start of a line can matter, however long it is.
    let start: String =
        line.chars().take(8 * MAX_QUOTED_CHARS).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let joined = start.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut text: String =
        joined.chars().take(MAX_QUOTED_CHARS).map(|c| if is_printable(c) { c } else { '?' }).collect();
    if joined.chars().count() > MAX_QUOTED_CHARS {
        text.push('…');
    }
    text
}

/// Whether a character is safe in a message of one line: no control character, no mark that changes the
/// direction of the text, no invisible one.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
