//! A recipe as the query of a link:
//! `seed=7&worlds=256&change=40:learning_rate=0.001,clip=0.1&change=60:seed=9&units=80`. `www/core/link.ts`
//! reads and writes the same grammar for the page; `tests/golden/recipes.json` holds cases for both.
//!
//! | key | value |
//! |---|---|
//! | a setting | its value at the start |
//! | `seed` | the seed at the start |
//! | `change` | a unit, a colon, and `name=value` separated by commas; repeated, in the order of the units |
//! | `units` | the number of units after which the run ends |
//! | `device` | `cpu` or `gpu` |
//! | `bits` | the first digits of the fingerprint at the end, after a class of bits and a colon if one is known |
//! | `data` | a unit, a colon, and data of the user's own, see `data.rs`; repeated for other units |
//! | `challenge`, `show`, `moment` | for the page: a task, and pictures that it shows first; ignored here |
//! | `hide` | the part of the lab that the page leaves out; ignored here |
//! | `story` | whether the page tells the story of the run; ignored here |
//! | `duel` | the link of another agent, which the page lets the run's agent meet; ignored here |
//!
//! If another key is repeated, its last value counts.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use super::{Recipe, RecipeChange, data, invalid, quoted};
use crate::{Entry, Field, Kind, LabError, Schema};

/// The digits of a fingerprint in a link.
const LINK_FINGERPRINT_DIGITS: usize = 16;

const DAMAGED_DATA: &str = "the data in this link cannot be read: they are damaged or too long";

/// Reads a query. Values are checked by [`Recipe`] afterwards.
pub(super) fn read(entry: &Entry, query: &str) -> Result<Recipe, LabError> {
    let schema = (entry.schema)();
    let mut recipe = Recipe::new(entry.about.id, 0);
    let mut own_data = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (percent_decoded(key), percent_decoded(value));
        match &key[..] {
            "seed" => recipe.seed = parse_whole_number("seed", &value)?,
            "units" => recipe.units = Some(parse_whole_number("units", &value)?.into()),
            "device" => recipe.device = Some(value),
            "bits" => recipe.bits = Some(value),
            "change" => recipe.changes.push(read_change(&schema, &value)?),
            "data" => own_data.push(value),
            // A task for the visitor of the page, what its picture shows first, what the page leaves out, what
            // the sender saw, and whether the run's story is told. They say nothing about the run; `bits` is
            // the fingerprint of what the sender saw.
            "show" => check_shown(entry, &value)?,
            "challenge" | "hide" | "moment" | "story" | "duel" => {}
            _ => {
                let field = find_field(&schema, &key)?;
                // A decimal comma is read as a point, but not in a change, where commas separate
                // assignments.
                recipe.settings.insert(field.name.clone(), read_value(field, &value.replacen(',', ".", 1)));
            }
        }
    }
    let mut packed_chars = 0;
    for text in own_data {
        packed_chars += add_data(&mut recipe.changes, &text)?;
    }
    if packed_chars > data::MAX_PACKED {
        return invalid(DAMAGED_DATA);
    }
    Ok(recipe)
}

/// Refuses a link that opens the user's own data in an editor of the page, as in `show=world.…`. It holds no run,
/// so the run of its settings would be that of something else.
fn check_shown(entry: &Entry, value: &str) -> Result<(), LabError> {
    match value.split_once('.') {
        Some((name, packed)) if entry.is_data_command(name) && data::is_packed(packed) => invalid(format!(
            "this link opens a {name} in the page's editor and holds no run; save its text there as a file, and use \
             --{name} FILE"
        )),
        _ => Ok(()),
    }
}

/// Reads `UNIT:data`, adds the data to the change of that unit, and returns how many characters they have.
fn add_data(changes: &mut Vec<RecipeChange>, text: &str) -> Result<usize, LabError> {
    let Some((unit, packed)) = text.split_once(':') else {
        return invalid(format!("`data={}` is not a unit, a colon and data", quoted(text)));
    };
    let unit = u64::from(parse_whole_number("data", unit)?);
    let Some(command) = data::unpack(packed) else { return invalid(DAMAGED_DATA) };
    let at = changes.partition_point(|change| change.unit < unit);
    if changes.get(at).is_none_or(|change| change.unit != unit) {
        changes.insert(at, RecipeChange { unit, ..RecipeChange::default() });
    }
    changes[at].data = Some(command);
    Ok(packed.len())
}

/// Reads `UNIT:name=value,name=value`.
fn read_change(schema: &Schema, text: &str) -> Result<RecipeChange, LabError> {
    let Some((unit, assignments)) = text.split_once(':') else {
        return invalid(format!(
            "`change={}` is not a unit, a colon and a setting, as in change=40:learning_rate=0.001",
            quoted(text)
        ));
    };
    let mut change =
        RecipeChange { unit: parse_whole_number("change", unit)?.into(), ..RecipeChange::default() };
    for assignment in assignments.split(',') {
        let Some((name, value)) = assignment.split_once('=') else {
            return invalid(format!(
                "`{}` in the change at unit {} is no name and value",
                quoted(assignment),
                change.unit
            ));
        };
        if name == "seed" {
            change.seed = Some(parse_whole_number("seed", value)?);
        } else {
            let field = find_field(schema, name)?;
            change.settings.insert(field.name.clone(), read_value(field, value));
        }
    }
    Ok(change)
}

/// The setting with exactly this name or title.
fn find_field<'a>(schema: &'a Schema, name: &str) -> Result<&'a Field, LabError> {
    let shown = quoted(name);
    let field = schema.field(&shown)?;
    if field.is_called(name) { Ok(field) } else { Err(LabError::setting(shown, "unknown")) }
}

/// Reads a value of a setting. A text that is no value of this kind becomes a JSON string, which the schema
/// rejects.
fn read_value(field: &Field, text: &str) -> Value {
    // `quoted` may turn a text into one of the allowed names. It is still not allowed, and becomes null,
    // which the schema rejects too.
    let text_value = || match &field.kind {
        Kind::Choice { options } if options.contains(&quoted(text)) => Value::Null,
        _ => Value::from(quoted(text)),
    };
    match &field.kind {
        Kind::Integer { .. } | Kind::Number { .. } => {
            parse_decimal(text).map_or_else(text_value, Value::Number)
        }
        Kind::Switch => text.parse::<bool>().map_or_else(|_| text_value(), Value::from),
        Kind::Choice { options } if options.iter().any(|option| option == text) => Value::from(text),
        _ => text_value(),
    }
}

/// A decimal number, as JavaScript writes it. Names such as `inf` and hexadecimal digits are no numbers.
fn parse_decimal(text: &str) -> Option<Number> {
    let text = text.trim();
    let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value: f64 = text.parse().ok().filter(|_| is_decimal)?;
    // Adding 0 turns minus zero into zero.
    Number::from_f64(value + 0.0)
}

/// A whole number of 32 bits.
fn parse_whole_number(key: &str, text: &str) -> Result<u32, LabError> {
    let value = parse_decimal(text).and_then(|number| number.as_f64());
    match value.filter(|n| n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(n)) {
        Some(n) => Ok(n as u32),
        None => invalid(format!(
            "`{}` is not allowed for {key}; it takes a whole number from 0 to {}",
            quoted(text),
            u32::MAX
        )),
    }
}

/// Decodes `+` and `%XX`, as browsers do: malformed sequences stay, and bytes that are not UTF-8 are
/// replaced.
fn percent_decoded(text: &str) -> String {
    let hexadecimal = |byte: Option<&u8>| byte.and_then(|b| (*b as char).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, hexadecimal(after.first()), hexadecimal(after.get(1))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                rest = &after[2..];
            }
            (b'+', ..) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes the link from the `#` on. The error says why a link cannot hold the recipe.
pub(super) fn write(recipe: &Recipe, schema: &Schema) -> Result<String, LabError> {
    // Writing to a string cannot fail, so the results of `write!` are ignored.
    let mut link = format!("#/{}?seed={}", recipe.lab, recipe.seed);
    for (name, text) in texts_in_schema_order(schema, &recipe.settings) {
        let _ = write!(link, "&{name}={text}");
    }
    for change in &recipe.changes {
        let settings =
            texts_in_schema_order(schema, &change.settings).map(|(name, text)| format!("{name}={text}"));
        let seed = change.seed.map(|seed| format!("seed={seed}"));
        let parts: Vec<String> = settings.chain(seed).collect();
        if !parts.is_empty() {
            let _ = write!(link, "&change={}:{}", change.unit, parts.join(","));
        }
    }
    if let Some(units) = recipe.units {
        let _ = write!(link, "&units={units}");
    }
    if let Some(device) = recipe.device.as_deref().filter(|device| *device != "cpu") {
        let _ = write!(link, "&device={device}");
    }
    if let Some(fingerprint) = recipe.fingerprint() {
        let class = recipe.class().map_or_else(String::new, |class| format!("{class}:"));
        let digits: String = fingerprint.chars().take(LINK_FINGERPRINT_DIGITS).collect();
        let _ = write!(link, "&bits={class}{digits}");
    }
    let mut packed_chars = 0;
    for change in &recipe.changes {
        let Some(command) = &change.data else { continue };
        let packed = data::pack(command);
        packed_chars += packed.len();
        let _ = write!(link, "&data={}:{packed}", change.unit);
    }
    if packed_chars > data::MAX_PACKED {
        return invalid("its data of its own are too long for a link; use a recipe file");
    }
    Ok(link)
}

/// The settings with their values as text, in the order of the schema.
fn texts_in_schema_order<'a>(
    schema: &'a Schema,
    settings: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a str, String)> {
    schema.fields().iter().filter_map(|field| {
        let text = match settings.get(&field.name)? {
            Value::String(text) => text.clone(),
            // Without the exponent and the `.0` that JSON would write.
            Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |n| n.to_string()),
            other => other.to_string(),
        };
        Some((&field.name[..], text))
    })
}
