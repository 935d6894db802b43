//! Sweeps without a network: workers, a host and its files in one thread. Whoever is killed, sleeps or is
//! started again, every run ends with the bytes of the run alone, and nobody writes over what came later.

use std::collections::BTreeMap;
use std::time::Duration;

use learnery_fleet::sweep::{
    Delivery, Order, Queue, Runner, SaveError, StopCondition, Store, SweepHost, SweepNotice, SweepPolicy,
};
use learnery_fleet::{Client, ClientState, FromActor, Hello, ToActor};
use learnery_lab::{Budget, Checkpoint, LabError, Session};
use learnery_labs::{LABS, find};
use serde_json::{Map, Value, json};

/// Units of a run.
const UNITS: u64 = 6;
const RUNS: u32 = 3;
const LEASE: Duration = Duration::from_secs(30);

fn small_config() -> Map<String, Value> {
    let small = json!({
        "worlds": 8, "horizon": 16, "epochs": 1, "minibatches": 1, "hidden": 8, "eval_every": 0
    });
    (find("control").expect("a lab").schema)().complete(None, &small).expect("good settings")
}

/// The last checkpoint of a run that nobody has interrupted.
fn alone(seed: u32) -> Vec<u8> {
    let config = Value::Object(small_config());
    let mut session = Session::start(*find("control").expect("a lab"), &config, seed).expect("good settings");
    (0..UNITS).for_each(|_| _ = session.advance_unit());
    session.save().to_bytes()
}

/// The checkpoints of the runs, whose seeds are their numbers.
#[derive(Default)]
struct Files {
    last: BTreeMap<u32, Vec<u8>>,
    finished: Vec<u32>,
    /// Whether nothing can be written.
    is_full: bool,
}

impl Store for Files {
    fn order(&mut self, job: u32) -> Result<Vec<u8>, LabError> {
        let end = StopCondition { units: Some(UNITS), at_goal: false };
        let order = Order { lab: "control".into(), config: small_config(), seed: job, end };
        Ok(order.to_bytes(self.last.get(&job).map_or(&[], |file| file)))
    }

    fn save(&mut self, job: u32, checkpoint: &Checkpoint, delivery: &Delivery) -> Result<(), SaveError> {
        assert_eq!(checkpoint.header.seed, job, "a checkpoint of another run");
        if self.is_full {
            return Err(SaveError::Failed);
        }
        let before = self.last.insert(job, delivery.last.to_vec());
        let units =
            before.map_or(0, |file| Checkpoint::from_bytes(&file).expect("a checkpoint").header.units);
        assert!(units < checkpoint.header.units, "an older checkpoint was written over a newer one");
        Ok(())
    }

    fn is_at_end(&self, _: u32, checkpoint: &Checkpoint) -> bool {
        checkpoint.header.units >= UNITS
    }

    fn finish(&mut self, job: u32) -> Result<(), LabError> {
        self.finished.push(job);
        Ok(())
    }
}

/// The same in two rounds, as in successive halving. The first round ends when all runs have two units, and
/// only the run with number 1 goes on to the second.
#[derive(Default)]
struct Rounds {
    files: Files,
    is_second: bool,
    reopened: Vec<u32>,
}

impl Rounds {
    fn end(&self) -> u64 {
        if self.is_second { UNITS } else { 2 }
    }
}

impl Store for Rounds {
    fn order(&mut self, job: u32) -> Result<Vec<u8>, LabError> {
        let end = StopCondition { units: Some(self.end()), at_goal: false };
        let order = Order { lab: "control".into(), config: small_config(), seed: job, end };
        Ok(order.to_bytes(self.files.last.get(&job).map_or(&[], |file| file)))
    }

    fn save(&mut self, job: u32, checkpoint: &Checkpoint, delivery: &Delivery) -> Result<(), SaveError> {
        self.files.save(job, checkpoint, delivery)
    }

    fn is_at_end(&self, _: u32, checkpoint: &Checkpoint) -> bool {
        checkpoint.header.units >= self.end()
    }

    fn finish(&mut self, job: u32) -> Result<(), LabError> {
        self.files.finish(job)?;
        if self.files.finished.len() == RUNS as usize {
            self.is_second = true;
            self.reopened = vec![1];
        }
        Ok(())
    }

    fn reopened(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.reopened)
    }
}

fn hello() -> Hello {
    Hello { build: "1".into(), bits: "fused".into() }
}

fn make_host(queue: Queue) -> SweepHost {
    let (build, bits) = ("1".into(), "fused".into());
    let policy =
        SweepPolicy { build, bits, lease: LEASE, heartbeat_interval: Duration::from_secs(10), max_actors: 9 };
    SweepHost::new(queue, policy)
}

fn make_worker(name: &str) -> Client<Runner> {
    Client::new(name, hello(), Runner::new(LABS))
}

/// Delivers what is due between a worker and the host.
fn talk(now: Duration, worker: &mut Client<Runner>, host: &mut SweepHost, files: &mut dyn Store) {
    while let Some(message) = worker.poll(now) {
        let name = worker.name().to_owned();
        if let Some(answer) = host.receive(now, &name, message, files).expect("files that can be written") {
            worker.receive(now, answer);
        }
    }
}

/// Computes a few steps.
fn compute(now: Duration, worker: &mut Client<Runner>) {
    worker.work(now, &mut Budget::steps(7));
}

const fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The worker computes until a run has `units` units in the files.
fn train_to(
    worker: &mut Client<Runner>,
    units: u64,
    host: &mut SweepHost,
    files: &mut Files,
    now: &mut Duration,
) {
    let saved = |files: &Files| {
        let units = |file: &Vec<u8>| Checkpoint::from_bytes(file).expect("a checkpoint").header.units;
        files.last.values().map(units).max().unwrap_or(0)
    };
    while saved(files) < units {
        *now += at(5);
        talk(*now, worker, host, files);
        compute(*now, worker);
        assert!(*now < at(100_000), "no checkpoint comes");
    }
}

#[test]
fn killed_and_sleeping_workers_and_a_new_host_change_no_bit_of_a_sweep() {
    let (mut files, mut host, mut now) = (Files::default(), make_host(Queue::new(RUNS as usize)), at(0));
    let mut laptop = make_worker("laptop");
    train_to(&mut laptop, 1, &mut host, &mut files, &mut now);
    // The laptop falls asleep, and another goes on from its checkpoint.
    now += LEASE;
    host.expire(now);
    let mut desk = make_worker("desk");
    train_to(&mut desk, 2, &mut host, &mut files, &mut now);
    assert_eq!(files.last.len(), 1, "the desk has the run that the laptop had");
    let newer = files.last[&0].clone();
    // The laptop wakes up, computes to the end, and delivers in vain.
    while !matches!(laptop.state(), ClientState::Delivering(..)) {
        compute(now, &mut laptop);
    }
    host.notices();
    talk(now, &mut laptop, &mut host, &mut files);
    assert!(files.last[&0] == newer, "a late result was written over a newer checkpoint");
    assert_eq!(host.notices(), [SweepNotice::Late { actor: "laptop".into() }]);
    // The desk is killed. The host is started anew with the leases of its file.
    drop(desk);
    let file = serde_json::to_string(host.queue()).expect("plain data");
    let queue: Queue = serde_json::from_str(&file).expect("what was written");
    let mut host = make_host(queue.restore(now + LEASE));
    for index in 0..RUNS {
        let units =
            files.last.get(&index).map(|file| Checkpoint::from_bytes(file).expect("ours").header.units);
        host.set_progress(index, units.unwrap_or(0), files.finished.contains(&index));
    }
    laptop.receive(now, ToActor::Unknown);
    while !host.queue().is_complete() {
        now += at(5);
        host.expire(now);
        talk(now, &mut laptop, &mut host, &mut files);
        compute(now, &mut laptop);
        assert!(now < at(100_000), "the sweep does not end");
    }
    assert_eq!(files.finished.len(), RUNS as usize);
    for (seed, file) in &files.last {
        assert!(*file == alone(*seed), "run {seed} has other bytes than the run alone");
    }
}

/// In the middle of a unit (training iteration) a run cannot be saved, and the last checkpoint was sent a
/// minute ago at most. What leaves is the newest one in memory.
#[test]
fn worker_that_leaves_in_the_middle_of_a_unit_loses_no_completed_one() {
    let (mut files, mut host, now) = (Files::default(), make_host(Queue::new(1)), at(5));
    let mut worker = make_worker("laptop");
    let completed = |worker: &Client<Runner>| worker.so_far().map_or(0, |run| run.completed);
    while completed(&worker) < 3 || worker.can_save() {
        talk(now, &mut worker, &mut host, &mut files);
        compute(now, &mut worker);
        worker.keep(|| now);
    }
    assert_eq!(host.queue().units(0), 1, "the first unit was sent at once, the next is due in a minute");
    let so_far = worker.so_far().expect("a run").clone();
    assert_eq!((so_far.first_unit, so_far.host_unit, so_far.completed, so_far.kept_unit()), (0, 1, 3, 3));
    // What another thread can send of it is what the worker sends itself.
    let kept = so_far.unconfirmed_delivery().map(FromActor::Checkpoint).expect("a newer checkpoint");
    let last = worker.leave(now);
    assert!(last == [kept, FromActor::Leave], "the checkpoint in memory");
    for message in last {
        host.receive(now, "laptop", message, &mut files).expect("files that can be written");
    }
    assert_eq!(host.queue().units(0), 3);
}

/// What the host cannot write, its worker keeps and sends again, also at the end of the run.
#[test]
fn sweep_goes_on_while_the_disk_is_full_and_loses_nothing() {
    let (mut files, mut host, mut now) = (Files::default(), make_host(Queue::new(2)), at(0));
    let mut worker = make_worker("laptop");
    files.is_full = true;
    while !matches!(worker.state(), ClientState::Delivering(..)) || now < at(200) {
        now += at(1);
        host.expire(now);
        talk(now, &mut worker, &mut host, &mut files);
        compute(now, &mut worker);
        assert!(now < at(100_000), "the run does not end");
    }
    assert!(files.last.is_empty() && files.finished.is_empty());
    files.is_full = false;
    while !host.queue().is_complete() {
        now += at(1);
        host.expire(now);
        talk(now, &mut worker, &mut host, &mut files);
        compute(now, &mut worker);
        assert!(now < at(100_000), "the sweep does not end");
    }
    assert_eq!((files.finished, host.notices().len()), (vec![0, 1], 2), "nothing was refused or came late");
    assert!(files.last[&0] == alone(0) && files.last[&1] == alone(1));
}

/// The run ends after the last message was sent.
#[test]
fn worker_that_leaves_delivers_a_result_that_was_not_sent_yet() {
    let (mut files, mut host, now) = (Files::default(), make_host(Queue::new(1)), at(5));
    let mut worker = make_worker("laptop");
    talk(now, &mut worker, &mut host, &mut files);
    while !matches!(worker.state(), ClientState::Delivering(..)) {
        compute(now, &mut worker);
    }
    for message in worker.leave(now) {
        host.receive(now, "laptop", message, &mut files).expect("files that can be written");
    }
    assert!(files.finished == [0] && files.last[&0] == alone(0));
}

#[test]
fn run_that_goes_on_in_another_round_has_the_bytes_of_the_run_alone() {
    let (mut rounds, mut host, mut now) = (Rounds::default(), make_host(Queue::new(RUNS as usize)), at(0));
    let mut workers = [make_worker("laptop"), make_worker("desk")];
    while !host.queue().is_complete() {
        now += at(5);
        for worker in &mut workers {
            talk(now, worker, &mut host, &mut rounds);
            compute(now, worker);
        }
        assert!(now < at(100_000), "the sweep does not end");
    }
    assert_eq!(rounds.files.finished.len(), RUNS as usize + 1);
    let units = |file: &Vec<u8>| Checkpoint::from_bytes(file).expect("a checkpoint").header.units;
    assert_eq!(rounds.files.last.values().map(units).collect::<Vec<_>>(), [2, UNITS, 2]);
    assert!(rounds.files.last[&1] == alone(1), "the second round changed the result");
}

#[test]
fn damaged_foreign_and_unfinished_results_are_refused() {
    let (mut files, mut host) = (Files::default(), make_host(Queue::new(1)));
    let mut worker = make_worker("a");
    talk(at(0), &mut worker, &mut host, &mut files);
    let ClientState::Working(id) = worker.state().clone() else { panic!("{:?}", worker.state()) };
    let mut answer =
        |actor: &str, message| host.receive(at(1), actor, message, &mut files).expect("no files");
    let result = |body: &[u8]| learnery_lab::fleet::JobResult { id, body }.to_bytes();
    for bytes in [vec![], vec![1; 99], result(b""), result(&Delivery { last: b"x", solved: None }.to_bytes())]
    {
        let refused = answer("a", FromActor::Checkpoint(bytes.clone()));
        assert!(matches!(refused, Some(ToActor::Refused(_))), "{refused:?}");
        assert_eq!(answer("b", FromActor::Heartbeat(id)), Some(ToActor::Unknown));
    }
    // It is a checkpoint of the run, but not its last.
    let session = |units| {
        let config = Value::Object(small_config());
        let mut session =
            Session::start(*find("control").expect("a lab"), &config, 0).expect("good settings");
        (0..units).for_each(|_| _ = session.advance_unit());
        session.save().to_bytes()
    };
    let first = session(1);
    let early = result(&Delivery { last: &first, solved: None }.to_bytes());
    let refused = answer("a", FromActor::Result(early.clone()));
    assert!(
        matches!(&refused, Some(ToActor::Refused(reason)) if reason.contains("does not end")),
        "{refused:?}"
    );
    assert_eq!(answer("b", FromActor::Checkpoint(early.clone())), Some(ToActor::Drop(id)));
    assert_eq!(answer("a", FromActor::Checkpoint(early.clone())), Some(ToActor::Saved(id, 1)));
    assert_eq!(answer("a", FromActor::Checkpoint(early)), Some(ToActor::Saved(id, 1)), "again");
    assert!(files.last[&0] == first && files.finished.is_empty());
}
