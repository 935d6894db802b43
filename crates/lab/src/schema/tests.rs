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
    #[schemars(extend("x-group" = "network", "x-later" = true))]
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
fn schema_from_a_file_checks_what_the_struct_says() {
    let schema = Schema::of::<Sample>();
    let read = Schema::from_file("setting", &schema.to_file());
    assert_eq!((read.noun, &read.defaults), (schema.noun, &schema.defaults));
    let without_texts = schema.fields.iter().map(|field| Field {
        help: String::new(),
        unit: String::new(),
        log: false,
        group: Group::Measuring,
        main: false,
        ..field.clone()
    });
    assert_eq!(read.fields, without_texts.collect::<Vec<_>>());
}

#[test]
fn files_leave_out_a_later_setting_with_its_default() {
    let schema = Schema::of::<Sample>();
    let table = schema.complete(None, &json!({"worlds": 3})).unwrap();
    let stored = schema.stored(&table);
    assert_eq!(Value::Object(stored.clone()), json!({"worlds": 3, "alpha": 0.1, "on": true}));
    assert_eq!(schema.complete(None, &Value::Object(stored)).unwrap(), table);
    let other = schema.complete(None, &json!({"mood": "lively"})).unwrap();
    assert_eq!(schema.stored(&other), other);
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
