//! The syntax of the Smart Game Format: game trees of nodes of properties.

use crate::MAX_PARTS;
use crate::file_error::FileError;

/// A property: its name, its values without escapes, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub line: usize,
    pub name: String,
    pub values: Vec<String>,
}

pub(super) type Node = Vec<Property>;

/// A game: the line on which its tree begins, and the nodes of its main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameTree {
    pub line: usize,
    pub nodes: Vec<Node>,
}

/// The most letters of a property's name.
const MAX_NAME_LETTERS: usize = 20;

/// Parses a file into the main lines of its games.
pub(super) fn parse_games(text: &str) -> Result<Vec<GameTree>, FileError> {
    /// A tree whose closing parenthesis has not come yet.
    struct OpenTree {
        is_main_line: bool,
        /// The main line goes on in the first subtree only.
        has_subtree: bool,
    }
    let mut parser = Parser { text, at: 0, line: 1 };
    let mut games: Vec<GameTree> = Vec::new();
    let mut open: Vec<OpenTree> = Vec::new();
    let mut parts = 0;
    while let Some(c) = parser.peek() {
        if parts > MAX_PARTS {
            return Err(parser.refuse("no match has so many turns"));
        }
        let is_main = open.last().is_some_and(|tree| tree.is_main_line);
        match c {
            '(' => {
                parts += 1;
                parser.next();
                let is_main_line = match open.last_mut() {
                    Some(tree) => tree.is_main_line && !std::mem::replace(&mut tree.has_subtree, true),
                    None => {
                        games.push(GameTree { line: parser.line, nodes: Vec::new() });
                        true
                    }
                };
                open.push(OpenTree { is_main_line, has_subtree: false });
            }
            ')' => {
                if open.pop().is_none() {
                    return Err(parser.refuse("a game ends here that has not begun"));
                }
                parser.next();
            }
            ';' => {
                parts += 1;
                parser.next();
                match games.last_mut() {
                    Some(game) if is_main => game.nodes.push(Node::new()),
                    // A variation is skipped.
                    Some(_) if !open.is_empty() => {}
                    _ => return Err(parser.refuse("no game has begun, so \"(\" is expected")),
                }
            }
            c if c.is_whitespace() => {
                parser.next();
            }
            _ => {
                let property = parser.property(MAX_PARTS - parts.min(MAX_PARTS))?;
                parts += 1 + property.values.len();
                match games.last_mut().and_then(|game| game.nodes.last_mut()) {
                    Some(node) if is_main => node.push(property),
                    // A variation is skipped.
                    Some(_) if !open.is_empty() => {}
                    _ => return Err(parser.refuse("\";\" is expected before the first property")),
                }
            }
        }
    }
    if !open.is_empty() {
        return Err(parser.refuse("the file ends within a game"));
    }
    Ok(games)
}

struct Parser<'a> {
    text: &'a str,
    /// The position in bytes, and its line from 1 on.
    at: usize,
    line: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn refuse(&self, problem: &str) -> FileError {
        FileError::at(self.line, problem, self.text)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Reads a name and its values: `MI[length:7][game:0]`. Old files write names like `PlayerWhite`; their
    /// lower-case letters are ignored.
    fn property(&mut self, max_values: usize) -> Result<Property, FileError> {
        let (mut name, mut length, line) = (String::new(), 0, self.line);
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            length += 1;
            if length > MAX_NAME_LETTERS {
                return Err(self.refuse("the name of a property is too long"));
            }
            if c.is_ascii_uppercase() {
                name.push(c);
            }
            self.next();
        }
        if name.is_empty() {
            return Err(self.refuse("the name of a property is expected"));
        }
        let mut values = Vec::new();
        self.skip_space();
        while self.peek() == Some('[') {
            self.next();
            if values.len() >= max_values {
                return Err(self.refuse("no match has so many turns"));
            }
            values.push(self.value()?);
            self.skip_space();
        }
        if values.is_empty() {
            return Err(self.refuse("a property has a value in square brackets"));
        }
        Ok(Property { line, name, values })
    }

    /// Reads a value up to its closing bracket. A backslash makes the next character part of the value, and
    /// removes a line end.
    fn value(&mut self) -> Result<String, FileError> {
        let start = self.line;
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    Some('\n') => {}
                    Some(c) => value.push(c),
                    None => break,
                },
                Some(c) => value.push(c),
                None => break,
            }
        }
        Err(FileError::at(start, "the value that begins here has no end", self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<Vec<String>> {
        let game = |game: &GameTree| {
            game.nodes
                .iter()
                .flatten()
                .map(|property| format!("{}={}", property.name, property.values.join("|")))
                .collect()
        };
        parse_games(text).expect("a file").iter().map(game).collect()
    }

    #[test]
    fn main_lines_are_read() {
        assert_eq!(
            names("(;FF[4]GM[6]\n;W[61])(;GM [6] [7])"),
            [vec!["FF=4", "GM=6", "W=61"], vec!["GM=6|7"]]
        );
        assert_eq!(names("(;A[1](;B[2](;C[3])(;D[4]))(;E[5](;F[6])))"), [vec!["A=1", "B=2", "C=3"]]);
        assert_eq!(names("(;C[a\\]b\\\\c\\:\\\nd;(])"), [vec!["C=a]b\\c:d;("]]);
        assert_eq!(names("(;PlayerWhite[Zoë])"), [vec!["PW=Zoë"]]);
    }

    #[test]
    fn broken_files_name_the_line() {
        for (text, line) in [
            ("(;A[1]\n;B[", 2),
            ("(;A[1]\n\n", 3),
            (")", 1),
            ("(;A[1])\n)", 2),
            ("(\nA[1])", 2),
            ("(;A)", 1),
            ("(;\n[x])", 2),
            (";A[1]", 1),
            ("x", 1),
            ("(;A[\\", 1),
        ] {
            assert_eq!(parse_games(text).map_err(|error| error.line), Err(line), "{text:?}");
        }
        for part in ["(", "(;", "(;A[]", "(;A[1])", "(;)"] {
            assert!(parse_games(&part.repeat(400_000)).is_err(), "{part}");
        }
        let problem = parse_games(&format!("(;A{})", "[]".repeat(600_000))).map_err(|error| error.problem);
        assert_eq!(problem, Err("no match has so many turns".to_owned()));
    }
}
