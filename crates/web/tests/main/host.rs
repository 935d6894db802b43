//! Tests the host, which runs one session (a training run) for the page, with a simulated clock. A *unit* is
//! one training iteration, a *step* its smallest interruptible piece, and a *slice* some milliseconds of work
//! between two messages.

use learnery_web::host::Host;
use learnery_web::protocol::{Columns, Progress, Reply, Request};
use serde_bytes::ByteBuf;
use serde_json::{Map, Value, json};

#[test]
fn labs_each_have_a_bundle() {
    let manifest = include_str!("../../Cargo.toml");
    for entry in learnery_labs::LABS {
        let file = format!("path = \"bundles/{}.rs\"", entry.about.id);
        assert!(manifest.contains(&file), "no bundle holds `{}`; see docs/add-a-lab.md", entry.about.id);
    }
}

/// A host with a simulated clock, in milliseconds. During a slice it advances by 0.01 ms each time the host
/// reads it.
struct TestHost {
    inner: Host,
    now: f64,
}

impl TestHost {
    fn empty() -> Self {
        learnery_web::labs::register(learnery_labs::LABS);
        Self { inner: Host::default(), now: 1000.0 }
    }

    /// With an open run, small enough for a test.
    fn open() -> Self {
        let mut host = Self::empty();
        host.start(small());
        host
    }

    fn start(&mut self, settings: Value) -> Option<Reply> {
        self.handle(Request::Start { lab: "control".into(), settings: table(settings), seed: 7 })
    }

    fn handle(&mut self, request: Request) -> Option<Reply> {
        self.inner.handle(0, request, self.now)
    }

    /// The next message that is due, without the number of its request.
    fn take_reply(&mut self) -> Option<Reply> {
        self.inner.take_message(self.now).map(|message| message.reply)
    }

    /// The numbers of the requests that the messages which are due answer.
    fn take_ids(&mut self) -> Vec<Option<u32>> {
        std::iter::from_fn(|| self.inner.take_message(self.now).map(|message| message.id)).collect()
    }

    fn do_step(&mut self) {
        self.handle(Request::Step { unit: false });
    }

    /// Does steps until the unit is finished.
    fn finish_unit(&mut self) {
        self.handle(Request::Step { unit: true });
        self.finish_work();
    }

    /// Runs slices until what was asked for is done.
    fn finish_work(&mut self) {
        while self.inner.has_work() {
            self.slice(10.0);
        }
    }

    /// Lets the session run: in slow motion at this rate, or with `None` at full speed.
    fn run(&mut self, steps_per_second: Option<f64>) {
        self.handle(Request::Run { steps_per_second });
    }

    fn slice(&mut self, milliseconds: f64) {
        let now = &mut self.now;
        self.inner.slice(milliseconds, &mut || {
            *now += 0.01;
            *now
        });
    }

    fn progress(&mut self) -> (Progress, Columns) {
        read(self.inner.take_progress())
    }

    /// Saves the run. Returns the number of completed units and the file.
    fn save_run(&mut self) -> (u64, ByteBuf) {
        self.save(false)
    }

    /// Saves the network alone.
    fn save_network(&mut self) -> (u64, ByteBuf) {
        self.save(true)
    }

    fn save(&mut self, network_only: bool) -> (u64, ByteBuf) {
        let request = Request::Save { network_only, wait: false, fingerprint: false, recipe: None };
        // In the middle of a unit the answer comes after its end.
        let reply = self.handle(request).or_else(|| {
            self.finish_work();
            self.take_reply()
        });
        match reply {
            Some(Reply::Saved { units, bytes, .. }) => (units, bytes),
            other => panic!("{other:?}"),
        }
    }

    /// The error message for a request that must be refused.
    fn refusal(&mut self, request: Request) -> String {
        match self.handle(request) {
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

/// Settings of the control lab with which a unit takes milliseconds.
fn small() -> Value {
    json!({"worlds": 16, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2})
}

/// A request to save, with which the unit in progress goes on at the present pace (`wait`) or is finished at
/// once.
fn kept(wait: bool) -> Request {
    Request::Save { network_only: false, wait, fingerprint: false, recipe: None }
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
    host.finish_unit();
    assert_eq!(host.progress().0.units, 1);
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
fn save_can_wait_for_the_end_of_the_unit() {
    let mut host = TestHost::open();
    host.do_step();
    assert!(host.handle(kept(true)).is_none(), "the save did not wait");
    assert_eq!(host.progress().0.units, 0);
    host.finish_unit();
    match host.take_reply() {
        Some(Reply::Saved { units, .. }) => assert_eq!(units, 1),
        other => panic!("{other:?}"),
    }
    // At the end of a unit there is nothing to wait for.
    assert!(matches!(host.handle(kept(true)), Some(Reply::Saved { units: 1, .. })));
}

#[test]
fn replies_have_the_numbers_of_their_requests() {
    let mut host = TestHost::open();
    host.do_step();
    let now = host.now;
    // Both wait for the end of the unit, and neither replaces the other.
    assert!(host.inner.handle(1, kept(true), now).is_none());
    assert!(host.inner.handle(2, kept(true), now).is_none());
    assert!(host.inner.handle(3, Request::Reseed { seed: 9 }, now).is_none());
    host.finish_work();
    let (mut ids, unasked): (Vec<_>, Vec<_>) = host.take_ids().into_iter().partition(Option::is_some);
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2), Some(3)]);
    assert!(!unasked.is_empty(), "the progress of the unit");

    // A step that a pause ends is answered too, and a step that another one replaces.
    let unit = || Request::Step { unit: true };
    assert!(host.inner.handle(4, unit(), now).is_none());
    assert!(host.inner.handle(5, unit(), now).is_none());
    assert!(matches!(host.inner.handle(6, Request::Pause, now), Some(Reply::Progress { .. })));
    assert_eq!(host.take_ids(), [Some(4), Some(5)]);
    assert!(host.inner.handle(7, unit(), now).is_none());
    host.finish_work();
    assert_eq!(host.take_ids(), [Some(7)]);
}

#[test]
fn numbers_stay_with_requests_that_wait_for_the_next_run() {
    let mut host = TestHost::open();
    host.do_step();
    host.take_ids();
    let now = host.now;
    let start = Request::Start { lab: "control".into(), settings: table(small()), seed: 8 };
    assert!(host.inner.handle(1, kept(false), now).is_none());
    assert!(host.inner.handle(2, start, now).is_none());
    assert!(host.inner.handle(3, Request::Pause, now).is_none());
    assert!(host.inner.handle(4, kept(false), now).is_none());
    host.finish_work();
    let mut ids = host.take_ids();
    ids.retain(Option::is_some);
    assert_eq!(ids, [Some(1), Some(4), Some(2), Some(3)]);
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
fn save_in_the_middle_of_a_unit_finishes_it_and_sends_its_row() {
    let mut host = TestHost::open();
    host.do_step();
    assert_eq!(host.save_run().0, 1);
    let (progress, metrics) = read(host.take_reply().expect("progress is due"));
    assert_eq!((progress.units, metrics.units), (1, vec![1]));
}

/// The messages that are due without a new request.
fn messages(host: &mut TestHost) -> Vec<Reply> {
    std::iter::from_fn(|| host.take_reply()).collect()
}

#[test]
fn run_that_is_replaced_in_the_middle_of_a_unit_is_saved_first() {
    let (mut host, mut alone) = (TestHost::open(), TestHost::open());
    for host in [&mut host, &mut alone] {
        host.finish_unit();
        host.do_step();
    }
    host.run(None); // it would go on after the end of the unit
    messages(&mut host);
    assert!(host.handle(kept(false)).is_none());
    let settings = json!({"worlds": 8, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2});
    assert!(host.start(settings).is_none(), "the run was replaced before it was saved");
    // Requests that follow are for the new run.
    assert!(host.handle(Request::Step { unit: true }).is_none());
    host.finish_work();
    let replies = messages(&mut host);
    let [Reply::Saved { units: 2, bytes, .. }, Reply::Opened { run, metrics, .. }, .., last] = &replies[..]
    else {
        panic!("{replies:?}")
    };
    assert!(*bytes == alone.save_run().1, "the save differs from that of a run which nothing replaces");
    assert!(run.config["worlds"] == 8 && metrics.units.is_empty());
    let (progress, metrics) = read(last.clone());
    assert_eq!((progress.units, metrics.units, progress.running), (1, vec![1], false));
}

#[test]
fn two_restarts_while_a_save_waits_are_both_answered_after_it() {
    let mut host = TestHost::open();
    host.finish_unit();
    host.do_step();
    messages(&mut host);
    for _ in 0..2 {
        assert!(host.handle(kept(false)).is_none() && host.start(small()).is_none());
    }
    host.finish_work();
    let mut replies = messages(&mut host);
    replies.retain(|reply| !matches!(reply, Reply::Progress { .. }));
    let is_expected = match &replies[..] {
        // Until the first restart is carried out, saves are of the run that is open.
        [Reply::Saved { units: 2, bytes, .. }, Reply::Saved { units: 2, bytes: again, .. }, rest @ ..] => {
            bytes == again && matches!(rest, [Reply::Opened { .. }, Reply::Opened { .. }])
        }
        _ => false,
    };
    assert!(is_expected, "{replies:?}");
}

#[test]
fn run_that_takes_too_long_to_be_saved_is_replaced_all_the_same() {
    let mut host = TestHost::open();
    host.do_step();
    messages(&mut host);
    assert!(host.handle(kept(false)).is_none() && host.start(small()).is_none());
    host.slice(0.0);
    assert!(
        messages(&mut host).iter().all(|reply| matches!(reply, Reply::Progress { .. })),
        "it was replaced at once"
    );
    host.now += 3000.0;
    host.slice(0.0);
    let replies = messages(&mut host);
    let [Reply::Refused { request, message }, Reply::Opened { progress, .. }] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!((request.as_str(), progress.units, progress.work), ("save", 0, 0));
    assert!(message.contains("before it could be saved"), "{message}");
    assert!(!host.inner.has_work());
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
fn commands_are_answered_only_if_they_are_refused() {
    let mut host = TestHost::open();
    let push = json!({"type": "push", "strength": 1.0});
    assert_eq!(host.handle(Request::Command { command: push }), None);
    assert!(host.refusal(Request::Command { command: json!({"type": "sing"}) }).contains("sing"));
}
