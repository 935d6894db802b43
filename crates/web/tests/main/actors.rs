//! The actors of a tab beside a host, natively: the messages go over as pieces, the clock is simulated.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use learnery_fleet::sweep::{Computer, Delivery, Order, StopCondition, version_of};
use learnery_fleet::wire::{ActorName, Assembler, MAX_UP_BYTES, cut_down, read_up};
use learnery_fleet::{FromActor, Host, LabRun, Notice, Policy, ToActor, Trust};
use learnery_kernels::isa;
use learnery_lab::fleet::{Job, JobId, JobResult, Version, VersionedActor};
use learnery_lab::{Budget, Checkpoint, Session};
use learnery_labs::LABS;
use learnery_labs::backgammon::Backgammon;
use learnery_web::actors::{Actors, Outgoing, register};
use serde_json::json;

const FLEET: &str = "0123abcd";
const TOKEN: [u8; 16] = [7; 16];

// The first bytes of messages to the host, see `FromActor` in `crates/fleet/src/message.rs`.
const JOIN_TAG: u8 = 0;
const FETCH_TAG: u8 = 2;
const RESULT_TAG: u8 = 4;
const LEAVE_TAG: u8 = 5;

/// A run whose games are dealt to jobs: two full tables and one of two games.
fn start_session() -> Session {
    let settings = json!({
        "learner": "alphazero", "games": 130, "horizon": 8, "batch": 64, "reuse": 0.2, "replay": 4000, "simulations": 2,
        "eval_every": 0
    });
    Session::start(*learnery_labs::find("backgammon").expect("a lab"), &settings, 7).expect("good settings")
}

fn policy() -> Policy {
    Policy {
        build: env!("CARGO_PKG_VERSION").into(),
        bits: isa::bits().name().into(),
        lease: Duration::from_secs(30),
        heartbeat_interval: Duration::from_secs(10),
        max_copies: 2,
        max_actors: 100,
        save_every: 1,
        max_log_bytes: usize::MAX,
        check_all: false,
        secret: [3; 32],
    }
}

/// A tab with some actors, and a host.
struct World {
    host: Host<LabRun>,
    actors: Actors,
    now: Duration,
    /// Computes again what the host checks.
    checker: VersionedActor,
    up: BTreeMap<String, Assembler>,
    serial: u32,
    /// The messages that the host heard, by their first byte.
    heard: BTreeMap<u8, u32>,
    /// The checkpoint files, by units.
    checkpoints: BTreeMap<u64, Vec<u8>>,
}

impl World {
    fn new(threads: usize) -> Self {
        register(|| Computer::with(VersionedActor::of_lab::<Backgammon>(), LABS));
        let run = LabRun::new(start_session()).expect("AlphaZero can be shared");
        Self {
            host: Host::new(run, policy(), Trust::default()).expect("a run between two units"),
            actors: Actors::new(FLEET, "my tab", TOKEN, threads),
            now: Duration::ZERO,
            checker: VersionedActor::new(LABS),
            up: BTreeMap::new(),
            serial: 0,
            heard: BTreeMap::new(),
            checkpoints: BTreeMap::new(),
        }
    }

    /// Takes a message of the tab to the host, and the answers back.
    fn carry(&mut self, Outgoing { subject, pieces }: Outgoing) {
        let parts: Vec<&str> = subject.split('.').collect();
        let ["learnery", FLEET, kind, name] = parts[..] else { panic!("{subject}") };
        let parsed = ActorName::parse(name).expect("a name");
        for piece in pieces {
            let piece = read_up(&piece, MAX_UP_BYTES).expect("a piece");
            assert!(parsed.belongs_to(&piece.token) && piece.token.0 == TOKEN);
            let Some(bytes) = self.up.entry(name.into()).or_default().add(piece.piece) else { continue };
            *self.heard.entry(bytes[0]).or_default() += 1;
            let message = FromActor::from_bytes(&bytes).expect("a message");
            assert_eq!(kind == "result", matches!(message, FromActor::Result(_)));
            for answer in self.host.receive(self.now, name, message) {
                self.send(&format!("learnery.{FLEET}.down.{name}"), &answer);
            }
        }
    }

    fn send(&mut self, subject: &str, message: &ToActor) {
        let index = self.actors.subjects().iter().position(|known| known == subject).expect("a subject");
        self.serial += 1;
        for piece in cut_down(self.serial, &message.to_bytes()) {
            self.actors.receive(self.now, index, &piece);
        }
    }

    fn exchange(&mut self) {
        while let Some(outgoing) = self.actors.poll(self.now) {
            self.carry(outgoing);
        }
    }

    /// Learns and checks what there is.
    fn host_works(&mut self) {
        for _ in 0..50 {
            self.host.advance();
        }
        while let Some(check) = self.host.next_check() {
            if self.checker.version() != Some(check.version) {
                let file = self.host.version().expect("a version").1.to_vec();
                self.checker.load(check.version, &file).expect("the weights");
            }
            self.checker.begin(&check.job).expect("a job");
            let again = self.checker.advance(&mut Budget::unlimited()).expect("a result");
            self.host.checked(check.ticket, &again);
        }
        for notice in self.host.notices() {
            match notice {
                Notice::Checkpoint(units, file) => _ = self.checkpoints.insert(units, file),
                Notice::Refused { .. } | Notice::Quarantined { .. } => panic!("{notice:?}"),
                _ => {}
            }
        }
    }

    /// One round: messages, a slice of some steps, half a second.
    fn round(&mut self) {
        self.exchange();
        let ticks = AtomicU64::new(0);
        self.actors.slice(self.now, 5.0, || ticks.fetch_add(1, Ordering::Relaxed) as f64);
        self.host_works();
        self.now += Duration::from_millis(500);
    }

    /// Goes on until all actors have a job, of which they have computed nothing.
    fn until_all_have_jobs(&mut self, actors: u32) {
        for _ in 0..100 {
            self.exchange();
            if self.actors.progress().actors.working == actors {
                return;
            }
            self.host_works();
            self.now += Duration::from_millis(500);
        }
        panic!("{:?}", self.actors.progress());
    }

    fn until_a_result_is_accepted(&mut self) {
        let accepted = self.actors.progress().accepted;
        for _ in 0..200 {
            self.round();
            if self.actors.progress().accepted > accepted {
                return;
            }
        }
        panic!("{:?}", self.actors.progress());
    }
}

/// The checkpoint after some units on one machine.
fn alone(units: u64) -> Vec<u8> {
    let mut session = start_session();
    (0..units).for_each(|_| _ = session.advance_unit());
    session.save().to_bytes()
}

#[test]
fn tab_that_pauses_and_reconnects_computes_a_run_with_the_bytes_of_one_machine() {
    let mut world = World::new(2);
    let mut rounds = 0;
    while !world.checkpoints.contains_key(&3) {
        world.round();
        rounds += 1;
        match rounds {
            20 => world.actors.pause(world.now, true),
            40 => world.actors.pause(world.now, false),
            60 => world.actors.reconnected(world.now),
            _ => {}
        }
        assert!(rounds < 1000, "{:?}", world.actors.progress());
    }
    assert!(world.checkpoints[&3] == alone(3), "another checkpoint than on one machine");
    let progress = world.actors.progress();
    let counts: BTreeMap<&str, u64> = progress.work.iter().map(|work| (&work.what[..], work.count)).collect();
    assert!(counts["turns"] >= 3 * 130 * 8, "{counts:?}");
    assert!(progress.accepted >= 9 && progress.version.is_some() && progress.ended.is_none());
    let run = progress.run.expect("weights have come");
    assert_eq!((&run.lab[..], run.seed, &run.config["games"]), ("backgammon", 7, &json!(130)));
    // Both actors have the weights of each unit, and only one fetched them.
    assert!(world.heard[&FETCH_TAG] <= 4, "{:?}", world.heard);
}

#[test]
fn paused_tab_gives_its_jobs_back_and_computes_nothing() {
    let mut world = World::new(2);
    world.until_all_have_jobs(2);
    assert_eq!(world.host.leases(), 2);
    world.actors.pause(world.now, true);
    assert!(!world.actors.is_computing());
    let before = world.actors.progress();
    for _ in 0..50 {
        world.round();
    }
    assert_eq!(world.host.leases(), 0, "others can have the jobs at once");
    let after = world.actors.progress();
    assert!(after.paused && after.accepted == before.accepted && after.work == before.work);
    assert_eq!(world.heard[&LEAVE_TAG], 2, "each actor leaves once");
    // It goes on with what it was computing.
    world.actors.pause(world.now, false);
    assert!(world.actors.is_computing());
    world.until_a_result_is_accepted();
}

/// A finished result is delivered even if the visitor pauses, and is sent again until the host has it.
#[test]
fn finished_result_is_never_lost() {
    let mut world = World::new(1);
    world.until_all_have_jobs(1);
    world.actors.slice(world.now, 1.0, || 0.0);
    assert_eq!(world.actors.progress().actors.delivering, 1);
    // It is published, and the connection is lost.
    assert!(world.actors.poll(world.now).is_some_and(|lost| lost.subject.contains(".result.")));
    world.actors.pause(world.now, true);
    world.now += Duration::from_secs(60);
    world.actors.reconnected(world.now);
    world.exchange();
    assert_eq!(
        (world.actors.progress().accepted, world.heard[&RESULT_TAG], world.heard[&LEAVE_TAG]),
        (1, 1, 1)
    );
}

#[test]
fn tab_that_leaves_sends_its_result_and_gives_back_its_jobs() {
    let mut world = World::new(2);
    world.until_all_have_jobs(2);
    for outgoing in world.actors.leave(world.now) {
        world.carry(outgoing);
    }
    assert_eq!((world.host.leases(), world.heard[&LEAVE_TAG]), (0, 2));
    assert!(world.actors.leave(world.now).is_empty(), "it has left");
}

#[test]
fn what_is_no_message_is_ignored_and_damaged_weights_are_fetched_again() {
    let mut world = World::new(2);
    world.exchange();
    for bytes in [&b""[..], b"LFd1", &[0; 40], &[0xff; 300]] {
        (0..9).for_each(|subject| world.actors.receive(world.now, subject, bytes));
    }
    // No message to an actor begins with 99.
    for piece in cut_down(1, &[99, 1, 2]) {
        world.actors.receive(world.now, 0, &piece);
    }
    let subject = format!("learnery.{FLEET}.down.all");
    world.host_works();
    world.send(&subject, &ToActor::Weights(Version([1; 32]), vec![5; 999]));
    assert_eq!(world.actors.progress().version, None);
    // The host was started anew: all join again, within half a second.
    let joins = world.heard[&JOIN_TAG];
    world.send(&subject, &ToActor::Unknown);
    world.now += Duration::from_millis(500);
    world.exchange();
    assert_eq!(world.heard[&JOIN_TAG], joins + 2);
    world.until_a_result_is_accepted();
}

#[test]
fn refused_tab_says_why() {
    let mut world = World::new(2);
    world.exchange();
    let subjects = world.actors.subjects();
    world.send(&subjects[0], &ToActor::Refused("send it again".into()));
    assert_eq!(world.actors.progress().refusal.as_deref(), Some("send it again"));
    world.send(&subjects[2], &ToActor::Excluded("install version 9".into()));
    let progress = world.actors.progress();
    assert_eq!(progress.ended.as_deref(), Some("install version 9"));
    assert!(!world.actors.is_computing() && world.actors.poll(world.now).is_none());
    assert!(world.actors.leave(world.now).is_empty());
}

/// A run of a sweep, which a tab computes until it is closed. What it says last lets another go on from
/// there.
#[test]
fn tab_computes_a_run_of_a_sweep_and_leaves_its_checkpoint() {
    register(|| Computer::with(VersionedActor::of_lab::<Backgammon>(), LABS));
    let entry = learnery_labs::find("control").expect("a lab");
    let settings = json!({ "worlds": 8, "horizon": 16, "hidden": 8, "eval_every": 0 });
    let config = (entry.schema)().complete(None, &settings).expect("good settings");
    let end = StopCondition { units: Some(1000), at_goal: false };
    let file = Order { lab: "control".into(), config, seed: 5, end }.to_bytes(b"");
    let id = JobId { unit: 3, index: 0, version: version_of(&file) };

    let mut actors = Actors::new(FLEET, "my tab", TOKEN, 1);
    let subject = actors.subjects()[0].clone();
    let name = subject.rsplit('.').next().expect("a name").to_owned();
    let mut serial = 0;
    let mut send = |actors: &mut Actors, now, message: ToActor| {
        serial += 1;
        cut_down(serial, &message.to_bytes()).for_each(|piece| actors.receive(now, 0, &piece));
    };
    let read = |outgoing: Outgoing| {
        assert!(outgoing.subject.ends_with(&name));
        let mut assembler = Assembler::default();
        let pieces = outgoing.pieces.iter().map(|piece| read_up(piece, MAX_UP_BYTES).expect("a piece").piece);
        let whole = pieces.filter_map(|piece| assembler.add(piece)).next().expect("a whole message");
        FromActor::from_bytes(&whole).expect("a message")
    };
    let mut heard = Vec::new();
    let mut now = Duration::ZERO;
    let ticks = AtomicU64::new(0);
    for _ in 0..100 {
        while let Some(outgoing) = actors.poll(now) {
            let message = read(outgoing);
            let answer = match &message {
                FromActor::Join(_) => ToActor::Welcome { heartbeat_interval: Duration::from_secs(10) },
                FromActor::Ask => ToActor::Job(Job { id, body: b"" }.to_bytes()),
                FromActor::Fetch(version) => ToActor::Weights(*version, file.clone()),
                _ => {
                    heard.push(message);
                    continue;
                }
            };
            send(&mut actors, now, answer);
        }
        actors.slice(now, 5.0, || ticks.fetch_add(1, Ordering::Relaxed) as f64);
        now += Duration::from_millis(100);
    }
    let progress = actors.progress();
    assert!(progress.sweep && progress.unit.is_none() && progress.version.is_none());
    assert_eq!(progress.run.map(|run| (run.lab, run.seed)), Some(("control".into(), 5)));
    assert!(progress.work.iter().any(|work| work.what == entry.about.work && work.count > 0));
    assert!(heard.iter().any(|message| matches!(message, FromActor::Checkpoint(_))), "{heard:?}");

    let last: Vec<_> = actors.leave(now).into_iter().map(read).collect();
    let [.., FromActor::Checkpoint(last), FromActor::Leave] = &last[..] else { panic!("{last:?}") };
    let result = JobResult::from_bytes(last).expect("a result");
    assert_eq!(result.id, id);
    let last = Delivery::from_bytes(result.body).expect("a delivery").last;
    let units = Checkpoint::from_bytes(last).expect("a checkpoint").header.units;
    let mut alone = Session::start(*entry, &settings, 5).expect("good settings");
    (0..units).for_each(|_| _ = alone.advance_unit());
    assert!(units > 1 && last == alone.save().to_bytes(), "the bytes after {units} units");
}
