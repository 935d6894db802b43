//! Invalid settings, commands and options of an evaluation are rejected by an error that says what is
//! accepted. Inputs of tools are those of `tools.rs`.

use serde_json::{Value, json};

use super::{Case, SEED, expect_rejection};
use crate::{Field, Kind, Session};

/// Unknown settings, wrong types and values out of range are rejected. The error contains the field and its
/// range.
pub(super) fn bad_settings_are_rejected(case: &Case) {
    let schema = (case.entry.schema)();
    let rejected = |field: &str, value: Value| {
        let settings = json!({ field: value });
        let sentence = expect_rejection(Session::start(case.entry, &settings, SEED), &settings.to_string());
        assert!(sentence.contains(field), "the error does not contain `{field}`: {sentence}");
        sentence
    };
    rejected("no_such_setting", json!(1));
    check_bad_values(schema.fields(), &rejected);
    expect_rejection(Session::start(case.entry, &json!(["not", "a", "table"]), SEED), "a list of settings");
}

/// Tries, for each field, values of the wrong type and out of range. `rejected` checks that the value is
/// rejected and returns the error message, which must contain what the field accepts.
pub(super) fn check_bad_values(fields: &[Field], rejected: &dyn Fn(&str, Value) -> String) {
    for field in fields {
        match &field.kind {
            Kind::Integer { min, max } | Kind::Number { min, max } => {
                for value in
                    [json!(min - 1.0), json!(max * 2.0 + 1.0), json!("seven"), json!(null), json!([1])]
                {
                    let sentence = rejected(&field.name, value);
                    assert!(sentence.contains(&format!("from {min} to {max}")), "no range: {sentence}");
                }
            }
            Kind::Choice { options } => {
                assert!(rejected(&field.name, json!("no such option")).contains(&options[0]));
            }
            Kind::Text { max } => {
                let too_long = "x".repeat(*max as usize + 1);
                for value in [json!(2), json!(null), json!(too_long)] {
                    assert!(rejected(&field.name, value).contains(&max.to_string()), "no limit");
                }
            }
            Kind::List { max, .. } => {
                for value in [json!("a list"), json!(vec![Value::Null; *max as usize + 1])] {
                    assert!(rejected(&field.name, value).contains(&max.to_string()), "no limit");
                }
                assert!(rejected(&field.name, json!([null])).contains("item 1"), "no place");
            }
            Kind::Switch | Kind::File | Kind::Opponent { .. } => drop(rejected(&field.name, json!(2))),
        }
    }
}

/// Unknown commands are rejected and change nothing.
pub(super) fn bad_commands_are_rejected(case: &Case) {
    let mut session = case.start();
    let before = session.save();
    for command in [json!(null), json!({}), json!("x"), json!({"type": "no such command"}), json!([1, 2])] {
        expect_rejection(session.apply(command.clone()), &command.to_string());
    }
    assert!(session.save() == before, "a rejected command changed something");
}

/// A command that evaluates calls the inputs of the tool options, of which the seed is none.
pub(super) fn bad_evaluation_options_are_named(case: &Case) {
    let checkpoint = case.start().save();
    let fields = case.entry.eval_fields();
    let first = fields.first().map_or("no_such_option", |field| &field.name);
    for option in [first, "no_such_option", "seed"] {
        let options = json!({ option: [null] });
        let sentence = expect_rejection(case.evaluate(&checkpoint, &options), &options.to_string());
        assert!(sentence.starts_with(&format!("option `{option}`: ")), "{sentence}");
    }
}
