//! `learnery backgammon rollout`: plays many games from positions, and prints what they tell about each or
//! about its plays.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_lab::Job;
use learnery_labs::backgammon::{RollOut, RolloutEvent, RolloutInput, RolloutOutput};
use serde_json::json;

use super::ask::{self, Source, refused};
use crate::args::BackgammonRolloutArgs;
use crate::failure::usage;
use crate::files::read_text_up_to;
use crate::run::stop::StopSignal;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

/// The most bytes of a file of positions.
const MAX_FILE_BYTES: usize = 1 << 20;

/// A position to roll out, with its dice.
struct Question {
    position: String,
    /// The file and the line that it is from; `None` if it was an argument.
    place: Option<String>,
}

pub fn rollout(args: &BackgammonRolloutArgs) -> Result<()> {
    let input = args.inputs.input()?;
    let questions = questions(args)?;
    let source = Source::read(&args.network.checkpoint)?;
    let Some(mut job) = check(&source, &input, &questions)? else {
        bail!("the files hold no position");
    };
    threads::start_pool(args.threads)?;
    let stop = StopSignal::listen()?;
    let games = numbers::count_of(input.games.into(), "game");
    stderr::write(&format!("Plays up to {games}. Ctrl-C ends the rollout; games that are complete count.\n"));
    let mut is_first = true;
    for (number, question) in (1..).zip(&questions) {
        job.ask_again(question.of(&input), None).map_err(|error| refused(error, Some(&source.path)))?;
        let outcome = ask::finish(&mut job, &stop, None, &mut |event, _| Some(note(event)));
        if stop.requested() || number == questions.len() {
            // The process may no longer be ended while the result is written.
            stop.begin_saving();
        }
        let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
        if let Some(answer) = outcome.output() {
            print(answer, question, questions.len() > 1, is_first, args.json)?;
            is_first = false;
        } else if is_first {
            return Err(stop.interrupted("it was interrupted before a game was complete").into());
        }
        if outcome.is_partial() {
            break;
        }
    }
    Ok(())
}

impl Question {
    fn of(&self, input: &RolloutInput) -> RolloutInput {
        RolloutInput { position: self.position.clone(), ..input.clone() }
    }
}

/// Begins with each question, so that none is refused after hours of work. Returns a job; `None` if there is
/// no question.
fn check(source: &Source, input: &RolloutInput, questions: &[Question]) -> Result<Option<Job<RollOut>>> {
    let mut job = None::<Job<RollOut>>;
    for question in questions {
        let asked = match &mut job {
            Some(job) => job.ask_again(question.of(input), None).map_err(|e| refused(e, Some(&source.path))),
            None => source.begin(question.of(input)).map(|begun| job = Some(begun)),
        };
        asked.map_err(|error| match &question.place {
            Some(place) => anyhow!("{place}: {error}"),
            None => error,
        })?;
    }
    Ok(job)
}

/// What the line of progress says of the best play so far.
fn note(event: RolloutEvent) -> String {
    format!(", equity {:+.4} (standard error {:.4})", event.equity, event.error)
}

fn print(
    answer: &RolloutOutput,
    question: &Question,
    is_one_of_many: bool,
    is_first: bool,
    json: bool,
) -> Result<()> {
    let position = &question.position;
    match (json, is_one_of_many) {
        (true, false) => stdout::write_json(&answer.rollout),
        (true, true) => {
            let mut rollout = answer.rollout.clone();
            rollout["position"] = json!(position);
            stdout::write_json(&rollout)
        }
        (false, false) => stdout::write(&answer.text),
        (false, true) => {
            let empty_line = if is_first { "" } else { "\n" };
            stdout::write(&format!("{empty_line}{position}\n{}", answer.text))
        }
    }
}

/// The positions of the arguments, then those of the files.
fn questions(args: &BackgammonRolloutArgs) -> Result<Vec<Question>> {
    let dice = args.dice.as_deref().map(dice_words).transpose()?.unwrap_or_default();
    let given = args.positions.iter();
    let mut questions: Vec<Question> =
        given.map(|position| Question { position: format!("{position}{dice}"), place: None }).collect();
    for path in &args.file {
        questions.extend(questions_of_file(path, &dice)?);
    }
    Ok(questions)
}

/// A question for each line that is not empty.
fn questions_of_file(path: &Path, dice: &str) -> Result<Vec<Question>> {
    let file = read_text_up_to(path, MAX_FILE_BYTES)?;
    if file.bytes.len() > MAX_FILE_BYTES {
        bail!("{} is larger than {MAX_FILE_BYTES} bytes", file.name);
    }
    let text = String::from_utf8(file.bytes).map_err(|_| anyhow!("{} is not UTF-8 text", file.name))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let question = |(index, line): (usize, &str)| Question {
        position: format!("{}{dice}", line.trim()),
        place: Some(format!("{}, line {}", file.name, index + 1)),
    };
    Ok(lines.map(question).collect())
}

/// `31` as they follow a position: ` 3 1`.
fn dice_words(dice: &str) -> Result<String> {
    match *dice.chars().collect::<Vec<_>>() {
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => Ok(format!(" {a} {b}")),
        _ => Err(usage(format!("--dice {dice}: expected two numbers from 1 to 6, such as 31"))),
    }
}
