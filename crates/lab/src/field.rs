//! A setting of a lab, or an input of a tool, as the schema describes it: its type and range, its
//! help, and how it is shown. It is converted from the JSON schema of one property.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a setting is about. Settings are shown by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Group {
    /// The task, and how the agent gathers experience.
    Acting,
    /// What a network is trained on, where it does not act.
    Data,
    /// How the network is changed.
    Learning,
    /// The network: its size, shape and input.
    Network,
    /// How progress is measured, and the goal.
    Measuring,
}

impl Group {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Acting, Self::Data, Self::Learning, Self::Network, Self::Measuring];

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Acting => "acting",
            Self::Data => "data",
            Self::Learning => "learning",
            Self::Network => "network",
            Self::Measuring => "measuring",
        }
    }
}

/// A setting has an effect only while another setting, which is a choice, has one of these values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Condition {
    /// Name of the other setting.
    pub setting: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The type of a setting's value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Kind {
    /// An integer in a range.
    Integer {
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// A number in a range.
    Number {
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// On or off.
    Switch,
    /// One of several names.
    Choice {
        /// The allowed names.
        options: Vec<String>,
    },
    /// A text. Only inputs of tools have this kind.
    Text {
        /// The most characters.
        max: u32,
    },
    /// A list of values of one kind. Only inputs of tools have this kind.
    List {
        /// The kind of each value.
        item: Box<Kind>,
        /// The most values.
        max: u32,
    },
    /// The path or name of a file. Only inputs of tools have this kind.
    File,
    /// An opponent: a name that the lab knows, the path of a checkpoint, or the name of a program. Only inputs of
    /// tools have this kind.
    Opponent {
        /// The names that the lab knows.
        names: Vec<String>,
    },
}

impl Kind {
    /// The values that name no file, for the kinds that may name one; `None` for the others.
    pub fn known_names(&self) -> Option<&[String]> {
        match self {
            Self::File => Some(&[]),
            Self::Opponent { names } => Some(names),
            _ => None,
        }
    }

    /// Whether the value `name` may be that of a file.
    pub fn names_a_file(&self, name: &str) -> bool {
        !name.is_empty() && self.known_names().is_some_and(|known| known.iter().all(|other| other != name))
    }

    /// Reads the kind from the JSON schema of one property, or of the items of a list. `name` is that of the
    /// property.
    fn new(name: &str, schema: &Value) -> Self {
        let limit = |key: &str| {
            schema[key].as_f64().unwrap_or_else(|| panic!("`{name}` has no `{key}`: give it a limit"))
        };
        match schema["type"].as_str() {
            Some("integer") => Self::Integer { min: limit("minimum"), max: limit("maximum") },
            Some("number") => Self::Number { min: limit("minimum"), max: limit("maximum") },
            Some("boolean") => Self::Switch,
            Some("array") => Self::List {
                item: Box::new(Self::new(name, &schema["items"])),
                max: limit("maxItems") as u32,
            },
            Some("string") if schema["x-input"] == "file" => Self::File,
            Some("string") if schema["x-input"] == "opponent" => {
                let names = schema["x-names"].as_array().into_iter().flatten();
                Self::Opponent { names: names.filter_map(Value::as_str).map(str::to_owned).collect() }
            }
            Some("string") if !schema["maxLength"].is_null() => Self::Text { max: limit("maxLength") as u32 },
            // An enum, whose variants are the options.
            _ => Self::Choice { options: choices(name, schema) },
        }
    }

    /// Writes what [`Kind::new`] reads into a table.
    fn write_to(&self, json: &mut Value) {
        let mut put = |key: &str, value: Value| json[key] = value;
        match self {
            Self::Integer { min, max } | Self::Number { min, max } => {
                let is_whole = matches!(self, Self::Integer { .. });
                put("type", json!(if is_whole { "integer" } else { "number" }));
                put("minimum", json!(min));
                put("maximum", json!(max));
            }
            Self::Switch => put("type", json!("boolean")),
            Self::Choice { options } => put("enum", json!(options)),
            Self::Text { max } => {
                put("type", json!("string"));
                put("maxLength", json!(max));
            }
            Self::List { item, max } => {
                let mut items = json!({});
                item.write_to(&mut items);
                put("type", json!("array"));
                put("maxItems", json!(max));
                put("items", items);
            }
            Self::File => {
                put("type", json!("string"));
                put("x-input", json!("file"));
            }
            Self::Opponent { names } => {
                put("type", json!("string"));
                put("x-input", json!("opponent"));
                put("x-names", json!(names));
            }
        }
    }
}

/// A setting of a lab, or an input of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Field {
    /// Key in files, links and commands.
    pub name: String,
    /// The standard term, for people. Its words joined by underscores name the field too, see
    /// [`Field::is_called`].
    pub title: String,
    /// Help text for people.
    pub help: String,
    /// Type and range of the value.
    #[serde(flatten)]
    pub kind: Kind,
    /// Unit of the value; empty if it has none.
    pub unit: String,
    /// Whether the value can change during a run, without a restart.
    pub live: bool,
    /// Whether the slider on the page is logarithmic.
    pub log: bool,
    /// What it is about.
    pub group: Group,
    /// Whether it is one of the few settings that matter most.
    pub main: bool,
    /// When it has an effect: while all of these hold.
    pub applies: Vec<Condition>,
    /// Whether files leave it out while it has its default, see [`crate::Schema::stored`].
    #[serde(skip)]
    #[cfg_attr(feature = "bindings", ts(skip))]
    pub later: bool,
    /// The default value.
    pub default: Value,
}

impl Field {
    /// Converts the JSON schema of one property.
    pub(crate) fn new(name: &str, schema: &Value, default: Value) -> Self {
        let flag = |key: &str| schema[key].as_bool().unwrap_or(false);
        let kind = Kind::new(name, schema);
        let help = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        let unit = schema["x-unit"].as_str().unwrap_or_default().to_owned();
        // An input of a tool has no group that anybody sees; `Schema::of` requires a group of settings.
        let group = schema.get("x-group").map_or(Group::Measuring, |wanted| {
            let group = Group::ALL.into_iter().find(|group| wanted == group.name());
            group.unwrap_or_else(|| panic!("setting `{name}` is in {wanted}, which is no group"))
        });
        let conditions = schema["x-applies"].as_object().into_iter().flatten();
        let applies = conditions.map(|(setting, values)| condition(name, setting, values)).collect();
        let (live, log, main, later) = (flag("x-live"), flag("x-log"), flag("x-main"), flag("x-later"));
        let title = schema["x-title"].as_str().map_or_else(|| name.replace('_', " "), str::to_owned);
        Self {
            name: name.to_owned(),
            title,
            help,
            kind,
            unit,
            live,
            log,
            group,
            main,
            applies,
            later,
            default,
        }
    }

    /// What [`Field::new`] reads, but for what only people read.
    pub(crate) fn to_json(&self) -> Value {
        let mut json = json!({ "name": self.name, "default": self.default });
        if self.title != self.name.replace('_', " ") {
            json["x-title"] = json!(self.title);
        }
        if self.live {
            json["x-live"] = json!(true);
        }
        if self.later {
            json["x-later"] = json!(true);
        }
        if !self.applies.is_empty() {
            let conditions = self.applies.iter().map(|c| (c.setting.clone(), json!(c.values)));
            json["x-applies"] = Value::Object(conditions.collect());
        }
        self.kind.write_to(&mut json);
        json
    }

    /// Whether `name` means this field: its key, or its title as a key. Old keys stay in files and links, and
    /// some of them are not the standard term.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.standard_name() == name
    }

    /// The title as a key: `local search` becomes `local_search`. Titles are ASCII: Unicode's tables of
    /// letters would make every bundle of the page 8 kB larger.
    pub fn standard_name(&self) -> String {
        let mut name = String::new();
        for word in self.title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(&word.to_ascii_lowercase());
        }
        name
    }

    /// Whether the setting has an effect beside the settings in `table`, which is complete.
    pub fn applies_in(&self, table: &Map<String, Value>) -> bool {
        self.applies.iter().all(|Condition { setting, values }| {
            table
                .get(setting)
                .and_then(Value::as_str)
                .is_some_and(|now| values.iter().any(|value| value == now))
        })
    }
}

fn condition(name: &str, setting: &str, values: &Value) -> Condition {
    let texts = values.as_array().map(|values| values.iter().map(|value| value.as_str().map(str::to_owned)));
    let texts: Option<Vec<String>> = texts.and_then(Iterator::collect);
    let values =
        texts.unwrap_or_else(|| panic!("a condition of setting `{name}` is {values}, no list of names"));
    Condition { setting: setting.to_owned(), values }
}

/// The variants of an enum without fields. schemars lists variants without doc comments under `enum`, and
/// those with doc comments under `oneOf`.
fn choices(name: &str, schema: &Value) -> Vec<String> {
    let plain = schema["enum"].as_array().into_iter().flatten();
    let documented = schema["oneOf"].as_array().into_iter().flatten().flat_map(|option| {
        let listed = option["enum"].as_array().into_iter().flatten();
        listed.chain(option.get("const"))
    });
    let options: Vec<String> = plain.chain(documented).filter_map(Value::as_str).map(str::to_owned).collect();
    assert!(!options.is_empty(), "setting `{name}` is neither a ranged number, a switch nor a choice");
    options
}
