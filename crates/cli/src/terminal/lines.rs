//! Line protocols: each line of standard input is one request, answered by one line of standard output.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::json;

use crate::terminal::stdout;

/// The longest line that is read, in bytes. A stream without line breaks must not fill the memory.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Answers are written when this many bytes of them are buffered, or earlier if no further request is
/// waiting.
const MAX_BUFFERED_BYTES: usize = 1 << 16;

/// Answers every line with one line of JSON. Empty lines are skipped. The answer to a bad request is an
/// object with the line number and the error. Later lines are still answered, but at the end the command
/// fails. A line of more than `MAX_LINE_BYTES` bytes ends it at once.
pub fn answer_json<A: Serialize>(mut answer: impl FnMut(&str) -> Result<A, String>) -> Result<()> {
    let answer = |line: &str| serde_json::to_string(&answer(line)?).map_err(|error| error.to_string());
    answer_lines(answer, |number, error| json!({ "line": number, "error": error }).to_string())
}

/// Like [`answer_json`], for answers in plain text. The answer to a bad request is `error: line 3: ...`.
pub fn answer_text(answer: impl FnMut(&str) -> Result<String, String>) -> Result<()> {
    answer_lines(answer, |number, error| format!("error: line {number}: {error}"))
}

/// The loop of both protocols. `format_error` formats the answer to a bad request from its line number and
/// error.
fn answer_lines(
    mut answer: impl FnMut(&str) -> Result<String, String>,
    format_error: impl Fn(u64, &str) -> String,
) -> Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let (mut line, mut answers) = (Vec::new(), String::new());
    let (mut line_number, mut failures) = (0u64, 0u64);
    loop {
        line.clear();
        let read =
            input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).context("standard input")?;
        if read == 0 {
            break;
        }
        line_number += 1;
        let result = match std::str::from_utf8(&line) {
            // The limit was reached before the end of the line.
            _ if read as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') => {
                stdout::write(&answers)?;
                bail!("line {line_number} is too long")
            }
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => answer(text.trim()),
            Err(_) => Err("it is not UTF-8".into()),
        };
        match result {
            Ok(text) => answers += &text,
            Err(error) => {
                failures += 1;
                answers += &format_error(line_number, &error);
            }
        }
        answers.push('\n');
        // If no further input is waiting, the sender may wait for this answer before its next request, so it
        // is written now.
        if input.buffer().is_empty() || answers.len() > MAX_BUFFERED_BYTES {
            stdout::write(&answers)?;
            answers.clear();
        }
    }
    stdout::write(&answers)?;

    match failures {
        0 => Ok(()),
        1 => bail!("1 line of {line_number} could not be answered"),
        n => bail!("{n} lines of {line_number} could not be answered"),
    }
}
