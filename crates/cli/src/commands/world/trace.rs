//! `learnery world trace`: an episode as a table, as comma-separated values or as JSON.

use std::io;

use anyhow::Result;
use learnery_labs::control::random_action_stream;
use learnery_world_rules::{Actions, Episode, EpisodeStep, Outcome, Spec};
use serde::Serialize;

use super::{beginning, compile, parameters, read};
use crate::args::WorldTraceArgs;
use crate::failure::usage;
use crate::terminal::table::{self, Alignment, LEFT, RIGHT};
use crate::terminal::{numbers, stdout};

/// The width of a table in characters.
const WIDTH: usize = 80;

pub fn trace(args: &WorldTraceArgs) -> Result<()> {
    let text = read(&args.file)?;
    let world = compile(&text)?;
    let spec = world.spec();
    let parameters = parameters(&world, &args.set)?;
    let given = args.actions.as_deref().map(|list| parse_actions(&spec.actions, list)).transpose()?;
    let random = random_action_stream(args.seed);
    let action = |step: u32| match &given {
        // After the last one the first one follows again. Steps count from 1.
        Some(list) => list[(step as usize - 1) % list.len()].clone(),
        None => spec.actions.random(&random, u64::from(step), 0),
    };
    // Gives the beginning and every step to `take`, and returns the last one.
    let run = |take: &mut dyn FnMut(&EpisodeStep) -> Result<()>| {
        let mut episode = Episode::begin(&world, &parameters, beginning(args.seed, 0));
        take(episode.last())?;
        while episode.last().number < args.steps && episode.is_running() {
            take(episode.step(action(episode.last().number + 1)))?;
        }
        anyhow::Ok(episode.last().clone())
    };
    if args.json {
        run(&mut |step| stdout::write_json(&JsonStep::new(step)))?;
        return Ok(());
    }
    if args.csv {
        stdout::write(&(csv_line(headings(spec).into_iter()) + "\n"))?;
        run(&mut |step| stdout::write(&(csv_line(cells(spec, step).into_iter()) + "\n")))?;
        return Ok(());
    }
    let (mut rows, mut total) = (Vec::new(), 0.0);
    let last = run(&mut |step| {
        total += f64::from(step.reward);
        rows.push(row(spec, step));
        Ok(())
    })?;
    stdout::write(&table_of(spec, &rows))?;
    stdout::write(&(table::wrap(&ending(&last, total), WIDTH).join("\n") + "\n"))
}

/// Reads a list of actions.
fn parse_actions(actions: &Actions, list: &str) -> Result<Vec<Vec<f32>>> {
    let action = |text: &str| {
        let refused = |expected| usage(format!("--actions: `{text}` is no action; expected {expected}"));
        actions.parse(text).map_err(refused)
    };
    list.split(',').map(|text| action(text.trim())).collect()
}

/// How an episode ended; `None` if it goes on.
fn end(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Running => None,
        Outcome::Failed => Some("failed"),
        Outcome::Succeeded => Some("succeeded"),
        Outcome::Truncated => Some("truncated"),
    }
}

/// What happened, in a sentence.
fn ending(last: &EpisodeStep, total: f64) -> String {
    let steps = numbers::count_of(u64::from(last.number), "step");
    let ended = end(last.outcome).unwrap_or("goes on");
    let fault = last.fault.as_ref().map_or_else(String::new, |fault| format!(" ({fault})"));
    let verb = if last.outcome == Outcome::Truncated { "was " } else { "" };
    format!("The episode {verb}{ended} after {steps}{fault}, with a return of {}.", numbers::value(total))
}

/// The action in words.
fn action(spec: &Spec, action: &[f32], number: impl Fn(f32) -> String) -> Vec<String> {
    match &spec.actions {
        Actions::Choice { choices, .. } => action.iter().map(|i| choices[*i as usize].clone()).collect(),
        Actions::Continuous(_) => action.iter().map(|x| number(*x)).collect(),
    }
}

/// The names of the numbers of an action.
fn action_names(spec: &Spec) -> Vec<String> {
    match &spec.actions {
        Actions::Choice { name, .. } => vec![name.clone()],
        Actions::Continuous(ranges) => ranges.iter().map(|range| range.name.clone()).collect(),
    }
}

/// A row of the table: step, action, reward, state, how the episode ended.
fn row(spec: &Spec, step: &EpisodeStep) -> Vec<String> {
    let number = |x: f32| numbers::value(f64::from(x));
    let mut actions = action(spec, &step.action, number);
    actions.resize(spec.actions.count(), String::new());
    let reward = if step.number == 0 { String::new() } else { number(step.reward) };
    let mut row = vec![step.number.to_string()];
    row.extend(actions);
    row.push(reward);
    row.extend(step.state.iter().map(|x| number(*x)));
    row.push(end(step.outcome).unwrap_or_default().to_owned());
    row
}

/// The rows under their headings. Numbers of the state that have no room are left out, which is said.
fn table_of(spec: &Spec, rows: &[Vec<String>]) -> String {
    let mut headings = vec!["step".to_owned()];
    headings.extend(action_names(spec));
    headings.push("reward".into());
    // Columns before the state, which are always shown.
    let before = headings.len();
    headings.extend(spec.state.iter().cloned());
    headings.push("end".into());
    let length = |text: &String| text.chars().count();
    let width_of =
        |i: usize| rows.iter().map(|row| length(&row[i])).max().unwrap_or(0).max(length(&headings[i]));
    let width = table::width(&io::stdout()).min(WIDTH);
    // Two spaces stand between columns.
    let mut room = width.saturating_sub(width_of(headings.len() - 1));
    let columns = (0..headings.len() - 1).take_while(|i| {
        let needed = width_of(*i) + 2;
        let fits = *i < before || needed <= room;
        room = room.saturating_sub(needed);
        fits
    });
    let mut columns: Vec<usize> = columns.collect();
    let left_out = before + spec.state.len() - columns.len();
    columns.push(headings.len() - 1);
    let chosen = |row: &[String]| columns.iter().map(|i| row[*i].clone()).collect::<Vec<_>>();
    let chosen_headings = chosen(&headings);
    let chosen_headings: Vec<&str> = chosen_headings.iter().map(|heading| &heading[..]).collect();
    let alignment = |i: &usize| if *i + 1 == headings.len() { LEFT } else { RIGHT };
    let alignments: Vec<Alignment> = columns.iter().map(alignment).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| chosen(row)).collect();
    let mut text = table::render(&chosen_headings, &alignments, &rows, width);
    if left_out > 0 {
        let left_out = numbers::count_of(left_out as u64, "number");
        text += &format!("{left_out} of the state had no room; --csv and --json write all.\n");
    }
    text
}

/// The columns of comma-separated values. What the agent sees has `observed` before its name.
fn headings(spec: &Spec) -> Vec<String> {
    let mut headings = vec!["step".to_owned()];
    headings.extend(action_names(spec));
    headings.push("reward".into());
    headings.extend(spec.state.iter().cloned());
    headings.extend(spec.observations.iter().map(|seen| format!("observed {}", seen.name)));
    headings.extend(["end", "fault"].map(String::from));
    headings
}

fn cells(spec: &Spec, step: &EpisodeStep) -> Vec<String> {
    let number = |x: f32| x.to_string();
    let mut cells = vec![step.number.to_string()];
    let mut actions = action(spec, &step.action, number);
    actions.resize(spec.actions.count(), String::new());
    cells.extend(actions);
    cells.push(if step.number == 0 { String::new() } else { number(step.reward) });
    cells.extend(step.state.iter().chain(&step.observation).map(|x| number(*x)));
    cells.push(end(step.outcome).unwrap_or_default().to_owned());
    cells.push(step.fault.as_ref().map_or_else(String::new, ToString::to_string));
    cells
}

/// A line of comma-separated values (RFC 4180).
fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    };
    cells.map(quoted).collect::<Vec<_>>().join(",")
}

/// A line of JSON. The beginning has neither an action nor a reward.
#[derive(Serialize)]
struct JsonStep<'a> {
    step: u32,
    action: Option<&'a [f32]>,
    reward: Option<f32>,
    state: &'a [f32],
    observation: &'a [f32],
    end: Option<&'static str>,
    fault: Option<String>,
}

impl<'a> JsonStep<'a> {
    fn new(step: &'a EpisodeStep) -> Self {
        let is_step = step.number > 0;
        Self {
            step: step.number,
            action: is_step.then_some(&step.action[..]),
            reward: is_step.then_some(step.reward),
            state: &step.state,
            observation: &step.observation,
            end: end(step.outcome),
            fault: step.fault.as_ref().map(ToString::to_string),
        }
    }
}
