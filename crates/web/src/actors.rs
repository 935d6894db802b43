//! The actors of a fleet in a tab, one for each thread: they compute jobs for a run on another machine
//! (`learnery_fleet`). The worker of `fleet.html` carries the messages. Nothing here uses JavaScript, and
//! every time is an argument.

use std::sync::OnceLock;
use std::time::Duration;

use learnery_fleet::sweep::Computer;
use learnery_fleet::wire::{ActorName, Assembler, Subjects, Token, cut_up, read_down};
use learnery_fleet::{Client, ClientState, Compute as _, FromActor, Hello, ToActor};
use learnery_kernels::isa;
use learnery_lab::Budget;
use learnery_lab::fleet::{Version, digest};
use rayon::prelude::*;

use crate::protocol::{ActorStates, ActorsProgress, FleetRun, WorkCount};

/// Makes what computes the jobs and runs of an actor, see [`register`].
static MAKE_COMPUTER: OnceLock<fn() -> Computer> = OnceLock::new();

/// Registers what computes jobs and runs. The linker leaves out labs that are not registered.
pub fn register(make: fn() -> Computer) {
    MAKE_COMPUTER.get_or_init(|| make);
}

/// If the weights have not come this long after one actor has asked for them, another one may ask.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// The actors of a tab.
pub struct Actors {
    token: Token,
    subjects: Subjects,
    actors: Vec<Actor>,
    /// Joins the pieces of messages to all actors.
    to_all: Assembler,
    /// The file of the version that was fetched last. One actor fetches it for all.
    weights: Option<(Version, Vec<u8>)>,
    /// The request for weights that an actor has sent for all.
    fetch: Option<Fetch>,
    is_paused: bool,
    /// The number of the next message.
    serial: u32,
    /// Results that came too late.
    late: u64,
    /// Why the host refused what it was sent last.
    refusal: Option<String>,
}

/// A request for the weights of a version.
struct Fetch {
    version: Version,
    /// When it counts as lost.
    lost_at: Duration,
    /// The index of the actor that has sent it.
    actor: usize,
}

struct Actor {
    name: ActorName,
    client: Client<Computer>,
    /// Joins the pieces of messages to this actor.
    pieces: Assembler,
    /// Whether it has told the host that it leaves, or is about to.
    has_left: bool,
    /// What it says before it leaves, in reverse order.
    last_words: Vec<FromActor>,
}

/// A message to the host.
#[derive(Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub subject: String,
    /// What is published, one after the other.
    pub pieces: Vec<Vec<u8>>,
}

impl Actors {
    /// One actor for each of `threads` threads, for the fleet with this id. `token` is the secret of this
    /// tab, `label` what the host calls it.
    pub fn new(fleet: &str, label: &str, token: [u8; 16], threads: usize) -> Self {
        let make = MAKE_COMPUTER.get().expect("the bundle registers what computes jobs");
        let token = Token(token);
        let actors = (0..threads.max(1)).map(|thread| {
            let name = ActorName::new(label, &token, thread as u16);
            let hello = Hello { build: env!("CARGO_PKG_VERSION").into(), bits: isa::bits().name().into() };
            let client = Client::new(&name.to_string(), hello, make());
            Actor { name, client, pieces: Assembler::default(), has_left: false, last_words: Vec::new() }
        });
        Self {
            token,
            subjects: Subjects::new(fleet),
            actors: actors.collect(),
            to_all: Assembler::default(),
            weights: None,
            fetch: None,
            is_paused: false,
            serial: 0,
            late: 0,
            refusal: None,
        }
    }

    /// The subjects of the messages to the actors, in their order, and last that of messages to all.
    pub fn subjects(&self) -> Vec<String> {
        let own = self.actors.iter().map(|actor| self.subjects.down(&actor.name.to_string()));
        own.chain([self.subjects.down_all()]).collect()
    }

    /// Takes bytes that were published on subject number `subject` of [`Actors::subjects`]. Bytes that are no
    /// message of a host are ignored: an actor repeats what is not answered.
    pub fn receive(&mut self, now: Duration, subject: usize, bytes: &[u8]) {
        let Ok(piece) = read_down(bytes) else { return };
        // The last subject, to which no actor belongs, is that of messages to all.
        let pieces = self.actors.get_mut(subject).map_or(&mut self.to_all, |actor| &mut actor.pieces);
        let Some(Ok(message)) = pieces.add(piece).map(|bytes| ToActor::from_bytes(&bytes)) else { return };
        match (message, self.actors.get_mut(subject)) {
            (ToActor::Weights(version, file), _) => self.share_weights(now, version, file),
            (message, Some(actor)) => {
                match &message {
                    // The host does not want the result any more.
                    ToActor::Drop(_) if is_delivering(&actor.client) => self.late += 1,
                    ToActor::Refused(reason) => self.refusal = Some(reason.clone()),
                    _ => {}
                }
                actor.client.receive(now, message);
            }
            (message, None) => {
                self.actors.iter_mut().for_each(|actor| actor.client.receive(now, message.clone()));
            }
        }
    }

    /// Gives the file of a version to all actors that wait for it.
    fn share_weights(&mut self, now: Duration, version: Version, file: Vec<u8>) {
        self.fetch = None;
        // A damaged file is fetched again.
        if digest(&file) != version.0 {
            return;
        }
        for actor in &mut self.actors {
            if matches!(actor.client.state(), ClientState::Fetching(wanted, _) if *wanted == version) {
                actor.client.receive(now, ToActor::Weights(version, file.clone()));
            }
        }
        self.weights = Some((version, file));
    }

    /// The connection is back: what was not answered is sent again at once.
    pub fn reconnected(&mut self, now: Duration) {
        self.fetch = None;
        self.actors.iter_mut().for_each(|actor| actor.client.reconnected(now));
    }

    /// Stops computing, or goes on. When it stops, [`Actors::poll`] delivers results that are finished and
    /// then gives back the jobs, as when the actors leave. What was not answered is sent again at once.
    pub fn pause(&mut self, now: Duration, paused: bool) {
        if self.is_paused == paused {
            return;
        }
        self.is_paused = paused;
        for actor in &mut self.actors {
            actor.has_left = false;
            actor.last_words.clear();
            actor.client.reconnected(now);
        }
    }

    /// The next message to send, if one is due.
    pub fn poll(&mut self, now: Duration) -> Option<Outgoing> {
        let index = (0..self.actors.len()).find_map(|index| Some((index, self.next_message(now, index)?)));
        index.map(|(index, message)| self.address(index, &message))
    }

    fn next_message(&mut self, now: Duration, index: usize) -> Option<FromActor> {
        let actor = &mut self.actors[index];
        if self.is_paused && !is_delivering(&actor.client) {
            return actor.leave(now);
        }
        let message = actor.client.poll(now)?;
        let FromActor::Fetch(version) = message else { return Some(message) };
        if let Some((_, file)) = self.weights.as_ref().filter(|(known, _)| *known == version) {
            actor.client.receive(now, ToActor::Weights(version, file.clone()));
            return None;
        }
        // An actor that repeats its own request has had no answer, so the request is sent again.
        let is_fetched_by_another =
            |fetch: &Fetch| fetch.version == version && fetch.actor != index && now < fetch.lost_at;
        if self.fetch.as_ref().is_some_and(is_fetched_by_another) {
            return None;
        }
        self.fetch = Some(Fetch { version, lost_at: now + FETCH_TIMEOUT, actor: index });
        Some(message)
    }

    /// Cuts a message of actor `index` into pieces, and adds the subject that they are published on.
    fn address(&mut self, index: usize, message: &FromActor) -> Outgoing {
        let name = self.actors[index].name.to_string();
        let subject = match message {
            FromActor::Result(_) => self.subjects.result(&name),
            _ => self.subjects.up(&name),
        };
        self.serial = self.serial.wrapping_add(1);
        let pieces = cut_up(&self.token, self.serial, &message.to_bytes()).collect();
        Outgoing { subject, pieces }
    }

    /// All messages that are due, and then those with which each actor leaves.
    pub fn leave(&mut self, now: Duration) -> Vec<Outgoing> {
        let mut outgoing: Vec<Outgoing> = std::iter::from_fn(|| self.poll(now)).collect();
        for index in 0..self.actors.len() {
            while let Some(message) = self.actors[index].leave(now) {
                outgoing.push(self.address(index, &message));
            }
        }
        outgoing
    }

    /// Whether [`Actors::slice`] has something to compute.
    pub fn is_computing(&self) -> bool {
        !self.is_paused && self.actors.iter().any(|actor| is_working(&actor.client))
    }

    /// Computes for about `milliseconds`, each actor on a thread of the pool. `clock` returns milliseconds.
    pub fn slice(&mut self, now: Duration, milliseconds: f64, clock: impl Fn() -> f64 + Sync) {
        if self.is_paused {
            return;
        }
        let working = self.actors.par_iter_mut().filter(|actor| is_working(&actor.client));
        working.for_each(|actor| {
            // Each thread has a clock of its own, which began when the thread did. So only differences are
            // used.
            let begin = clock();
            let mut is_over = || clock() - begin >= milliseconds;
            actor.client.work(now, &mut Budget::until(u64::MAX, &mut is_over));
            actor.client.keep(|| now + Duration::from_secs_f64((clock() - begin).max(0.0) / 1e3));
        });
    }

    /// Computes until the runs of a sweep can be saved, but not longer than `milliseconds`. To be called
    /// before the actors pause or leave.
    pub fn finish_units(&mut self, now: Duration, milliseconds: f64, clock: impl Fn() -> f64 + Sync) {
        self.actors.par_iter_mut().for_each(|actor| {
            let begin = clock();
            let is_over = || clock() - begin >= milliseconds;
            while !actor.client.can_save() && !is_over() {
                actor.client.work(now, &mut Budget::until(u64::MAX, &mut { is_over }));
            }
        });
    }

    /// What the actors are doing and have done.
    pub fn progress(&self) -> ActorsProgress {
        let mut progress = ActorsProgress {
            paused: self.is_paused,
            late: self.late,
            refusal: self.refusal.clone(),
            ..ActorsProgress::default()
        };
        for Actor { client, .. } in &self.actors {
            let ActorStates { asking, fetching, working, delivering, complete } = &mut progress.actors;
            match client.state() {
                ClientState::Idle => *asking += 1,
                ClientState::Fetching(..) => *fetching += 1,
                ClientState::Working(id) => {
                    *working += 1;
                    // In a sweep this is the number of a lease and no unit.
                    let unit = (!client.compute().has_runs()).then_some(id.unit);
                    progress.unit = progress.unit.max(unit);
                }
                ClientState::Delivering(..) => *delivering += 1,
                ClientState::Failed(reason) => progress.ended = Some(reason.clone()),
                ClientState::Complete => *complete += 1,
            }
            progress.accepted += client.accepted();
            for (what, count) in client.compute().work() {
                match progress.work.iter_mut().find(|known| known.what == *what) {
                    Some(known) => known.count += count,
                    None => progress.work.push(WorkCount { what: (*what).into(), count: *count }),
                }
            }
        }
        // Idle actors count too: the one that has loaded the newest version may have no job any more.
        let loaded = self.actors.iter().map(|actor| actor.client.compute());
        let newest = self.weights.as_ref().map(|(version, _)| *version);
        let loaded = loaded
            .filter(|compute| compute.has_runs() || compute.version() == newest)
            .find_map(Computer::run);
        progress.run =
            loaded.map(|run| FleetRun { lab: run.lab.clone(), seed: run.seed, config: run.config.clone() });
        progress.sweep = self.actors.iter().any(|actor| actor.client.compute().has_runs());
        // A sweep's versions are files with which runs begin.
        progress.version = newest.filter(|_| !progress.sweep).map(|version| version.to_string());
        progress
    }
}

impl Actor {
    /// The next of the messages that it sends before it leaves; `None` after the last.
    fn leave(&mut self, now: Duration) -> Option<FromActor> {
        if !std::mem::replace(&mut self.has_left, true) && !self.client.state().is_final() {
            self.last_words = self.client.leave(now);
            self.last_words.reverse(); // `pop` takes from the end
        }
        self.last_words.pop()
    }
}

fn is_delivering(client: &Client<Computer>) -> bool {
    matches!(client.state(), ClientState::Delivering(..))
}

fn is_working(client: &Client<Computer>) -> bool {
    matches!(client.state(), ClientState::Working(_))
}
