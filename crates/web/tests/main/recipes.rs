//! Tests what the host says about the changes of a run, which its recipe repeats: live settings, the seed and
//! data of the user's own.

use learnery_lab::{Change, Recipe};
use learnery_labs::LABS;
use learnery_web::host::Host;
use learnery_web::protocol::{Reply, Request};
use serde_json::{Map, Value, json};

const NOW: f64 = 1000.0;

/// A host with a run of this lab.
fn open(lab: &str, settings: Value) -> Host {
    learnery_web::labs::register(LABS);
    let mut host = Host::default();
    let opened = host.handle(0, Request::Start { lab: lab.into(), settings: table(settings), seed: 7 }, NOW);
    assert!(matches!(opened, Some(Reply::Opened { .. })), "{opened:?}");
    host
}

fn control() -> Host {
    open("control", json!({ "worlds": 8, "horizon": 8, "minibatches": 2, "eval_every": 0 }))
}

fn table(value: Value) -> Map<String, Value> {
    value.as_object().expect("a table").clone()
}

fn step(host: &mut Host, unit: bool) {
    host.handle(0, Request::Step { unit }, NOW);
    finish_work(host);
}

/// Runs slices until what was asked for is done.
fn finish_work(host: &mut Host) {
    while host.has_work() {
        host.slice(1.0, &mut || NOW);
    }
}

/// The answer to a request, which may come after the end of the unit.
fn answer(host: &mut Host, request: Request) -> Option<Reply> {
    host.handle(0, request, NOW).or_else(|| {
        finish_work(host);
        host.take_message(NOW).map(|message| message.reply)
    })
}

fn units(host: &mut Host) -> u64 {
    match host.take_progress() {
        Reply::Progress { progress, .. } => progress.units,
        other => panic!("{other:?}"),
    }
}

/// The changes and the seed of a reply that something was configured.
fn configured(reply: Option<Reply>) -> (Vec<Change>, u32) {
    match reply {
        Some(Reply::Configured { changes, seed, .. }) => (changes, seed),
        other => panic!("{other:?}"),
    }
}

fn save(host: &mut Host, recipe: Option<String>) -> (u64, Option<String>, Vec<u8>) {
    let request = Request::Save { network_only: false, wait: false, fingerprint: true, recipe };
    match answer(host, request) {
        Some(Reply::Saved { units, fingerprint, bytes, .. }) => (units, fingerprint, bytes.into_vec()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn setting_changed_during_a_unit_is_reported_again_when_the_unit_has_ended() {
    let mut host = control();
    step(&mut host, true);
    step(&mut host, false);
    let change = Request::Configure { settings: table(json!({ "clip": 0.1 })) };
    assert_eq!(configured(host.handle(0, change, NOW)).0, [], "it has taken effect already");
    step(&mut host, true);
    let (changes, _) = configured(host.take_message(NOW).map(|message| message.reply));
    assert_eq!(changes.iter().map(|change| change.unit).collect::<Vec<_>>(), [2]);
}

#[test]
fn seed_changes_at_the_end_of_the_unit_and_the_recipe_says_so() {
    let mut host = control();
    step(&mut host, true);
    step(&mut host, false);
    let (changes, seed) = configured(answer(&mut host, Request::Reseed { seed: 9 }));
    assert_eq!((seed, changes[0].unit, units(&mut host)), (9, 2, 2));
    step(&mut host, true);
    let (unit, fingerprint, bytes) = save(&mut host, Some("fused".into()));
    let text = String::from_utf8(bytes).expect("JSON");
    let recipe = Recipe::from_json(&text, LABS).expect("our own recipe");
    assert_eq!((recipe.seed, recipe.units, recipe.changes[0].seed), (7, Some(unit), Some(9)));
    assert_eq!((recipe.class(), recipe.fingerprint()), (Some("fused"), fingerprint.as_deref()));
    // A run that is opened tells its changes at once.
    let (.., bytes) = save(&mut host, None);
    match host.handle(0, Request::Resume { bytes: bytes.into() }, NOW) {
        Some(Reply::Opened { run, .. }) => assert_eq!((run.seed, run.changes), (9, changes)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn own_data_are_taken_at_the_end_of_the_unit() {
    let settings = json!({ "experiment": "figure", "batch": 1, "steps": 2, "epochs": 1 });
    let mut host = open("logic", settings);
    step(&mut host, true);
    step(&mut host, false);
    let target = |planes: &str| Request::Command {
        command: json!({ "type": "target", "planes": planes }),
        bytes: None,
    };
    match answer(&mut host, target("01")) {
        Some(Reply::Refused { request, message }) => {
            assert!(request == "command" && message.contains("cells"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    step(&mut host, false);
    let (changes, _) = configured(answer(&mut host, target("")));
    assert_eq!((changes.len(), changes[0].unit, units(&mut host)), (1, 3, 3));
    assert!(changes[0].data.is_some());
    // Other commands need not wait.
    step(&mut host, false);
    let clear = Request::Command { command: json!({ "type": "clear" }), bytes: None };
    assert_eq!(host.handle(0, clear, NOW), Some(Reply::Executed { text: None }));
}
