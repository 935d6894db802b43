//! The worker's side of the conversation, driven as a worker drives it, with a clock of our own.
#![cfg(not(target_arch = "wasm32"))]

use learnery_web::host::Host;
use learnery_web::protocol::{Columns, Progress, Reply, Request};
use serde_bytes::ByteBuf;
use serde_json::{Map, Value, json};

#[test]
fn every_lab_has_a_bundle() {
    let manifest = include_str!("../Cargo.toml");
    for entry in learnery_labs::LABS {
        let file = format!("path = \"bundles/{}.rs\"", entry.about.id);
        assert!(manifest.contains(&file), "no bundle holds `{}`: see docs/add-a-lab.md", entry.about.id);
    }
}

/// A host with a clock that moves a little whenever it is looked at.
struct Desk {
    host: Host,
    now: f64,
}

impl Desk {
    fn empty() -> Self {
        learnery_web::labs::hold(learnery_labs::LABS);
        Self { host: Host::default(), now: 1000.0 }
    }

    /// With a run small enough for a test.
    fn open() -> Self {
        let mut desk = Self::empty();
        desk.start(small());
        desk
    }

    fn start(&mut self, settings: Value) -> Option<Reply> {
        self.ask(Request::Start { lab: "control".into(), settings: table(settings), seed: 7 })
    }

    fn ask(&mut self, request: Request) -> Option<Reply> {
        self.host.handle(request, self.now)
    }

    fn step(&mut self, unit: bool) {
        self.ask(Request::Step { unit });
    }

    fn run(&mut self, steps_per_second: Option<f64>) {
        self.ask(Request::Run { steps_per_second });
    }

    fn slice(&mut self, milliseconds: f64) {
        let now = &mut self.now;
        self.host.slice(milliseconds, &mut || {
            *now += 0.01;
            *now
        });
    }

    fn progress(&mut self) -> (Progress, Columns) {
        read(self.host.progress())
    }

    fn save(&mut self, network_only: bool) -> (u64, ByteBuf) {
        match self.ask(Request::Save { purpose: "test".into(), network_only, wait: false }) {
            Some(Reply::Saved { units, bytes, .. }) => (units, bytes),
            other => panic!("{other:?}"),
        }
    }

    fn refusal(&mut self, request: Request) -> String {
        match self.ask(request) {
            Some(Reply::Refused { message, .. }) => message,
            other => panic!("not refused: {other:?}"),
        }
    }
}

fn read(reply: Reply) -> (Progress, Columns) {
    match reply {
        Reply::Progress { progress, metrics } => (progress, metrics),
        other => panic!("{other:?}"),
    }
}

fn table(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("a table")
}

fn small() -> Value {
    json!({"worlds": 16, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2})
}

#[test]
fn nothing_can_be_asked_of_a_host_without_a_run() {
    let mut desk = Desk::empty();
    let save = Request::Save { purpose: "test".into(), network_only: false, wait: false };
    for request in [
        Request::Run { steps_per_second: None },
        Request::Pause,
        Request::Step { unit: true },
        Request::Configure { settings: Map::new() },
        save,
    ] {
        assert!(desk.refusal(request).contains("no run is open"));
    }
    assert!(!desk.host.is_running());
    assert!(desk.host.view(0.1).is_none());
}

#[test]
fn only_a_bundle_that_says_how_measures_the_machine() {
    assert!(learnery_web::labs::peak().is_none());
    learnery_web::labs::measure_peak_by(learnery_web::peak::peak);
    let peak = learnery_web::labs::peak().expect("just said");
    let begin = std::time::Instant::now();
    let operations = peak(&|| begin.elapsed().as_secs_f64(), 2);
    assert!((1e8..1e15).contains(&operations), "{operations} operations a second");
}

#[test]
fn a_start_is_answered_with_everything_there_is_to_know() {
    let Some(Reply::Opened { run, metrics, progress }) = Desk::empty().start(small()) else { panic!() };
    assert_eq!((run.lab.as_str(), run.seed), ("control", 7));
    assert_eq!(run.config["worlds"], 16);
    assert!(run.config.len() > table(small()).len(), "the settings are complete");
    assert!(metrics.units.is_empty() && !metrics.values.is_empty());
    assert_eq!((progress.units, progress.work, progress.running), (0, 0, false));
}

#[test]
fn a_refused_start_leaves_the_open_run_as_it_was() {
    let mut desk = Desk::open();
    desk.step(true);
    let unknown = desk.refusal(Request::Start { lab: "chess".into(), settings: Map::new(), seed: 1 });
    assert!(unknown.contains("no lab `chess`") && unknown.contains("control"), "{unknown}");
    let Some(Reply::Refused { message, .. }) = desk.start(json!({"worlds": 0})) else { panic!() };
    assert!(message.contains("`worlds`") && message.contains("from 1 to"), "{message}");
    let damaged = desk.refusal(Request::Resume { bytes: ByteBuf::from(b"not a checkpoint".to_vec()) });
    assert!(damaged.starts_with("checkpoint: "), "{damaged}");
    assert_eq!(desk.progress().0.units, 1);
}

#[test]
fn a_step_is_one_step_and_a_unit_is_finished_exactly() {
    let mut desk = Desk::open();
    desk.step(false);
    let first = desk.progress().0;
    assert_eq!((first.units, first.running), (0, false));
    desk.step(true);
    let reply = desk.ask(Request::Step { unit: true }).expect("a step is answered");
    let (progress, metrics) = read(reply);
    assert_eq!((progress.units, metrics.units), (2, vec![2]));
}

#[test]
fn a_save_may_wait_for_the_end_of_the_unit() {
    let mut desk = Desk::open();
    desk.step(false);
    let save = |wait| Request::Save { purpose: "kept".into(), network_only: false, wait };
    assert!(desk.ask(save(true)).is_none(), "the unit is not hurried");
    assert_eq!(desk.progress().0.units, 0);
    desk.step(true);
    match desk.host.news(desk.now) {
        Some(Reply::Saved { purpose, units, .. }) => assert_eq!((purpose.as_str(), units), ("kept", 1)),
        other => panic!("{other:?}"),
    }
    // At the end of a unit there is nothing to wait for.
    assert!(matches!(desk.ask(save(true)), Some(Reply::Saved { units: 1, .. })));
}

#[test]
fn flat_out_every_unit_is_told_once_and_the_page_is_not_flooded() {
    let mut desk = Desk::open();
    desk.run(None);
    let (mut units, mut told, begin) = (Vec::new(), 0.0, desk.now);
    while units.len() < 20 {
        desk.slice(12.0);
        desk.now += 1.0;
        if let Some(reply) = desk.host.news(desk.now) {
            let (_, metrics) = read(reply);
            assert!(metrics.values.iter().all(|column| column.len() == metrics.units.len()));
            units.extend(metrics.units);
            told += 1.0;
        }
    }
    assert!(units.iter().copied().eq(1..=units.len() as u64), "{units:?}");
    // One more at the start, and one when the goal is reached.
    assert!(told <= (desk.now - begin) / 50.0 + 2.0, "{told} messages in {} ms", desk.now - begin);
}

#[test]
fn a_paused_run_stands_still() {
    let mut desk = Desk::open();
    desk.run(None);
    desk.slice(5.0);
    let (progress, _) = read(desk.ask(Request::Pause).expect("a pause is answered"));
    assert!(!progress.running && progress.work > 0);
    desk.slice(50.0);
    assert_eq!(desk.host.news(desk.now + 1e6), None, "there is nothing new to tell");
    assert_eq!(desk.progress().0.work, progress.work);
}

#[test]
fn slow_motion_keeps_its_pace() {
    let mut desk = Desk::open();
    let mut probe = Desk::open();
    probe.step(false);
    let per_step = probe.progress().0.work;
    desk.run(Some(10.0));
    desk.slice(12.0);
    assert_eq!(desk.progress().0.work, 0, "no time has passed yet");
    assert!((desk.host.rest() - 100.0).abs() < 1.0, "{}", desk.host.rest());
    for done in 1..=10 {
        desk.now += 100.0;
        desk.slice(12.0);
        assert_eq!(desk.progress().0.work, done * per_step);
    }
    desk.now += 60_000.0;
    desk.slice(12.0);
    assert!(desk.progress().0.work <= 13 * per_step, "after a long sleep it does not race to catch up");
    desk.run(None);
    assert_eq!(desk.host.rest(), 0.0, "pressing on ends slow motion");
}

#[test]
fn saving_in_the_middle_of_a_unit_finishes_it_and_tells_so() {
    let mut desk = Desk::open();
    desk.step(false);
    assert_eq!(desk.save(false).0, 1);
    let (progress, metrics) = read(desk.host.news(desk.now).expect("the page is told"));
    assert_eq!((progress.units, metrics.units), (1, vec![1]));
}

#[test]
fn a_resumed_run_goes_on_as_if_nothing_had_happened() {
    let (mut straight, mut first, mut second) = (Desk::open(), Desk::open(), Desk::empty());
    for desk in [&mut straight, &mut first] {
        (0..3).for_each(|_| desk.step(true));
    }
    let (_, bytes) = first.save(false);
    let Some(Reply::Opened { run, metrics, progress }) = second.ask(Request::Resume { bytes }) else {
        panic!()
    };
    assert_eq!((run.seed, progress.units), (7, 3));
    assert_eq!(metrics.units, [1, 2, 3]);
    for desk in [&mut straight, &mut second] {
        (0..2).for_each(|_| desk.step(true));
    }
    assert!(straight.save(false) == second.save(false), "the two runs differ");
}

#[test]
fn a_network_alone_cannot_be_continued() {
    let mut desk = Desk::open();
    desk.step(true);
    let (_, bytes) = desk.save(true);
    assert!(bytes.len() < desk.save(false).1.len());
    assert!(desk.refusal(Request::Resume { bytes }).contains("only the network"));
}

#[test]
fn live_settings_hold_at_once_and_others_are_refused_by_name() {
    let mut desk = Desk::open();
    let change = |settings: Value| Request::Configure { settings: table(settings) };
    let Some(Reply::Configured { config }) = desk.ask(change(json!({"learning_rate": 0.002}))) else {
        panic!()
    };
    assert_eq!(config["learning_rate"], 0.002);
    let refusal = desk.refusal(change(json!({"worlds": 32})));
    assert!(refusal.contains("`worlds`") && refusal.contains("restart"), "{refusal}");
}

#[test]
fn commands_are_carried_out_in_silence_or_refused() {
    let mut desk = Desk::open();
    let push = json!({"type": "push", "strength": 1.0});
    assert_eq!(desk.ask(Request::Command { command: push }), None);
    assert!(desk.refusal(Request::Command { command: json!({"type": "sing"}) }).contains("sing"));
}
