//! The options of `learnery eval`. Each lab declares its own with a schema (`Lab::EvalOptions`), so this file
//! contains no option's name.

use std::path::Path;

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command, CommandFactory};
use learnery_lab::{Entry, EvalRequest, Field, Kind, LabError, Opponent};
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
    for field in LABS.iter().flat_map(|entry| (entry.eval_options)().fields().to_vec()) {
        if !names.contains(&field.name) {
            names.push(field.name);
        }
    }
    names
}

/// The declarations of the option `name`: (id of the lab, field) for each lab that has it.
fn fields(name: &str) -> impl Iterator<Item = (&'static str, Field)> {
    LABS.iter().flat_map(move |entry| {
        let found = (entry.eval_options)().fields().iter().find(|field| field.name == name).cloned();
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
        let help = field.help.trim_end_matches('.');
        format!("{lab}: {help} ({}){default}", describe_range(&field.kind, ""))
    };
    fields(name).map(sentence).collect::<Vec<_>>().join("\n")
}

/// The options given on the command line.
pub fn from_matches(matches: &ArgMatches) -> RawOptions {
    let text = |name: String| matches.get_one::<String>(&name).cloned().map(|text| (name, text));
    option_names().into_iter().filter_map(text).collect()
}

/// Builds the evaluation request from the options. Reads the files and checkpoints that they name, and starts
/// GNU Backgammon if it is the opponent.
pub fn build_request(entry: &Entry, options: &RawOptions, seed: u32) -> Result<EvalRequest> {
    let schema = (entry.eval_options)();
    let mut request = EvalRequest { seed, ..EvalRequest::default() };
    for (name, text) in options {
        let field = schema.field(name).map_err(|e| match e {
            LabError::Setting { problem, .. } => {
                usage(format!("--{name} is not an option of the lab `{}`: {problem}", entry.about.id))
            }
            other => usage(other),
        })?;
        match &field.kind {
            Kind::File => request.text = Some(read_text(Path::new(text))?),
            Kind::Opponent { names } if !names.contains(text) => {
                request.opponent = open_opponent(entry, text)?;
            }
            // Other values, and the lab's own opponents, are complete as they were typed.
            _ => {}
        }
        request.options.insert(name.clone(), parse_value(&field.kind, text));
    }
    Ok(request)
}

/// Opens an opponent that is not one of the lab's own: GNU Backgammon for its names, otherwise the checkpoint
/// at this path. Returns `None` if there is no such file; the lab then rejects the name.
fn open_opponent(entry: &Entry, name: &str) -> Result<Option<Opponent>> {
    let path = Path::new(name);
    if let Some(plies) = gnubg::plies(name) {
        Ok(Some(Opponent::Program(gnubg::start(plies)?)))
    } else if path.exists() {
        let path = checkpoint_path(path)?;
        let (other, checkpoint) = read_checkpoint(&path)?;
        // The lab would say so of the network that is evaluated.
        let (other, own) = (other.about.id, entry.about.id);
        if other != own {
            bail!("{}: it belongs to the lab `{other}`, not to `{own}`", path.display());
        }
        Ok(Some(Opponent::Checkpoint(Box::new(checkpoint))))
    } else {
        Ok(None)
    }
}

/// All options of all labs for the JSON report; `null` for those that were not given.
pub fn as_json(request: &EvalRequest) -> Map<String, Value> {
    let value = |name: &String| request.options.get(name).cloned().unwrap_or(Value::Null);
    option_names().into_iter().map(|name| (name.clone(), value(&name))).collect()
}
