//! `learnery world check`: what is wrong with a text, or what world it is.

use anyhow::Result;
use learnery_world_rules::{Actions, Diagnostic, Severity, Spec, World};
use serde_json::{Value, json};

use super::{compile, read, refusal};
use crate::args::WorldCheckArgs;
use crate::terminal::numbers::{count_of, target};
use crate::terminal::{stdout, table};

/// The width of the paragraph in characters.
const WIDTH: usize = 80;

pub fn check(args: &WorldCheckArgs) -> Result<()> {
    let text = read(&args.file)?;
    if !args.json {
        let world = compile(&text)?;
        return stdout::write(&(table::wrap(&paragraph(&world), WIDTH).join("\n") + "\n"));
    }
    match World::compile(&text.text) {
        Ok(world) => {
            let problems = diagnostics(world.warnings());
            stdout::write_json(&json!({ "problems": problems, "world": as_json(&world) }))
        }
        Err(problems) => {
            stdout::write_json(&json!({ "problems": diagnostics(&problems), "world": null }))?;
            Err(refusal(&text.name, &problems))
        }
    }
}

/// What world it is, in sentences.
fn paragraph(world: &World) -> String {
    let spec = world.spec();
    let mut sentences = vec![format!("{}.", spec.title.trim_end_matches('.'))];
    sentences.push(spec.about.clone());
    sentences.push(format!("State: {}.", listed(&spec.state)));
    sentences.push(format!("Actions: {}.", actions(&spec.actions)));
    let seen: Vec<String> = spec.observations.iter().map(|seen| seen.name.clone()).collect();
    sentences.push(format!("Observations: {}.", listed(&seen)));
    let parameters: Vec<String> = spec
        .parameters
        .iter()
        .map(|p| format!("{} = {} ({} to {})", p.name, number(p.value), number(p.low), number(p.high)))
        .collect();
    let parameters = if parameters.is_empty() { "none".into() } else { parameters.join(", ") };
    sentences.push(format!("Parameters: {parameters}."));
    let operations = count_of(world.operations() as u64, "operation");
    let instructions = count_of(world.instructions() as u64, "instruction");
    let seconds = number(spec.seconds_per_step);
    sentences.push(format!(
        "A step is {seconds} seconds long and takes {operations}, which are {instructions} of vector code."
    ));
    sentences.push(ends(spec));
    let shapes = if spec.shapes == 0 { "no shapes".into() } else { count_of(spec.shapes as u64, "shape") };
    sentences.push(format!("Its picture has {shapes}."));
    sentences.join(" ")
}

/// When an episode is cut, and from which return on the world is solved.
fn ends(spec: &Spec) -> String {
    let limit = spec.limit.map(|limit| format!("is cut after {}", count_of(u64::from(limit), "step")));
    let limit = limit.unwrap_or_else(|| "has no limit of steps".into());
    let solved =
        spec.solved.map(|solved| format!("; the world is solved at a mean return of {}", number(solved)));
    format!("An episode {limit}{}.", solved.unwrap_or_default())
}

/// A number as it was written.
fn number(x: f32) -> String {
    target(decimal(x))
}

/// The shortest decimal number that is this one in single precision.
fn decimal(x: f32) -> f64 {
    x.to_string().parse().unwrap_or_else(|_| f64::from(x))
}

/// Names with their number. Elements of a vector are named together: `heat[0..8]`.
fn listed(names: &[String]) -> String {
    // The name of a vector with the number of its elements, or of a number, with 0.
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in names {
        let vector = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let vector = vector.filter(|(_, index)| index.parse::<usize>().is_ok());
        match (vector, groups.last_mut()) {
            (Some((vector, _)), Some((last, count))) if *last == vector && *count > 0 => *count += 1,
            (Some((vector, _)), _) => groups.push((vector, 1)),
            (None, _) => groups.push((name, 0)),
        }
    }
    let group = |(name, count): &(&str, usize)| match count {
        0 => (*name).to_owned(),
        _ if name.chars().all(|c| c.is_alphanumeric() || c == '_') => format!("{name}[0..{count}]"),
        // The name of a vector that is a formula is a part of it.
        _ => format!("a vector of {count}"),
    };
    let groups: Vec<String> = groups.iter().map(group).collect();
    format!("{} ({})", count_of(names.len() as u64, "number"), groups.join(", "))
}

fn actions(actions: &Actions) -> String {
    match actions {
        Actions::Choice { name, choices } => format!("{name} is one of {}", choices.join(", ")),
        Actions::Continuous(ranges) => {
            let ranges = ranges
                .iter()
                .map(|range| format!("{} from {} to {}", range.name, number(range.low), number(range.high)));
            ranges.collect::<Vec<_>>().join(", ")
        }
    }
}

fn diagnostics(problems: &[Diagnostic]) -> Vec<Value> {
    let one = |problem: &Diagnostic| {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        json!({
            "severity": severity,
            "line": problem.line,
            "column": problem.column,
            "length": problem.length,
            "message": problem.message,
            "help": problem.help,
        })
    };
    problems.iter().map(one).collect()
}

fn as_json(world: &World) -> Value {
    let spec = world.spec();
    let actions = match &spec.actions {
        Actions::Choice { name, choices } => json!([{ "name": name, "choices": choices }]),
        Actions::Continuous(ranges) => ranges
            .iter()
            .map(|r| json!({ "name": r.name, "low": decimal(r.low), "high": decimal(r.high) }))
            .collect(),
    };
    let parameters = spec.parameters.iter();
    let parameters: Value = parameters
        .map(|p| json!({ "name": p.name, "value": decimal(p.value), "low": decimal(p.low), "high": decimal(p.high) }))
        .collect();
    let observations = spec.observations.iter();
    let observations: Value =
        observations.map(|seen| json!({ "name": seen.name, "scale": decimal(seen.scale) })).collect();
    json!({
        "title": spec.title,
        "about": spec.about,
        "state": spec.state,
        "actions": actions,
        "observations": observations,
        "parameters": parameters,
        "seconds_per_step": decimal(spec.seconds_per_step),
        "limit": spec.limit,
        "solved": spec.solved.map(decimal),
        "shapes": spec.shapes,
        "operations": world.operations(),
        "instructions": world.instructions(),
    })
}
