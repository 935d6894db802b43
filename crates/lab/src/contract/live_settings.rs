//! Live settings change during a run and reset nothing; other settings need a restart.

use serde_json::{Value, json};

use super::{Case, Uninterrupted, advance, expect_rejection};
use crate::{Budget, Field, Kind, Session};

/// A change of a live setting is accepted and resets nothing. A change of any other setting is rejected with an
/// error that names it and says that it needs a restart. Such a change does not reach a device, so a case with
/// one leaves these out.
pub(super) fn live_settings_do_not_reset(case: &Case, run: &Uninterrupted) {
    let schema = (case.entry.schema)();
    let (live, restart_only): (Vec<&Field>, Vec<&Field>) =
        schema.fields().iter().partition(|field| field.live);
    let change = |session: &mut Session, field: &Field| {
        let value = different_value(&field.kind, &session.config()[&field.name]);
        session.configure(&json!({ &field.name: value }))
    };
    if case.place_on_device.is_none() {
        let mut session = run.resumed_after(case, 1);
        let before = session.save();
        for field in restart_only {
            let result = change(&mut session, field);
            let sentence =
                expect_rejection(result, &format!("a change of `{}` without a restart", field.name));
            assert!(sentence.contains(&field.name) && sentence.contains("restart"), "{sentence}");
            assert!(session.save() == before, "a rejected change of `{}` changed something", field.name);
        }
        advance(&mut session, 1);
        assert!(session.save() == run.after(2), "rejected changes changed the next unit");
    }
    for field in live {
        let mut session = run.resumed_after(case, 1);
        let before = session.save();
        change(&mut session, field).unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
        let after = session.save();
        assert!(after.tensors == before.tensors, "`{}` reset something", field.name);
        assert_eq!((after.header.units, after.header.work), (before.header.units, before.header.work));
        assert_ne!(after.header.config, before.header.config);
        advance(&mut session, 1);
    }
}

/// A change during a unit gives the same run as the same change when that unit has ended.
pub(super) fn live_changes_take_effect_between_units(case: &Case, run: &Uninterrupted) {
    let mut during = run.resumed_after(case, 1);
    during.advance(&mut Budget::steps(1));
    if !during.is_mid_unit() {
        return; // Units of a single step cannot be interrupted.
    }
    let fields = (case.entry.schema)();
    let Some(field) = fields.fields().iter().find(|field| field.live) else { return };
    let change = json!({ &field.name: different_value(&field.kind, &during.config()[&field.name]) });
    let mut between = run.resumed_after(case, 2);
    between.configure(&change).unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
    advance(&mut between, 1);

    during.configure(&change).unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
    assert!(during.changes().is_empty(), "a change took effect during a unit");
    advance(&mut during, 2);
    assert_eq!(during.changes().iter().map(|change| change.unit).collect::<Vec<_>>(), [2]);
    assert!(during.save() == between.save(), "the moment of a change of `{}` mattered", field.name);
}

/// A change that is taken back before the next unit begins leaves no trace, also if the run was saved and
/// resumed between.
pub(super) fn live_change_taken_back_leaves_no_trace(case: &Case, run: &Uninterrupted) {
    let schema = (case.entry.schema)();
    let Some(field) = schema.fields().iter().find(|field| field.live) else { return };
    let mut session = run.resumed_after(case, 1);
    let unchanged = session.fingerprint();
    let before = session.config()[&field.name].clone();
    let accept = |session: &mut Session, value: Value| {
        let change = json!({ &field.name: value });
        session.configure(&change).unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
    };
    accept(&mut session, different_value(&field.kind, &before));
    assert_ne!(session.fingerprint(), unchanged);
    let mut resumed = case.resume(&session.save()).expect("our own checkpoint can be resumed");
    for session in [&mut session, &mut resumed] {
        accept(session, before.clone());
        assert_eq!(session.fingerprint(), unchanged, "a change of `{}` was not taken back", field.name);
    }
}

/// An allowed value of this kind that differs from `now`.
pub(super) fn different_value(kind: &Kind, now: &Value) -> Value {
    match kind {
        // A neighbouring value, because the largest one, for example of a network's width, could make the
        // test slow.
        Kind::Integer { min, max } => {
            let n = now.as_f64().unwrap_or(*min);
            json!(if n < *max { n + 1.0 } else { n - 1.0 })
        }
        Kind::Number { min, max } => {
            let n = now.as_f64().unwrap_or(*min);
            let middle = (min + max) / 2.0;
            json!(if n == middle { *min } else { (n + middle) / 2.0 })
        }
        Kind::Switch => json!(!now.as_bool().unwrap_or(false)),
        Kind::Choice { options } => json!(options.iter().find(|o| now != o.as_str()).unwrap_or(&options[0])),
        _ => unreachable!("`Schema::of` rejects other kinds of settings"),
    }
}
