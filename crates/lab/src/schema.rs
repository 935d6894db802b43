//! The schema of a lab's settings, or of its evaluation's options, and validation against it.
//!
//! The crate `schemars` derives a JSON schema from the config struct: doc comments become help texts, and
//! `range` attributes become limits. Extensions (attributes that begin with `x-`) add what JSON schema lacks:
//! `x-live` (may change during a run), `x-title` (the standard term, where the key is another word), `x-unit`
//! (unit of the value), `x-log` (logarithmic slider), and for options `x-input` (`file` or `opponent`) and
//! `x-names` (the opponents that the lab knows). How settings are shown: `x-group` ([`Group`]), `x-main` (one
//! of the few settings that matter most) and `x-applies` (which choices of other settings it needs, as a
//! table of lists). The help of a number ends with what more and less of it do (`Up: ... Down: ...`), that of
//! a switch with `On: ... Off: ...`. The contract test checks this, and the page shows these parts apart.
//! They stand in the help because whoever changes what a setting does reads them there.
//!
//! Page, command line, files and checkpoints all validate with [`Schema::complete`], so they give the same
//! errors.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::field::{Condition, Field, Kind};
use crate::{Config, LabError};

/// The largest edit distance at which an unknown name counts as a misspelling of a known one.
const MAX_TYPO_DISTANCE: usize = 3;

/// The most names in the error for an unknown one, so that it stays readable.
const MAX_LISTED_NAMES: usize = 40;

/// All settings of a lab, or all options of its evaluation.
#[derive(Clone, Debug)]
pub struct Schema {
    /// What a field is called in error messages: "setting" or "option".
    noun: &'static str,
    /// The JSON schema.
    json: Value,
    /// In the order of declaration.
    fields: Vec<Field>,
    defaults: Map<String, Value>,
}

impl Schema {
    /// The schema of a settings struct. Panics if the struct is not a flat table of ranged numbers, switches
    /// and choices, each in a group and with conditions that can hold. That is a programming error, which the
    /// contract test finds.
    pub fn of<C: Config>() -> Self {
        let schema = Self::derive::<C>("setting");
        for field in &schema.fields {
            let name = &field.name;
            let is_simple = !matches!(field.kind, Kind::File | Kind::Opponent { .. });
            assert!(is_simple, "setting `{name}` is not a ranged number, a switch or a choice");
            let group = &schema.json["properties"][name.as_str()]["x-group"];
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

    /// The schema of an evaluation's options, which can also be files and opponents.
    pub fn of_options<C: Config>() -> Self {
        Self::derive::<C>("option")
    }

    fn derive<C: Config>(noun: &'static str) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
        let json = settings.into_generator().into_root_schema_for::<C>().to_value();
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
        for (i, field) in fields.iter().enumerate() {
            let namesake = fields[..i]
                .iter()
                .find(|other| other.is_called(&field.name) || other.is_called(&field.standard_name()));
            assert!(namesake.is_none(), "{noun} `{}` has a name or title of another one", field.name);
        }
        Self { noun, json, fields, defaults }
    }

    /// The JSON schema (draft 2020-12) with the `x-` extensions.
    pub fn json(&self) -> &Value {
        &self.json
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
            return Err(LabError::Settings("the settings are not a table of names and values".into()));
        };
        let mut table = base.unwrap_or(&self.defaults).clone();
        for (name, value) in changes {
            let field = self.field(name)?;
            if field.name != *name && changes.contains_key(&field.name) {
                return Err(LabError::setting(
                    name,
                    format!("is the same {} as `{}`", self.noun, field.name),
                ));
            }
            table.insert(field.name.clone(), validate(field, value)?);
        }
        Ok(table)
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
            LabError::setting(name, hint)
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

/// Returns the value in the field's type, or an error with what the field accepts.
fn validate(field: &Field, value: &Value) -> Result<Value, LabError> {
    let reject = |expected: String| {
        Err(LabError::setting(&field.name, format!("{value} is not allowed; expected {expected}")))
    };
    match &field.kind {
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
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;
    use crate::Group;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Mood {
        Calm,
        /// A variant with a doc comment, which schemars encodes differently.
        Lively,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Sample {
        /// How many.
        #[schemars(range(min = 1, max = 64), extend("x-unit" = "worlds", "x-group" = "acting", "x-main" = true))]
        worlds: u32,
        /// How fast.
        #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true, "x-log" = true, "x-group" = "learning"))]
        #[schemars(extend("x-title" = "Learning rate"))]
        alpha: f64,
        /// Whether.
        #[schemars(extend("x-group" = "learning", "x-applies" = {"mood": ["lively"]}))]
        on: bool,
        /// How.
        #[schemars(extend("x-group" = "network"))]
        mood: Mood,
    }

    impl Default for Sample {
        fn default() -> Self {
            Self { worlds: 8, alpha: 0.1, on: true, mood: Mood::Calm }
        }
    }

    #[test]
    fn title_names_a_field_as_its_key_does() {
        let schema = Schema::of::<Sample>();
        let [worlds, alpha, ..] = schema.fields() else { panic!("four fields") };
        assert_eq!((&worlds.title[..], &alpha.title[..]), ("worlds", "Learning rate"));
        let table = schema.complete(None, &json!({"learning_rate": 0.5})).unwrap();
        assert_eq!((&table["alpha"], table.contains_key("learning_rate")), (&json!(0.5), false));
        assert!(error(json!({"learning_rate": 2})).contains("alpha"));
        assert!(error(json!({"learning_rate": 0.1, "alpha": 0.2})).contains("same setting as `alpha`"));
        assert!(!alpha.is_called("learning rate") && !alpha.is_called(""));
    }

    fn error(changes: Value) -> String {
        Schema::of::<Sample>().complete(None, &changes).unwrap_err().to_string()
    }

    #[test]
    fn fields_are_in_the_order_of_declaration() {
        let schema = Schema::of::<Sample>();
        let names: Vec<&str> = schema.fields().iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["worlds", "alpha", "on", "mood"]);
        assert_eq!(schema.fields()[0].kind, Kind::Integer { min: 1.0, max: 64.0 });
        assert_eq!(schema.fields()[3].kind, Kind::Choice { options: vec!["calm".into(), "lively".into()] });
        assert!(schema.fields()[1].live && schema.fields()[1].log && !schema.fields()[0].live);
    }

    #[test]
    fn fields_have_a_group_a_mark_and_conditions() {
        let schema = Schema::of::<Sample>();
        let [worlds, alpha, on, mood] = schema.fields() else { panic!("four fields") };
        assert_eq!(
            [worlds.group, alpha.group, on.group, mood.group],
            [Group::Acting, Group::Learning, Group::Learning, Group::Network]
        );
        assert!(worlds.main && !alpha.main);
        let condition = Condition { setting: "mood".into(), values: vec!["lively".into()] };
        assert_eq!(on.applies, [condition]);
        let lively = schema.complete(None, &json!({"mood": "lively"})).unwrap();
        assert!(on.applies_in(&lively) && mood.applies_in(&lively));
        assert!(!on.applies_in(&schema.complete(None, &json!({})).unwrap()));
    }

    #[test]
    #[should_panic(expected = "setting `on` has no `x-group`")]
    fn setting_without_a_group_is_a_programming_error() {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        struct Ungrouped {
            /// Whether.
            on: bool,
        }
        let _ = Schema::of::<Ungrouped>();
    }

    /// A setting `on` that applies by `setting` and `values`.
    fn check_condition(setting: &str, values: &[&str]) {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        Schema::of::<Sample>().check_condition("on", &Condition { setting: setting.into(), values });
    }

    #[test]
    #[should_panic(expected = "applies by `moods`, which is not a choice")]
    fn condition_on_an_unknown_setting_is_a_programming_error() {
        check_condition("moods", &["calm"]);
    }

    #[test]
    #[should_panic(expected = "which `mood` does not have")]
    fn condition_on_an_unknown_value_is_a_programming_error() {
        check_condition("mood", &["clam"]);
    }

    #[test]
    #[should_panic(expected = "applies always or never")]
    fn condition_that_always_holds_is_a_programming_error() {
        check_condition("mood", &["calm", "lively"]);
    }

    #[test]
    fn invalid_values_are_rejected_with_the_field_and_what_it_accepts() {
        assert_eq!(
            error(json!({"worlds": 65})),
            "setting `worlds`: 65 is not allowed; expected a whole number from 1 to 64"
        );
        assert!(error(json!({"worlds": 1.5})).contains("whole number from 1 to 64"));
        assert!(error(json!({"worlds": "8"})).contains("whole number"));
        assert!(error(json!({"alpha": -0.1})).contains("a number from 0 to 1"));
        assert!(error(json!({"alpha": null})).contains("a number from 0 to 1"));
        assert!(error(json!({"on": 1})).contains("true or false"));
        assert!(error(json!({"mood": "angry"})).contains("one of calm, lively"));
        assert!(error(json!({"aplha": 0.5})).contains("did you mean `alpha`?"));
        assert!(error(json!({"zzzzzzzzzz": 0.5})).contains("worlds, alpha, on, mood"));
        assert!(error(json!([1, 2])).contains("not a table"));
    }

    #[test]
    fn changes_are_merged_into_the_base() {
        let schema = Schema::of::<Sample>();
        let base = schema.complete(None, &json!({"worlds": 3.0})).unwrap();
        let whole = schema.complete(Some(&base), &json!({"alpha": 1})).unwrap();
        let config: Sample = serde_json::from_value(Value::Object(whole)).unwrap();
        assert_eq!(config, Sample { worlds: 3, alpha: 1.0, on: true, mood: Mood::Calm });
    }
}
