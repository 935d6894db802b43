//! The inputs of a lab's tool as options of a command, made from the tool's schema: names, help, allowed
//! values and defaults stand in the tool alone.

use std::fmt;
use std::marker::PhantomData;

use anyhow::{Result, anyhow};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use learnery_lab::{Field, Kind, LabError, Schema, Tool};
use learnery_labs::backgammon::{
    Analyse, ChooseBest, CubeAtScores, CubeDecision, Duel, EvaluatePosition, MeasureRates, PlayMatch, RollOut,
};
use learnery_labs::language::Sample;
use learnery_labs::logic::Export;
use serde_json::{Map, Value};

use crate::failure::usage;
use crate::settings::{describe_range, parse_value};

/// What the terminal adds to a tool's schema.
pub trait AskedHere: Tool {
    /// Inputs that are no options, because the command has them from elsewhere.
    const NOT_OPTIONS: &'static [&'static str];
    /// Options that have to be given.
    const REQUIRED: &'static [&'static str] = &[];
    /// Defaults that differ from the tool's.
    const DEFAULTS: &'static [(&'static str, u32)] = &[];
    /// Further names of options.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
}

impl AskedHere for EvaluatePosition {
    const NOT_OPTIONS: &'static [&'static str] = &["position"];
}

impl AskedHere for ChooseBest {
    const NOT_OPTIONS: &'static [&'static str] = &["position"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("simulations", "sims")];
}

impl AskedHere for CubeDecision {
    const NOT_OPTIONS: &'static [&'static str] = &["position"];
}

impl AskedHere for CubeAtScores {
    const NOT_OPTIONS: &'static [&'static str] = &["position"];
}

impl AskedHere for RollOut {
    const NOT_OPTIONS: &'static [&'static str] = &["position"];
}

impl AskedHere for Analyse {
    const NOT_OPTIONS: &'static [&'static str] = &["file"];
    const DEFAULTS: &'static [(&'static str, u32)] = &[("plies", 2)];
}

impl AskedHere for MeasureRates {
    const NOT_OPTIONS: &'static [&'static str] = &[];
}

impl AskedHere for Duel {
    const NOT_OPTIONS: &'static [&'static str] = &["against"];
}

impl AskedHere for PlayMatch {
    const NOT_OPTIONS: &'static [&'static str] = &["against"];
}

impl AskedHere for Export {
    const NOT_OPTIONS: &'static [&'static str] = &[];
    const REQUIRED: &'static [&'static str] = &["format"];
}

impl AskedHere for Sample {
    const NOT_OPTIONS: &'static [&'static str] = &["prompt", "first"];
}

/// The inputs of tool `T` that were given as options.
pub struct ToolInputs<T> {
    given: Map<String, Value>,
    tool: PhantomData<fn() -> T>,
}

impl<T: AskedHere> ToolInputs<T> {
    /// The complete input. What is no option has the tool's default, which the command replaces.
    pub fn input(&self) -> Result<T::Input> {
        let mut table: Map<String, Value> =
            T::DEFAULTS.iter().map(|(name, value)| ((*name).into(), Value::from(*value))).collect();
        table.extend(self.given.clone());
        let complete = Schema::of_tool::<T>().complete(None, &Value::Object(table)).map_err(refused)?;
        Ok(serde_json::from_value(Value::Object(complete))?)
    }
}

/// A tool's refusal of an option, in the words of the command line.
fn refused(error: LabError) -> anyhow::Error {
    match error {
        LabError::Input { field, problem } => usage(format!("{}: {problem}", option_name(&field))),
        other => anyhow!(other),
    }
}

/// The option of an input, such as `--until-error` of `until_error`.
pub fn option_name(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

fn options<T: AskedHere>() -> Vec<Field> {
    let fields = Schema::of_tool::<T>().fields().to_vec();
    fields.into_iter().filter(|field| !T::NOT_OPTIONS.contains(&field.name.as_str())).collect()
}

fn argument<T: AskedHere>(field: &Field) -> Arg {
    let name = field.name.clone();
    let aliases = T::ALIASES.iter().filter(|(of, _)| *of == name).map(|(_, alias)| *alias);
    let arg = Arg::new(name.clone()).long(name.replace('_', "-")).aliases(aliases);
    let help = field.help.trim_end_matches('.');
    if field.kind == Kind::Switch {
        return arg.help(help.to_owned()).action(ArgAction::SetTrue);
    }
    let default = match T::DEFAULTS.iter().find(|(of, _)| *of == name) {
        Some((_, value)) => value.to_string(),
        None => match &field.default {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.as_f64().map_or_else(String::new, |number| number.to_string()),
            other => other.to_string(),
        },
    };
    let range = describe_range(&field.kind, &field.unit);
    let is_required = T::REQUIRED.contains(&name.as_str());
    let default = if is_required { String::new() } else { format!(" [default: {default}]") };
    let arg =
        arg.help(format!("{help} ({range}){default}")).allow_negative_numbers(true).required(is_required);
    match &field.kind {
        Kind::Choice { options } => arg
            .value_name(options.join("|"))
            .value_parser(PossibleValuesParser::new(options.clone()))
            .hide_possible_values(true),
        Kind::Text { .. } => arg.value_name("TEXT"),
        Kind::File => arg.value_name("FILE"),
        _ => arg.value_name("N"),
    }
}

impl<T: AskedHere> Args for ToolInputs<T> {
    fn augment_args(command: Command) -> Command {
        command.args(options::<T>().iter().map(argument::<T>))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: AskedHere> FromArgMatches for ToolInputs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut inputs = Self { given: Map::new(), tool: PhantomData };
        inputs.update_from_arg_matches(matches)?;
        Ok(inputs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for field in options::<T>() {
            let value = if field.kind == Kind::Switch {
                matches.get_flag(&field.name).then_some(Value::Bool(true))
            } else {
                matches.get_one::<String>(&field.name).map(|text| parse_value(&field.kind, text))
            };
            self.given.extend(value.map(|value| (field.name, value)));
        }
        Ok(())
    }
}

impl<T> fmt::Debug for ToolInputs<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("ToolInputs").field(&self.given).finish()
    }
}
