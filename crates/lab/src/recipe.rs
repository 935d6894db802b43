//! A recipe: everything that determines a run's bits. Lab, seed and settings at the start, and every later
//! change of live settings, of the seed and of the user's own data with the unit (training iteration) at
//! which it took effect. It can also say how far the run goes, on which device, and which fingerprint it has
//! there.
//!
//! A recipe is written as JSON in a file, or as the link of a run on the page (`recipe/link.rs`), which holds
//! only short data of the user's own (`recipe/data.rs`).

mod data;
mod link;

use learnery_nn::Precision;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::checkpoint::{DataChange, SeedChange};
use crate::fingerprint::hash_canonical;
use crate::{Change, Checkpoint, Entry, GpuUse, LabError, Schema, Session};

/// The version of the file format. Files with a higher one are rejected.
const FORMAT_VERSION: u32 = 1;

/// The most units that a recipe can ask for, as in a link.
const MAX_UNITS: u64 = u32::MAX as u64;

/// The fewest and the most digits of a fingerprint.
const FINGERPRINT_DIGITS: std::ops::RangeInclusive<usize> = 8..=64;

/// The classes of bits, of which a recipe can name the one that its fingerprint belongs to.
const CLASSES_OF_BITS: [&str; 3] = ["fused", "plain", "gpu"];

/// Everything that determines a run's bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the format.
    #[serde(rename = "recipe")]
    pub(crate) version: u32,
    /// Id of the lab.
    pub lab: String,
    /// The seed at the start.
    pub seed: u32,
    /// The settings at the start that differ from the defaults.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// What changed during the run, in the order of the units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<RecipeChange>,
    /// What the run computes on, `cpu` or `gpu`; `None` stands for the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The number of units after which the run ends; `None` if it has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u64>,
    /// The fingerprint of the run at its end, or its first digits: `0123456789abcdef`. It can begin with the
    /// class of bits that it belongs to: `fused:0123456789abcdef`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<String>,
}

/// What changes before a unit of a recipe's run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeChange {
    /// The number of completed units when the change takes effect.
    pub unit: u64,
    /// The new values of live settings.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// The new seed; `None` if it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The command that gives the run data of the user's own, see [`crate::Lab::DATA_COMMANDS`]; `None` if
    /// its data stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

fn invalid<T>(problem: impl Into<String>) -> Result<T, LabError> {
    Err(LabError::Recipe(problem.into()))
}

impl Recipe {
    /// A run of this lab with the default settings and without an end.
    pub fn new(lab: impl Into<String>, seed: u32) -> Self {
        Self {
            version: FORMAT_VERSION,
            lab: lab.into(),
            seed,
            settings: Map::new(),
            changes: Vec::new(),
            device: None,
            units: None,
            bits: None,
        }
    }

    /// The recipe of a saved run, up to where it was saved, with its fingerprint. `class` is the class of
    /// bits that computed it, if that is known.
    pub fn of_checkpoint(
        entry: &Entry,
        checkpoint: &Checkpoint,
        class: Option<&str>,
    ) -> Result<Self, LabError> {
        entry.owns(checkpoint)?;
        let header = &checkpoint.header;
        if header.network_only {
            return invalid("the file holds only a network, which does not say how it was trained");
        }
        if let Some(unit) = header.network_since {
            return invalid(format!(
                "the run continued from a file that held only a network, after unit {unit}, and nothing says how that was trained"
            ));
        }
        let mut changes = Vec::with_capacity(header.changes.len());
        // From the settings and the seed at the end back to those at the start.
        let (mut settings, mut seed) = (header.config.clone(), header.seed);
        let schema = (entry.schema)();
        // Files leave these out while they have their defaults, also after a change back to them.
        for field in schema.fields().iter().filter(|field| field.later) {
            settings.entry(field.name.clone()).or_insert_with(|| field.default.clone());
        }
        for change in header.changes.iter().rev() {
            undo(change, &mut settings, &mut seed)?;
            let Change { unit, after, data, .. } = change;
            let data = match data {
                Some(data) => Some(data_command(data, (entry.own_data)(&checkpoint.tensors), *unit)?),
                None => None,
            };
            let seed = change.seed.map(|seed| seed.after);
            changes.push(RecipeChange { unit: *unit, settings: after.clone(), seed, data });
        }
        changes.reverse();
        let has_data = changes.iter().any(|change| change.data.is_some());
        if !has_data && (entry.own_data)(&checkpoint.tensors).is_some() {
            return invalid(
                "the run learns from data of its own, and an earlier version did not record since when",
            );
        }
        // A recipe says neither at which unit a run was moved to another device nor in which precision it was
        // computed. If such a run is repeated it has other bits, so its recipe gets no fingerprint.
        let (device, is_repeatable) = match &header.devices[..] {
            [] => (None, true),
            [only] => (Some(only.device.clone()), only.unit == 0 && only.precision == Precision::F32),
            [.., last] => (Some(last.device.clone()), false),
        };
        // On a GPU the fingerprint belongs to that GPU.
        let class = if device.is_some() { Some("gpu") } else { class };
        let bits = is_repeatable.then(|| with_class(class, &checkpoint.fingerprint()));
        let recipe = Self {
            settings: without_defaults(&schema, settings),
            changes,
            device,
            units: Some(header.units),
            bits,
            ..Self::new(&header.lab, seed)
        };
        recipe.checked(entry)
    }

    /// Reads a recipe file. The error says in one sentence what is wrong with it.
    pub fn from_json(text: &str, entries: &'static [Entry]) -> Result<Self, LabError> {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return invalid(format!("it is not JSON ({error})")),
        };
        match value["recipe"].as_u64() {
            None => return invalid("it does not begin with a version, as in {\"recipe\": 1, ...}"),
            Some(version) if version > u64::from(FORMAT_VERSION) => {
                return invalid(format!(
                    "it was written by a newer version (format {version}, this one reads up to {FORMAT_VERSION})"
                ));
            }
            Some(_) => {} // a version that this one reads
        }
        let recipe: Self = match serde_json::from_value(value) {
            Ok(recipe) => recipe,
            Err(error) => return invalid(one_line(&error.to_string())),
        };
        let entry = Entry::find(entries, &quoted(&recipe.lab))?;
        recipe.checked(entry)
    }

    /// Reads a recipe from the link of a run on the page, such as `#/control?seed=7&worlds=256`; what stands
    /// before the `#` does not matter. The error says in one sentence what is wrong with it.
    pub fn from_link(link: &str, entries: &'static [Entry]) -> Result<Self, LabError> {
        let link = link.split_once('#').map_or(link, |(_, hash)| hash);
        let (name, query) = link.split_once('?').unwrap_or((link, ""));
        let entry = Entry::find(entries, &quoted(name.strip_prefix('/').unwrap_or(name)))?;
        link::read(entry, query)?.checked(entry)
    }

    /// The content of a recipe file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a recipe is plain data") + "\n"
    }

    /// The link of the run, from the `#` on. The error says why a link cannot hold it.
    pub fn to_link(&self, entry: &Entry) -> Result<String, LabError> {
        link::write(self, &(entry.schema)())
    }

    /// The class of bits that the fingerprint belongs to, if the recipe names one.
    pub fn class(&self) -> Option<&str> {
        self.bits.as_ref()?.split_once(':').map(|(class, _)| class)
    }

    /// The fingerprint at the end, or its first digits.
    pub fn fingerprint(&self) -> Option<&str> {
        let bits = self.bits.as_deref()?;
        Some(bits.split_once(':').map_or(bits, |(_, digits)| digits))
    }

    /// Starts the run. Changes before the first unit are not made yet, see [`Recipe::apply_changes`].
    pub fn start(&self, entry: &Entry) -> Result<Session, LabError> {
        Session::start(*entry, &Value::Object(self.settings.clone()), self.seed)
    }

    /// Makes the changes that are due before the next unit. Must be called between two units. Returns whether
    /// the seed changed, after which a run that was on a GPU has to be moved there again.
    pub fn apply_changes(&self, session: &mut Session) -> Result<bool, LabError> {
        let Some(change) = self.changes.iter().find(|change| change.unit == session.units()) else {
            return Ok(false);
        };
        session.configure(&Value::Object(change.settings.clone()))?;
        if let Some(seed) = change.seed {
            session.reseed(seed)?;
        }
        if let Some(data) = &change.data {
            session.apply(data.clone())?;
        }
        Ok(change.seed.is_some())
    }

    /// Checks everything that can be checked without starting the run, and leaves out settings that equal
    /// their defaults.
    fn checked(mut self, entry: &Entry) -> Result<Self, LabError> {
        let schema = (entry.schema)();
        let settings = schema.complete(None, &Value::Object(self.settings)).map_err(tidied)?;
        self.lab = entry.about.id.to_owned();
        self.settings = without_defaults(&schema, settings);
        if let Some(units) = self.units.filter(|units| *units > MAX_UNITS) {
            return invalid(format!("a run of {units} units is too long; the most are {MAX_UNITS}"));
        }
        // Each unit has at most one change, so the next one is at least one unit later.
        let mut earliest = 0;
        for change in &mut self.changes {
            let unit = change.unit;
            if unit < earliest {
                return invalid(format!(
                    "the change at unit {unit} comes after one at unit {}",
                    earliest - 1
                ));
            }
            if let Some(units) = self.units.filter(|units| unit > *units) {
                return invalid(format!("the change at unit {unit} comes after the last unit, {units}"));
            }
            if unit > MAX_UNITS {
                return invalid(format!("no run gets to the change at unit {unit}"));
            }
            earliest = unit + 1;
            check_change(change, entry, &schema)?;
        }
        match self.device.as_deref() {
            None | Some("cpu") => {}
            Some("gpu") if entry.gpu != GpuUse::Nowhere => {}
            Some("gpu") => return invalid(format!("the lab `{}` cannot compute on a GPU yet", self.lab)),
            Some(other) => return invalid(format!("`{}` is no device; it takes cpu or gpu", quoted(other))),
        }
        if let Some(bits) = &self.bits {
            let (class, digits) = match bits.split_once(':') {
                Some((class, digits)) => (Some(class), digits),
                None => (None, &bits[..]),
            };
            let is_hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
            if !is_hexadecimal || !FINGERPRINT_DIGITS.contains(&digits.len()) {
                return invalid("a fingerprint has 8 to 64 hexadecimal digits");
            }
            if let Some(class) = class.filter(|class| !CLASSES_OF_BITS.contains(class)) {
                return invalid(format!(
                    "`{}` is no class of bits; there are {}",
                    quoted(class),
                    CLASSES_OF_BITS.join(", ")
                ));
            }
            if self.units.is_none() {
                return invalid("its fingerprint belongs to a unit that it does not name");
            }
            self.bits = Some(bits.to_ascii_lowercase());
        }
        Ok(self)
    }
}

/// Checks a change, and brings its settings into the form of the schema.
fn check_change(change: &mut RecipeChange, entry: &Entry, schema: &Schema) -> Result<(), LabError> {
    let unit = change.unit;
    let at = |error: LabError| LabError::Recipe(format!("at unit {unit}: {}", tidied(error)));
    if change.settings.is_empty() && change.seed.is_none() && change.data.is_none() {
        return invalid(format!("nothing changes at unit {unit}"));
    }
    let complete = schema.complete(None, &Value::Object(change.settings.clone())).map_err(at)?;
    for (name, value) in &mut change.settings {
        if !schema.field(name)?.live {
            return Err(at(LabError::setting(name, "a change of this one needs a restart")));
        }
        *value = complete[name].clone();
    }
    if change.seed.is_some() && unit == 0 {
        return invalid("a run that has not begun is started with another seed, not changed to it");
    }
    match &change.data {
        Some(command) if !entry.sets_data(command) => {
            invalid(format!("the lab `{}` cannot learn from the data at unit {unit}", entry.about.id))
        }
        _ => Ok(()),
    }
}

/// Takes a change back: from the settings and the seed after it to those before it.
fn undo(change: &Change, settings: &mut Map<String, Value>, seed: &mut u32) -> Result<(), LabError> {
    let contradiction =
        || LabError::Checkpoint(format!("its settings contradict the change at unit {}", change.unit));
    for (name, after) in &change.after {
        let before = change.before.get(name).ok_or_else(contradiction)?;
        if settings.insert(name.clone(), before.clone()).as_ref() != Some(after) {
            return Err(contradiction());
        }
    }
    if let Some(SeedChange { before, after }) = change.seed
        && std::mem::replace(seed, before) != after
    {
        return Err(contradiction());
    }
    Ok(())
}

/// The command that gave the run its data in `change`. A change does not hold a long command. It can then be
/// repeated only if the run has not replaced the data since: the checkpoint holds the data that the run had
/// last, from which `last` was made.
fn data_command(change: &DataChange, last: Option<Value>, unit: u64) -> Result<Value, LabError> {
    if let Some(command) = &change.command {
        return Ok(command.clone());
    }
    match last {
        Some(command) if hash_canonical(&command).sha256 == change.sha256 => Ok(command),
        _ => invalid(format!(
            "the data that the run learned from after unit {unit} were replaced later, and only the last ones are kept"
        )),
    }
}

/// The settings that differ from the defaults.
fn without_defaults(schema: &Schema, settings: Map<String, Value>) -> Map<String, Value> {
    let differs = |name: &str, value: &Value| {
        schema.fields().iter().any(|field| field.name == name && field.default != *value)
    };
    settings.into_iter().filter(|(name, value)| differs(name, value)).collect()
}

fn with_class(class: Option<&str>, fingerprint: &str) -> String {
    class.map_or_else(|| fingerprint.to_owned(), |class| format!("{class}:{fingerprint}"))
}

/// The same error with the name and value of a setting, which are texts from outside, on one short line.
fn tidied(error: LabError) -> LabError {
    match error {
        LabError::Setting { field, problem } => LabError::setting(quoted(&field), one_line(&problem)),
        other => other,
    }
}

/// A text from outside in the form in which an error quotes it: on one line, cut if it is long.
fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    shortened(text, MAX_CHARS)
}

/// A message that may repeat texts from outside, as one line.
fn one_line(text: &str) -> String {
    const MAX_CHARS: usize = 400;
    shortened(text, MAX_CHARS)
}

/// Words separated by single blanks, at most `max` characters, without control characters and the marks that
/// reverse the direction of writing.
fn shortened(text: &str, max: usize) -> String {
    let is_invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    // More characters than are shown, because runs of blanks are joined below.
    let printable: String =
        text.chars().take(4 * max).map(|c| if is_invisible(c) { ' ' } else { c }).collect();
    let line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(max).collect();
    if short.len() < line.len() { short + "…" } else { short }
}
