//! The settings of a run, merged from: the defaults or a base, a preset, a TOML file, the command line. Later
//! sources override earlier ones. Each source is validated separately, so that an error message can say where
//! the bad value comes from.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Entry, Kind, Schema};
use serde_json::{Map, Value};

use crate::commands::gnubg;
use crate::failure::{io_reason, usage};

/// The sources that override the defaults.
pub struct SettingSources<'a> {
    /// The name of a preset.
    pub preset: Option<&'a str>,
    /// The path of a TOML file (`--config`).
    pub file: Option<&'a Path>,
    /// The arguments of `--set`, each `NAME=VALUE`.
    pub assignments: &'a [String],
}

/// Merges the sources over `base`, such as the settings of a resumed run, or over the defaults without one.
/// Returns all settings.
pub fn merge_settings(
    entry: &Entry,
    base: Option<&Map<String, Value>>,
    sources: &SettingSources,
) -> Result<Map<String, Value>> {
    let schema = (entry.schema)();
    let mut settings = schema.complete(base, &Value::Object(Map::new()))?;
    if let Some(name) = sources.preset {
        let preset = entry.preset(name).map_err(usage)?;
        settings = schema.complete(Some(&settings), &preset).map_err(usage)?;
    }
    if let Some(path) = sources.file {
        let values = read_toml(path)?;
        settings =
            schema.complete(Some(&settings), &values).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    }
    let values = Value::Object(parse_assignments(&schema, sources.assignments)?);
    schema.complete(Some(&settings), &values).map_err(usage)
}

/// Parses arguments of `--set`, each `NAME=VALUE`. A name that comes twice is a mistake, most likely a typing error.
pub fn parse_assignments(schema: &Schema, assignments: &[String]) -> Result<Map<String, Value>> {
    let mut table = Map::new();
    for assignment in assignments {
        for (name, value) in parse_assignment(schema, assignment)? {
            if table.contains_key(&name) {
                bail!(usage(format!("--set {assignment}: `{name}` is there twice")));
            }
            table.insert(name, value);
        }
    }
    Ok(table)
}

/// Parses `NAME=VALUE` into a table with one entry.
fn parse_assignment(schema: &Schema, assignment: &str) -> Result<Map<String, Value>> {
    let (name, text) = assignment.split_once('=').ok_or_else(|| {
        usage(format!("--set {assignment}: expected a name and a value, as in --set key=value"))
    })?;
    let (name, text) = (name.trim(), text.trim());
    let field = schema.field(name).map_err(usage)?;
    Ok(Map::from_iter([(field.name.clone(), parse_value(&field.kind, text))]))
}

/// Parses text as a value of this kind. Text that cannot be parsed becomes a JSON string. The schema later
/// rejects it with a message about the values it accepts.
pub fn parse_value(kind: &Kind, text: &str) -> Value {
    let as_text = || Value::from(text);
    match kind {
        Kind::Integer { .. } | Kind::Number { .. } => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(whole), _) => Value::from(whole),
            (_, Ok(number)) if number.is_finite() => Value::from(number),
            _ => as_text(),
        },
        Kind::Switch => text.parse::<bool>().map_or_else(|_| as_text(), Value::from),
        // A list is typed as JSON.
        Kind::List { .. } => serde_json::from_str(text).unwrap_or_else(|_| as_text()),
        Kind::Choice { .. } | Kind::Text { .. } | Kind::File | Kind::Opponent { .. } => as_text(),
    }
}

/// Reads a TOML file as a table of settings. An error of its syntax names the line.
fn read_toml(path: &Path) -> Result<Value> {
    let text = fs::read(path).map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))?;
    let text = String::from_utf8(text).map_err(|_| anyhow!("{} is not UTF-8 text", path.display()))?;
    let settings = from_toml(&text).map_err(|e| {
        let line = e.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        anyhow!("{}, line {line}: {}", path.display(), e.message())
    })?;
    Ok(Value::Object(settings))
}

/// Parses TOML as a table of settings, which are not validated.
pub fn from_toml(text: &str) -> Result<Map<String, Value>, toml::de::Error> {
    let table: toml::Table = toml::from_str(text)?;
    Ok(table.into_iter().map(|(name, value)| (name, to_json(value))).collect())
}

/// Converts TOML to JSON. Values that no setting of a run takes (dates, NaN, arrays, tables) become strings.
/// The schema later rejects them with a message that contains the setting's name.
fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::Integer(n) => Value::from(n),
        toml::Value::Float(n) if n.is_finite() => Value::from(n),
        toml::Value::Boolean(b) => Value::from(b),
        toml::Value::String(s) => Value::from(s),
        other => Value::from(other.to_string()),
    }
}

/// The settings as a commented TOML file that `--config` can read.
pub fn to_toml(entry: &Entry, schema: &Schema, settings: &Map<String, Value>, seed: u32) -> String {
    let about = entry.about;
    let mut text = format!(
        "# {}: {}\n# learnery train {} --config config.toml --seed {seed}\n",
        about.title, about.tagline, about.id
    );
    for field in schema.fields() {
        let Some(value) = settings.get(&field.name) else { continue };
        let value = match value {
            Value::String(s) => toml::Value::String(s.clone()).to_string(),
            other => other.to_string(),
        };
        let range = describe_range(&field.kind, &field.unit);
        text.push_str(&format!("\n# {} ({range})\n{} = {value}\n", field.help, field.name));
    }
    text
}

/// The lab's id and the seed of a run, from the comment `# learnery train` in a file of [`to_toml`].
pub fn lab_and_seed(text: &str) -> Option<(&str, u32)> {
    let command = text.lines().find_map(|line| line.strip_prefix("# learnery train "))?;
    let mut words = command.split(' ');
    let lab = words.next()?;
    // The word after `--seed`.
    let seed = words.skip_while(|word| *word != "--seed").nth(1)?;
    Some((lab, seed.parse().ok()?))
}

/// A description of the values that a setting accepts, such as `1 to 64 worlds`.
pub fn describe_range(kind: &Kind, unit: &str) -> String {
    let values = match kind {
        Kind::Integer { min, max } | Kind::Number { min, max } => format!("{min} to {max}"),
        Kind::Switch => "true or false".into(),
        Kind::Choice { options } => options.join(", "),
        Kind::Text { max } => format!("a text of at most {max} characters"),
        Kind::List { max, .. } => format!("a list of at most {max} items"),
        Kind::File => "a file".into(),
        Kind::Opponent { names } => {
            format!("{}, {}, or a checkpoint", names.join(", "), gnubg::NAMES.join(", "))
        }
    };
    if unit.is_empty() { values } else { format!("{values} {unit}") }
}
