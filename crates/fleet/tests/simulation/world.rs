//! A fleet in one thread, with a clock of its own: messages that are lost, doubled, late and out of order;
//! hosts and actors that are killed, machines that sleep. The same seed gives the same events.

use std::time::Duration;

use learnery_fleet::{
    Client, ClientState, Compute, FromActor, Hello, Host, Notice, Policy, Progress, Run, ToActor, Trust,
};
use learnery_lab::Budget;

/// The time between two moments of the simulation.
const TICK: Duration = Duration::from_millis(200);
/// The number of the host's own machine, which checks results.
pub const CHECKER: usize = usize::MAX;
/// How long a host pauses.
const HOST_PAUSE: Duration = Duration::from_secs(300);
/// How long the network is down.
const NETWORK_OUTAGE: Duration = Duration::from_secs(60);
/// Steps of learning in a tick.
const LEARNING_STEPS_PER_TICK: u32 = 4;
/// A simulation that takes longer has stopped for good.
const MAX_TIME: Duration = Duration::from_secs(40 * 3600);

/// Random decisions, a linear congruential generator with the constants of Knuth's MMIX.
pub struct Chance(pub u64);

impl Chance {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a generator repeat after few numbers, so only the high ones are used.
        (self.0 >> 33) % n
    }

    /// Draws whether something happens whose probability is this many millionths.
    fn happens(&mut self, in_a_million: u64) -> bool {
        self.below(1_000_000) < in_a_million
    }
}

/// What goes wrong. Plain numbers are how often, in a million messages or in a million ticks.
#[derive(Clone, Copy, Default)]
pub struct Trouble {
    pub lost: u64,
    pub doubled: u64,
    pub changed: u64,
    /// The longest delay of a message.
    pub delay: Duration,
    pub host_is_killed: u64,
    pub actor_is_killed: u64,
    pub actor_sleeps: u64,
    /// From this time on for a minute, no message arrives.
    pub network_is_down_at: Option<Duration>,
    /// The host is killed at this time.
    pub host_is_killed_at: Option<Duration>,
    /// The host does nothing for five minutes from this time on.
    pub host_pauses_at: Option<Duration>,
    /// A buffer keeps all results since the last checkpoint, and delivers them again to a new host.
    pub has_buffer: bool,
}

enum Message {
    ToHost(usize, FromActor),
    ToActor(usize, ToActor),
}

struct SimulatedActor<C: Compute> {
    /// `None` while the actor is down.
    client: Option<Client<C>>,
    name: String,
    asleep_until: Duration,
    /// Steps of work in a tick.
    steps_per_tick: u64,
}

/// The result of a simulation.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The last checkpoint file.
    pub file: Vec<u8>,
    pub time: Duration,
    pub quarantined: Vec<String>,
    /// The units to which the run went back.
    pub went_back: Vec<u64>,
    pub host_kills: u32,
    pub actor_kills: u32,
    /// Why actors ended.
    pub ended: Vec<(String, String)>,
    pub messages: u64,
}

/// A fleet to simulate: what goes wrong, and how its run and its actors are made.
pub struct World<R: Run, C: Compute> {
    pub trouble: Trouble,
    pub chance: Chance,
    pub policy: Policy,
    /// Makes the computer of an actor with this number.
    pub make: fn(usize) -> C,
    pub hello: fn(usize) -> Hello,
    pub new_run: Box<dyn Fn() -> R>,
}

impl<R: Run, C: Compute> World<R, C> {
    /// Runs a fleet of this many actors until the run has this many units (training iterations).
    pub fn run(mut self, actors: usize, units: u64) -> Outcome {
        let mut outcome = Outcome::default();
        // `None` while the host is down.
        let mut host =
            Some(Host::new((self.new_run)(), self.policy.clone(), Trust::default()).expect("a run"));
        let mut host_is_up_at = Duration::ZERO;
        let mut trust = Trust::default();
        let mut checker = (self.make)(CHECKER);
        // Messages under way, each with the time of its arrival.
        let mut wire: Vec<(Duration, Message)> = Vec::new();
        // Results since the last checkpoint, each with its actor.
        let mut buffer: Vec<(String, Vec<u8>)> = Vec::new();
        let mut actors: Vec<SimulatedActor<C>> = (0..actors)
            .map(|i| SimulatedActor {
                client: None,
                name: format!("actor {i}"),
                asleep_until: Duration::from_secs(self.chance.below(60)),
                steps_per_tick: 1 + self.chance.below(9),
            })
            .collect();
        let mut now = Duration::ZERO;
        loop {
            now += TICK;
            assert!(now < MAX_TIME, "the fleet has stopped: {outcome:?}");
            if self.trouble.host_pauses_at.is_some_and(|from| (from..from + HOST_PAUSE).contains(&now)) {
                // Messages wait for it, and actors for answers.
                now += HOST_PAUSE;
            }
            // Messages arrive.
            let (arrived, under_way): (Vec<_>, Vec<_>) = wire.into_iter().partition(|(at, _)| *at <= now);
            wire = under_way;
            for (_, message) in arrived {
                outcome.messages += 1;
                match message {
                    Message::ToHost(i, message) => {
                        if let FromActor::Result(result) = &message {
                            buffer.push((actors[i].name.clone(), result.clone()));
                        }
                        let replies = host.as_mut().map(|host| host.receive(now, &actors[i].name, message));
                        for reply in replies.into_iter().flatten() {
                            self.send(&mut wire, now, Message::ToActor(i, reply));
                        }
                    }
                    Message::ToActor(i, message) => {
                        let actor = &mut actors[i];
                        if let Some(client) = actor.client.as_mut().filter(|_| actor.asleep_until <= now) {
                            client.receive(now, message);
                        }
                    }
                }
            }
            // Actors work, sleep and are killed.
            for (i, actor) in actors.iter_mut().enumerate() {
                if actor.asleep_until > now {
                    continue;
                }
                if self.chance.happens(self.trouble.actor_sleeps) {
                    actor.asleep_until = now + Duration::from_secs(30 + self.chance.below(900));
                    continue;
                }
                if self.chance.happens(self.trouble.actor_is_killed) && actor.client.take().is_some() {
                    outcome.actor_kills += 1;
                    actor.asleep_until = now + Duration::from_secs(self.chance.below(90));
                    continue;
                }
                let (make, hello) = (self.make, self.hello);
                let client = actor.client.get_or_insert_with(|| Client::new(&actor.name, hello(i), make(i)));
                client.work(now, &mut Budget::steps(actor.steps_per_tick));
                if let Some(message) = client.poll(now) {
                    self.send(&mut wire, now, Message::ToHost(i, message));
                }
            }
            // The host learns and checks, or is killed, or comes back.
            let is_kill_due = self.trouble.host_is_killed_at.take_if(|at| *at <= now).is_some();
            if host.is_some() && (is_kill_due || self.chance.happens(self.trouble.host_is_killed)) {
                outcome.host_kills += 1;
                host = None;
                host_is_up_at = now + Duration::from_secs(1 + self.chance.below(60));
            }
            if host.is_none() && host_is_up_at <= now {
                let mut run = (self.new_run)();
                if !outcome.file.is_empty() {
                    run.restore(&outcome.file).expect("its own checkpoint");
                }
                let mut new_host =
                    Host::new(run, self.policy.clone(), trust.clone()).expect("between two units");
                for (actor, result) in buffer.iter().filter(|_| self.trouble.has_buffer) {
                    new_host.receive(now, actor, FromActor::Result(result.clone()));
                }
                host = Some(new_host);
            }
            let Some(host) = &mut host else { continue };
            for _ in 0..LEARNING_STEPS_PER_TICK {
                if host.run().unit() >= units || host.advance() == Progress::Waiting {
                    break;
                }
            }
            if let Some(check) = host.next_check() {
                if checker.version() != Some(check.version) {
                    let (version, file) = host.version().expect("a check has a unit");
                    checker.load(version, file).expect("its own file");
                }
                checker.begin(&check.job).expect("its own job");
                let recomputed = checker.advance(&mut Budget::unlimited()).expect("a whole job");
                host.checked(check.ticket, &recomputed);
            }
            for notice in host.notices() {
                match notice {
                    Notice::Checkpoint(_, file) => {
                        outcome.file = file;
                        buffer.clear();
                    }
                    Notice::Quarantined { actor, back_to, .. } => {
                        outcome.quarantined.push(actor);
                        outcome.went_back.extend(back_to);
                    }
                    Notice::UnitFinished(_)
                    | Notice::Refused { .. }
                    | Notice::Accepted(_)
                    | Notice::Late(_) => {}
                }
            }
            trust = host.trust().clone();
            if host.run().unit() >= units {
                outcome.file = host.run_mut().save().expect("no unit is under way");
                break;
            }
        }
        outcome.time = now;
        outcome.quarantined.sort();
        for client in actors.iter().filter_map(|actor| actor.client.as_ref()) {
            if let ClientState::Failed(reason) = client.state() {
                outcome.ended.push((client.name().into(), reason.clone()));
            }
        }
        outcome
    }

    fn send(&mut self, wire: &mut Vec<(Duration, Message)>, now: Duration, message: Message) {
        let is_down =
            self.trouble.network_is_down_at.is_some_and(|from| (from..from + NETWORK_OUTAGE).contains(&now));
        if is_down || self.chance.happens(self.trouble.lost) {
            return;
        }
        let message = through_bytes(message);
        let delay_ms = self.trouble.delay.as_millis() as u64 + 1;
        let copy = match &message {
            Message::ToHost(i, message) => Message::ToHost(*i, message.clone()),
            Message::ToActor(i, message) => Message::ToActor(*i, message.clone()),
        };
        let message = if self.chance.happens(self.trouble.changed) { changed(message) } else { message };
        wire.push((now + Duration::from_millis(self.chance.below(delay_ms)), message));
        if self.chance.happens(self.trouble.doubled) {
            // The copy may come much later.
            wire.push((now + Duration::from_millis(self.chance.below(4 * delay_ms)), copy));
        }
    }
}

/// A message as it arrives, after it was bytes.
fn through_bytes(message: Message) -> Message {
    match message {
        Message::ToHost(i, message) => {
            Message::ToHost(i, FromActor::from_bytes(&message.to_bytes()).expect("its own message"))
        }
        Message::ToActor(i, message) => {
            Message::ToActor(i, ToActor::from_bytes(&message.to_bytes()).expect("its own message"))
        }
    }
}

/// A message whose bytes were changed or cut on the way.
fn changed(message: Message) -> Message {
    let change = |mut bytes: Vec<u8>| {
        let middle = bytes.len() / 2;
        // The length decides which of the two happens.
        if middle.is_multiple_of(2) {
            bytes.truncate(middle);
        } else {
            bytes[middle] ^= 4; // Any bit will do.
        }
        bytes
    };
    match message {
        Message::ToHost(i, FromActor::Result(bytes)) => Message::ToHost(i, FromActor::Result(change(bytes))),
        Message::ToActor(i, ToActor::Job(bytes)) => Message::ToActor(i, ToActor::Job(change(bytes))),
        Message::ToActor(i, ToActor::Weights(version, bytes)) => {
            Message::ToActor(i, ToActor::Weights(version, change(bytes)))
        }
        other => other,
    }
}
