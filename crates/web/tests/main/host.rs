//! Tests the host, which runs one session (a training run) for the page: starting, training at a pace, progress,
//! settings and commands.

use learnery_web::protocol::{Reply, Request};
use serde_bytes::ByteBuf;
use serde_json::{Map, Value, json};

use crate::test_host::{TestHost, read, small, table};

#[test]
fn labs_each_have_a_bundle() {
    let manifest = include_str!("../../Cargo.toml");
    for entry in learnery_labs::LABS {
        let file = format!("path = \"bundles/{}.rs\"", entry.about.id);
        assert!(manifest.contains(&file), "no bundle holds `{}`; see docs/add-a-lab.md", entry.about.id);
    }
}

#[test]
fn host_without_a_run_refuses_requests() {
    let mut host = TestHost::empty();
    let save = Request::Save { network_only: false, wait: false, fingerprint: false, recipe: None };
    for request in [
        Request::Run { steps_per_second: None },
        Request::Pause,
        Request::Step { unit: true },
        Request::Configure { settings: Map::new() },
        save,
    ] {
        assert!(host.refusal(request).contains("no run is open"));
    }
    assert!(!host.inner.has_work());
    assert!(host.inner.view(0.1, &mut || 0.0).is_none());
}

#[test]
fn peak_is_measured_only_if_the_bundle_registers_how() {
    assert!(learnery_web::labs::peak_measurement().is_none());
    learnery_web::labs::register_peak_measurement(learnery_web::peak::measure);
    let peak = learnery_web::labs::peak_measurement().expect("it is registered");
    let begin = std::time::Instant::now();
    let operations = peak(&|| begin.elapsed().as_secs_f64(), 2);
    assert!((1e8..1e15).contains(&operations), "{operations} operations a second");
}

#[test]
fn start_is_answered_with_complete_settings_and_no_history() {
    let Some(Reply::Opened { run, metrics, progress }) = TestHost::empty().start(small()) else { panic!() };
    assert_eq!((run.lab.as_str(), run.seed), ("control", 7));
    assert_eq!(run.config["worlds"], 16);
    assert!(run.config.len() > table(small()).len(), "the settings are complete");
    assert!(metrics.units.is_empty() && !metrics.values.is_empty());
    assert_eq!((progress.units, progress.work, progress.running), (0, 0, false));
}

#[test]
fn refused_start_keeps_the_open_run() {
    let mut host = TestHost::open();
    host.finish_unit();
    let unknown = host.refusal(Request::Start { lab: "chess".into(), settings: Map::new(), seed: 1 });
    assert!(unknown.contains("no lab `chess`") && unknown.contains("control"), "{unknown}");
    let Some(Reply::Refused { message, .. }) = host.start(json!({"worlds": 0})) else { panic!() };
    assert!(message.contains("`worlds`") && message.contains("from 1 to"), "{message}");
    let damaged = host.refusal(Request::Resume { bytes: ByteBuf::from(b"not a checkpoint".to_vec()) });
    assert!(damaged.starts_with("not a readable safetensors file"), "{damaged}");
    assert_eq!(host.progress().0.units, 1);
}

#[test]
fn step_does_one_step_or_finishes_the_unit() {
    let mut host = TestHost::open();
    host.do_step();
    let first = host.progress().0;
    assert_eq!((first.units, first.running), (0, false));
    assert!(first.work > 0 && first.units_work == 0, "the step is of the unit in progress");
    host.finish_unit();
    let end = host.progress().0;
    assert_eq!((end.units, end.units_work), (1, end.work));
    host.do_step();
    let next = host.progress().0;
    assert!(next.work > end.work && next.units_work == end.work, "{next:?}");
    assert!(
        host.handle(Request::Step { unit: true }).is_none(),
        "slices do the work, so the answer comes later"
    );
    host.finish_work();
    let (progress, metrics) = read(host.take_reply().expect("a step has an answer"));
    assert_eq!((progress.units, metrics.units), (2, vec![2]));
}

/// A unit can take long. Requests between its slices are answered.
#[test]
fn unit_is_finished_in_slices_which_a_pause_ends() {
    let mut host = TestHost::open();
    host.handle(Request::Step { unit: true });
    host.slice(0.0);
    assert!(host.inner.has_work() && host.inner.milliseconds_until_slice(host.now) == 0.0);
    assert!(host.inner.view(0.1, &mut || 0.0).is_some());
    assert!(
        host.inner.take_message(host.now + 1000.0).map(|message| message.reply).is_none(),
        "progress is the answer to the step, so it waits"
    );
    let (progress, _) = read(host.handle(Request::Pause).expect("a pause has an answer"));
    assert_eq!((progress.units, host.inner.has_work()), (0, false));
    // So is a unit at whose end the run is saved.
    let (mut slices, mut saved) = (0, None);
    let save = Request::Save { network_only: false, wait: false, fingerprint: false, recipe: None };
    assert!(host.handle(save).is_none());
    while saved.is_none() {
        host.slice(0.0);
        slices += 1;
        saved = host.take_reply().filter(|reply| matches!(reply, Reply::Saved { .. }));
    }
    assert!(slices > 2, "{slices}");
    assert!(matches!(saved, Some(Reply::Saved { units: 1, .. })));
    assert!(!host.inner.has_work());
}

#[test]
fn progress_sends_each_unit_once_and_at_most_every_50_ms() {
    let mut host = TestHost::open();
    host.run(None);
    let (mut units, mut messages, begin) = (Vec::new(), 0.0, host.now);
    while units.len() < 20 {
        host.slice(12.0);
        host.now += 1.0;
        if let Some(reply) = host.take_reply() {
            let (_, metrics) = read(reply);
            assert!(metrics.values.iter().all(|column| column.len() == metrics.units.len()));
            units.extend(metrics.units);
            messages += 1.0;
        }
    }
    assert!(units.iter().copied().eq(1..=units.len() as u64), "{units:?}");
    // One more at the start, and one when the goal is reached.
    assert!(messages <= (host.now - begin) / 50.0 + 2.0, "{messages} messages in {} ms", host.now - begin);
}

#[test]
fn paused_run_does_no_work() {
    let mut host = TestHost::open();
    host.run(None);
    host.slice(5.0);
    let (progress, _) = read(host.handle(Request::Pause).expect("a pause has an answer"));
    assert!(!progress.running && progress.work > 0);
    host.slice(50.0);
    assert_eq!(
        host.inner.take_message(host.now + 1e6).map(|message| message.reply),
        None,
        "there is nothing new to send"
    );
    assert_eq!(host.progress().0.work, progress.work);
}

#[test]
fn slow_motion_keeps_its_rate_and_does_not_catch_up_after_a_pause() {
    let mut host = TestHost::open();
    let mut probe = TestHost::open();
    probe.do_step();
    let per_step = probe.progress().0.work;
    host.run(Some(10.0));
    host.slice(12.0);
    assert_eq!(host.progress().0.work, 0, "no time has passed yet");
    assert!(
        (host.inner.milliseconds_until_slice(host.now) - 100.0).abs() < 1.0,
        "{}",
        host.inner.milliseconds_until_slice(host.now)
    );
    for done in 1..=10 {
        host.now += 100.0;
        host.slice(12.0);
        assert_eq!(host.progress().0.work, done * per_step);
    }
    host.now += 60_000.0;
    host.slice(12.0);
    // Ten steps before the pause, and at most three for the short part of it that is made up for.
    assert!(host.progress().0.work <= 13 * per_step, "it caught up after a long pause");
    host.run(None);
    assert_eq!(host.inner.milliseconds_until_slice(host.now), 0.0, "full speed ends slow motion");
}

/// The worker sets its timer anew after every request, and the page asks for views many times between two
/// steps.
#[test]
fn slow_motion_keeps_its_rate_whether_or_not_views_are_requested() {
    let mut probe = TestHost::open();
    probe.do_step();
    let per_step = probe.progress().0.work;
    for rate in [1.0, 10.0] {
        for milliseconds_between_views in [16.0, f64::INFINITY] {
            let mut host = TestHost::open();
            host.run(Some(rate));
            // The first steps of a unit collect, and each does the same work.
            let end = host.now + 10_500.0 / rate;
            let mut next_view = host.now + milliseconds_between_views;
            while host.now < end {
                let next_slice = host.now + host.inner.milliseconds_until_slice(host.now);
                host.now = next_slice.min(next_view);
                if next_slice <= next_view {
                    host.slice(12.0);
                } else {
                    let mut now = || host.now;
                    assert!(host.inner.view(0.016, &mut now).is_some());
                    next_view += milliseconds_between_views;
                }
            }
            let steps = host.progress().0.work / per_step;
            assert!(steps.abs_diff(10) <= 1, "{steps} steps instead of 10");
        }
    }
}

#[test]
fn resumed_run_continues_with_the_same_bits() {
    let (mut straight, mut first, mut second) = (TestHost::open(), TestHost::open(), TestHost::empty());
    for host in [&mut straight, &mut first] {
        (0..3).for_each(|_| host.finish_unit());
    }
    let (_, bytes) = first.save_run();
    let Some(Reply::Opened { run, metrics, progress }) = second.handle(Request::Resume { bytes }) else {
        panic!()
    };
    assert_eq!((run.seed, progress.units), (7, 3));
    assert_eq!(metrics.units, [1, 2, 3]);
    for host in [&mut straight, &mut second] {
        (0..2).for_each(|_| host.finish_unit());
    }
    assert!(straight.save_run() == second.save_run(), "the two runs differ");
}

#[test]
fn network_alone_cannot_be_continued() {
    let mut host = TestHost::open();
    host.finish_unit();
    let (_, bytes) = host.save_network();
    assert!(bytes.len() < host.save_run().1.len());
    assert!(host.refusal(Request::Resume { bytes }).contains("only the network"));
}

#[test]
fn live_settings_change_at_once_and_others_are_refused_by_name() {
    let mut host = TestHost::open();
    let change = |settings: Value| Request::Configure { settings: table(settings) };
    let Some(Reply::Configured { config, .. }) = host.handle(change(json!({"learning_rate": 0.002}))) else {
        panic!()
    };
    assert_eq!(config["learning_rate"], 0.002);
    let refusal = host.refusal(change(json!({"worlds": 32})));
    assert!(refusal.contains("`worlds`") && refusal.contains("restart"), "{refusal}");
}

#[test]
fn commands_are_answered() {
    let mut host = TestHost::open();
    let push = json!({"type": "push", "strength": 1.0});
    assert_eq!(
        host.handle(Request::Command { command: push, bytes: None }),
        Some(Reply::Executed { text: None })
    );
    assert!(
        host.refusal(Request::Command { command: json!({"type": "sing"}), bytes: None }).contains("sing")
    );
}

/// A command is JSON, and its file comes beside it. A player that came so can be played against.
#[test]
fn command_may_come_with_a_file() {
    let mut host = TestHost::empty();
    let settings = json!({ "hidden": 16, "second": 8, "race": 8, "games": 8, "replay": 8 });
    let start = Request::Start { lab: "backgammon".into(), settings: table(settings), seed: 1 };
    assert!(matches!(host.handle(start), Some(Reply::Opened { .. })));
    let (_, player) = host.save_network();
    let play = || Request::Command { command: json!({"type": "newGame", "players": "expert"}), bytes: None };
    let command = |kind: &str, bytes| Request::Command { command: json!({ "type": kind }), bytes };
    assert!(host.refusal(play()).contains("no trained player"));
    assert!(host.refusal(command("invite", None)).contains("the invited player"));
    assert!(host.refusal(command("next", Some(player.clone()))).contains("only `invite` has a file"));
    let in_json = Request::Command { command: json!({"type": "invite", "checkpoint": "UEs"}), bytes: None };
    assert!(host.refusal(in_json).contains("checkpoint"));
    assert_eq!(host.handle(command("invite", Some(player.clone()))), Some(Reply::Executed { text: None }));
    assert_eq!(host.handle(play()), Some(Reply::Executed { text: None }));
    let mut other = TestHost::open();
    assert!(other.refusal(command("resetStage", Some(player.clone()))).contains("no file"));
    // Data of a run are recorded, as JSON.
    let drawing = Request::Command { command: json!({"type": "target", "planes": ""}), bytes: Some(player) };
    let start = Request::Start { lab: "logic".into(), settings: table(json!({})), seed: 1 };
    assert!(matches!(other.handle(start), Some(Reply::Opened { .. })));
    assert!(other.refusal(drawing).contains("not as a file"));
}
