//! The options of `learnery eval`. Each lab declares its own with the schema of its tool `evaluate`, so this file
//! contains no option's name.

use std::path::Path;

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command, CommandFactory};
use learnery_lab::{Entry, Field, Kind, LabError, Named};
use learnery_labs::LABS;
use serde_json::{Map, Value};

use crate::args::{Cli, RawOptions};
use crate::commands::gnubg;
use crate::failure::usage;
use crate::files::{checkpoint_path, read_checkpoint, read_text};
use crate::settings::{describe_range, parse_value};

/// The description of the whole program, in which `eval` has the options of all labs.
pub fn program() -> Command {
    Cli::command().mut_subcommand("eval", add_to)
}

/// Adds the options of all labs to the command; an option that several labs share is added once.
fn add_to(command: Command) -> Command {
    command.args(option_names().into_iter().map(|name| {
        let value = match fields(&name).next().map(|(_, field)| field.kind) {
            Some(Kind::File) => "FILE",
            Some(Kind::Opponent { .. }) => "WHO",
            Some(Kind::Choice { .. }) => "NAME",
            _ => "N",
        };
        Arg::new(name.clone())
            .long(name.clone())
            .value_name(value)
            .help(help_text(&name))
            .allow_hyphen_values(true)
    }))
}

/// The names of all options of all labs, without duplicates, in the order of the list of labs.
fn option_names() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for field in LABS.iter().flat_map(Entry::eval_fields) {
        if !names.contains(&field.name) {
            names.push(field.name);
        }
    }
    names
}

/// The declarations of the option `name`: (id of the lab, field) for each lab that has it.
fn fields(name: &str) -> impl Iterator<Item = (&'static str, Field)> {
    LABS.iter().flat_map(move |entry| {
        let found = entry.eval_fields().into_iter().find(|field| field.name == name);
        found.map(|field| (entry.about.id, field))
    })
}

/// The help text of an option: one line for each lab that has it.
fn help_text(name: &str) -> String {
    let sentence = |(lab, field): (&str, Field)| {
        let default = match &field.default {
            Value::String(text) if text.is_empty() => String::new(),
            Value::String(text) => format!(" [default: {text}]"),
            value => format!(" [default: {value}]"),
        };
        let help = help(&field);
        let help = help.trim_end_matches('.');
        format!("{lab}: {help} ({}){default}", describe_range(&field.kind, ""))
    };
    fields(name).map(sentence).collect::<Vec<_>>().join("\n")
}

/// The help of an input: what the lab says, and of opponents the program that this command line asks beside.
pub fn help(field: &Field) -> String {
    match field.kind {
        Kind::Opponent { .. } => format!("{} {}", field.help, gnubg::HELP),
        _ => field.help.clone(),
    }
}

/// The options given on the command line.
pub fn from_matches(matches: &ArgMatches) -> RawOptions {
    let text = |name: String| matches.get_one::<String>(&name).cloned().map(|text| (name, text));
    option_names().into_iter().filter_map(text).collect()
}

/// Reads the options, and what one of them names: a file or a checkpoint, or GNU Backgammon, which is started.
pub fn read(entry: &Entry, options: &RawOptions) -> Result<(Map<String, Value>, Option<Named>)> {
    let schema = entry.eval_options()?;
    let (mut table, mut named) = (Map::new(), None);
    for (name, text) in options {
        let field = schema.field(name).map_err(|e| match e {
            LabError::Setting { problem, .. } => {
                usage(format!("--{name} is not an option of the lab `{}`: {problem}", entry.about.id))
            }
            other => usage(other),
        })?;
        if field.kind.names_a_file(text) {
            named = Some(open(entry, &field.kind, text, "")?);
        }
        table.insert(name.clone(), parse_value(&field.kind, text));
    }
    Ok((table, named))
}

/// Opens what an input of this kind names: a file, or an opponent that is not one of the lab's own. That is
/// GNU Backgammon for its names, otherwise the checkpoint at this path. `place` is what a refusal of the name
/// begins with.
pub fn open(entry: &Entry, kind: &Kind, name: &str, place: &str) -> Result<Named> {
    match kind {
        Kind::Opponent { names } => open_opponent(entry, names, name, place),
        _ => Ok(Named::File(read_text(Path::new(name))?.bytes)),
    }
}

/// Opens an opponent that is not among `names`, those of the lab.
fn open_opponent(entry: &Entry, names: &[String], name: &str, place: &str) -> Result<Named> {
    let path = Path::new(name);
    if let Some(plies) = gnubg::plies(name) {
        Ok(Named::Program(gnubg::start(plies)?))
    } else if path.exists() {
        let path = checkpoint_path(path)?;
        let (other, checkpoint) = read_checkpoint(&path)?;
        // The lab would say so of the network that is evaluated.
        let (other, own) = (other.about.id, entry.about.id);
        if other != own {
            bail!("{}: it belongs to the lab `{other}`, not to `{own}`", path.display());
        }
        Ok(Named::File(checkpoint.to_bytes()))
    } else {
        let (own, programs) = (names.join(", "), gnubg::NAMES.join(", "));
        Err(usage(format!(
            "{place}there is no opponent called `{name}`; expected {own}, {programs} or the file of a network"
        )))
    }
}

/// All options of all labs for the JSON report; `null` for those that were not given.
pub fn as_json(options: &Map<String, Value>) -> Map<String, Value> {
    let value = |name: &String| options.get(name).cloned().unwrap_or(Value::Null);
    option_names().into_iter().map(|name| (name.clone(), value(&name))).collect()
}
