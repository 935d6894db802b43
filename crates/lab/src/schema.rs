//! The schema of a lab's settings, or of a tool's input, and validation against it.
//!
//! The crate `schemars` derives a JSON schema from the config struct: doc comments become help texts, and
//! `range` attributes become limits. Extensions (attributes that begin with `x-`) add what JSON schema lacks:
//! `x-live` (may change during a run), `x-title` (the standard term, where the key is another word), `x-unit`
//! (unit of the value), `x-log` (logarithmic slider), and for inputs of tools `x-input` (`file` or
//! `opponent`) and `x-names` (the opponents that the lab knows). How settings are shown: `x-group`
//! ([`Group`]), `x-main` (one of the few settings that matter most) and `x-applies` (which choices of other
//! settings it needs, as a table of lists). `x-later` marks a setting that came after runs of the lab had
//! been saved, see [`Schema::stored`]. The help of a number ends with what more and less of it do (`Up: ...
//! Down: ...`), that of a switch with `On: ... Off: ...`. The contract test checks this, and the page shows
//! these parts apart. They stand in the help because whoever changes what a setting does reads them there.
//!
//! In the page's bundles a schema is read from a file of the lab instead ([`Schema::of_lab`]).
//!
//! Page, command line, files and checkpoints all validate with [`Schema::complete`], so they give the same
//! errors.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::field::{Condition, Field, Kind};
#[cfg(not(target_family = "wasm"))]
use crate::tool::SEED_FIELD;
use crate::{Config, Lab, LabError, Tool};

/// The largest edit distance at which an unknown name counts as a misspelling of a known one.
const MAX_TYPO_DISTANCE: usize = 3;

/// The most names in the error for an unknown one, so that it stays readable.
const MAX_LISTED_NAMES: usize = 40;

/// All settings of a lab, or all inputs of a tool.
#[derive(Clone, Debug)]
pub struct Schema {
    /// What a field is called in error messages: "setting", "input" or "option".
    noun: &'static str,
    /// In the order of declaration.
    fields: Vec<Field>,
    defaults: Map<String, Value>,
}

impl Schema {
    /// The schema of a lab's settings. The page's bundles read it from [`Lab::SETTINGS`]: what derives it
    /// from the struct has 20 kB by gzip in each.
    pub fn of_lab<L: Lab>() -> Self {
        if cfg!(target_family = "wasm") {
            Self::from_file("setting", L::SETTINGS)
        } else {
            Self::of::<L::Config>()
        }
    }

    /// The schema of a tool's input, in the page's bundles read from [`Tool::INPUT`]. It can have texts,
    /// lists and a file too.
    pub fn of_tool<T: Tool>() -> Self {
        const NOUN: &str = "input";
        if cfg!(target_family = "wasm") {
            Self::from_file(NOUN, T::INPUT)
        } else {
            Self::derive::<T::Input>(NOUN).0
        }
    }

    /// Reads what [`Schema::to_file`] has written. The fields lack what only people read: help, unit, group
    /// and marks.
    fn from_file(noun: &'static str, text: &str) -> Self {
        let settings: Vec<Value> = serde_json::from_str(text).expect("`cargo xtask bindings` writes JSON");
        let fields: Vec<Field> = settings
            .iter()
            .map(|setting| {
                let name = setting["name"].as_str().unwrap_or_default();
                Field::new(name, setting, setting["default"].clone())
            })
            .collect();
        let defaults = fields.iter().map(|field| (field.name.clone(), field.default.clone())).collect();
        Self { noun, fields, defaults }
    }

    /// The schema as JSON without what only people read: a table for each field, in the order of declaration.
    pub fn to_file(&self) -> String {
        let lines: Vec<String> = self.fields.iter().map(|field| field.to_json().to_string()).collect();
        format!("[\n{}\n]\n", lines.join(",\n"))
    }

    /// The schema of a settings struct. Panics if the struct is not a flat table of ranged numbers, switches
    /// and choices, each in a group and with conditions that can hold. That is a programming error, which the
    /// contract test finds.
    pub fn of<C: Config>() -> Self {
        let (schema, json) = Self::derive::<C>("setting");
        for field in &schema.fields {
            let name = &field.name;
            let is_simple = matches!(
                field.kind,
                Kind::Integer { .. } | Kind::Number { .. } | Kind::Switch | Kind::Choice { .. }
            );
            assert!(is_simple, "setting `{name}` is not a ranged number, a switch or a choice");
            let group = &json["properties"][name.as_str()]["x-group"];
            assert!(!group.is_null(), "setting `{name}` has no `x-group`");
            for condition in &field.applies {
                schema.check_condition(name, condition);
            }
        }
        schema
    }

    /// Panics if a condition names no choice, or values that the choice does not have.
    fn check_condition(&self, name: &str, Condition { setting, values }: &Condition) {
        let other = self.fields.iter().find(|field| field.name == *setting);
        let Some(Kind::Choice { options }) = other.map(|field| &field.kind) else {
            panic!("setting `{name}` applies by `{setting}`, which is not a choice");
        };
        let unknown = values.iter().find(|value| !options.contains(value));
        assert!(
            unknown.is_none(),
            "setting `{name}` applies with {unknown:?}, which `{setting}` does not have"
        );
        let applies_sometimes = !values.is_empty() && values.len() < options.len();
        assert!(applies_sometimes, "setting `{name}` applies always or never");
    }

    /// The input of an evaluation as options of a command, which has an option for the seed of its own.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn into_options(mut self) -> Self {
        self.noun = "option";
        self.fields.retain(|field| field.name != SEED_FIELD);
        self.defaults.remove(SEED_FIELD);
        self
    }

    /// The JSON schema of a struct (draft 2020-12) with the `x-` extensions.
    pub fn json<C: Config>() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
        settings.into_generator().into_root_schema_for::<C>().to_value()
    }

    /// The schema of a struct, and the JSON schema that it was made from.
    fn derive<C: Config>(noun: &'static str) -> (Self, Value) {
        let json = Self::json::<C>();
        let Ok(Value::Object(defaults)) = serde_json::to_value(C::default()) else {
            panic!("a config must serialise to a table");
        };
        let empty = Map::new();
        let properties = json["properties"].as_object().unwrap_or(&empty);
        // The JSON schema's map may be sorted, so the order of declaration comes from serialising the struct.
        let fields: Vec<Field> = ordered_names::<C>()
            .iter()
            .map(|name| Field::new(name, &properties[name], defaults[name].clone()))
            .collect();
        // What the fields before are called, see [`Field::is_called`].
        let mut names: Vec<String> = Vec::new();
        for field in &fields {
            let own = [field.name.clone(), field.standard_name()];
            let is_new = own.iter().all(|name| !names.contains(name));
            assert!(is_new, "{noun} `{}` has a name or title of another one", field.name);
            names.extend(own);
            assert!(!field.help.is_empty(), "{noun} `{}` has no help: write a doc comment", field.name);
        }
        (Self { noun, fields, defaults }, json)
    }

    /// All fields, in the order of declaration.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Validates `changes` and merges them into `base`, or into the defaults if there is no base. So the
    /// result is a complete table with a value for each field. The error for an unknown name, a wrong type or
    /// a value out of range contains the field's name and what it accepts.
    pub fn complete(
        &self,
        base: Option<&Map<String, Value>>,
        changes: &Value,
    ) -> Result<Map<String, Value>, LabError> {
        let Value::Object(changes) = changes else {
            let problem = format!("the {}s are not a table of names and values", self.noun);
            return Err(LabError::Settings(problem));
        };
        let mut table = base.unwrap_or(&self.defaults).clone();
        for (name, value) in changes {
            let field = self.field(name)?;
            if field.name != *name && changes.contains_key(&field.name) {
                return Err(self.error(name, format!("is the same {} as `{}`", self.noun, field.name)));
            }
            let value = validate(&field.kind, value).map_err(|problem| self.error(&field.name, problem))?;
            table.insert(field.name.clone(), value);
        }
        Ok(table)
    }

    /// Refuses an empty text as the path of a file among the values that somebody gave. It would mean no
    /// file, as the default does, and is what a variable of a shell that is not set leaves.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn refuse_empty_paths(&self, given: &Value) -> Result<(), LabError> {
        for field in self.fields.iter().filter(|field| field.kind == Kind::File) {
            if given.get(&field.name).is_some_and(|path| path == "") {
                return Err(self.error(&field.name, "expected the path of a file, not an empty text".into()));
            }
        }
        Ok(())
    }

    /// A complete table as files have it: without the settings marked `x-later` that have their defaults. So
    /// a new setting whose default is what runs did before changes neither their files nor their
    /// fingerprints. The headers of checkpoints are written so; whoever reads one completes it.
    pub fn stored(&self, table: &Map<String, Value>) -> Map<String, Value> {
        let later: Vec<&Field> = self.fields.iter().filter(|field| field.later).collect();
        let is_left_out =
            |name: &String, value: &Value| later.iter().any(|f| f.name == *name && f.default == *value);
        let mut stored = Map::new();
        for (name, value) in table {
            if !is_left_out(name, value) {
                stored.insert(name.clone(), value.clone());
            }
        }
        stored
    }

    /// The error about one field.
    fn error(&self, field: &str, problem: String) -> LabError {
        if self.noun == "input" { LabError::input(field, problem) } else { LabError::setting(field, problem) }
    }

    /// The field called `name`, by its key or its title. The error suggests a similar name, or lists at most
    /// [`MAX_LISTED_NAMES`] names.
    pub fn field(&self, name: &str) -> Result<&Field, LabError> {
        // A key has precedence, should the title of another field be the same word.
        let by_key = self.fields.iter().find(|field| field.name == name);
        by_key.or_else(|| self.fields.iter().find(|field| field.is_called(name))).ok_or_else(|| {
            let nearest = self.fields.iter().min_by_key(|field| edit_distance(&field.name, name));
            let hint = match nearest {
                Some(field) if edit_distance(&field.name, name) <= MAX_TYPO_DISTANCE => {
                    format!("unknown; did you mean `{}`?", field.name)
                }
                _ => {
                    let names: Vec<&str> = self.fields.iter().map(|f| f.name.as_str()).collect();
                    let unlisted = names.len().saturating_sub(MAX_LISTED_NAMES);
                    match &names[..names.len() - unlisted] {
                        [] => format!("unknown; there are no {}s", self.noun),
                        names if unlisted == 0 => {
                            format!("unknown; the {}s are {}", self.noun, names.join(", "))
                        }
                        names => format!("unknown; some {}s are {}", self.noun, names.join(", ")),
                    }
                }
            };
            self.error(name, hint)
        })
    }
}

/// The field names of a struct in the order of declaration. Serialising to JSON text keeps this order.
fn ordered_names<C: Config>() -> Vec<String> {
    let text = serde_json::to_string(&C::default()).expect("a config serialises");
    let table: serde_json::Result<Names> = serde_json::from_str(&text);
    table.expect("a config serialises to a table").0
}

/// The keys of a JSON object in their order in the text. `serde_json::Map` would sort them.
struct Names(Vec<String>);

impl<'de> serde::Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> serde::de::Visitor<'de> for Keys {
            type Value = Names;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a table")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// Returns the value in the type of this kind, or what is wrong with it and what is accepted.
fn validate(kind: &Kind, value: &Value) -> Result<Value, String> {
    let reject = |expected: String| Err(format!("{value} is not allowed; expected {expected}"));
    match kind {
        Kind::Integer { min, max } => match value.as_f64() {
            // JavaScript and TOML may write an integer as 3.0.
            Some(n) if n.fract() == 0.0 && (*min..=*max).contains(&n) => Ok(Value::from(n as i64)),
            _ => reject(format!("a whole number from {min} to {max}")),
        },
        Kind::Number { min, max } => match value.as_f64() {
            Some(n) if (*min..=*max).contains(&n) => Ok(Value::from(n)),
            _ => reject(format!("a number from {min} to {max}")),
        },
        Kind::Switch if value.is_boolean() => Ok(value.clone()),
        Kind::Switch => reject("true or false".into()),
        Kind::Choice { options } => match value.as_str() {
            Some(name) if options.iter().any(|option| option == name) => Ok(value.clone()),
            _ => reject(format!("one of {}", options.join(", "))),
        },
        Kind::Text { max } => match value.as_str().map(|text| text.chars().count()) {
            Some(length) if length <= *max as usize => Ok(value.clone()),
            // The text itself is not repeated, because it is long.
            Some(length) => Err(format!("{length} characters are not allowed; expected at most {max}")),
            None => reject(format!("a text of at most {max} characters")),
        },
        Kind::List { item, max } => match value.as_array() {
            Some(items) if items.len() <= *max as usize => {
                let checked = items.iter().enumerate().map(|(i, value)| {
                    validate(item, value).map_err(|problem| format!("item {}: {problem}", i + 1))
                });
                checked.collect::<Result<_, _>>().map(Value::Array)
            }
            Some(items) => Err(format!("{} items are not allowed; expected at most {max}", items.len())),
            None => reject(format!("a list of at most {max} items")),
        },
        Kind::File | Kind::Opponent { .. } if value.is_string() => Ok(value.clone()),
        Kind::File => reject("the path of a file".into()),
        Kind::Opponent { names } => reject(format!("{}, or another opponent", names.join(", "))),
    }
}

/// Edit distance (Levenshtein), for "did you mean".
fn edit_distance(a: &str, b: &str) -> usize {
    // One row of the table of distances between prefixes: after `i` characters of `a`, `row[j]` is the
    // distance of these from the first `j` characters of `b`.
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            // `diagonal` is the entry above to the left, which the row has overwritten.
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            let inserted = row[j] + 1;
            let deleted = diagonal + 1;
            row[j + 1] = replaced.min(inserted).min(deleted);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
