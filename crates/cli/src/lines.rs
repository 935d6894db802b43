//! Lines in, lines out: each line of standard input is a question of its own, answered on a line of standard output.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::json;

use crate::out;

/// Longest line that is read: a stream without line breaks must not fill the memory.
const LONGEST: u64 = 1 << 20;

/// Answers all lines of standard input with JSON; empty ones are passed over. A question that cannot be answered gets an
/// object with its line number and the error, the rest goes on, and the command fails at the end.
pub fn answer<A: Serialize>(answer: impl Fn(&str) -> Result<A, String>) -> Result<()> {
    let write = |line: &str| match serde_json::to_string(&answer(line)?) {
        Ok(text) => Ok(text),
        Err(error) => Err(error.to_string()),
    };
    run(write, |number, error| json!({ "line": number, "error": error }).to_string())
}

/// The same with answers as they are, and `error: line 3: ...` for what cannot be answered.
pub fn answer_in_words(answer: impl FnMut(&str) -> Result<String, String>) -> Result<()> {
    run(answer, |number, error| format!("error: line {number}: {error}"))
}

fn run(
    mut answer: impl FnMut(&str) -> Result<String, String>,
    refusal: impl Fn(u64, &str) -> String,
) -> Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let (mut line, mut ready) = (Vec::new(), String::new());
    let (mut number, mut refused) = (0u64, 0u64);
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line).context("standard input")?;
        if read == 0 {
            break;
        }
        number += 1;
        let result = match std::str::from_utf8(&line) {
            _ if read as u64 == LONGEST && line.last() != Some(&b'\n') => bail!("line {number} is too long"),
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => answer(text.trim()),
            Err(_) => Err("it is not UTF-8".into()),
        };
        match result {
            Ok(text) => ready += &text,
            Err(error) => {
                refused += 1;
                ready += &refusal(number, &error);
            }
        }
        ready.push('\n');
        // Many at a time, but nobody who asks one by one is kept waiting.
        if input.buffer().is_empty() || ready.len() > 1 << 16 {
            out::say(&ready)?;
            ready.clear();
        }
    }
    out::say(&ready)?;

    match refused {
        0 => Ok(()),
        1 => bail!("1 line of {number} could not be answered"),
        n => bail!("{n} lines of {number} could not be answered"),
    }
}
