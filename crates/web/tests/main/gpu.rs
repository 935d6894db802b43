//! The host of the page's worker with a run on the GPU: it is opened, trains, steps and saves, slice by slice.
//! If the GPU cannot be used, these tests are skipped with a visible line; with the environment variable `CI`
//! they fail.
#![allow(clippy::print_stdout)] // It says which adapter it uses.

#[cfg(feature = "own-worlds")]
use std::sync::atomic::{AtomicBool, Ordering};

use learnery_lab::Checkpoint;
use learnery_web::host::Host;
#[cfg(feature = "own-worlds")]
use learnery_web::host::WorkerCalls;
use learnery_web::protocol::{Reply, ReplyTo, Request};
use serde_json::{Map, Value, json};

struct TestHost {
    inner: Host,
    now: f64,
}

impl TestHost {
    /// With an open run of the language lab.
    fn open() -> Self {
        learnery_web::labs::register(learnery_labs::LABS);
        let mut host = Self { inner: Host::default(), now: 1000.0 };
        let settings = json!({"source": "copy", "size": 3, "width": 16, "layers": 1, "heads": 2, "batch": 8, "updates": 2,
            "judge_every": 2, "judge_size": 20});
        let Value::Object(settings) = settings else { unreachable!("a table") };
        let opened = host.handle(Request::Start { lab: "language".into(), settings, seed: 3 });
        assert!(matches!(opened, Some(Reply::Opened { .. })), "{opened:?}");
        host
    }

    fn handle(&mut self, request: Request) -> Option<Reply> {
        self.inner.handle(0, request, self.now)
    }

    /// Runs a slice, after a short real pause if the host asks for one.
    fn slice(&mut self) {
        if self.inner.milliseconds_until_slice(self.now) > 0.0 {
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        self.now += 60.0;
        let mut now = self.now;
        self.inner.slice(12.0, &mut || {
            now += 0.01;
            now
        });
    }

    /// Runs slices until nothing is left to do.
    fn until_idle(&mut self) {
        for _ in 0..100_000 {
            if !self.inner.has_work() {
                return;
            }
            self.slice();
        }
        panic!("the host did not finish")
    }

    /// Runs slices until a message satisfies `wanted`, and returns it. Those before it are dropped.
    fn until(&mut self, wanted: impl Fn(&Reply) -> bool) -> Reply {
        for _ in 0..100_000 {
            self.slice();
            while let Some(message) = self.inner.take_message(self.now).map(|message| message.reply) {
                if wanted(&message) {
                    return message;
                }
            }
        }
        panic!("the message did not come")
    }
}

fn units(reply: &Reply) -> u64 {
    match reply {
        Reply::Progress { progress, .. } => progress.units,
        _ => 0,
    }
}

#[test]
fn step_that_is_asked_for_while_the_device_is_opened_waits_for_it() {
    let mut host = TestHost::open();
    host.handle(Request::UseGpu { software: true, name: String::new() });
    assert_eq!(host.handle(Request::Step { unit: false }), None);
    let device = host.until(|reply| matches!(reply, Reply::Device { .. }));
    if !matches!(device, Reply::Device { gpu: Some(_), failed: false, .. }) {
        assert!(std::env::var_os("CI").is_none(), "{device:?}");
        println!("SKIPPED: {device:?}");
        return;
    }
    host.until(|reply| matches!(reply, Reply::Progress { .. }));
    assert!(!host.inner.has_work(), "the step is done, and the run is paused");
}

#[test]
fn run_on_the_gpu_trains_steps_and_saves() {
    let mut host = TestHost::open();
    assert_eq!(host.handle(Request::UseGpu { software: true, name: String::new() }), None);
    assert!(host.inner.has_work(), "the device is being opened");
    let device = host.until(|reply| matches!(reply, Reply::Device { .. }));
    let Reply::Device { gpu: Some(gpu), message: None, failed: false } = device else {
        assert!(std::env::var_os("CI").is_none(), "{device:?}");
        println!("SKIPPED: {device:?}");
        return;
    };
    println!("the test runs on {}", gpu.name);
    assert!(gpu.operations_per_second > 0.0, "{gpu:?}");
    assert!(!host.inner.has_work(), "nothing waits and the run is paused");

    host.handle(Request::Run { steps_per_second: None });
    host.until(|reply| units(reply) >= 3);

    // A save that waits is of the last completed unit, or of the one that was in progress.
    let units_then = host.handle(Request::Run { steps_per_second: None }).map_or(0, |reply| units(&reply));
    let save_at_unit_end =
        Request::Save { network_only: false, wait: true, fingerprint: false, recipe: None };
    let saved = host
        .handle(save_at_unit_end)
        .unwrap_or_else(|| host.until(|reply| matches!(reply, Reply::Saved { .. })));
    let Reply::Saved { units: saved_units, .. } = saved else { panic!("{saved:?}") };
    assert!(
        (units_then..=units_then + 1).contains(&saved_units),
        "asked for after {units_then} units, saved after {saved_units}"
    );
    let before = host.handle(Request::Pause).map_or(0, |reply| units(&reply));
    host.handle(Request::Step { unit: true });
    host.until_idle();
    let after = host.handle(Request::Pause);
    assert_eq!(after.as_ref().map(units), Some(before + 1));
    assert!(matches!(after, Some(Reply::Progress { ref progress, .. }) if !progress.running), "{after:?}");

    let save = || Request::Save { network_only: false, wait: false, fingerprint: true, recipe: None };
    let saved =
        host.handle(save()).unwrap_or_else(|| host.until(|reply| matches!(reply, Reply::Saved { .. })));
    let Reply::Saved { units, fingerprint: Some(fingerprint), bytes, .. } = saved else {
        panic!("{saved:?}")
    };
    let checkpoint = Checkpoint::from_bytes(&bytes).expect("our own checkpoint");
    assert_eq!((checkpoint.header.units, checkpoint.fingerprint()), (units, fingerprint));
    assert_eq!(checkpoint.header.devices.len(), 1, "{:?}", checkpoint.header.devices);

    // Resumed without `UseGpu`, so on the CPU.
    let resumed = host.handle(Request::Resume { bytes });
    assert!(matches!(resumed, Some(Reply::Opened { .. })), "{resumed:?}");
    host.handle(Request::Run { steps_per_second: None });
    host.until(|reply| matches!(reply, Reply::Progress { progress, .. } if progress.units >= units + 2));
}

#[test]
fn gpu_is_refused_where_no_run_is_open_or_the_lab_has_no_use_for_it() {
    learnery_web::labs::register(learnery_labs::LABS);
    let mut host = TestHost { inner: Host::default(), now: 0.0 };
    let refused = host.handle(Request::UseGpu { software: true, name: String::new() });
    assert!(matches!(refused, Some(Reply::Refused { .. })), "{refused:?}");
    host.handle(Request::Start { lab: "backgammon".into(), settings: Map::new(), seed: 1 });
    host.handle(Request::UseGpu { software: true, name: String::new() });
    let device = host.until(|reply| matches!(reply, Reply::Device { .. }));
    assert!(matches!(device, Reply::Device { gpu: None, message: Some(_), failed: false }), "{device:?}");
}

/// A second request for the GPU before the first is answered: each has a reply of its own.
#[test]
fn each_request_for_the_gpu_is_answered_by_its_own_reply() {
    let mut host = TestHost::open();
    for id in [7, 8] {
        let request = Request::UseGpu { software: true, name: String::new() };
        assert_eq!(host.inner.handle(id, request, host.now), None);
    }
    let mut answered = Vec::new();
    while host.inner.has_work() {
        host.slice();
        while let Some(ReplyTo { id, reply }) = host.inner.take_message(host.now) {
            answered.push((id, reply));
        }
    }
    let [(Some(7), first), (Some(8), second)] = &answered[..] else { panic!("{answered:?}") };
    for reply in [first, second] {
        let Reply::Device { gpu, failed: false, .. } = reply else { panic!("{reply:?}") };
        if gpu.is_none() {
            assert!(std::env::var_os("CI").is_none(), "{reply:?}");
            println!("SKIPPED: {reply:?}");
            return;
        }
    }
    host.handle(Request::Run { steps_per_second: None });
    host.until(|reply| units(reply) >= 2);
}

/// Whether the browser of the test below is compiling.
#[cfg(feature = "own-worlds")]
static IS_COMPILING: AtomicBool = AtomicBool::new(false);

/// A browser compiles the rules of a world in the background: the run waits for them before it is moved, and
/// again when it is given another text.
#[cfg(feature = "own-worlds")]
#[test]
fn run_waits_for_the_rules_of_its_world() {
    learnery_web::labs::register(learnery_labs::LABS);
    let is_compiling = || IS_COMPILING.load(Ordering::Relaxed);
    let compile = |is_at_work| IS_COMPILING.store(is_at_work, Ordering::Relaxed);
    let inner = Host::with_calls(WorkerCalls { wake: || (), clock: || 0.0, is_compiling });
    let mut host = TestHost { inner, now: 1000.0 };
    let settings = json!({"world": "own", "worlds": 8, "horizon": 8, "minibatches": 1, "eval_every": 0});
    let Value::Object(settings) = settings else { unreachable!("a table") };
    host.handle(Request::Start { lab: "control".into(), settings, seed: 3 });
    compile(true);
    host.handle(Request::UseGpu { software: true, name: String::new() });
    host.handle(Request::Run { steps_per_second: None });
    for _ in 0..1000 {
        host.slice(); // a minute of the host's clock, which a software adapter may take
    }
    let until_now = host.inner.take_message(host.now).map(|message| message.reply);
    if let Some(device @ Reply::Device { gpu: None, .. }) = until_now {
        assert!(std::env::var_os("CI").is_none(), "{device:?}");
        println!("SKIPPED: {device:?}");
        return;
    }
    assert_eq!(until_now, None, "it is neither on the device nor on the CPU");
    compile(false);
    let device = host.until(|reply| matches!(reply, Reply::Device { .. }));
    assert!(matches!(device, Reply::Device { gpu: Some(_), message: None, failed: false }), "{device:?}");
    host.until(|reply| units(reply) >= 2);

    compile(true);
    let text = "world \"Dot\"\nstate x = 0\naction go: off, on\nx' = x + go\nreward x\nlimit 9 steps\n\
                observe x, 2 * x, x - 1\n";
    let command = json!({"type": "world", "name": "dot.world", "text": text});
    let configured = host
        .handle(Request::Command { command, bytes: None })
        .unwrap_or_else(|| host.until(|reply| !matches!(reply, Reply::Progress { .. })));
    assert!(matches!(configured, Reply::Configured { .. }), "{configured:?}");
    let run = || Request::Run { steps_per_second: None };
    let before = host.handle(run()).map_or(0, |reply| units(&reply));
    for _ in 0..1000 {
        host.slice();
    }
    assert_eq!(host.handle(run()).map_or(0, |reply| units(&reply)), before, "no unit has ended meanwhile");
    compile(false);
    host.until(|reply| units(reply) >= before + 2);
    host.handle(Request::Pause);
    let save = Request::Save { network_only: false, wait: false, fingerprint: false, recipe: None };
    let saved = host.handle(save).unwrap_or_else(|| host.until(|reply| matches!(reply, Reply::Saved { .. })));
    let Reply::Saved { bytes, .. } = saved else { panic!("{saved:?}") };
    let devices = Checkpoint::from_bytes(&bytes).expect("our own checkpoint").header.devices;
    assert!(devices.len() == 1 && !devices[0].is_cpu(), "{devices:?}");
}
