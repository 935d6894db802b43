//! Restarts, the count of changed gates, and checkpoints that no run can have written.

use learnery_lab::{Checkpoint, Entry, Preset, Session};

use super::*;

const LAB: Entry = Entry::of::<Logic>();

fn resumed(file: &[u8]) -> Session {
    let checkpoint = Checkpoint::from_bytes(file).expect("the file is intact");
    Session::resume(LAB, &checkpoint).expect("the checkpoint is intact")
}

/// A run with units of two epochs that restarts after four epochs without progress. It makes none, so
/// every attempt lasts two units.
fn start() -> Session {
    let settings = json!({ "batch": 1, "steps": 2, "epochs": 2, "anew_after": 4, "scatter": 0.1 });
    Session::start(LAB, &settings, 3).expect("the settings are good")
}

#[test]
fn run_with_restarts_is_bit_identical_on_any_number_of_threads_and_from_any_checkpoint() {
    // Returns the attempt and the checkpoint after each of five units.
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| {
            let mut session = start();
            let files = (0..5).map(|_| {
                session.advance_unit();
                (session.row().get("attempt"), session.save().to_bytes())
            });
            files.collect::<Vec<_>>()
        })
    };
    let files = run(1);
    assert_eq!(files.iter().map(|(attempt, _)| *attempt).collect::<Vec<_>>(), [1.0, 1.0, 2.0, 2.0, 3.0]);
    assert!(files == run(3), "another number of threads");
    for (i, (_, file)) in files.iter().enumerate() {
        let mut session = resumed(file);
        for (_, later) in &files[i + 1..] {
            session.advance_unit();
            assert!(session.save().to_bytes() == *later, "continued after unit {}", i + 1);
        }
    }
}

#[test]
fn no_gate_counts_as_changed_before_training_changes_one() {
    for Preset { name, settings, .. } in about::ABOUT.presets {
        let mut config = serde_json::to_value(LogicConfig::default()).expect("plain data");
        let settings: serde_json::Map<String, Value> = serde_json::from_str(settings).expect("an object");
        config.as_object_mut().expect("an object").extend(settings);
        let network = Network::new(&serde_json::from_value(config).expect("good settings"), 1);
        let mut kinds = vec![0; network.circuits.gates()];
        network.most_likely_kinds(&mut kinds, None);
        assert!(kinds.iter().all(|kind| GateKind::from_number(*kind).is_plain_wire()), "{name}");
        let has_second = kinds.contains(&GateKind::B.number());
        assert!(has_second || *name != "checkerboard", "some start with their second input");
    }
    let changed = |learning_rate: f64| {
        let settings = json!({ "batch": 1, "steps": 2, "epochs": 20, "learning_rate": learning_rate });
        let mut session = Session::start(LAB, &settings, 3).expect("the settings are good");
        session.advance_unit();
        session.row().get("changed")
    };
    assert_eq!(changed(0.0), 0.0);
    assert!(changed(0.5) > 0.0);
}

#[test]
fn checkpoint_with_more_units_than_its_epochs_is_rejected() {
    let mut session = start();
    session.advance_unit();
    let mut checkpoint = session.save();
    for units in [u64::MAX, 1 << 40, 100] {
        checkpoint.header.units = units;
        assert!(Session::resume(LAB, &checkpoint).is_err(), "{units} units of 2 epochs");
    }
}
