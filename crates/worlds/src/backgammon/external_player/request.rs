//! Reads the requests of GNU Backgammon (gnubg), each a line of text, and the options that may follow a board
//! in it.

use std::fmt;
use std::str::SplitWhitespace;

use super::super::board::Win;
use super::fibs_board::{FibsBoard, FibsBoardError};

/// What a line asks. Words may be in capitals or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    Version,
    Help,
    /// The client ends the connection.
    Exit,
    Set(Setting),
    /// Decides about a double, a play, an answer to a double or a resignation.
    Decide {
        board: FibsBoard,
        options: BoardOptions,
    },
    Evaluate {
        board: FibsBoard,
        options: BoardOptions,
        evaluation: Evaluation,
    },
}

/// What a client may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// gnubg keeps this setting and does nothing with it.
    Interface {
        new: bool,
    },
    Debug {
        on: bool,
    },
}

/// The rules that a board does not tell, and a resignation that awaits its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardOptions {
    /// For money, gammons count only once the cube was turned.
    pub jacoby: bool,
    /// For money, who is doubled may turn the cube once more.
    pub beavers: bool,
    /// Nobody doubles in the first game of a match in which a side needs one point.
    pub crawford_rule: bool,
    /// What the side on roll resigns.
    pub resignation: Option<Win>,
}

impl Default for BoardOptions {
    /// The rules that gnubg has unless it is told otherwise.
    fn default() -> Self {
        Self { jacoby: true, beavers: true, crawford_rule: true, resignation: None }
    }
}

/// How a position is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// `None` if the request does not say it.
    pub plies: Option<u8>,
    /// With the possibilities of the cube.
    pub cubeful: bool,
}

/// Why a line cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The line is empty.
    Empty,
    Unknown(String),
    /// Something behind a complete request.
    Rest(String),
    UnknownOption(String),
    /// An option without its value, or with an impossible one.
    Value {
        option: &'static str,
        expected: &'static str,
    },
    Board(FibsBoardError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no command given"),
            Self::Unknown(word) => write!(f, "{word:?} is no request that is known here"),
            Self::Rest(word) => write!(f, "{word:?} follows the request"),
            Self::UnknownOption(word) => write!(f, "{word:?} is no option of a board"),
            Self::Value { option, expected } => write!(f, "`{option}` needs {expected}"),
            Self::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RequestError {}

impl From<FibsBoardError> for RequestError {
    fn from(error: FibsBoardError) -> Self {
        Self::Board(error)
    }
}

/// The words behind a board, in small letters.
struct Words<'a>(SplitWhitespace<'a>);

impl Words<'_> {
    fn next(&mut self) -> Option<String> {
        self.0.next().map(str::to_ascii_lowercase)
    }

    fn read_switch(&mut self, option: &'static str) -> Result<bool, RequestError> {
        let word = self.next();
        word.as_deref().and_then(parse_switch).ok_or(RequestError::Value { option, expected: "on or off" })
    }

    /// Reads a switch that may be missing, which means on.
    fn read_optional_switch(&mut self) -> bool {
        // The next word is left if it is no switch.
        let mut ahead = self.0.clone();
        match ahead.next().and_then(|word| parse_switch(&word.to_ascii_lowercase())) {
            Some(on) => {
                self.0 = ahead;
                on
            }
            None => true,
        }
    }

    fn read_number<T: std::str::FromStr>(
        &mut self,
        option: &'static str,
        expected: &'static str,
    ) -> Result<T, RequestError> {
        let number = self.next().and_then(|word| word.parse().ok());
        number.ok_or(RequestError::Value { option, expected })
    }

    fn expect_end(&mut self) -> Result<(), RequestError> {
        self.next().map_or(Ok(()), |word| Err(RequestError::Rest(shortened(&word))))
    }
}

/// The beginning of a word of a request, for an error message, which must be short: gnubg reads at most 256
/// bytes of an answer.
pub(super) fn shortened(word: &str) -> String {
    const MAX_CHARS: usize = 16;
    word.chars().take(MAX_CHARS).collect()
}

fn parse_switch(word: &str) -> Option<bool> {
    match word {
        "on" | "yes" | "true" => Some(true),
        "off" | "no" | "false" => Some(false),
        _ => None,
    }
}

impl Request {
    /// Reads a line. `defaults` are the options where the line does not say them.
    pub fn parse(line: &str, defaults: &BoardOptions) -> Result<Self, RequestError> {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        if let Some(fields) = after_prefix(line, "board:") {
            let (board, options, _) = read_board_and_options(fields, defaults, false)?;
            return Ok(Self::Decide { board, options });
        }
        if let Some(rest) = after_prefix(line, "evaluation ") {
            let rest = after_prefix(rest.trim_start(), "fibsboard ").map(str::trim_start);
            let fields = rest.and_then(|rest| after_prefix(rest, "board:"));
            let fields = fields
                .ok_or(RequestError::Value { option: "evaluation", expected: "`fibsboard board:...`" })?;
            let (board, options, evaluation) = read_board_and_options(fields, defaults, true)?;
            return Ok(Self::Evaluate { board, options, evaluation });
        }
        let mut words = Words(line.split_whitespace());
        let request = match words.next().ok_or(RequestError::Empty)?.as_str() {
            "version" => Self::Version,
            "help" => Self::Help,
            "exit" | "quit" => Self::Exit,
            "set" => Self::Set(read_setting(&mut words)?),
            other => return Err(RequestError::Unknown(shortened(other))),
        };
        words.expect_end()?;
        Ok(request)
    }
}

/// What follows a prefix in small or capital letters.
fn after_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

fn read_setting(words: &mut Words) -> Result<Setting, RequestError> {
    match words.next().as_deref() {
        Some("interface") => match words.next().as_deref() {
            Some("new") => Ok(Setting::Interface { new: true }),
            Some("old") => Ok(Setting::Interface { new: false }),
            _ => Err(RequestError::Value { option: "set interface", expected: "new or old" }),
        },
        Some("debug") => Ok(Setting::Debug { on: words.read_switch("set debug")? }),
        _ => Err(RequestError::Value { option: "set", expected: "interface or debug" }),
    }
}

/// Reads the fields of a board and the options behind it. The options of an evaluation are known only if
/// `is_evaluation` is true.
fn read_board_and_options(
    text: &str,
    defaults: &BoardOptions,
    is_evaluation: bool,
) -> Result<(FibsBoard, BoardOptions, Evaluation), RequestError> {
    // Names may have blanks, so the fields end at the first blank behind the last colon.
    let last_field = text.rfind(':').map_or(0, |colon| colon + 1);
    let end = text[last_field..].find(char::is_whitespace).map_or(text.len(), |blank| last_field + blank);
    let board = FibsBoard::parse(&text[..end])?;
    let (mut options, mut evaluation) = (*defaults, Evaluation::default());
    let mut words = Words(text[end..].split_whitespace());
    while let Some(word) = words.next() {
        match word.as_str() {
            "jacobyrule" => options.jacoby = words.read_switch("jacobyrule")?,
            "crawfordrule" => options.crawford_rule = words.read_switch("crawfordrule")?,
            "beavers" => options.beavers = words.read_switch("beavers")?,
            "resignation" => {
                const EXPECTED: &str = "0 to 3 points";
                options.resignation = match words.read_number("resignation", EXPECTED)? {
                    0u8 => None,
                    1 => Some(Win::Single),
                    2 => Some(Win::Gammon),
                    3 => Some(Win::Backgammon),
                    _ => return Err(RequestError::Value { option: "resignation", expected: EXPECTED }),
                };
            }
            "plies" if is_evaluation => {
                evaluation.plies = Some(words.read_number("plies", "a number of plies")?);
            }
            "cube" if is_evaluation => evaluation.cubeful = words.read_switch("cube")?,
            "cubeful" if is_evaluation => evaluation.cubeful = true,
            "cubeless" if is_evaluation => evaluation.cubeful = false,
            // These change how gnubg's evaluation is computed. There is nothing to prune here and no noise,
            // so the switch is read and ignored.
            "prune" | "deterministic" if is_evaluation => {
                words.read_optional_switch();
            }
            "noise" if is_evaluation => {
                const EXPECTED: &str = "0, because there is no noise here";
                if words.read_number::<f32>("noise", EXPECTED)? != 0.0 {
                    return Err(RequestError::Value { option: "noise", expected: EXPECTED });
                }
            }
            other => return Err(RequestError::UnknownOption(shortened(other))),
        }
    }
    Ok((board, options, evaluation))
}
