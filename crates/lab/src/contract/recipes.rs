//! A run can go on with another seed, and the recipe of a run repeats it to the same fingerprint.

use serde_json::{Value, json};

use super::live_settings::different_value;
use super::{Case, SEED, UNITS, Uninterrupted, advance, expect_rejection};
use crate::{Budget, Recipe, Session};

const OTHER_SEED: u32 = SEED + 7;

/// A run that goes on with another seed computes other bits from there on, the same for the same seed and on
/// any number of threads, from a checkpoint as well.
pub(super) fn seed_can_change_between_units(case: &Case, run: &Uninterrupted) {
    let go_on = |session: &mut Session, seed: u32| {
        case.reseed(session, seed);
        assert_eq!((session.seed(), session.units()), (seed, 1));
        advance(session, UNITS - 1);
        session.save()
    };
    let mut session = case.start();
    advance(&mut session, 1);
    let changed = go_on(&mut session, OTHER_SEED);
    let reseeded = |threads: usize, seed: u32| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| go_on(&mut run.resumed_after(case, 1), seed))
    };
    assert!(changed.tensors != run.after(UNITS).tensors, "the new seed is ignored");
    assert!(changed.tensors != reseeded(1, OTHER_SEED + 1).tensors, "every new seed gives the same bits");
    assert!(changed == reseeded(4, OTHER_SEED), "4 threads changed the bits");

    // A change of the seed does what another seed in the file does, from which the run is resumed.
    let mut file = run.after(1);
    file.header.seed = OTHER_SEED;
    let mut resumed = case.resume(&file).expect("it can be continued with any seed");
    advance(&mut resumed, UNITS - 1);
    assert!(resumed.save().tensors == changed.tensors, "a part of the run kept the old seed");

    // A file with the change is resumed with the same bits.
    let mut resumed = case.resume(&changed).expect("our own file can be resumed");
    assert!(resumed.save().to_bytes() == changed.to_bytes(), "resuming changed the file");
    let mut contradictory = changed;
    contradictory.header.seed = SEED;
    expect_rejection(case.resume(&contradictory), "a seed that contradicts its changes");
}

/// A change of the seed that is taken back before the next unit leaves no trace. A change during a unit takes
/// effect after it, and a change before the first unit is refused.
pub(super) fn seed_changes_between_units_only(case: &Case, run: &Uninterrupted) {
    expect_rejection(case.start().reseed(OTHER_SEED), "another seed of a run that has not begun");
    let mut session = run.resumed_after(case, 1);
    let unchanged = session.fingerprint();
    case.reseed(&mut session, OTHER_SEED);
    assert_ne!(session.fingerprint(), unchanged);
    case.reseed(&mut session, SEED);
    assert_eq!(session.fingerprint(), unchanged, "a change of the seed was not taken back");

    session.advance(&mut Budget::steps(1));
    // The change finishes the second unit. A unit of a lab with one step a unit is finished already.
    let units = if session.is_mid_unit() { 2 } else { session.units() };
    case.reseed(&mut session, OTHER_SEED);
    assert_eq!((session.units(), session.is_mid_unit()), (units, false));
    assert_eq!(session.changes().last().map(|change| change.unit), Some(units));
}

/// The recipe of a run with changes of a live setting and of the seed, read from a file and from a link,
/// repeats the run to the same fingerprint.
pub(super) fn recipe_repeats_the_run(case: &Case) {
    let mut session = case.start();
    advance(&mut session, 1);
    let schema = (case.entry.schema)();
    if let Some(field) = schema.fields().iter().find(|field| field.live) {
        let change = json!({ &field.name: different_value(&field.kind, &session.config()[&field.name]) });
        session.configure(&change).unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
    }
    case.reseed(&mut session, OTHER_SEED);
    advance(&mut session, 1);
    case.reseed(&mut session, OTHER_SEED + 1);
    advance(&mut session, UNITS - 2);
    let checkpoint = session.save();
    let recipe = Recipe::of_checkpoint(&case.entry, &checkpoint, None).expect("every run has a recipe");
    // Setting and seed changed at the same unit, which is one change.
    assert_eq!((recipe.seed, recipe.units, recipe.changes.len()), (SEED, Some(UNITS), 2));
    assert_eq!(recipe.fingerprint(), Some(&checkpoint.fingerprint()[..]));

    let entries: &'static [_] = Box::leak(Box::new([case.entry]));
    let from_file = Recipe::from_json(&recipe.to_json(), entries).expect("our own file can be read");
    assert_eq!(from_file, recipe);
    let link = recipe.to_link(&case.entry).expect("it has no data of its own");
    let from_link = Recipe::from_link(&link, entries).expect("our own link can be read");
    // A link has only the first digits of the fingerprint.
    assert!(recipe.fingerprint().unwrap_or_default().starts_with(from_link.fingerprint().expect("its bits")));
    assert_eq!(Recipe { bits: None, ..from_link.clone() }, Recipe { bits: None, ..recipe });

    let mut repeated = from_link.start(&case.entry).expect("its settings are good");
    case.place(&mut repeated).expect("the device can be used");
    for _ in 0..UNITS {
        from_link.apply_changes(&mut repeated).expect("its changes are good");
        // A change of the seed brings a run back to the CPU.
        case.place(&mut repeated).expect("the device can be used");
        repeated.advance_unit();
    }
    from_link.apply_changes(&mut repeated).expect("its changes are good");
    assert!(repeated.save().to_bytes() == checkpoint.to_bytes(), "the recipe gives another run: {link}");

    // A file whose settings are not those that its changes lead to has no recipe.
    if let Some(name) = checkpoint.header.changes[0].after.keys().next() {
        let mut contradictory = checkpoint.clone();
        contradictory.header.config.insert(name.clone(), Value::Null);
        expect_rejection(Recipe::of_checkpoint(&case.entry, &contradictory, None), "contradictory settings");
    }
    let network = checkpoint.network_only();
    expect_rejection(Recipe::of_checkpoint(&case.entry, &network, None), "a network alone");
    // Nothing says how the network was trained that a run continues from.
    let Ok(mut continued) = Session::resume(case.entry, &network) else { return };
    assert_eq!(continued.network_since(), Some(UNITS));
    for _ in 0..2 {
        advance(&mut continued, 1);
        let saved = continued.save();
        expect_rejection(Recipe::of_checkpoint(&case.entry, &saved, None), "continued from a network alone");
        continued = Session::resume(case.entry, &saved).expect("its own file");
    }
}
