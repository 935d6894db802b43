//! Invalid settings, commands and options of evaluations are rejected, by errors of one line. Those about
//! settings say what is accepted. `tools.rs` checks inputs of tools, by [`check_bad_values`] too.

use serde_json::{Value, json};

use super::{Case, SEED, expect_rejection};
use crate::{Field, Kind, Session};

/// Unknown settings, wrong types and values out of range are rejected. The error contains the field and its
/// range.
pub(super) fn bad_settings_are_rejected(case: &Case) {
    let schema = (case.entry.schema)();
    let rejected = |field: &str, value: Value| {
        let settings = json!({ field: value });
        let message = expect_rejection(Session::start(case.entry, &settings, SEED), &settings.to_string());
        assert!(message.contains(field), "the error does not contain `{field}`: {message}");
        message
    };
    rejected("no_such_setting", json!(1));
    check_bad_values(schema.fields(), &rejected);
    expect_rejection(Session::start(case.entry, &json!(["not", "a", "table"]), SEED), "a list of settings");
}

/// Tries, for each field, values of the wrong type and out of range. `rejected` checks that the value is
/// rejected and returns the error message, which must contain what the field accepts. (Of a switch, a file
/// and an opponent only the rejection is checked.)
pub(super) fn check_bad_values(fields: &[Field], rejected: &dyn Fn(&str, Value) -> String) {
    for field in fields {
        match &field.kind {
            Kind::Integer { min, max } | Kind::Number { min, max } => {
                for value in
                    [json!(min - 1.0), json!(max * 2.0 + 1.0), json!("seven"), json!(null), json!([1])]
                {
                    let message = rejected(&field.name, value);
                    assert!(message.contains(&format!("from {min} to {max}")), "no range: {message}");
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
                assert!(
                    rejected(&field.name, json!([null])).contains("item 1"),
                    "it does not say which item"
                );
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

/// The error about an option of an evaluation names it as the option of a command, not as an input of the
/// tool. The seed is no such option, because commands have one for it in every lab.
pub(super) fn bad_evaluation_options_are_rejected(case: &Case) {
    let checkpoint = case.start().save();
    let rejected = |option: &str, value: Value| {
        let options = json!({ option: value });
        let message = expect_rejection(case.evaluate(&checkpoint, &options), &options.to_string());
        assert!(message.starts_with(&format!("option `{option}`: ")), "{message}");
        message
    };
    for option in ["no_such_option", "seed"] {
        rejected(option, json!([null]));
    }
    let fields = case.entry.eval_fields();
    check_bad_values(&fields, &rejected);
    for field in fields.iter().filter(|field| field.kind == Kind::File) {
        assert!(rejected(&field.name, json!("")).contains("not an empty text"), "{}", field.name);
    }
}
